"""One model call for one machine, as an executor of a test makes it."""

from coc_core.errors import StepFault
from coc_core.execution import attributed_to
from coc_core.models import call_each


def ask(model, machine, prompt, ahead=()):
    """The model's targets; none if the first prompt is a fault, which has ended the run."""
    responses = call_each(model, [prompt, *ahead], within=attributed_to(machine, model))
    if isinstance(responses[0], StepFault):
        machine.fail(responses[0], prompt)
        return []
    return [response for response in responses if isinstance(response, str)]
