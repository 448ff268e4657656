"""How a document is shown in Jupyter: first its static twin, which a saved notebook keeps, then the live widget, which hides the twin."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from functools import cache
from typing import Any

from jgrad.garbage import few_collections
from jgrad.tracing.document.packing import pack
from jgrad.tracing.document.schema import TraceDocument
from jgrad.tracing.document.thinning import thinned
from jgrad.tracing.document.wording import in_its_words
from jgrad.views import page
from jgrad.views.drawing import applicable, frame_of, known, scene_of
from jgrad.views.headline import in_text
from jgrad.views.text import WIDE, brief
from jgrad.views.text import lower as in_lines
from jgrad.views.transport import STATIC, TRACE, compressed, digits, wire
from jgrad.views.twin import EMPTY, twin

SAVED = 2_000_000  # larger documents, in bytes, are not saved in the output, whose message they would make too large
WHOLE = 24_000  # larger ones, in characters as they are sent, are saved without most elements of most rounds


@few_collections(0)
def show(
    document: TraceDocument,
    views: list[str] | None = None,
    cursor: int | None = None,
    key: str | None = None,
    early: Early | None = None,
) -> Any:
    """Show a document. In Jupyter these are its pictures, and the live views in their place if widgets work. Elsewhere it is its text.

    `key` is the id of the cell whose output this is, by default the running one. When the cell shows something in a later run, the widgets
    of this run are closed. `early` has already shown a part of the document while the cell ran: its views now show the whole. Returns the
    live widget, if there is one.
    """
    there = applicable(document)  # this also checks the document
    document = in_its_words(document)
    chosen = [*dict.fromkeys([*map(known, views or ()), *there])]  # those asked for first
    if views is not None:
        there = [known(view) for view in views]
    shell = _shell()
    if shell is None:
        if marimo() is None:
            wide = min(max(shutil.get_terminal_size((WIDE, 24)).columns, 80), 120)
            print(_text(document, _scenes(document, there, cursor), wide, cursor, views is None), end="")
            return None
        shown = in_marimo(document, chosen, cursor)
        marimo().output.append(shown)
        return shown
    from IPython.display import display

    key = key or cell_id(shell)
    place = _place(key, shell)
    data = pack(document)
    name = hashlib.sha256(f"{key} {len(place)} {chosen} {data}".encode("utf-8", "replace")).hexdigest()[:12]
    # The widget first: the document is sent and unpacked while the pictures are made.
    widget, twin_there, shown = (None, None, False) if early is None else early.leave()
    if widget is not None:
        with widget.hold_sync():
            widget.document, widget.views, widget.twin = wire(data), chosen, name
            if cursor is not None:
                widget.cursor = cursor
    trace: dict[str, Any] = {}
    if len(data) <= SAVED:
        trace[TRACE] = {
            "document": wire(data), "cursor": -1 if cursor is None else cursor, "views": chosen, "twin": name,
        }  # fmt: skip
    is_live = widget is not None or (bool(chosen) and widget_class() is not None)
    is_replaceable = is_live and key is not None and _is_replaceable(shell)
    if is_replaceable:
        # A reader waits for the notes, then for the live views: they come before the pictures, which only a saved notebook needs.
        promised = _promised(name, "the pictures are being drawn") | trace
        if twin_there is None:
            twin_there = display(promised, raw=True, display_id=True)
        else:
            twin_there.update(promised, raw=True)
    if is_live and widget is None:
        widget = live(data, chosen, cursor, name)
        place.append(widget)
    if is_replaceable and not shown:
        display(widget)
        shown = True
    scenes = _scenes(document, there, cursor)
    if is_live and trace and len(trace[TRACE]["document"]) > WHOLE:
        trace[TRACE] |= {"document": compressed(pack(thinned(document, cursor)), 9)}
    bundle = {
        "text/plain": _text(document, scenes, WIDE, cursor, views is None).rstrip("\n"),
        # A picture takes more room than the trace. So those that nobody asked for are left to the live views.
        "text/html": twin(
            scenes if views is not None or widget is None else scenes[:1],
            name,
            document.get("diagnosis") if cursor != 0 else None,
            widget is not None,
        ),
        **trace,
    }
    if twin_there is None:
        display(bundle, raw=True)
    else:
        twin_there.update(bundle, raw=True)
    if widget is not None and not shown:
        display(widget)
    return widget


def _promised(name: str, said: str) -> dict[str, Any]:
    """What stands in the place of a twin until its pictures are there."""
    return {"text/plain": said, "text/html": f'<p data-jgrad-twin="{name}">{said}</p>'}


def _scenes(document: TraceDocument, chosen: list[str], cursor: int | None) -> list[dict[str, Any]]:
    frame = frame_of(document, cursor)
    return [scene_of(frame, view) for view in chosen]


def _text(
    document: TraceDocument, scenes: list[dict[str, Any]], wide: int, cursor: int | None, is_brief: bool
) -> str:
    """A document as text: whole, or in at most 40 lines. Before the first step the headline would say how it ends."""
    said = in_text(document, wide) * bool(scenes and cursor != 0)
    if is_brief:
        return brief(said, scenes, wide) or f"{EMPTY}\n"
    return said + "\n".join([in_lines(scene, wide) for scene in scenes]) or f"{EMPTY}\n"


def in_brief(document: TraceDocument) -> str:
    """A document in at most 40 lines, as a terminal shows it: the answer first."""
    said = in_its_words(document)
    return _text(said, _scenes(said, applicable(document), None), WIDE, None, is_brief=True)


def show_comparison(comparison: Any) -> Any:
    """Show two traces side by side: their text, or the twin and the live views of both, at the first step that differs."""
    shell = _shell()
    if shell is None:
        print(comparison)
        return None
    from IPython.display import display

    place = _place(cell_id(shell), shell)
    document = comparison.document()
    data = pack(document)
    name = hashlib.sha256(f"{cell_id(shell)} {len(place)} {data}".encode("utf-8", "replace")).hexdigest()[:12]
    display({"text/plain": repr(comparison), "text/html": twin([comparison.scene()], name)}, raw=True)
    views = [v for v in comparison.views if any(v in applicable(d) for d in comparison.documents)]
    widget = live(data, views, comparison.opens, name)
    if widget is not None:
        place.append(widget)
        display(widget)
    return widget


def undisplayed(document: TraceDocument) -> Any:
    """A widget for a document that the front end is to display itself; None if there can't be one."""
    document = in_its_words(document)
    return live(pack(document), applicable(document), None, "")


def refresh(widget: Any, document: TraceDocument) -> None:
    """Show another document in a widget."""
    widget.document = wire(pack(in_its_words(document)))


class Early:
    """The views of a cell that is still running. The cell itself may clear this output, or close the widget."""

    def __init__(self, views: list[str] | None, key: str, shell: Any) -> None:
        self.views = views
        self.key = key
        self.shell = shell
        self._where = _where(shell)
        self._publisher = shell.display_pub
        self._name = ""
        self._twin: Any = None  # the display handle of the static twin, if it is displayed
        self._widget: Any = None
        self._shown = False  # whether the widget is displayed, below the twin

    def __call__(self, document: TraceDocument) -> None:
        """Show the document of what has happened so far."""
        if _where(self.shell) != self._where:
            return  # what is displayed now would appear in another place
        document = in_its_words(document)
        data, widget = pack(document), self._open()
        if widget is None or not self._shown:
            self._display(data, document)
            return
        there = widget.views
        with widget.hold_sync():
            widget.document = wire(data)
            # Views that were shown stay, although a later document may have less to show.
            if self.views is None:
                widget.views = [*dict.fromkeys([*there, *applicable(document)])]

    def _display(self, data: str, document: TraceDocument) -> None:
        from IPython.display import display

        place = _place(self.key, self.shell)
        if not self._name:
            self._name = hashlib.sha256(f"{self.key} {len(place)}".encode("utf-8", "replace")).hexdigest()[
                :12
            ]
            if hasattr(self._publisher, "register_hook"):
                self._publisher.register_hook(self._heard)
        if self._twin is None:
            self._twin = display(
                _promised(self._name, "the cell has not finished"), raw=True, display_id=True
            )
        widget = self._open()
        if widget is None:
            widget = self._widget = live(data, self.views or applicable(document), None, self._name)
            place.append(widget)
        else:
            widget.document = wire(data)
        display(widget)
        self._shown = True

    def _open(self) -> Any:
        """The widget, if there is one and it was not closed."""
        if self._widget is not None and self._widget.comm is None:
            self._widget, self._shown = None, False
        return self._widget

    def _heard(self, message: dict[str, Any]) -> dict[str, Any]:
        """Called with each message that the cell sends to the notebook. After one that clears the output, nothing is displayed any more."""
        if message["header"]["msg_type"] == "clear_output" and _where(self.shell) == self._where:
            self._twin, self._shown = None, False
        return message

    def leave(self) -> tuple[Any, Any, bool]:
        """Stop showing the running cell. Returns what the views of the whole trace can use: the widget, the display handle of the twin, and
        whether the widget is displayed."""
        if self._name and hasattr(self._publisher, "unregister_hook"):
            self._publisher.unregister_hook(self._heard)
        return self._open(), self._twin, self._shown


def _where(shell: Any) -> tuple:
    """What receives the output at this moment. `capture_output` installs its own publisher. An Output widget receives the output of a message."""
    found = sys.modules.get("ipywidgets.widgets.widget")
    parent: dict[str, Any] = getattr(shell, "get_parent", dict)() or {}
    run = (parent.get("header") or {}).get("msg_id")
    widgets = [*getattr(found, "_instances", {}).values()]
    return id(shell.display_pub), {id(w) for w in widgets if run and getattr(w, "msg_id", None) == run}


def early(views: list[str] | None) -> Early | None:
    """What shows a trace while its cell is running. None if no front end states which of its cells is running: programs that run notebooks
    do not."""
    shell = _shell()
    key = None if shell is None else cell_id(shell)
    if key is None or widget_class() is None or _is_captured(shell):
        return None
    return Early(views, key, shell)


def _is_captured(shell: Any) -> bool:
    """Whether `capture_output` or `%%capture` keeps what is displayed now."""
    from IPython.core.displaypub import CapturingDisplayPublisher

    return isinstance(shell.display_pub, CapturingDisplayPublisher)


def _is_replaceable(shell: Any) -> bool:
    """Whether an output can be replaced later. What is captured would be kept twice, and an Output widget ignores the replacement."""
    return not _is_captured(shell) and not _where(shell)[1]


def live(data: str, views: list[str], cursor: int | None, name: str, whole: bool = False) -> Any:
    """The widget for the JSON text of a document; with `whole`, one that carries the front end itself. None if anywidget is not installed or the
    front end was not built."""
    cls = widget_class()
    if cls is None:
        return None
    if whole or os.environ.get("ANYWIDGET_HMR") == "1":
        cls = whole_class()
    return cls(document=wire(data), cursor=-1 if cursor is None else cursor, views=views, twin=name)


@cache
def widget_base() -> Any:
    """What our widgets have in common."""
    import anywidget

    class Widget(anywidget.AnyWidget):
        def __init__(self, **traits: Any) -> None:
            super().__init__(layout=_layout(), **traits)

        def _ipython_display_(self) -> None:
            """Display the widget without a text of its own. The HTML before it has its text; another one would stay in saved notebooks."""
            from IPython.display import display

            bundle = self._repr_mimebundle_()
            data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
            display({k: v for k, v in data.items() if k != "text/plain"}, metadata=metadata, raw=True)

    return Widget


_LAYOUT: list[Any] = []


def _layout() -> Any:
    """The layout of all our widgets: none of them has one of its own. Each would add 1.6 kB to a notebook that is saved with its widgets."""
    if not _LAYOUT or _LAYOUT[0].comm is None:
        from ipywidgets import Layout

        _LAYOUT[:] = [Layout()]
    return _LAYOUT[0]


@cache
def widget_class() -> Any:
    """The class `TraceWidget`. It is made when first needed, because anywidget takes longer to import than all of jgrad."""
    try:
        import anywidget  # noqa: F401
        import traitlets
    except ImportError:
        return None
    if not (STATIC / "jgrad.js").is_file():
        return None

    class TraceWidget(widget_base()):  # type: ignore[misc]
        """The live views of one trace document. It takes the front end from the `FrontEnd`, so that a notebook holds it once."""

        _esm = (STATIC / "loader.js").read_text(encoding="utf-8")
        front_end = traitlets.Unicode().tag(sync=True)
        document = traitlets.Unicode("{}").tag(sync=True)
        cursor = traitlets.Int(-1).tag(sync=True)
        views = traitlets.List(traitlets.Unicode()).tag(sync=True)
        twin = traitlets.Unicode("").tag(sync=True)
        present = traitlets.Bool(False).tag(sync=True)

        def __init__(self, **traits: Any) -> None:
            super().__init__(front_end=f"IPY_MODEL_{front_end().model_id}", **traits)

        def __repr__(self) -> str:
            return f"<jgrad views: {', '.join(self.views)}>"

    return TraceWidget


@cache
def whole_class() -> Any:
    """The class of a widget that carries the front end itself: for hosts in which no widget can reach another, and for work on the front end."""
    import traitlets

    # Given a path, anywidget keeps every widget alive in order to reload it when the file changes.
    files = STATIC / "jgrad.js", STATIC / "jgrad.css"
    watched = os.environ.get("ANYWIDGET_HMR") == "1"

    class WholeTraceWidget(widget_base()):  # type: ignore[misc]
        """The live views of one trace document, with the front end."""

        _esm, _css = files if watched else tuple(file.read_text(encoding="utf-8") for file in files)
        document = traitlets.Unicode("{}").tag(sync=True)
        cursor = traitlets.Int(-1).tag(sync=True)
        views = traitlets.List(traitlets.Unicode()).tag(sync=True)
        twin = traitlets.Unicode("").tag(sync=True)
        present = traitlets.Bool(False).tag(sync=True)

    return WholeTraceWidget


_FRONT_END: list[Any] = []  # the model that carries the front end for all widgets of this kernel


def front_end() -> Any:
    """The model that carries the front end. It is made with the first widget, and again if somebody closed it."""
    if not _FRONT_END or _FRONT_END[0].comm is None:
        _FRONT_END[:] = [_front_end_class()()]
    return _FRONT_END[0]


@cache
def _front_end_class() -> Any:
    import json
    import zlib

    import traitlets

    module, style = ((STATIC / name).read_text(encoding="utf-8") for name in ("jgrad.js", "jgrad.css"))
    carried = json.dumps({"module": module, "style": style, "shell": page.shell()})

    class FrontEnd(widget_base()):  # type: ignore[misc]
        """The front end, compressed, as digits. It is never displayed."""

        _esm = "export default {}"
        code = traitlets.Unicode(digits(zlib.compress(carried.encode(), 9))).tag(sync=True)

    return FrontEnd


def __getattr__(name: str) -> Any:
    if name == "TraceWidget" and widget_class() is not None:
        return widget_class()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# By key: the run of the cell, and the widgets that it has shown.
_SHOWN: dict[str, tuple[str, list[Any]]] = {}


def _place(key: str | None, shell: Any) -> list[Any]:
    """The widgets that this run of a cell has shown. Those of its last run are closed, because ipywidgets would keep them for ever."""
    if key is None:
        return []
    parent: dict[str, Any] = getattr(shell, "get_parent", dict)() or {}
    run = (parent.get("header") or {}).get("msg_id", "")
    earlier, widgets = _SHOWN.get(key, ("", []))
    if earlier != run or not run:
        for widget in widgets:
            widget.close()
        widgets = []
        _SHOWN[key] = (run, widgets)
    return widgets


def cell_id(shell: Any) -> str | None:
    """The notebook's own id of the running cell, so that running it again replaces its views."""
    parent: dict[str, Any] = getattr(shell, "get_parent", dict)() or {}
    return (parent.get("metadata") or {}).get("cellId")


def in_marimo(document: TraceDocument, views: list[str] | None = None, cursor: int | None = None) -> Any:
    """What marimo shows for a document. marimo keeps its outputs itself, so a widget needs no static twin."""
    chosen = applicable(document) if views is None else views
    document = in_its_words(document)
    data = pack(document)
    widget = live(data, chosen, cursor, "", whole=True) if chosen else None
    return widget or marimo().Html(twin(_scenes(document, chosen, cursor), "", document.get("diagnosis")))


def marimo() -> Any:
    """The module marimo, if this code runs in a notebook of marimo."""
    module = sys.modules.get("marimo")
    return module if module is not None and module.running_in_notebook() else None


def _shell() -> Any:
    """The shell of the notebook in which this code runs; None in a terminal and outside of IPython."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell if getattr(shell, "kernel", None) is not None else None
