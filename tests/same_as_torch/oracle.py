"""PyTorch as the tests ask it: the build without CUDA, whichever build is installed.

jgrad answers as that build does where there is no GPU. For most people on Linux `pip install torch` brings a build with CUDA, which says
other things there: "Found no NVIDIA driver on your system" instead of "Torch not compiled with CUDA enabled", and more. So what the build
without CUDA answers is kept in a file. Where that build is installed, it is asked, and must answer what the file holds; where another is
installed, the file answers. `python -m tests.same_as_torch.oracle` writes the file anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import torch

from tests.programs import same

# jgrad multiplies the operands of einsum from left to right, as PyTorch does where opt_einsum is not installed.
torch.backends.opt_einsum.enabled = False

ANSWERS = Path(__file__).parents[1] / "fixtures" / "without_cuda.json"
# Code whose outcome depends on how PyTorch was built.
ABOUT_CUDA = re.compile(r"""\.cuda\(|[=(]["']cuda|pin_memory=True|\.pin_memory\(""")


def built_with_cuda() -> bool:
    return torch.version.cuda is not None


def without_cuda(question: str, ask: Callable[[], list[str]]) -> list[str]:
    """What PyTorch's build without CUDA answers, as texts. `ask` asks the installed PyTorch; `question` names the answer in the file."""
    stored = json.loads(ANSWERS.read_text()).get(question)
    if built_with_cuda():
        assert stored is not None, f"no stored answer: {question}"
        return stored
    answers = ask()
    current = stored is not None and len(stored) == len(answers) and all(map(same, stored, answers))
    assert current, f"{question}: python -m tests.same_as_torch.oracle stores the answer anew"
    return answers


def main() -> None:
    """Ask everything anew that depends on the build, and store the answers."""
    from tests.cuda.test_memory import ALIKE, outcome
    from tests.same_as_torch.test_programs import OF_THE_BUILD, always_warning, texts

    assert not built_with_cuda(), "this needs PyTorch's build without CUDA"
    with always_warning():
        answers = {program.name: texts(program) for program in OF_THE_BUILD}
    answers |= {expression: [outcome(torch, expression)] for expression in ALIKE}
    lines = [f"{json.dumps(question)}: {json.dumps(answer)}" for question, answer in answers.items()]
    ANSWERS.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
