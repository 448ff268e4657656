"""The lessons in other languages: one code, two texts.

    python -m docs.translate LANGUAGE [NOTEBOOK ...]

writes `notebooks/LANGUAGE/NOTEBOOK`, an edition with the same cells, code, outputs and tags, and other paragraphs. The paragraphs are in
`docs/translations/LANGUAGE/`: by the id of the cell, pairs of the English paragraph and its translation. The command adds the paragraphs that are new there,
with an empty translation, and leaves out those that are gone. A paragraph without a translation stays English.

What the lessons answer while they run is translated in the same way: by the file, pairs of the English sentence, which is a template with named parts,
and its translation, in `jgrad/translations/`. The command keeps them up to date, too. `jgrad/language.py` says them.
"""

from __future__ import annotations

import ast
import copy
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jgrad import language as said

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "notebooks"
TRANSLATIONS = Path(__file__).with_name("translations")
PACKAGE = ROOT / "jgrad"
# What predictions and exercises of the translated lessons say.
SPEAKERS = ("notebook/answers.py", "notebook/input_line.py", "notebook/predicting.py", "notebook/prediction.py", "teach/checking.py", "teach/exercise.py",
            "teach/exercises/gradients.py", "teach/running.py", "teach/solved.py")  # fmt: skip
FENCE = re.compile(r"(^```.*?^```$)", re.M | re.S)
SENTENCE = re.compile(r"[A-Z`\w][^\n]* [^\n]*[.?]")
LETTER = re.compile(r"[^\W\d_]")
# What is written on folded outputs: to open them, and to close them.
FOLDS = {"zh": ("先预测，再打开", "收起")}

Pairs = dict[str, list[list[str]]]


def paragraphs(source: str) -> list[tuple[str, bool]]:
    """The parts of a text cell, which give it when joined, and for each whether it is translated: code, formulas and the ends of tags are not."""
    parts: list[tuple[str, bool]] = []
    for block in FENCE.split(source):
        if block.startswith("```"):
            parts.append((block, False))
        else:
            parts += [(part, _is_text(part)) for part in re.split(r"(\n{2,})", block) if part]
    return parts


def _is_text(part: str) -> bool:
    return bool(LETTER.search(re.sub(r"<[^>]*>|\$\$.*?\$\$", "", part, flags=re.S)))


def texts(notebook: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The id of each text cell, and its paragraphs."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            yield cell["id"], [part for part, is_text in paragraphs("".join(cell["source"])) if is_text]


def updated(notebook: dict[str, Any], known: Pairs) -> Pairs:
    """The pairs of a notebook, with the translations that are known."""
    return {
        name: [[part, dict(map(tuple, known.get(name, []))).get(part, "")] for part in found]
        for name, found in texts(notebook)
    }


def sentences(code: str) -> list[str]:
    """The texts of a module that a learner reads: what `say` is given, what names a learner's function, and other texts that are whole sentences."""
    tree = ast.parse(code)
    others = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}  # docstrings
    others |= {id(part) for one in ast.walk(tree) if isinstance(one, ast.JoinedStr) for part in one.values}
    calls = [
        one for one in ast.walk(tree) if isinstance(one, ast.Call) and getattr(one.func, "id", "") == "say"
    ]
    given = {id(call.args[0]) for call in calls}
    given |= {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.keyword) and one.arg == "what"}
    texts = [
        one
        for one in ast.walk(tree)
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in others
        if id(one) in given or SENTENCE.fullmatch(one.value)
    ]
    return [*dict.fromkeys(one.value for one in sorted(texts, key=lambda one: (one.lineno, one.col_offset)))]


def spoken(known: Pairs) -> Pairs:
    """The pairs of what lessons say, by the file that says it, with the translations that are known."""
    translations = {english: translation for found in known.values() for english, translation in found}
    return {
        name: [
            [one, translations.get(one, "")]
            for one in sentences((PACKAGE / name).read_text(encoding="utf-8"))
        ]
        for name in SPEAKERS
    }


def answered(cell: dict[str, Any], language: str) -> None:
    """Translate what exercises said to a cell as it is stored."""
    known = {
        english: other
        for found in read(said.TRANSLATIONS / f"{language}.json").values()
        for english, other in found
    }
    for output in cell.get("outputs", ()):
        if output["output_type"] == "stream" and (text := "".join(output["text"]).rstrip("\n")) in known:
            output["text"] = [f"{known[text] or text}\n"]


def edition(language: str, notebook: dict[str, Any], pairs: Pairs, others: set[str]) -> dict[str, Any]:
    """The notebook with its translations. Its links lead out of its folder, but for those to `others`, which are translated too."""
    made = copy.deepcopy(notebook)
    to_open, to_close = FOLDS[language]
    # Both are read by `jgrad export`, the second one by MyST-NB and by the extension of JupyterLab, too.
    made["metadata"]["lang"] = language
    made["metadata"]["mystnb"] = {"code_prompt_show": to_open, "code_prompt_hide": to_close}
    for cell in made["cells"]:
        answered(cell, language)
        if cell["cell_type"] == "markdown":
            known = dict(map(tuple, pairs[cell["id"]]))
            source = "".join(
                (known[part] or part) if is_text else part
                for part, is_text in paragraphs("".join(cell["source"]))
            )
            cell["source"] = re.sub(
                r"\]\(([\w-]+\.ipynb)",
                lambda link: link[0] if link[1] in others else f"](../{link[1]}",
                source,
            )
    return made


def file_of(language: str, name: str) -> Path:
    return TRANSLATIONS / language / f"{Path(name).stem}.json"


def names(language: str) -> set[str]:
    """The notebooks that have an edition in a language."""
    return {f"{path.stem}.ipynb" for path in (TRANSLATIONS / language).glob("*.json")}


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def missing(pairs: Pairs) -> int:
    """How many have no translation."""
    return sum(not translation for found in pairs.values() for _, translation in found)


def main(language: str, *wanted: str) -> None:
    file = said.TRANSLATIONS / f"{language}.json"
    write(file, found := spoken(read(file) if file.exists() else {}))
    print(f"{file.relative_to(ROOT)}: {missing(found)} sentences are not translated yet")
    for name in (Path(one).name for one in wanted):
        notebook, file = read(NOTEBOOKS / name), file_of(language, name)
        pairs = updated(notebook, read(file) if file.exists() else {})
        write(file, pairs)
        target = NOTEBOOKS / language / name
        write(target, edition(language, notebook, pairs, names(language)))
        print(f"{target.relative_to(ROOT)}: {missing(pairs)} paragraphs are not translated yet")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
