"""Code for what stands before the first paint: scripts, style sheets, hosts, fonts."""

from collections.abc import Iterator

from mergegate.site.remedies.quoting import attribute, literal, origin
from mergegate.site.remedies.remedy import Page, Recipe, Remedy, Slots, Stack, first

_SHOWN = 3
_BLOCKING = "render-blocking-insight"


def _blocking(page: Page, kind: str) -> Iterator[str]:
    """Addresses of the costliest blocking files of one kind, in the order of their requests."""
    urls = [row.url for row in page.rows(_BLOCKING) if page.kind(row.url) == kind][:_SHOWN]
    requested = {load.url: at for at, load in enumerate(page.run.waterfall)}
    ordered = sorted(urls, key=lambda url: requested.get(url, len(requested)))
    return iter(dict.fromkeys(known for url in ordered if (known := page.address(url))))


def _scripts(page: Page) -> Slots | None:
    urls = list(_blocking(page, "script"))
    if not urls:
        return None
    return {
        "tags": "\n".join(f'<script src="{attribute(url)}" defer></script>' for url in urls),
        "src": attribute(urls[0]),
        "literal": literal(urls[0]),
    }


def _styles(page: Page) -> Slots | None:
    urls = [attribute(url) for url in _blocking(page, "stylesheet")]
    quiet = (
        f'<link rel="stylesheet" href="{url}" media="print" onload="this.media=\'all\'">\n'
        f'<noscript><link rel="stylesheet" href="{url}"></noscript>'
        for url in urls
    )
    return {"tags": "\n".join(quiet)} if urls else None


def _hosts(page: Page) -> Slots | None:
    """Other origins that blocking requests or early chains need."""
    own = origin(page.run.final_url)
    rows = page.rows(_BLOCKING, "network-dependency-tree-insight")
    found = dict.fromkeys(known for row in rows if (known := origin(row.url)) and known != own)
    urls = list(found)[:_SHOWN]
    if not urls:
        return None
    tags = (f'<link rel="preconnect" href="{attribute(url)}" crossorigin>' for url in urls)
    return {"tags": "\n".join(tags), "literal": literal(urls[0])}


def _fonts(page: Page) -> Slots | None:
    known = first(page.address(row.url) for row in page.rows("font-display-insight"))
    # An address holds nothing that could end a string in CSS.
    return {"url": known} if known else None


def _early_fonts(page: Page) -> Slots | None:
    rows = page.rows("network-dependency-tree-insight")
    fonts = (row.url for row in rows if page.kind(row.url) == "font" or ".woff2" in row.url)
    known = first(page.address(url) for url in fonts)
    return {"url": attribute(known)} if known else None


_ORDER = "Check that nothing inline needs the script before the document is parsed."
LOADING: tuple[Remedy, ...] = (
    Remedy(
        key="defer-scripts",
        rules=(_BLOCKING,),
        title="Defer scripts that block the first paint",
        explanation="A deferred script loads beside the document and runs, in order, after it.",
        recipes={
            None: Recipe("html", "@@tags", _ORDER),
            Stack.NEXT: Recipe(
                "jsx",
                """import Script from "next/script";

<Script src="@@src" strategy="afterInteractive" />""",
                f"lazyOnload waits until the browser is idle. {_ORDER}",
            ),
            Stack.NUXT: Recipe(
                "typescript",
                "useHead({ script: [{ src: @@literal, defer: true }] });",
                _ORDER,
            ),
            Stack.GATSBY: Recipe(
                "jsx",
                """import { Script } from "gatsby";

<Script src="@@src" strategy="post-hydrate" />""",
                _ORDER,
            ),
            Stack.DOCUSAURUS: Recipe(
                "javascript",
                """// docusaurus.config.js
export default {
  scripts: [{ src: @@literal, defer: true }],
};""",
                _ORDER,
            ),
            Stack.WORDPRESS: Recipe(
                "php",
                """<?php
add_action( 'wp_enqueue_scripts', function () {
    wp_script_add_data( 'HANDLE', 'strategy', 'defer' );
}, 100 );""",
                "HANDLE is the name under which the script is enqueued; WordPress 6.3 or newer. "
                f"{_ORDER}",
            ),
            Stack.LARAVEL: Recipe(
                "html",
                "@@tags",
                f"What comes through the vite directive is a module: deferred already. {_ORDER}",
            ),
            Stack.RAILS: Recipe(
                "erb", '<%= javascript_include_tag "application", defer: true %>', _ORDER
            ),
            Stack.SPHINX: Recipe(
                "python",
                """# conf.py
html_js_files = [(@@literal, {"defer": "defer"})]""",
                _ORDER,
            ),
            Stack.MKDOCS: Recipe(
                "yaml",
                """# mkdocs.yml
extra_javascript:
  - path: @@literal
    defer: true""",
                _ORDER,
            ),
        },
        slots=_scripts,
    ),
    Remedy(
        key="quiet-styles",
        rules=(_BLOCKING,),
        title="Load style sheets that the first screen does not need without blocking",
        explanation=(
            "Inline the rules of the first screen in a style element before these lines, or the "
            "page will show unstyled for a moment."
        ),
        recipes={
            None: Recipe(
                "html",
                "@@tags",
                "A Content Security Policy without unsafe-inline forbids onload; set media from a "
                "script then.",
            )
        },
        slots=_styles,
        part=0.4,
    ),
    Remedy(
        key="preconnect",
        rules=(_BLOCKING, "network-dependency-tree-insight"),
        title="Connect early to the hosts that the first paint waits for",
        explanation="Name lookup and handshake then happen while the document still arrives.",
        recipes={
            None: Recipe(
                "html",
                "@@tags",
                "crossorigin is for fonts, modules and fetch; take it away for other files. Leave "
                "out what the page has already.",
            ),
            Stack.NUXT: Recipe(
                "typescript", 'useHead({ link: [{ rel: "preconnect", href: @@literal }] });'
            ),
            Stack.DOCUSAURUS: Recipe(
                "javascript",
                """// docusaurus.config.js
export default {
  headTags: [{ tagName: "link", attributes: { rel: "preconnect", href: @@literal } }],
};""",
            ),
        },
        slots=_hosts,
        part=0.3,
    ),
    Remedy(
        key="font-preload",
        rules=("network-dependency-tree-insight",),
        title="Preload the font that the first screen needs",
        explanation="It is found only after its style sheet has arrived.",
        recipes={
            None: Recipe(
                "html",
                '<link rel="preload" as="font" type="font/woff2" href="@@url" crossorigin>',
                "crossorigin belongs there even for fonts of your own host. If the name of the "
                "file holds a hash, have your build write this line.",
            )
        },
        slots=_early_fonts,
        part=0.5,
    ),
    Remedy(
        key="font-display",
        rules=("font-display-insight",),
        title="Show text while its font loads",
        explanation=(
            "With swap the text stands in a fallback font until its own is there. For fonts of "
            "Google Fonts add &display=swap to the address of the style sheet instead."
        ),
        recipes={
            None: Recipe(
                "css",
                """@font-face {
  font-family: "NAME";
  src: url("@@{url}") format("woff2");
  font-display: swap;
}""",
                "Add the line font-display to the rule that you have; the rest shows which it is.",
            ),
            Stack.NEXT: Recipe(
                "javascript",
                """import localFont from "next/font/local";

const font = localFont({ src: "./FONT.woff2", display: "swap" });
// <html className={font.className}>""",
                "next/font also sets the size of the fallback, so that nothing shifts.",
            ),
            Stack.DOCUSAURUS: Recipe(
                "css",
                """/* src/css/custom.css */
@font-face {
  font-family: "NAME";
  src: url("@@{url}") format("woff2");
  font-display: swap;
}""",
            ),
        },
        slots=_fonts,
    ),
    Remedy(
        key="content-visibility",
        rules=("dom-size-insight",),
        title="Let the browser skip what is far down the page",
        explanation=(
            "It then lays out a section only as it comes near. Fewer elements help more: page or "
            "virtualise long lists."
        ),
        recipes={
            None: Recipe(
                "css",
                """.SECTION {
  content-visibility: auto;
  contain-intrinsic-size: auto 600px;
}""",
                "SECTION is a class of large parts below the first screen; 600px is a guess.",
            )
        },
        part=0.5,
    ),
)
