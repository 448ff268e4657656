"""Writes `predictions.json`, what is said of predictions: `python -m tests.notebook.predictions`.

The table is for both languages: `%%predict` says it in Python, and the input line of a page in JavaScript (`js/src/predict/`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jgrad.notebook.prediction import judged, seen_of

TABLE = Path(__file__).with_suffix(".json")


def shown(
    text: str = "",
    error: str | None = None,
    warned: bool = False,
    missing: str | None = None,
    **asked: str,
) -> dict[str, Any]:
    """What a cell showed; `asked`: what it asks for, and what that shows. Names have `_` for a point; a value in quotation marks is a text."""
    values = [
        {"name": name.replace("_", "."), **({"text": v[1:-1]} if v[:1] == "'" else {"shows": v})}
        for name, v in asked.items()
    ]
    return {"text": text, "error": error, "warned": warned, "missing": missing, "asked": values}


GRAD = "tensor([5.], requires_grad=True)\ntensor([2.], grad_fn=<AddBackward0>)"
TABLE_2 = "tensor([[1., 2.],\n        [3., 4.]])"
STEPS = "step 1 loss 7\nstep 2 loss 9"
CASES: list[tuple[dict[str, Any], str]] = [
    (shown("2\nNone\n5"), "2, None, 5 | 2, None, 3 | 2, none, five | 2 None 5 | 5 | 2, 5 | 1, 2, 3, 4 | raises | [2, | none of them"),
    (shown("3"), "3 | three | 3.00001 | 3.1 | 6 | 1.5 | -3 | 30 | 0.3 | [3] | [[3]] | (3,) | {3} | tensor(3) | tensor([3.]) | None | True | 'three' | nan | inf | 3j | 3 # three | a = 3 | [3, 3] | 1, 2 | 1_0 | 0x3 | 007 | 3. | .3e1"),
    (shown(ret_name="'PowBackward0'", x_grad="tensor([-0.4000])"), "PowBackward, -0.4 | PowBackward0, -0.4 | Pow, -0.4 | PowBackward0, -0,4 | zeros, zeros"),
    (shown(x_grad="tensor([0., 0., 0.])"), "zeros | zeros, zeros, zeros | 0, 0, 0"),
    (shown(w_grad="tensor([12.])", x_grad="tensor([5.])"), "x.grad=5, w.grad=12 | w.grad is 12, x.grad: 5 | 12, 5 | w.grad = 12, x.grad = 12 | x.grad = 5, 12 | minus 12, five | nothing, minus five"),
    (shown(new="True", old="False"), "Yes. No. | True/False | 1, 0 | nope, yeah | None, not a leaf | no no | T F | t, f | F T | T, none | yes, no | same object, no | nothing, False"),
    (shown("True"), "I think not True | isn't True | not False | 0 | 1 | 7 | maybe | T | F | same object | yes"),
    (shown(t_dtype="torch.int64", t_shape="torch.Size([3, 3])", same="True"), "int64, 3x3, T | int64, [3, 3], f | T | t, T, T"),
    (shown("True tensor([1.])"), "T 1 | F [1] | t, 2"),
    (shown(w_grad="tensor([[-4., -4.]])", b_grad="None"), "-4 -4, None | [-4 -4], None | -4 - 4, None | [[-4, -4]], none"),
    (shown(a_requires_grad="True", b_grad="tensor(1.)"), "T 1 | True 1 | F 1"),
    (shown("t is True"), "T | t"),
    (shown("", "GradcheckError"), "it raises one | raises one | T | there is an error"),
    (shown("3"), "It does not raise | does not raise an error | never | doesn't fail | fine"),
    (shown("0.71"), "False | one | seven lines"),
    (shown("", "RuntimeError"), "crash | does not work | Exception | doesn't raise | raises"),
    (shown("-12"), "twelve | minus five times | minus 12 | negative 12 | 13 minus 25 | minus twelve | Minus .5"),
    (shown(slope="None"), "nothing | None | no gradient"),
    (shown("3"), "[2, | ' | ) | (] | , | [[[[ | 3, [ | 'a | \x00 | é | 1/0 | [2, 3 % 0] | 9**9**9 | (-8)**0.5 | 2 * nosuch | [1, 2] * 2 | 2x | 3 * | 1/2 of it | 1 | 2 | no idea | not None | 1 if 2 else 3 | a and b | there is 5 | x[0] | 1 | 1e999 | 3 > 2 > 1 | not 3 | ~3 | -(-3) | +3 | --3 | 2 ** -1 | 0 ** -1 | 7 // 2 | -7 // 2 | -7 % 3 | 6 / 2 | 1 + 2 * 1 | (1 + 2) * 1 | 2^2-1 | 9**0.5"),
    (shown("3"), "import os | exit() | exit | quit() | __import__('os').system('x') | os.system('x') | open('a') | print(3) | f(3) | f(x) | from os import path | del x | lambda: 3 | def f(): return 3 | while True: pass | eval('3') | constructor | __proto__ | toString | hasOwnProperty | {} | set() | dict() | {1: 2} | ..."),
    (shown("20.0855 2.7183 1.4142"), "exp(3), e, sqrt(2) | math.exp(3), exp(1), 2**0.5 | sqrt(-1) | log(0) | exp(1000) | max(1, 2), 1, 1 | max(1) | round(2.5), round(0.5), ceil(1.2) | floor(2.7), abs(-3), log(8, 2) | sin(0), cos(0), tanh(0) | pi"),
    (shown("tensor([5.]) tensor([2.])"), "5, 2 | 2, 5 | [5], [2] | [5, 2] | 5 | 5., tensor([2.])"),
    (shown(GRAD), "5., [2] | 5 | 5, 3 | AddBackward0 | 5, 2, AddBackward0"),
    (shown("tensor([2., 4., 6.])"), "2, 4, 6 | [2, 4, 6] | [1, 2, 3] | [2, 4] | 2 | [[2], [4], [6]] | [6, 4, 2] | (2, 4, 6) | 2 4 6"),
    (shown("tensor([8., 8., 8.])"), "8 | [8, 8, 8] | [8] | 4 | [4, 4, 4] | [8, 8]"),
    (shown(TABLE_2), "[[1, 2], [3, 4]] | [[1, 3], [2, 4]] | [1, 2, 3, 4] | [[1, 2, 3, 4]] | 1, 2, 3, 4 | [[1, 2], [3, 5]] | [1, 2], [3, 4] | [[2, 4], [6, 8]]"),
    (shown("jgrad.float32 jgrad.Size([3])"), "float32, (3,) | float, 3 | float64, [3] | float32, [3, 1] | 3 | torch.float32, torch.Size([3])"),
    (shown("dtype: torch.float32, shape: torch.Size([3])"), "float32, 3 | float16, 3"),
    (shown("torch.int64"), "long | int | int64 | int32"),
    (shown(made_dtype="torch.int64"), "int | in | long"),
    (shown("0.3333"), "1/3 | 0.33 | 0.3 | \u00bd | \u2153 | 1/2"),
    (shown("5.001"), "5 | 5.001 | 5.1 | 50"),
    (shown("jgrad.float32 -inf"), "float, -infinity | float32, inf | float, -\u221e"),
    (shown("tensor([nan, inf])"), "nan, inf | nan, nan | [nan, inf] | [inf, nan] | nan"),
    (shown("True False"), "yes, no | True, False | no, no | True | False | 3 > 2, not True | True True | True. | it does, it does not | 是, 不对"),
    (shown("True"), "yes | no | 1 | True | raises | no error | yes, True | no, True | No, yes | yes, 3, True"),
    (shown("5"), "0,71 | 5,0 | yes | False | no | raises | RuntimeError | warns | None | 2.5 | -5 | 1 | \uff15"),
    (shown("[0.5, 8] 3 -0.3333"), "[1/2, 2**3], 7 // 2, -(1/3) | [1/2, 8], 3, 1/3"),
    (shown("-1 6 0.5"), "\u22121, 2\u00d73, \u00bd | \u22121, 2\u00b73, 1\u00f72"),
    (shown("3 (1, 2)"), "\uff13\uff0c\uff08\uff11\uff0c\uff12\uff09 | 3\u3001(1, 2)"),
    (shown("tensor([1.+2.j])"), "1+2j | [1+2j] | 2j | 1-2j"),
    (shown("a, b\n3"), "'a, b', 3 | a, b, 3 | 'a', 3 | \u201ca, b\u201d, 3"),
    (shown("5\nNone"), "'5', 'None' | 5, None"),
    (shown("red, green"), "red, green | 'red, green' | green, red | Red, Green"),
    (shown("a True [3]\nb False [4]"), "True, False | True, True | 3, 4 | [3], [5] | a, b"),
    (shown("leaf * 3 (it doesn't ask)  False\nw * 3 > 1  True"), "False, True | True, True | doesn't"),
    (shown(STEPS), "1, 2 | 7, 9 | 7, 8 | 9 | 1 | 7, 9, 11 | 1, 7, 2, 9 | 1, 7, 2, 8"),
    (shown("1 2 4 9\n5 3"), "4, 5 | 9, 3 | 1, 5"),
    (shown("1 2 3"), "1, 4 | 3, 2 | 1, 3 | 4 | 2 | 3 | 1, 2, 3, 4 | 1, 2, 3"),
    (shown("1\n2\n3\n4\n5\n6\n7\n8"), "8, 7, 6, 5, 4, 3, 2, 1 | 1, 2, 3, 4, 5, 6, 7, 8 | [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"),
    (shown(""), "ok | 3 | raises | True | no | None | nothing"),
    (shown("", "RuntimeError"), "raises | RuntimeError | ValueError | 5 | no | yes | it raises an error | ok | [2, | error | no, it raises | yes, RuntimeError | no, 3"),
    (shown("2\n", "RuntimeError", warned=True), "2, raises | warns, raises | 2 | raises | 3, raises | warns"),
    (shown("1 7\n2 9", warned=True), "warns, 7, 9 | a warning | 1, 2"),
    (shown("", "NameError", missing="net"), "5 | raises | NameError"),
    (shown("x", a_grad="tensor([3., 3.])", a_dtype="jgrad.float32", a_shape="jgrad.Size([2])", word="'left'"), "[3, 3], float32, [2], left | [3., 3.], jgrad.float32, 2, 'left' | [1, 1], float64, [3], right | [3, 3], float32 | [3, 3 | raises | 3, 3, float32, 2, left | 3, float, (2,), Left"),
    (shown("", y_slopes="(2.0, 3.0)"), "2, 3 | (2, 3) | [2, 3] | 3, 2 | 2 | 2, 3, 4 | minus two | 2, three"),
    (shown("", x="-4.0"), "minus four | -4 | 4 | -4.0 | no idea | e | pi | 1, 2 | 0,4 | import os | exit()"),
    (shown("", x="False"), "no | no, False | yes, False | False | not True | no idea | it isn't | 0 | None"),
    (shown("", x="2.718281828"), "e | exp(1) | e^1 | 2.718 | 2 * e | pi | math.e"),
    (shown("", x="jgrad.Size([3, 3])"), "3x3 | 3 × 3 | [3, 3] | 3, 3 | 9 | [3] | 3×4"),
    (shown("", x="6", y="'red'"), "6, red | 3, blue | 12, red | red | 6 | 2×3, red"),
    (shown("", x="1e-07", y="123456789.0"), "0, 1e8 | 1e-7, 123456789 | 1, 1"),
    (shown("1e-07 123456789 0.00012 1234567.5"), "1, 1, 1, 1 | 0, 123456789, 0, 1234567 | 1e-7, 1.2e8, 2e-4, 1e6 | 0.00001, 100000, 1e5, 1e16"),
    (shown("<MulBackward0 object at 0x7f0>"), "MulBackward0 | AddBackward0 | <MulBackward0> | <MulBackward0"),
    (shown("device(type='cpu')"), "device(type='cpu') | cpu | 'cpu'"),
    (shown("Value(data=3)"), "Value(data=3) | Value(3) | 3"),
    (shown("OrderedDict([('a', 1)])"), "OrderedDict([('a', 1)]) | a, 1"),
]  # fmt: skip


def table() -> list[dict[str, Any]]:
    return [
        {
            "shown": shown,
            "said": {answer: judged(answer, seen_of(shown)).text() for answer in answers.split(" | ")},
        }
        for shown, answers in CASES
    ]


if __name__ == "__main__":
    TABLE.write_text(json.dumps(table(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
