"""Bad input is answered by one line."""

from __future__ import annotations

import re

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tests.notebook.cells import run

pytestmark = pytest.mark.quick


BAD = {
    "%grad": "%grad: no expression",
    "%grad nosuch": "%grad: nosuch is not defined",
    "%grad 3": "%grad: 3 has no tensor in it",
    "%grad n": "%grad: n has no tensor in it",
    "%grad i * 2": "%grad: i has no tensor|%grad: i \\* 2 has no tensor",
    "%grad w +": r"%grad: w \+ is not an expression",
    "%grad w * 2 wrt": "%grad: no variable after wrt",
    "%grad w * 2 wrt nosuch": "%grad: nosuch is not defined",
    "%grad w * 2 wrt n": "%grad: n is an int; a gradient needs a floating point tensor",
    "%grad w * 2 wrt i": "%grad: i is a tensor of dtype int64; a gradient needs",
    "%grad w * 2 wrt u": r"%grad: w \* 2 does not depend on u",
    "%grad u.detach() wrt u": r"%grad: u.detach\(\) does not depend on u",
    "%grad m * 2": r"%grad: m \* 2 has 2 elements, but a gradient needs a result of one element; write %grad \(m \* 2\).sum\(\)",
    "%grad w.item() wrt w": r"%grad: w.item\(\) gives a float, not a tensor",
    "%grad w * 2 --order": "%grad --order: nothing is not a positive whole number",
    "%grad w * 2 --order 0": "%grad --order: 0 is not a positive whole number",
    "%grad w * 2 --depth 2": "%grad: there is no option --depth",
    "%grad w.view(7)": r"%grad: w.view\(7\) raised RuntimeError: shape '\[7\]' is invalid",
    "%%trace --view nosuch\n1": "%%trace --view: there is no view 'nosuch'; choose from training, timeline, storage, graph, accumulation, scatter",
    "%%trace --view\n1": "%%trace --view: no view named; choose from training, timeline",
    "%%trace --name\n1": r"%%trace: argument --name: expected one argument; write %%trace \[--view storage,graph\]",
    "%%trace --veiw graph\n1": "%%trace: unrecognized arguments: --veiw graph; write %%trace",
    "%%trace --max-steps 0\n1": "%%trace --max-steps: 0 is not a positive whole number",
    "%%trace --max-steps lots\n1": "%%trace --max-steps: lots is not a positive whole number",
    "%%trace --watch a+b\n1": r"%%trace --watch: 'a\+b' is not a variable name",
    "%trace": "%trace: nothing to trace; write for example %trace y.backward",
    "%trace --view graph": "%trace: nothing to trace",
    "%trace --nosuch w": "%%trace: unrecognized arguments: --nosuch; write %%trace",
    "%trace --view nosuch w": "%%trace --view: there is no view 'nosuch'",
    "%trace w +": r"%trace: w \+ is not a statement of Python \(invalid syntax\)",
    "%trace for": r"%trace: for is not a statement of Python",
    "%trace --name": "%%trace: argument --name: expected one argument",
    "%%trace\n": "%%trace is a cell magic, but the cell body is empty",
    "%%trace\n   \n# nothing": "%%trace: the cell is empty; write the code to trace below",
    "%storage": "%storage: no tensor named; write for example %storage x",
    "%storage n": "%storage: n is not a tensor but an int",
    "%storage __import__('numpy').array(['a'])": ".*is a NumPy array of dtype <U1, and no tensor has that dtype",
    "%storage nosuch": "%storage: nosuch is not defined",
    "%graph u": "%graph: u does not require grad, so it has no graph",
    "%graph": "%graph: no tensor named",
    "%accumulate w": "%accumulate: no trace was recorded yet",
    "%scatter": "%scatter: no expression",
    "%scatter w * 2": r"%scatter: w \* 2 moves no elements by an index",
    "%scatter nosuch": "%scatter: nosuch is not defined",
    "%scatter w(": r"%scatter: w\( is not an expression",
    "%leaves w": "%leaves: this magic lists all leaves and takes no argument",
    "%compare": "%compare: fewer than two traces were recorded; record two cells",
    "%compare a": r"%compare: two traces are needed, not 1; write for example %compare a b",
    "%compare nosuch other": "%compare: there is no trace 'nosuch', no trace was recorded yet; write %%trace --name nosuch in the first",
    "%compare broken broken": "%compare: this document has no schema",
    "%why": "%why: the last cell raised no error, and no trace was recorded yet",
    "%why n": "%why: n is not a tensor but an int",
    "%why nosuch.grad": "%why: nosuch is not defined",
    "%why 1 +": r"%why: 1 \+ is not an expression",
    "%why w w": "%why: w w is not an expression",
    "%why n + 1": r"%why: n \+ 1 raised no error; write %why x.grad",
    "%why x = 3": "%why: x = 3 raised no error",
    "%why held": r"%why: held is not a tensor but a list; write %why held\[0\]",
    "%why jgrad.autograd.backward([n])": r"%why: \[n\] is not a tensor but an int",
    "%grad w * 2 wrt held": r"%grad: held is a list; name the tensors in it, as in wrt held\[0\]",
    '%%trace "mine\n1': "%%trace: No closing quotation; write %%trace",
    "%why n.grad": "%why: n is not a tensor but an int",
    "%why w.grad.grad": "%why: w.grad is not a tensor but None",
    "%why 'no such words'": "%why does not know the message 'no such words'",
}


@pytest.mark.parametrize("cell", BAD)
def test_bad_input_is_answered_by_one_line(shell: InteractiveShell, shown: list, cell: str) -> None:
    run(
        shell,
        "w = jgrad.tensor(1., requires_grad=True); u = jgrad.tensor(2.); m = jgrad.ones(2, requires_grad=True); n = 3; i = jgrad.tensor([1]); "
        "broken = {'schema': None}; held = [w]; x = w",
    )
    out, err, result = run(shell, cell)
    assert out == ""
    [line] = err.strip().split("\n")
    assert re.match(f"UsageError: (?:{BAD[cell]})", line), line
    assert not result.success
    assert shown == []
    assert shell.user_ns["x"] is shell.user_ns["w"]
    assert shell.user_ns["w"].grad is None
