"""Links that a page's headers name, and what looks like one."""

import pytest

from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.site.link_header import HeaderLink, header_links

URL = "https://example.org/guides/tea"
GERMAN = "https://example.org/de"


def read(*values: str) -> tuple[HeaderLink, ...]:
    headers = tuple(("link", value) for value in values)
    answer = Answer(url=URL, status=200, headers=headers)
    return header_links(Fetched(url=URL, answers=(answer,)))


def link(url: str, *rels: str, hreflang: tuple[str, ...] = (), written: str = "") -> HeaderLink:
    return HeaderLink(url=url, written=written or url, rels=frozenset(rels), hreflang=hreflang)


CASES = [
    (f"<{GERMAN}>; rel=canonical", [link(GERMAN, "canonical")]),
    (f'<{GERMAN}>;REL="Canonical"', [link(GERMAN, "canonical")]),
    (
        f'<{GERMAN}>; rel="alternate prefetch"; hreflang="de"; hreflang=at',
        [link(GERMAN, "alternate", "prefetch", hreflang=("de", "at"))],
    ),
    (
        f'</x.css>; rel=preload; as=style, <{GERMAN}?a=1,2;3> ; title="<, \\"; rel=x" ; rel=next',
        [
            link("https://example.org/x.css", "preload", written="/x.css"),
            link(f"{GERMAN}?a=1,2;3", "next"),
        ],
    ),
    ("<tee>; rel=canonical", [link("https://example.org/guides/tee", "canonical", written="tee")]),
    ("<javascript:x>; rel=canonical", [link("", "canonical", written="javascript:x")]),
    ("<https://[x>; rel=canonical", [link("", "canonical", written="https://[x")]),
    (f"<{GERMAN}>; rel=next; rel=canonical", [link(GERMAN, "next")]),
    (f'<{GERMAN}>; title="rel=canonical"', []),
    (f'<{GERMAN}>; rel=canonical; anchor="/another"', []),
    (f"{GERMAN}; rel=canonical", []),
    ("", []),
]


@pytest.mark.parametrize(("value", "expected"), CASES, ids=[case[0] for case in CASES])
def test_a_header_is_read_as_its_standard_says(value: str, expected: list[HeaderLink]) -> None:
    assert list(read(value)) == expected


def test_several_headers_are_one_list() -> None:
    found = read(f"<{GERMAN}>; rel=next", f"<{URL}>; rel=prev, <{URL}>; rel=up")
    assert [sorted(one.rels) for one in found] == [["next"], ["prev"], ["up"]]


def test_a_page_without_an_answer_names_nothing() -> None:
    assert header_links(None) == header_links(Fetched(url=URL, failure="nobody answers")) == ()


@pytest.mark.parametrize(
    "value",
    [
        "<" * 100_000,
        "<a>" + "; " * 50_000,
        "<a>;b" + " " * 100_000,
        '<a>;b="' + "\\" * 100_000,
        "<a>" + ";b=c" * 25_000,
        "<a>;rel=x," * 10_000,
    ],
    ids=range(6),
)
def test_hostile_headers_come_to_an_end(value: str) -> None:
    assert len(read(value, *[value] * 5)) <= 500
