"""What is kept of a response that is not the expected target."""

from attrs import frozen

from coc_core.models import Response


@frozen
class WrongTarget:
    """A prompt, the expected target, and what the model wrote. If it wrote nothing, `fault` says why."""

    prompt: str
    expected: str
    got: str
    fault: str | None = None

    @classmethod
    def of(cls, prompt: str, expected: str, response: Response) -> "WrongTarget":
        """Make the record of a response that differs from the expected target."""
        got, fault = (response, None) if isinstance(response, str) else (response.text, response.message)
        return cls(prompt, expected, got, fault)
