"""Links and images that crawlers find and understand, and others."""

import pytest

from mergegate.site.seo.facts import SearchFacts
from tests.site.seo.checks.well_made import HTML, URL, changed, found, rules, site, with_body


def link(html: str) -> SearchFacts:
    return with_body(f"<p>{html}</p>")


CASES: dict[str, tuple[SearchFacts, list[str]]] = {
    "no text": (link('<a href="/x"></a>'), ["link-empty"]),
    "an image without alt": (
        link('<a href="/x"><img src="/a.png" alt="" width="9" height="9"></a>'),
        ["link-empty"],
    ),
    "an image with alt": (
        link('<a href="/x"><img src="/a.png" alt="Tea pots" width="9" height="9"></a>'),
        [],
    ),
    "a label": (link('<a href="/x" aria-label="Basket of tea"><i class="icon"></i></a>'), []),
    "an empty place of the page": (link('<a href="#water"></a><a id="here"></a>'), []),
    "click here": (link('To read on <a href="/x">click here</a>.'), ["link-generic-text"]),
    "read more": (link('<a href="/x">Read more »</a>'), ["link-generic-text"]),
    "read more in German": (link('<a href="/x">Weiterlesen…</a>'), ["link-generic-text"]),
    "read more in Japanese": (link('<a href="/x">続きを読む</a>'), ["link-generic-text"]),
    "a file that begins like a mistake": (link('<a href="htpasswd.html">htpasswd</a>'), []),
    "a colon too early": (link('<a href="htps://example.net/">A blog</a>'), ["link-miswritten"]),
    "a letter too many": (link('<a href="hhttp://example.net/">A blog</a>'), ["link-miswritten"]),
    "the reader's own machine": (
        link('<a href="http://localhost:3000/admin">The admin page</a>'),
        ["link-local"],
    ),
    "the reader's own machine, as a tutorial shows it": (
        link('Open <a href="http://localhost:3000/">http://localhost:3000</a>'),
        [],
    ),
    "the name of a thing": (link('<a href="/x"><code>&lt;this&gt;</code></a>'), []),
    "more about something": (link('<a href="/x">Read more about water</a>'), []),
    "next page": (link('<a href="/guides?page=2">Weiter</a>'), []),
    "here within the page": (link('<a href="#water">here</a>'), []),
    "nofollow within": (link('<a rel="nofollow" href="/x">Pots</a>'), ["link-nofollow-internal"]),
    "nofollow to the log-in": (link('<a rel="nofollow" href="/login?next=x">Log in</a>'), []),
    "nofollow to the text a page was made of": (
        link('<a rel="nofollow" href="/_sources/index.rst.txt">Source</a>'),
        [],
    ),
    "nofollow outwards": (link('<a rel="nofollow ugc" href="https://example.net/">A blog</a>'), []),
    "a script": (link('<a href="javascript:void(0)">Open</a>'), ["link-javascript"]),
    "a script that folds the page": (link('<a href="javascript:void(0)">[-]</a>'), []),
    "a script that leads on": (link('<a href="javascript:next()">»</a>'), ["link-javascript"]),
    "a script in capitals": (link('<a href=" JavaScript:go()">Open</a>'), ["link-javascript"]),
    "mail and telephone": (
        link('<a href="mailto:a@example.org">Write</a> <a href="tel:+491">Call</a>'),
        [],
    ),
    "http within": (link('<a href="http://example.org/pots">Pots</a>'), ["link-insecure"]),
    "http with www": (link('<a href="http://www.example.org/">Tea</a>'), ["link-insecure"]),
    "http outwards": (link('<a href="http://example.net/">An old site</a>'), []),
    "http of an http page": (
        site(
            changed((URL, "http://example.org/guides/green-tea")),
            "http://example.org/guides/green-tea",
            variants=(),
        ),
        [],
    ),
    "no scheme": (link('<a href="www.example.net">Pots</a>'), ["link-miswritten"]),
    "one slash": (link('<a href="https:/example.net/x">Pots</a>'), ["link-miswritten"]),
    "no colon": (link('<a href="https//example.net/x">Pots</a>'), ["link-miswritten"]),
    "a path like a scheme": (link('<a href="/https/guide">Guide to https</a>'), []),
    "own machine": (link('<a href="http://localhost:3000/x">Pots</a>'), ["link-local"]),
    "own machine of a preview": (
        site(
            changed(("</article>", '<a href="http://localhost/x">Pots</a></article>')), local=True
        ),
        [],
    ),
    "no links": (
        site(HTML.replace("<a href", "<a data-href")),
        ["links-none"],
    ),
    "only outwards": (
        site(HTML.replace('<a href="/', '<a href="https://example.com/')),
        ["links-none"],
    ),
    "thousands": (
        link("".join(f'<a href="/tea/{number}">Tea {number}</a> ' for number in range(3_001))),
        ["links-too-many"],
    ),
    "hundreds": (
        link("".join(f'<a href="/tea/{number}">Tea {number}</a> ' for number in range(900))),
        [],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_points_of_links_are_exactly_these(name: str) -> None:
    facts, expected = CASES[name]
    assert rules(facts) == expected


def test_links_of_one_kind_make_one_point_with_examples_and_a_place() -> None:
    [point] = found(link("".join(f'<a href="/{number}">here</a> ' for number in range(5))))
    assert (point.count, point.message) == (5, "5 links with a text that would fit anywhere.")
    assert point.evidence.endswith("and 2 more")
    assert point.selector.endswith("a")


def image(attributes: str) -> SearchFacts:
    return with_body(f"<img {attributes}>")


SIZE = 'width="80" height="60"'
IMAGES: dict[str, tuple[SearchFacts, list[str]]] = {
    "no alt": (image(f'src="/a.png" {SIZE}'), ["image-alt-missing"]),
    "empty alt": (image(f'src="/a.png" alt="" {SIZE}'), []),
    "decorative by role": (image(f'src="/a.png" role="presentation" {SIZE}'), []),
    "hidden from readers": (image(f'src="/a.png" aria-hidden="true" {SIZE}'), []),
    "a counter": (image('src="https://example.net/p" width="1" height="1"'), []),
    "file name": (image(f'src="/a.png" alt="tea_pot-2.JPG" {SIZE}'), ["image-alt-file-name"]),
    "name of a camera": (image(f'src="/a.png" alt="IMG_20260101" {SIZE}'), ["image-alt-file-name"]),
    "just image": (image(f'src="/a.png" alt="image" {SIZE}'), ["image-alt-file-name"]),
    "a sentence with a file": (image(f'src="/a.png" alt="How to open tea.png in GIMP" {SIZE}'), []),
    "image of something": (image(f'src="/a.png" alt="Image of a pot" {SIZE}'), []),
    "no dimensions": (image('src="/a.png" alt="A pot"'), ["image-dimensions-missing"]),
    "only a width": (image('src="/a.png" alt="A pot" width="80"'), ["image-dimensions-missing"]),
    "no address": (image(f'data-src="/a.png" alt="A pot" {SIZE}'), ["image-without-source"]),
    "candidates only": (image(f'srcset="/a.png 1x, /b.png 2x" alt="A pot" {SIZE}'), []),
    "small within the page": (image(f'src="data:image/gif;base64,R0lGOD" alt="" {SIZE}'), []),
    "large within the page": (
        image(f'src="data:image/png;base64,{"A" * 30_000}" alt="A pot" {SIZE}'),
        ["image-data-uri"],
    ),
}


@pytest.mark.parametrize("name", IMAGES)
def test_the_points_of_images_are_exactly_these(name: str) -> None:
    facts, expected = IMAGES[name]
    assert rules(facts) == expected


def test_the_message_tells_how_many_of_how_many() -> None:
    [point] = found(with_body('<img src="/a.png" width="9" height="9">' * 3))
    assert point.message == "3 of 5 images without an alt attribute."
    assert point.evidence == "https://example.org/a.png"
