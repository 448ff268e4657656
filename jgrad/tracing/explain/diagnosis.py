"""What the views say of a trace at first: the gravest finding in one large sentence, or, without a mistake, what the cell did."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import cast

from jgrad.tracing.document.curves import brief_number
from jgrad.tracing.document.index import name_at
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.passage import cursor_at, divided, statements
from jgrad.tracing.document.schema import Diagnosis, GradUpdate, Part, Severity, TraceDocument, Value
from jgrad.tracing.document.sentences import AFTER_HOOK, MADE_BY_HOOK, brief
from jgrad.tracing.explain.answers import why_raised
from jgrad.tracing.explain.arrived import arrived, leaves, odd_gradient
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.interruption import KINDS, headline
from jgrad.tracing.explain.learned import learned
from jgrad.tracing.explain.notes import Finding
from jgrad.tracing.explain.rule import SEVERITIES, listed
from jgrad.warn import Said

LONG = 110  # characters that fit into two lines of large type, chips left out
LONGEST = 150  # characters of a message that no rule knows
SHORT = 12  # a first clause with fewer says too little
FEW = 3  # so many elements of a gradient are said, and so many paths
# Names that are words, too
IN_WORDS = frozenset(
    [
        "a",
        "i",
        "it",
        "in",
        "as",
        "is",
        "at",
        "of",
        "to",
        "no",
        "norm",
        "row",
        "rows",
        "index",
        "input",
        "target",
        "scores",
        "layer",
        "batch",
        "model",
        "total",
        "average",
        "output",
        "result",
        "values",
        "classes",
        "labels",
        "samples",
        "data",
        "shape",
        "size",
        "list",
        "line",
        "lines",
        "step",
        "steps",
        "round",
        "rounds",
        "loss",
        "losses",
    ]
)
NAMED = re.compile(r"(?<![\w.'-])[^\W\d]\w*(?![\w'(-])")
SENTENCES = re.compile(r"(?<=[a-z)\]'`0-9])\. (?=[A-Z])")

INNER = r"\([^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*\)"  # parentheses within parentheses
# "line 3", "cell 9, lines 3 and 5", "line 2 of f (cell 4, called at line 7)"
PLACE = (
    r"(?:(?:cell \d+|[^\s,()]+\.py|<\w+>), )?\blines? \d+(?:(?:, \d+)* and \d+)?"
    rf"(?: of (?!the\b)(?:trace '[^']*'|[\w.]+|a lambda|a generator expression)(?: {INNER})?)?"
)
# How the parentheses of a place begin: "(cell 4, called at line 7)"
DETAIL = r"(?:cell \d|another cell|a cell of|[^\s,()]+\.py\b|<\w|called |run |an older )"
LEADING = re.compile(rf"({PLACE})(?: {INNER})?: (?=\S)")  # "line 3 (x.exp()): ..."
DOING = re.compile(rf"({PLACE}) \(((?:[^()]|{INNER})+)\)")  # "line 3 (y.mul_(2))"
IN_PARENTHESES = re.compile(rf" \(({PLACE})\)")
HOOKED = re.compile(rf", (?:{MADE_BY_HOOK}|{AFTER_HOOK}) ")
CLAUSES = re.compile(r"(?<=\w|\)|\]|')(; |: |, so |, because |, but |, and |, while )")


def diagnosis(log: Log, found: Sequence[Finding], warned: Sequence[Said] = ()) -> Diagnosis:
    """What is to be said of a trace at first. `warned`: the warnings that the cell gave."""
    document = log.document
    found = [one for one in found if not _is_of_data(log, one)]
    last = document["steps"][-1] if document["steps"] else None
    if last is not None and "error" in last and last["error"]["type"] in KINDS:
        return _interrupted(log, min(found, key=_rank) if found else None)
    if found:
        return _of_finding(document, min(found, key=_rank))
    for warning in warned:
        known = why_raised(Incident.of_warning(warning))
        if known is not None:
            rule, _, blanks = known
            said = (*_shortened(document, _at_the_end(rule.cause(blanks))), rule.cure(blanks))
            return _made(document, rule.code, "warning", None, said, f"{warning.category}: {warning.text}")
    step = last
    if step is not None and "error" in step:
        raised, at = step["error"], log.places.at(step)
        first = raised["message"].split("\n", 1)[0]
        if len(first) > LONGEST:
            first = first[: LONGEST - 1] + "…"
        words = f"{raised['type']}: {first}" if first else raised["type"]
        head, more = _shortened(document, words if not at else f"{words} ({at})")
        return _made(document, "", "error", len(document["steps"]) - 1, (head, more, ""), _raised(document))
    odd = odd_gradient(log)
    if odd is not None:
        said = (*_shortened(document, odd["cause"]), odd["repair"])
        return _made(document, odd["code"], "info", odd["step"], said, None)
    return {
        "code": "", "severity": "info", "step": None, "headline": list(_did(log)), "more": [], "repair": [], "proposes": [], "error": None,
    }  # fmt: skip


def _interrupted(log: Log, found: Finding | None) -> Diagnosis:
    """Where the user stopped the cell, and then the gravest finding, if there is one."""
    document = log.document
    index = len(document["steps"]) - 1
    said = _of_finding(document, found) if found is not None else None
    made = _made(document, "", "info", index, (headline(log), "", ""), _raised(document))
    if said is None:
        return made
    stop: Part = {"kind": "text", "text": ". "}
    return {
        **made, "code": said["code"], "severity": said["severity"],
        "more": [*said["headline"], stop, *said["more"]] if said["more"] else [*said["headline"], stop],
        "repair": said["repair"], "proposes": said["proposes"],
    }  # fmt: skip


def _is_of_data(log: Log, one: Finding) -> bool:
    """Whether plain data has no gradient in a cell that also reads one that was filled. That is as it should be; the note at its line says it."""
    filled = [log.name(t) for t, updates in log.grads_of.items() if updates[-1][1]["after"] is not None]
    read = "\n".join(log.source)
    return one.note["code"] == "grad-not-required" and any(
        re.search(rf"(?<![\w.]){re.escape(name)}\.grad\b", read) for name in filled
    )


def _rank(one: Finding) -> tuple[int, bool, int]:
    """The gravest first; among equals what was raised, then what happened first."""
    note = one.note
    return SEVERITIES.index(note["severity"]), not one.raised, note["step"]


def _of_finding(document: TraceDocument, found: Finding) -> Diagnosis:
    note = found.note
    if found.headline:
        head, _, more = found.headline.partition("\n")
        head, more = _shortened(document, head)[0], more and _shortened(document, more)[0] + "."
    else:
        head, more = _shortened(document, _at_the_end(found.cause))
    said = (head, more, found.repair)
    return _made(document, note["code"], note["severity"], note["step"], said, _raised(document))


def _made(
    document: TraceDocument,
    code: str,
    severity: Severity,
    step: int | None,
    said: tuple[str, str, str],
    error: str | None,
) -> Diagnosis:
    head, more, repair = [parts(document, text, step) for text in said]
    return {
        "code": code, "severity": severity, "step": step, "headline": head, "more": more, "repair": repair,
        "proposes": statements(said[2], _names(document).__contains__), "error": error,
    }  # fmt: skip


def _raised(document: TraceDocument) -> str | None:
    """What ended the cell, in its own words."""
    step = document["steps"][-1] if document["steps"] else None
    if step is None or "error" not in step:
        return None
    return f"{step['error']['type']}: {step['error']['message']}".removesuffix(": ")


# Sentences ----------------------------------------------------------------------------------------


def _at_the_end(cause: str) -> str:
    """A cause whose first words are its line, with the line at the end, where a chip does not hold up the reader."""
    led = LEADING.match(cause)
    if led is None:
        return cause
    rest = cause[led.end() :].rstrip(".")
    clause = CLAUSES.search(rest, SHORT)
    at = clause.start() if clause is not None and len(rest) > LONG else len(rest)
    if rest[:at].endswith(")") and re.search(rf"\({PLACE}\)$", rest[:at]):
        at = len(rest)
    return f"{rest[:at]} ({led[1]}){rest[at:]}"


def _shortened(document: TraceDocument, text: str) -> tuple[str, str]:
    """A headline, and the sentence that holds the rest of the text if the whole is too long."""
    text = DOING.sub(lambda m: m[0] if _belongs_to_place(m[2]) else f"{m[2]} ({m[1]})", text)
    text = text.strip().removesuffix(".")
    head, rest = text, ""
    ended = SENTENCES.search(text)
    if ended is not None:
        rest = f"{text[ended.end() :]}."
        head = text = text[: ended.start()]
    if len(IN_PARENTHESES.sub("", text)) > LONG:
        clauses = [m for m in CLAUSES.finditer(text, SHORT) if _balanced(text[: m.start()])]
        fitting = [m for m in clauses if len(IN_PARENTHESES.sub("", text[: m.start()])) <= LONG]
        split = fitting[-1] if fitting else clauses[0] if clauses else None
        if split is not None:
            word = split[1].strip(" ,;:")
            head, second = text[: split.start()], text[split.end() :]
            second = {"so": "So ", "because": "This is because ", "but": "But "}.get(word, "") + second
            rest = f"{_capital(document, second)}. {rest}".strip()
    return _capital(document, head), rest


def _belongs_to_place(text: str) -> bool:
    """Whether what stands in parentheses after a place is more about the place, and not what ran there."""
    return re.match(DETAIL, text) is not None or re.fullmatch(PLACE, text) is not None


def _balanced(text: str) -> bool:
    return (
        text.count("(") == text.count(")") and text.count("[") == text.count("]") and text.count("`") % 2 == 0
    )


def _capital(document: TraceDocument, text: str) -> str:
    """A text with a capital letter, unless it begins with code or with a line."""
    begins = re.match(r"[a-z]+(?= |,|:|$)", text)
    if begins is None or re.match(PLACE, text) or begins[0] in _variables(document) - {"a"}:
        return text
    article = re.match(r"a (?!has |was |is |got )", text)
    return text[0].upper() + text[1:] if begins[0] != "a" or article else text


def _names(document: TraceDocument) -> set[str]:
    """What the user's variables are called, as far as the code says."""
    lines = [*document["source"], *[line for one in document.get("sources", ()) for line in one["lines"]]]
    code = [re.sub(r"#.*|\"[^\"]*\"|'[^']*'", "", line) for line in lines]
    return set(re.findall(r"[^\W\d]\w*", "\n".join(code)))


ASSIGNED = re.compile(
    r"^\s*([\w, ]+?) *[-+*/]?=(?!=)|\bfor ([\w, ]+) in\b|^\s*(?:def|class) (\w+)|^\s*with .* as (\w+)",
    re.MULTILINE,
)


def _variables(document: TraceDocument) -> set[str]:
    """The names that the cell gives to something, and those of tensors, of what holds tensors ("losses[0]"), of modules and of optimizers."""
    elsewhere = [line for one in document.get("sources", ()) for line in one["lines"]]
    code = "\n".join([*document["source"], *elsewhere])
    found = {
        name for match in ASSIGNED.finditer(code) for name in re.findall(r"\w+", match[match.lastindex or 0])
    }
    for t in document["tensors"]:
        for _, name in t["names"]:
            found |= {name, name[: name.find("[")] if "[" in name else name}
    return found | {m["name"] for m in (*document.get("modules", ()), *document.get("optimizers", ()))}


def parts(document: TraceDocument, text: str, until: int | None = None) -> list[Part]:
    """A sentence in parts: words, code and lines. A line that stands in parentheses stands alone."""
    found: list[Part] = []
    variables = _variables(document)
    begins = re.match(r"[^\W\d]\w*(?= )", text)
    if begins is not None and begins[0] in variables and begins[0] not in ("a", "i"):
        found.append({"kind": "code", "text": begins[0]})
        text = text[begins.end() :]
    at = 0
    for place in re.finditer(rf"\(({PLACE})\)|({PLACE})", text):
        found += _words(text[at : place.start()], variables)
        for part in _lines(document, place[1] or place[2], until):
            if place[1] and part["kind"] == "line":
                part["aside"] = True
            found.append(part)
        at = place.end()
    found += _words(text[at:], variables)
    return found


def _words(text: str, variables: set[str]) -> Iterator[Part]:
    """Words and code. The name of a tensor is code, too."""
    for kind, said, _ in divided(text):
        if kind == "code":
            yield {"kind": "code", "text": said}
            continue
        at = 0
        for name in NAMED.finditer(said):
            code = re.search(r"_|\wBackward\d*$", name[0])
            if code or (name[0] in variables and name[0] not in IN_WORDS):
                if name.start() > at:
                    yield {"kind": "text", "text": said[at : name.start()]}
                yield {"kind": "code", "text": name[0]}
                at = name.end()
        if said[at:]:
            yield {"kind": "text", "text": said[at:]}


def _lines(document: TraceDocument, place: str, until: int | None) -> Iterator[Part]:
    """The lines that a place names, each as a part of its own: "line 3", "f, cell 4, line 2"."""
    function = re.search(r"lines? \d+ of ((?:a )?[\w.]+(?: expression)?)(?: \(([^(),]*))?", place)
    first = True
    for kind, words, line in divided(place):
        if kind != "line" or line is None:
            if first is False and line is None and re.fullmatch(r", | and ", words):
                yield {"kind": "text", "text": words}
            continue
        if function is not None and not first:
            return  # where the function was called is another story
        first = False
        said = f"line {line.number}"
        file = line.file or (function and _file_of(document, function[1], line.number))
        if function is not None:
            said = f"{function[1]}, {said}" if file is None else f"{function[1]}, {file}, {said}"
        elif file is not None:
            said = f"{file}, {said}"
        part: Part = {"kind": "line", "text": said}
        cursor = None if line.title else cursor_at(document, file, line.number, until)
        if cursor is None and file is not None and file == document["name"]:
            file, cursor = None, cursor_at(document, None, line.number, until)
        if file is None and not line.title and line.number <= len(document["source"]):
            part["line"] = line.number
        elif file is not None and (source := _source_of(document, file, line.number)) is not None:
            part["there"] = cast("tuple[int, int]", [source, line.number])
        if cursor is not None:
            part["cursor"] = cursor
        yield part


def _file_of(document: TraceDocument, function: str, line: int) -> str | None:
    """The cell or file of a function that ran this line; None for the cell of the trace. (A text names the file of a function only once.)"""
    for call in document.get("calls", ()):
        name = call["function"].rpartition("<locals>.")[2]
        if (name, call["line"]) == (function, line):
            return None if call["source"] is None else document["sources"][call["source"]]["name"]
    return None


def _source_of(document: TraceDocument, file: str, line: int) -> int | None:
    """The source of a cell or file that has a line."""
    for number, one in enumerate(document.get("sources", ())):
        if one["name"] == file and one["first"] <= line < one["first"] + len(one["lines"]):
            return number
    return None


# Without a mistake --------------------------------------------------------------------------------


def _did(log: Log) -> Iterator[Part]:
    """What a cell without a mistake did."""
    document = log.document
    steps = len(document["steps"])
    if not steps:
        yield {"kind": "text", "text": "No tensor operation ran"}
        return
    trained = learned(log)
    if trained:
        yield from parts(document, trained)
        return
    passes = len(log.of("backward"))
    whole = "rounds" not in document and not log.gaps
    yield from _sum_of_paths(log) if passes == 1 and whole else ()
    if passes == 1 and _meeting(log) is not None and whole:
        return
    if passes == 0 and "rounds" not in document:
        yield from parts(document, _without_backward(log))
        return
    if said := arrived(log):
        yield from parts(document, said)
        return
    if "rounds" in document:
        yield {"kind": "text", "text": f"{_ran(log)}, {document['rounds']['total']:,} rounds"}
    elif log.gaps or log.is_cut:
        many = f"{log.times(passes)} backward pass{'es' * (passes != 1)}"
        yield {"kind": "text", "text": f"{_ran(log)}, {many}"}
    else:
        yield from _filled(log, passes)


def _filled(log: Log, passes: int) -> Iterator[Part]:
    """The gradients of a few leaves, each as a number, or as a norm."""
    found = [(log.name(t), t, value) for t, value in leaves(log).items()]
    if not found or len(found) > FEW or not all(re.fullmatch(r"[\w.\[\]…]+", name) for name, _, _ in found):
        yield {"kind": "text", "text": f"{_ran(log)}, {passes:,} backward pass{'es' * (passes != 1)}"}
        return
    for i, (name, t, value) in enumerate(found):
        if i:
            yield {"kind": "text", "text": " and " if i == len(found) - 1 else ", "}
        yield {"kind": "code", "text": f"{name}.grad"}
        summed = sum(u["action"] == "add" for _, u in log.grads_of[t]) > 1 and not _was_cleared(log, t)
        if summed and passes > 1:
            many = "both" if passes == 2 else f"all {passes:,}"
            yield {"kind": "text", "text": f" holds the sum of {many} backward passes"}
        elif _is_small(value):
            yield {"kind": "text", "text": " is "}
            yield {"kind": "number", "text": brief(value)}
        elif (norm := value.get("norm")) is None:
            yield {"kind": "text", "text": " is filled"}
        else:
            yield {"kind": "text", "text": " has norm "}
            yield {"kind": "number", "text": brief_number(norm)}


def _ran(log: Log) -> str:
    """How many steps ran: "19 steps"; "At least 10,003 steps, of which 2,000 were kept"."""
    steps, cut = len(log.steps), log.document["truncated"]
    if cut is None:
        return f"{steps:,} step{'s' * (steps != 1)}"
    kept, seen = cut["kept_steps"], f"At least {cut['seen_steps']:,} steps"
    return (
        seen
        if kept >= cut["seen_steps"]
        else f"{seen}, of which {kept:,} {'was' if kept == 1 else 'were'} kept"
    )


def _without_backward(log: Log) -> str:
    """What a cell did that ran no backward(): what an index moved, or else whose memory the variables have."""
    steps, ran = len(log.steps), _ran(log)
    if log.gaps:
        return ran  # what the other steps did is not known
    if log.nodes and any(t["requires_grad"] for t in log.final):
        return f"{ran}, no backward pass"
    moved = [i for i, step in enumerate(log.steps) if step.get("index_map") and "layer_call" not in step]
    if len(moved) == 1:
        found = log.steps[moved[0]]["index_map"]
        return f"`{found['op']}` ({log.at(moved[0])}): {found['summary']}"
    if moved:
        return f"{ran}, and {len(moved):,} of them move elements by an index"
    named = {t["id"]: name for t in log.final if t["freed_step"] is None and (name := name_at(t, steps))}
    sharing: dict[int, list[str]] = {}
    for number, name in named.items():
        sharing.setdefault(log.final[number]["storage"], []).append(name)
    storage, most = max(sharing.items(), key=lambda one: len(one[1]), default=(0, []))
    if 1 < len(most) <= FEW + 1:
        return f"{ran}: {listed(most)} share storage {storage + 1}"
    if most and len(named) <= FEW + 1 and len(most) == 1:
        if len(named) == 1:
            return f"{ran}: {most[0]} is in storage {storage + 1}"
        return f"{ran}: {listed([*named.values()])} have memory of their own"
    return (
        f"{ran}: {len(named):,} variables in {len(sharing):,} storage{'s' * (len(sharing) != 1)}"
        if named
        else ran
    )


def _was_cleared(log: Log, tensor: int) -> bool:
    return any(u["action"] != "add" for _, u in log.grads_of[tensor])


def _meeting(log: Log) -> tuple[int, GradUpdate] | None:
    """The first named leaf at which several small gradients met, if no hook changed their sum: the leaf, and what was added."""
    for tensor, updates in log.grads_of.items():
        for step, update in updates:
            hooked = HOOKED.search(log.steps[step]["text"])
            few = not hooked and 1 < len(update["contributions"]) <= FEW
            small = all(_is_small(part["value"]) for part in update["contributions"])
            if (
                few
                and small
                and update["action"] == "add"
                and update["before"] is None
                and _is_small(update["after"])
            ):
                return tensor, update
    return None


def _sum_of_paths(log: Log) -> Iterator[Part]:
    """ "w.grad is 5.: two paths lead to w, and they bring 3. and 2."."""
    meeting = _meeting(log)
    if meeting is None:
        return
    tensor, update = meeting
    name = log.name(tensor)
    parts = [brief(part["value"]) for part in update["contributions"]]
    yield {"kind": "code", "text": f"{name}.grad"}
    yield {"kind": "text", "text": " is "}
    yield {"kind": "number", "text": brief(update["after"])}
    yield {"kind": "text", "text": f": {('two', 'three')[len(parts) - 2]} paths lead to "}
    yield {"kind": "code", "text": name}
    yield {"kind": "text", "text": ", and they bring "}
    for i, said in enumerate(parts):
        if i:
            yield {"kind": "text", "text": " and " if i == len(parts) - 1 else ", "}
        yield {"kind": "number", "text": said}


def _is_small(value: Value | None) -> bool:
    return value is not None and value["elements"] is not None and len(value["elements"]) <= FEW
