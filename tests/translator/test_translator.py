"""The translator of the views: what it makes of each construct does in Node what Python does, and all else is refused."""

from __future__ import annotations

import inspect
import json
import random
import shutil
import subprocess
import textwrap
from pathlib import Path
from typing import Any

import pytest

from jgrad.tracing.document.numbers import exponential, number
from jgrad.views.drawing import frame_of
from js.translator.__main__ import DOCUMENTS
from js.translator.output import Output, write
from js.translator.program import OutsideTheSubsetError, Program

from . import constructs

pytestmark = pytest.mark.quick
ROOT = Path(__file__).parents[2]
NODE = shutil.which("node")
ESBUILD = shutil.which("esbuild", path=ROOT / "node_modules" / ".bin")
needs_node = pytest.mark.skipif(NODE is None or ESBUILD is None, reason="needs Node, and npm ci")
HELPERS = {"anything", "optional", "starred", "nothing", "new", "sum_of"}
NAMES = [
    name
    for name, value in vars(constructs).items()
    if inspect.isfunction(value) and value.__module__ == constructs.__name__ and name not in HELPERS
]


def run(folder: Path, script: str) -> Any:
    """What a script prints as JSON. It may import TypeScript."""
    (folder / "run.ts").write_text(script, encoding="utf-8")
    subprocess.run(
        [ESBUILD, "run.ts", "--bundle", "--format=esm", "--outfile=run.mjs", "--log-level=error"],
        cwd=folder,
        check=True,
    )
    done = subprocess.run(
        [NODE, "run.mjs"], cwd=folder, check=True, capture_output=True, text=True, encoding="utf-8"
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def in_node(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The result of each function of `constructs` in Node, or its error."""
    folder = tmp_path_factory.mktemp("translated")
    module = "tests.translator.constructs"
    files = Output(Program(ROOT), [(module, name) for name in NAMES], {}).files(
        str(ROOT / "js" / "src" / "python")
    )
    write(files, folder)
    return run(
        folder,
        """import * as all from "./constructs";
        const found: Record<string, unknown> = {};
        for (const [name, value] of Object.entries(all)) {
          try {
            found[name] = (value as () => unknown)();
          } catch (error) {
            found[name] = String(error);
          }
        }
        console.log(JSON.stringify(found));""",
    )


@needs_node
@pytest.mark.parametrize("name", NAMES)
def test_a_construct_does_the_same_in_javascript(name: str, in_node: dict[str, Any]) -> None:
    assert in_node[name] == json.loads(json.dumps(getattr(constructs, name)()))


@needs_node
def test_numbers_are_written_in_the_same_way(tmp_path: Path) -> None:
    rng = random.Random(1)
    values = [
        0.0,
        1.0,
        -2.5,
        1.0625,
        1.1875,
        0.0001220703125,
        12345.0,
        1234500.0,
        999999.5,
        0.1,
        5e-324,
        1.7e308,
    ]
    values += [rng.uniform(-1, 1) * 10.0 ** rng.randint(-12, 12) for _ in range(3000)]
    # Many of them lie half way.
    values += [(2 * rng.randint(0, 9999) + 1) / 2 ** rng.randint(1, 20) for _ in range(3000)]
    values = [x for x in values if x == float(repr(x))]
    found = run(
        tmp_path,
        f"""import {{ exponential, number }} from {json.dumps(str(ROOT / "js" / "src" / "numbers"))};
        const values: number[] = {json.dumps(values)};
        console.log(JSON.stringify(values.map((x) => [number(x), ...[0, 1, 2, 3].map((digits) => exponential(x, digits))])));""",
    )
    for x, texts in zip(values, found, strict=True):
        assert texts == [number(x), *[exponential(x, digits) for digits in range(4)]], x


@needs_node
def test_the_view_in_the_documentation_draws_the_same_in_both_languages(tmp_path: Path) -> None:
    """The example of docs/views.md, as its own file among the views."""
    page = (ROOT / "docs" / "views.md").read_text(encoding="utf-8").split("## Adding a view")[1]
    source = textwrap.dedent(page.split("```python")[1].split("```")[0])
    for part in ("views", "tracing/document"):
        shutil.copytree(ROOT / "jgrad" / part, tmp_path / "jgrad" / part)
    (tmp_path / "jgrad" / "views" / "alive.py").write_text(source, encoding="utf-8")
    roots = [
        ("jgrad.views.alive", "scene"),
        ("jgrad.views.scene", "Frame"),
        ("jgrad.tracing.document.index", "TraceIndex"),
    ]
    src = ROOT / "js" / "src"
    given = {"jgrad.tracing.document.numbers": str(src / "numbers")}
    write(Output(Program(tmp_path, DOCUMENTS), roots, given).files(str(src / "python")), tmp_path / "made")
    document = json.loads((ROOT / "tests/fixtures/documents/sharing.json").read_text(encoding="utf-8"))
    n = len(document["steps"])
    found = run(
        tmp_path,
        f"""import {{ scene }} from "./made/alive";
        import {{ Frame }} from "./made/scene";
        import {{ TraceIndex }} from "./made/index";
        const index = new TraceIndex({json.dumps(document)});
        console.log(JSON.stringify([...Array({n + 1}).keys()].map((k) => scene(new Frame(index, k)))));""",
    )
    namespace: dict[str, Any] = {}
    exec(compile(source, "alive.py", "exec", dont_inherit=True), namespace)
    expected = [namespace["scene"](frame_of(document, k)) for k in range(n + 1)]
    assert found == json.loads(json.dumps(expected))
    assert len(expected[-1]["items"]) > 4


def translated(folder: Path, source: str) -> dict[str, str]:
    """The files made of the function `f` of a module with this text."""
    (folder / "module.py").write_text(source, encoding="utf-8")
    return Output(Program(folder), [("module", "f")], {}).files("./python")


REFUSED = {
    # statements
    "try": ("def f():\n    try:\n        pass\n    finally:\n        pass", 2, "the statement Try"),
    "with": ("def f(x):\n    with x:\n        pass", 2, "the statement With"),
    "raise": ("def f():\n    raise ValueError", 2, "the statement Raise"),
    "delete": ("def f(x):\n    del x", 2, "the statement Delete"),
    "global": ("def f():\n    global x", 2, "the statement Global"),
    "import": ("def f():\n    import math", 2, "the statement Import"),
    "match": ("def f(x):\n    match x:\n        case 1:\n            pass", 2, "the statement Match"),
    "else of a loop": ("def f(xs: list[int]):\n    for x in xs:\n        pass\n    else:\n        pass", 2, "else after a loop"),
    "several targets": ("def f():\n    a = b = 1\n    return a", 2, "several targets"),
    "slice as target": ("def f(xs: list[int]):\n    xs[1:] = []", 2, "an assignment to a slice"),
    "a place from the end += ": ("def f(xs: list[int]):\n    xs[-1] += 1", 2, "counted from the end"),
    "a place from the end as target": ("def f(xs: list[int]):\n    xs[-2] = 1", 2, "counted from the end"),
    "list +=": ("def f(xs: list[int]):\n    xs += [1]", 2, "use extend"),
    "yield": ("def f():\n    yield 1", 2, "Yield"),
    "decorator": ("@cache\ndef f():\n    return 1", 2, "the decorator of f"),
    "keyword only": ("def f(*, a):\n    return a", 1, "parameters"),
    # expressions
    "power": ("def f(a: int):\n    return a**2", 2, "the operator Pow"),
    "step of a slice": ("def f(xs: list[int]):\n    return xs[::2]", 2, "a slice with a step"),
    "twice computed": ("def f(a: int):\n    return 1 < g(a) < 3\n\ndef g(a: int) -> int:\n    return a", 2, "computed twice"),
    "format": ('def f(a: float):\n    return f"{a:.2f}"', 2, "the only format"),
    "text of a float": ('def f(a: float):\n    return f"{a}"', 2, "the text of a float"),
    "text of a list": ("def f(a: list[int]):\n    return str(a)", 2, "the text of a list"),
    "bytes": ('def f():\n    return b"x"', 2, "the constant"),
    "unknown name": ("def f():\n    return unknown", 2, "there is no unknown"),
    "unknown function": ("def f(x: int):\n    return hash(x)", 2, "the function hash"),
    "other module": ("import json\n\ndef f(x: str):\n    return json.loads(x)", 4, "there is no json"),
    "unknown method": ("def f(x: str):\n    return x.zfill(3)", 2, "the method zfill of a value of type text"),
    "method of a list": ("def f(x: list[int]):\n    x.reverse()", 2, "the method reverse of a value of type list"),
    "pop at a place": ("def f(x: list[int]):\n    return x.pop(0)", 2, "pop takes the last"),
    "split at blanks": ("def f(x: str):\n    return x.split()", 2, "split with 0 arguments"),
    "attribute of anything": ("def f(x):\n    return x.real", 2, "attributes are those of objects"),
    "keyword of a method": ("def f(x: list[int]):\n    x.sort(reverse=True)", 2, "the argument reverse="),
    "no such parameter": ("def f():\n    return g(b=1)\n\ndef g(a: int) -> int:\n    return a", 2, "has no parameter b"),
    "default": ("def f(a: list[int] = []):\n    return a", 1, "a default must not be"),
    # what JavaScript compares otherwise
    "is of a field": (
        "from typing import Any\n\ndef f(a: dict[str, Any], b: Any):\n    return a['x'] is b", 4, "give it a name first"
    ),
    "tuple in a set": ("def f(a: int):\n    return {(a, a)}", 2, "a tuple as a key or in a set"),
    "tuple as a key": ("def f(a: int):\n    return {(a, a): 1}", 2, "a tuple as a key or in a set"),
    "equal dicts": ("def f(a: dict[int, int], b: dict[int, int]):\n    return a == b", 2, "use `is`"),
    "dict in a list": (
        "from typing import Any\n\ndef f(a: dict[str, Any], b: list[dict[str, Any]]):\n    return a in b", 4, "use `any` and `is`"
    ),
    # regular expressions
    "digits": ('import re\nP = re.compile(r"\\d")\n\ndef f(s: str):\n    return P.search(s)', 2, "re.ASCII"),
    "named group": ('import re\nP = re.compile("(?P<a>x)")\n\ndef f(s: str):\n    return P.search(s)', 2, "named groups"),
    "pattern of a variable": ("import re\n\ndef f(s: str):\n    return re.search(s, s)", 4, "written out"),
    # classes
    "unknown attribute": (
        "class A:\n    def __init__(self) -> None:\n        self.x = 1\n\ndef f():\n    return A().y", 1, "A has no attribute 'y'"
    ),
    "class with a name of JavaScript": ("class Map:\n    pass\n\ndef f():\n    return Map()", 1, "Map has a meaning in JavaScript"),
    "constant with a name of JavaScript": ("Set = 1\n\ndef f():\n    return Set", 1, "Set has a meaning in JavaScript"),
    "a method that is handed on": (
        "class A:\n    def m(self) -> int:\n        return 1\n\ndef f(a: A):\n    g = a.m\n    return g()", 6, "loses its object"
    ),
    "a method as an argument": (
        "class A:\n    def m(self, x: int) -> int:\n        return x\n\ndef f(a: A, xs: list[int]):\n    return sorted(xs, key=a.m)", 6, "loses its object"
    ),
    "truth of a dict": ("from typing import Any\n\ndef f(a: dict[str, Any]):\n    return not a", 4, "an empty dict is false"),
    "truth of a record that may be empty": (
        "from typing import NotRequired, TypedDict\n\nclass R(TypedDict):\n    x: NotRequired[int]\n\ndef f(r: R):\n    if r:\n        return 1", 7, "an empty dict is false"
    ),
    "key that is no name": ("from typing import Any\n\ndef f(a: dict[str, Any]):\n    return a['x-y']", 4, "the key 'x-y' is no name"),
    "key that all objects have": ("from typing import Any\n\ndef f(a: dict[str, Any]):\n    a['constructor'] = 1", 4, "the key 'constructor' is no name"),
    "key of a display": ("def f():\n    return {'toString': 1}", 2, "each object of JavaScript has 'toString'"),
    "unknown field": (
        "from typing import TypedDict\n\nclass R(TypedDict):\n    x: int\n\ndef f(r: R):\n    return r['y']", 3, "R has no field 'y'"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_outside_of_the_subset_is_refused(name: str, tmp_path: Path) -> None:
    source, line, words = REFUSED[name]
    with pytest.raises(OutsideTheSubsetError) as refusal:
        translated(tmp_path, source)
    assert str(refusal.value).startswith(f"module.py:{line}: ")
    assert words in str(refusal.value)


def test_only_what_is_needed_is_translated(tmp_path: Path) -> None:
    source = "def f():\n    return A().used()\n\nclass A:\n    def used(self) -> int:\n        return 1\n\n    def other(self):\n        raise ValueError\n\ndef g():\n    raise ValueError\n"
    made = translated(tmp_path, source)["module.js"]
    assert "used$()" in made
    assert "other" not in made
    assert "const f = " in made
    assert "const g" not in made


def test_attributes_and_fields_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """The build shortens the names of attributes, and leaves those of the fields of documents."""
    source = "from typing import Any\n\nclass A:\n    def __init__(self, row: dict[str, Any]) -> None:\n        self.step: int = row['step']\n\ndef f(row: dict[str, Any]):\n    return A(row).step\n"
    made = translated(tmp_path, source)["module.js"]
    assert "this.step$ = row.step;" in made
    assert "return new A(row).step$" in made


def test_declarations_have_the_types_of_the_annotations(tmp_path: Path) -> None:
    source = """
from typing import NotRequired, TypedDict

class Loop(TypedDict):
    begin: int
    inner: NotRequired[list[Loop]]

class Box:
    def __init__(self, loops: list[Loop]) -> None:
        self.loops = loops

    def first(self, names: dict[str, int] | None = None) -> tuple[int, str]:
        return self.loops[0]["begin"], ""

def f(loops: list[Loop], *rest: int) -> Loop | None:
    box = Box(loops)
    box.first()
    return box.loops[0]
"""
    assert translated(tmp_path, source)["module.d.ts"].splitlines()[1:] == [
        "export interface Loop {",
        "  begin: number;",
        "  inner?: Array<Loop>;",
        "}",
        "export class Box {",
        "  loops$: Array<Loop>;",
        "  constructor(loops: Array<Loop>);",
        "  first$(names?: Map<string, number> | null): [number, string];",
        "}",
        "export function f(loops: Array<Loop>, ...rest: any[]): Loop | null;",
    ]
