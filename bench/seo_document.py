"""How much CPU reading one page of 200 kB takes, beside a loop that does nothing.

    python bench/seo_document.py [--profile]

The page is like an article of a shop or a magazine: navigation, prose with links, pictures, tables,
forms, icons, scripts, structured data. Prints milliseconds, the best of twenty.
"""

import cProfile
import json
import pstats
import sys
import time
from collections.abc import Callable

from selectolax.lexbor import LexborHTMLParser

from mergegate.site.document import read

_LETTERS = 200_000
_WORDS = ["quick", "brown", "foxes", "jump", "over", "lazy", "dogs", "while", "nobody", "looks"]
_ICON = '<svg class="icon" viewBox="0 0 24 24"><path d="M12 2 2 22h20z"/><circle r="3"/></svg>'
_SCRIPT = "window.state={};for(var i=0;i<99;i++){if(i<3&&i>1){state[i]='<p>'+i+'</p>'}}\n" * 60


def page(letters: int = _LETTERS) -> str:
    """About so many letters of HTML."""
    parts, number = [_head(), _navigation()], 0
    while sum(map(len, parts)) < letters:
        parts.append(_section(number))
        number += 1
    return "".join([*parts, _footer()])


def _head() -> str:
    data = {"@context": "https://schema.org", "@type": "Article", "headline": "A page"}
    metas = "".join(f'<meta property="og:{name}" content="{name}">' for name in _WORDS)
    return (
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>A page</title>"
        f'{metas}<link rel=canonical href="/page"><link rel=stylesheet href="/style.css">'
        f'<script type="application/ld+json">{json.dumps(data)}</script>'
        f"<script>{_SCRIPT}</script></head><body>"
    )


def _navigation() -> str:
    items = "".join(
        f'<li class="item item-{number}"><a class="link" href="/topic/{number}">Topic {number}</a>'
        for number in range(80)
    )
    return f'<header class="top"><nav aria-label="Main"><ul>{items}</ul></nav></header><main>'


def _section(number: int) -> str:
    prose = " ".join(_WORDS * 9)
    rows = "".join(f"<tr><td>{word}</td><td>{number}</td></tr>" for word in _WORDS[:4])
    return (
        f'<section id="s{number}" class="section wide"><h2 class="title">Part {number}</h2>'
        f'<p class="text">{prose} <a href="https://example.org/{number}">a link</a>, <b>bold</b> '
        f'and <em>more</em>.</p><p class="text">{prose}</p>'
        f'<figure><img src="/i/{number}.jpg" alt="Picture {number}" width=600 height=400 '
        f'loading=lazy srcset="/i/{number}-2.jpg 2x"><figcaption>Caption</figcaption></figure>'
        f'<table><tbody>{rows}</tbody></table><div class="card" data-id="{number}">'
        f'<a class="button" href="?add={number}">{_ICON}<span>Add</span></a></div></section>'
    )


def _footer() -> str:
    return "</main><footer><p>Imprint</p><form action=/find><input name=q></form></footer></body>"


def _nothing() -> None:
    for _ in range(1_000_000):
        pass


def _ms(run: Callable[[], object]) -> float:
    times = []
    for _ in range(20):
        begun = time.process_time()
        run()
        times.append((time.process_time() - begun) * 1000)
    return min(times)


def main() -> None:
    html = page()
    document = read(html, "https://example.org/page")
    print(f"{len(html):,} letters, {document.nodes:,} elements, {len(document.anchors):,} links")
    print(f"a million passes of nothing {_ms(_nothing):.1f} ms")
    print(f"parse alone {_ms(lambda: LexborHTMLParser(html)):6.1f} ms")
    print(f"read        {_ms(lambda: read(html, 'https://example.org/page')):6.1f} ms")
    if "--profile" in sys.argv:
        profile = cProfile.Profile()
        profile.runcall(read, html, "https://example.org/page")
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)


if __name__ == "__main__":
    main()
