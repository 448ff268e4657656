"""Showing a document in Jupyter: first its static twin, which a saved notebook keeps, then the live widget, which hides the twin while it lives."""

from __future__ import annotations

import base64
import hashlib
import html
import os
import shutil
import sys
from functools import cache
from pathlib import Path
from typing import Any

from jgrad import views as _views
from jgrad.trace import few_collections
from jgrad.trace.packing import pack
from jgrad.views.svg import lower
from jgrad.views.text import WIDE
from jgrad.views.text import lower as in_lines

STATIC = Path(__file__).parent.parent / "static"
MESSAGE = 250_000  # bytes of a document that travel as they are; a message must stay below 1 MB
EMPTY = "nothing was recorded: the cell ran no tensor operation"

# A page in JupyterLab's dark theme is not dark by the browser's own setting; `color-scheme` tells the pictures.
STYLE = (
    "<style>.jgrad-twin figure{margin:0 0 8px}.jgrad-twin img{max-width:100%;height:auto}"
    "[data-jp-theme-light=false] .jgrad-twin img{color-scheme:dark}[data-jp-theme-light=true] .jgrad-twin img{color-scheme:light}"
    # A notebook opened without the widget's state: the twin stands for it, and "Loading widget..." or "model not found" says nothing.
    ".jp-OutputArea-child:has([data-jgrad-twin])+.jp-OutputArea-child .jupyter-widgets:not(:has(*)){display:none}</style>"
)


@few_collections(0)
def show(
    document: dict[str, Any],
    views: list[str] | None,
    cursor: int | None,
    key: str | None,
    begun: Early | None = None,
) -> Any:
    """See `jgrad.views.show`."""
    applicable = _views.applicable(document)  # and a sound document: it is not looked through again below
    chosen = applicable if views is None else list(views)
    frame = _views._frame(document, cursor)
    scenes = [_views._scene(frame, view) for view in chosen]
    shell = _shell()
    wide = min(max(shutil.get_terminal_size((WIDE, 24)).columns, 80), 120) if shell is None else WIDE
    plain = "\n".join([in_lines(scene, wide) for scene in scenes]) or f"{EMPTY}\n"
    if shell is None:
        if marimo() is None:
            print(plain, end="")
            return None
        shown = in_marimo(document, chosen, cursor)
        marimo().output.append(shown)
        return shown
    from IPython.display import display

    key = key or cell_id(shell)
    place = _place(key, shell)
    data = pack(document)
    name = hashlib.sha256(f"{key} {len(place)} {chosen} {data}".encode("utf-8", "replace")).hexdigest()[:12]
    bundle = {"text/plain": plain.rstrip("\n"), "text/html": twin(scenes, name)}
    if begun is not None and begun.widget is not None:
        begun.end(bundle, data, chosen, cursor, name)
        return begun.widget
    display(bundle, raw=True)
    widget = live(data, chosen, cursor, name) if chosen else None
    if widget is not None:
        place.append(widget)
        display(widget)
    return widget


def show_comparison(comparison: Any) -> Any:
    """Show two traces side by side: their text, or the twin and the live views of both, at the step where they part."""
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
    views = [v for v in ("storage", "graph") if any(v in _views.applicable(d) for d in comparison.documents)]
    cursor = next(iter(comparison.differences), -2) + 1
    widget = live(data, views, cursor, name)
    if widget is not None:
        place.append(widget)
        display(widget)
    return widget


def refresh(widget: Any, document: dict[str, Any]) -> None:
    """Have a widget show another document."""
    widget.document = wire(pack(document))


class Early:
    """The views of a cell that is still running; `end` makes them those of the whole."""

    def __init__(self, views: list[str] | None, key: str, shell: Any) -> None:
        self.views = views
        self.key = key
        self.shell = shell
        self.widget: Any = None
        self._twin: Any = None

    def __call__(self, document: dict[str, Any]) -> None:
        """Show what happened so far."""
        data = pack(document)
        if self.widget is None:
            from IPython.display import display

            place = _place(self.key, self.shell)
            name = hashlib.sha256(f"{self.key} {len(place)}".encode("utf-8", "replace")).hexdigest()[:12]
            said = "the cell has not come to its end"
            bundle = {"text/plain": said, "text/html": f'<p data-jgrad-twin="{name}">{said}</p>'}
            self._twin = display(bundle, raw=True, display_id=True)
            self.widget = live(data, self.views or _views.applicable(document), None, name)
            place.append(self.widget)
            display(self.widget)
            return
        there = self.widget.views
        with self.widget.hold_sync():
            self.widget.document = wire(data)
            if self.views is None:  # those that were there stay: a later moment may have less to show
                self.widget.views = [v for v in _views.VIEWS if v in {*there, *_views.applicable(document)}]

    def end(self, bundle: dict[str, str], data: str, views: list[str], cursor: int | None, name: str) -> None:
        """The cell is done: its twin and its views take the place of what was shown."""
        self._twin.update(bundle, raw=True)
        with self.widget.hold_sync():
            self.widget.document = wire(data)
            self.widget.views = views
            self.widget.twin = name
            if cursor is not None:
                self.widget.cursor = cursor


def early(views: list[str] | None) -> Early | None:
    """What shows a trace from within a cell that runs long; None where nobody looks: a front end tells which of its cells is running,
    programs that run notebooks don't."""
    shell = _shell()
    key = None if shell is None else cell_id(shell)
    return None if key is None or widget_class() is None else Early(views, key, shell)


def twin(scenes: list[dict[str, Any]], name: str) -> str:
    """The static twin: a picture for each view, with its sentence for those who can't see it."""
    parts = [f'{STYLE}<div class="jgrad-twin" data-jgrad-twin="{html.escape(name)}">']
    for scene in scenes:
        picture = base64.b64encode(lower(scene, alone=True).encode()).decode()
        said = html.escape(f"{scene['title']}: {scene['caption']}")
        parts.append(f'<figure><img src="data:image/svg+xml;base64,{picture}" alt="{said}"></figure>')
    if not scenes:
        parts.append(f"<p>{EMPTY}</p>")
    parts.append("</div>")
    return "".join(parts)


def live(data: str, views: list[str], cursor: int | None, name: str) -> Any:
    """The widget for a document's JSON text, None where there is no anywidget or no front end."""
    cls = widget_class()
    return (
        None
        if cls is None
        else cls(document=wire(data), cursor=-1 if cursor is None else cursor, views=views, twin=name)
    )


def wire(data: str) -> str:
    """A document's JSON as it travels: as it is, or, so that no message grows above its bound, compressed: "deflate:" and base64."""
    raw = data.encode("utf-8", "surrogatepass")
    if len(raw) <= MESSAGE:
        return data
    import zlib

    return "deflate:" + base64.b64encode(zlib.compress(raw, 4)).decode()


@cache
def widget_class() -> Any:
    """`TraceWidget`, made when first needed: anywidget takes longer to import than all of jgrad."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        return None
    if not (STATIC / "jgrad.js").is_file():
        return None

    # Of a path anywidget would keep every widget alive, to tell it when the file changes, which only those who work on the front end want.
    files = STATIC / "jgrad.js", STATIC / "jgrad.css"
    watched = os.environ.get("ANYWIDGET_HMR") == "1"
    front_end = files if watched else tuple(file.read_text(encoding="utf-8") for file in files)

    class TraceWidget(anywidget.AnyWidget):
        """The live views of one trace document."""

        _esm, _css = front_end
        document = traitlets.Unicode("{}").tag(sync=True)
        cursor = traitlets.Int(-1).tag(sync=True)
        views = traitlets.List(traitlets.Unicode()).tag(sync=True)
        twin = traitlets.Unicode("").tag(sync=True)

        def _ipython_display_(self) -> None:
            """Display the widget and nothing beside it: its text is the twin's, a line of text of its own would stay in saved notebooks."""
            from IPython.display import display

            bundle = self._repr_mimebundle_()
            data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
            display({k: v for k, v in data.items() if k != "text/plain"}, metadata=metadata, raw=True)

        def close(self) -> None:
            layout = self.layout  # a widget of its own, which nothing else would close
            super().close()
            layout.close()

        def __repr__(self) -> str:
            return f"<jgrad views: {', '.join(self.views)}>"

    return TraceWidget


def __getattr__(name: str) -> Any:
    if name == "TraceWidget" and widget_class() is not None:
        return widget_class()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_SHOWN: dict[str, tuple[str, list[Any]]] = {}  # by key: the run that showed them, the widgets


def _place(key: str | None, shell: Any) -> list[Any]:
    """The widgets that this run of a cell has shown. Those of its earlier run are closed: ipywidgets would keep them for ever."""
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


def in_marimo(document: dict[str, Any], views: list[str] | None = None, cursor: int | None = None) -> Any:
    """What marimo shows of a document. It keeps what its outputs show itself, so there needs no twin to stand for a widget."""
    chosen = _views.applicable(document) if views is None else views
    data = pack(document)
    widget = live(data, chosen, cursor, "") if chosen else None
    frame = _views._frame(document, cursor)
    return widget or marimo().Html(twin([_views._scene(frame, view) for view in chosen], ""))


def marimo() -> Any:
    """marimo, if it runs us as a notebook."""
    module = sys.modules.get("marimo")
    return module if module is not None and module.running_in_notebook() else None


def _shell() -> Any:
    """The shell of the notebook we are in; None in a terminal and outside IPython."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell if getattr(shell, "kernel", None) is not None else None
