"""How Sphinx makes the site; `python -m docs` runs it."""

from docutils import nodes
from IPython.lib.lexers import IPython3Lexer
from sphinx.errors import SphinxError

import jgrad
from jgrad.notebook.formulas import mathml

project, author, release = "jgrad", "jgrad developers", jgrad.__version__
copyright = "jgrad developers, MIT licence"  # noqa: A001
extensions = ["myst_nb", "jgrad.notebook.sphinx"]

jgrad_inert = True  # no page runs a script of a text or asks another site for anything
nb_code_prompt_show = "Predict first, then open"
nb_code_prompt_hide = "Hide"
nb_execution_mode = "off"  # the outputs that are stored are shown: they are PyTorch's, and tests hold that jgrad's are the same
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "dollarmath"]

suppress_warnings = ["ref.python"]  # the type `device` in a signature, of which there are two
nitpick_ignore_regex = [("py:class", ".*")]  # the types in signatures; links to functions are checked

html_theme = "furo"
html_title = "jgrad"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_math_renderer = "mathml"  # MathJax would be fetched from another site
html_show_sphinx = False
html_copy_source = False
pygments_style, pygments_dark_style = "friendly", "monokai"


def write_formula(writer, node):
    """A formula, in a line or as a block, as MathML."""
    block = isinstance(node, nodes.math_block)
    formula = mathml(node.astext(), block)
    if formula is None:
        raise SphinxError(f"latex2mathml is not installed, or can't read {node.astext()}")
    writer.body.append(f'<div class="formula">{formula}</div>' if block else formula)
    raise nodes.SkipNode


def setup(app):
    app.add_lexer("python", IPython3Lexer)  # examples have magics
    app.add_html_math_renderer("mathml", (write_formula, None), (write_formula, None))
