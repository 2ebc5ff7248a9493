"""What the server takes, and how long it waits."""

from attrs import frozen


@frozen
class Limits:
    """Caps on requests. What exceeds one is refused, and the server goes on.

    Attributes:
        body_bytes: The size of a request's body.
        prompts: The number of prompts of a request.
        prompt_characters: The length of a prompt. How many tokens fit is the checkpoint's affair.
        copies: The number of copies of each completion, `n`.
        stops: The number of stop sequences.
        stop_characters: The length of a stop sequence.
        logprobs: How many of the likeliest tokens are given at each place.
        waiting: The number of prompts that wait for the model, of all requests together.
        connections: The number of open connections.
        patience: Seconds for a client to send the head of a request, and again for its body.
        seconds: Seconds from the head of a request to its response.
    """

    body_bytes: int = 1 << 20
    prompts: int = 256
    prompt_characters: int = 1 << 16
    copies: int = 16
    stops: int = 16
    stop_characters: int = 1000
    logprobs: int = 5
    waiting: int = 4096
    connections: int = 512
    patience: float = 10.0
    seconds: float = 60.0
