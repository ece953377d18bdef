"""One sitemap: what is counted, what is objected to, and that hostile ones end."""

import datetime as dt
import gzip
from collections.abc import Callable

import pytest

from mergegate.site.seo.facts import SitemapFile
from mergegate.site.seo.gather.sitemap_file import Sought, read_sitemap
from tests.site.seo.gather.site import NAMESPACE, NOW, index, urlset

PAGE = "https://example.org/lanterns"
SOUGHT = Sought(frozenset({PAGE}), "example.org", secure=True, now=NOW)
MEBIBYTE = 1024 * 1024


def read(data: str | bytes, *, whole: bool = True, sought: Sought = SOUGHT) -> SitemapFile:
    return read_sitemap(
        data.encode() if isinstance(data, str) else data, 50 * MEBIBYTE, sought, whole=whole
    )


def bomb(mebibytes: int) -> bytes:
    """Gzip of so much white space in a sitemap."""
    return gzip.compress(f"<urlset {NAMESPACE}>".encode() + b" " * mebibytes * MEBIBYTE, 1)


OBJECTIONS = [
    ("a plain sitemap", urlset(PAGE, "https://example.org/b 2026-01-31"), "urlset", 2, []),
    ("an index", index("https://example.org/a.xml"), "index", 1, []),
    ("lines of text", f"{PAGE}\r\nhttps://example.org/b\n", "text", 2, []),
    ("text after a mark", f"\ufeff{PAGE}\n", "text", 1, []),
    ("packed", gzip.compress(urlset(PAGE).encode()), "urlset", 1, []),
    (
        "packed twice over",
        gzip.compress(b"<urlset xm")
        + gzip.compress(
            b'lns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/b'
            b"</loc></url></urlset>"
        ),
        "urlset",
        1,
        [],
    ),
    (
        "in Latin-1",
        f"<?xml version='1.0' encoding='iso-8859-1'?><urlset {NAMESPACE}><!-- \xe9 -->"
        f"<url><loc>{PAGE}</loc></url></urlset>".encode("latin-1"),
        "urlset",
        1,
        [],
    ),
    ("white space before it", "\n\n" + urlset(PAGE), "urlset", 1, []),
    (
        "an image's address is none of a page",
        (
            f'<urlset {NAMESPACE} xmlns:i="urn:i"><url><i:loc>'
            f"https://cdn.example.org/x.png</i:loc><loc>{PAGE}</loc></url></urlset>"
        ),
        "urlset",
        1,
        [],
    ),
    ("no namespace", urlset(PAGE).replace(NAMESPACE, ""), "urlset", 1, ["does not name"]),
    (
        "another namespace",
        urlset(PAGE).replace("sitemap/0.9", "sitemap/1.0"),
        "urlset",
        1,
        ["another namespace", "no whole address"],
    ),
    ("nothing in it", urlset(), "urlset", 0, ["lists nothing"]),
    ("nothing at all", "", "", 0, ["empty"]),
    ("a relative address", urlset("/lanterns"), "urlset", 1, ["1 entry has no whole address"]),
    ("a long address", urlset(f"https://example.org/{'x' * 2100}"), "urlset", 1, ["longer than"]),
    (
        "a date of another land",
        urlset(f"{PAGE} 31.01.2026"),
        "urlset",
        1,
        ["1 entry has a lastmod"],
    ),
    ("a time without its zone", urlset(f"{PAGE} 2026-01-31T10:00:00"), "urlset", 1, ["lastmod"]),
    ("a day that is none", urlset(f"{PAGE} 2026-02-30"), "urlset", 1, ["lastmod"]),
    (
        "a year, a month, a moment",
        urlset(f"{PAGE} 2025", f"{PAGE}2 2025-03", f"{PAGE}3 2025-03-04T10:00:00.5+02:00"),
        "urlset",
        3,
        [],
    ),
    ("a tag that is not closed", f"<urlset {NAMESPACE}><url></urlset>", "urlset", 0, ["line 1"]),
    ("a sign that is not escaped", urlset(f"{PAGE}?a=1&b=2"), "urlset", 0, ["well-formed"]),
    ("an RSS feed", "<rss version='2.0'><channel/></rss>", "", 0, ["feed"]),
    ("an Atom feed", '<feed xmlns="http://www.w3.org/2005/Atom"/>', "", 0, ["feed"]),
    ("a page", "<!doctype html><html><p>Nothing here</html>", "", 0, ["a page of HTML"]),
    ("a page of XML", "<html><p>Nothing here</p></html>", "", 0, ["a page of HTML"]),
    ("a drawing", '<svg xmlns="http://www.w3.org/2000/svg"/>', "", 0, ["something else"]),
    (
        "a document type",
        f"<!DOCTYPE urlset SYSTEM 'file:///etc/passwd'>{urlset(PAGE)[38:]}",
        "",
        0,
        ["document type"],
    ),
    ("packed badly", gzip.compress(urlset(PAGE).encode())[:-20], "urlset", 0, ["unpacked"]),
]


@pytest.mark.parametrize(
    ("data", "kind", "entries", "objections"),
    [case[1:] for case in OBJECTIONS],
    ids=[case[0] for case in OBJECTIONS],
)
def test_a_sitemap_is_counted_and_its_mistakes_are_told(
    data: str | bytes, kind: str, entries: int, objections: list[str]
) -> None:
    found = read(data)
    assert (found.kind, found.entries) == (kind, entries)
    assert len(found.problems) == len(objections), found.problems
    for problem, part in zip(found.problems, objections, strict=True):
        assert part in problem


@pytest.mark.parametrize(
    ("listed", "sought"),
    [
        (PAGE, True),
        ("https://EXAMPLE.org:443/lanterns", True),
        ("https://example.org/l%61nterns", True),
        ("https://example.org/lanterns/", False),
        ("https://www.example.org/lanterns", False),
        ("http://example.org/lanterns", False),
        ("https://example.org/lanterns?x=1", False),
    ],
)
def test_the_page_is_found_in_any_spelling_and_nothing_else_is(listed: str, sought: bool) -> None:
    found = read(urlset("https://example.org/", f"{listed} 2026-05-06"))
    assert (found.lists_page, found.page_lastmod) == (sought, "2026-05-06" if sought else "")


def test_lines_are_told_apart_wherever_a_file_is_cut_into_pieces() -> None:
    line = "https://example.org/x\n"
    full = line * (MEBIBYTE // len(line))
    padded = full[: -len(line)] + line[:-1] + "y" * (MEBIBYTE - len(full)) + "\n"
    assert len(padded) == MEBIBYTE
    found = read(padded + PAGE)
    assert (found.entries, found.lists_page) == (MEBIBYTE // len(line) + 1, True)


XHTML = 'xmlns:x="http://www.w3.org/1999/xhtml"'


def entry(address: str, *versions: str) -> str:
    """An entry of a sitemap with its language versions, ``de https://…``."""
    links = "".join(
        f'<x:link rel="alternate" hreflang="{tag}" href="{url}"/>'
        for tag, _, url in (one.partition(" ") for one in versions)
    )
    return f"<url><loc>{address}</loc>{links}</url>"


def test_the_language_versions_of_the_page_are_kept_and_those_of_others_are_not() -> None:
    other = entry("https://example.org/b", "fr https://example.org/fr/b")
    own = entry(PAGE, f"en {PAGE}", "de https://example.org/de/lanterns")
    found = read(f"<urlset {NAMESPACE} {XHTML}>{other}{own}{other}</urlset>")
    assert found.alternates == (("en", PAGE), ("de", "https://example.org/de/lanterns"))


@pytest.mark.parametrize(
    "link",
    [
        '<link rel="alternate" hreflang="de" href="https://example.org/de"/>',
        '<x:link rel="canonical" hreflang="de" href="https://example.org/de"/>',
        '<x:link rel="alternate" media="print" href="https://example.org/de"/>',
    ],
    ids=["of the wrong namespace", "of another relation", "without a language"],
)
def test_other_links_of_an_entry_are_no_language_versions(link: str) -> None:
    found = read(f"<urlset {NAMESPACE} {XHTML}><url><loc>{PAGE}</loc>{link}</url></urlset>")
    assert (found.lists_page, found.alternates) == (True, ())


def test_of_a_crowd_of_language_versions_some_are_kept() -> None:
    many = [f"de-{number} https://example.org/{number}" for number in range(5_000)]
    found = read(f"<urlset {NAMESPACE} {XHTML}>{entry(PAGE, *many)}</urlset>")
    assert len(found.alternates) == 200


def test_dates_are_counted() -> None:
    found = read(urlset(f"{PAGE} 2026-11-22", f"{PAGE}2 2026-12-24", f"{PAGE}3"))
    assert (found.with_lastmod, found.future_lastmods, found.same_lastmod) == (2, 1, False)


@pytest.mark.parametrize(("entries", "same"), [(9, False), (10, True)])
def test_one_date_for_all_is_noticed_from_ten_entries_on(entries: int, same: bool) -> None:
    listed = [f"https://example.org/{number} 2026-01-01" for number in range(entries)]
    assert read(urlset(*listed)).same_lastmod is same
    assert not read(urlset(*listed, f"{PAGE} 2026-01-02")).same_lastmod


def test_entries_of_other_hosts_and_without_tls_are_counted() -> None:
    listed = ["https://example.org/a", "http://example.org/b", "https://www.example.org/c"]
    found = read(urlset(*listed))
    assert (found.foreign, found.insecure) == (1, 1)
    plain = Sought(frozenset(), "example.org", secure=False, now=NOW)
    assert read(urlset(*listed), sought=plain).insecure == 0


def test_children_of_an_index_are_kept_in_their_order() -> None:
    children = ("https://example.org/b.xml", "https://example.org/a.xml")
    assert read(index(*children)).children == children


def test_more_entries_than_allowed_are_objected_to() -> None:
    listed = urlset(*(f"https://example.org/{number}" for number in range(50_002)))
    (problem,) = read(listed).problems
    assert "50,000" in problem
    assert read(listed).entries == 50_001


def test_the_end_that_was_not_fetched_is_no_mistake() -> None:
    cut = urlset(PAGE, "https://example.org/b")[:-30]
    (problem,) = read(cut, whole=False).problems
    assert "beginning" in problem
    assert read(cut, whole=False).lists_page


LOL = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
HOSTILE: list[tuple[str, Callable[[], str | bytes], str]] = [
    ("a bomb", lambda: bomb(200), "larger than the 50 MiB"),
    (
        "entities of entities",
        lambda: f'<!DOCTYPE u [<!ENTITY a0 "lol">{LOL}]><u>&a9;</u>',
        "document type",
    ),
    ("a crowd of bombs", lambda: gzip.compress(b"") * 200_000, "cannot be unpacked"),
    (
        "a file that is packed to nothing",
        lambda: gzip.compress(b"x")[:12] + b"\xff" * 99,
        "unpacked",
    ),
    ("a ladder", lambda: f"<urlset {NAMESPACE}>" + "<a>" * 500_000, "more elements"),
    ("a crowd", lambda: f"<urlset {NAMESPACE}>" + "<a/>" * 1_100_000, "more elements"),
    ("one long name", lambda: "<" + "x" * 3 * MEBIBYTE, "well-formed"),
    (
        "one long address",
        lambda: urlset("https://example.org/" + "x" * 3 * MEBIBYTE),
        "longer than",
    ),
    ("zeros", lambda: b"\0" * MEBIBYTE, "well-formed"),
]
"""Each is made by its own test alone: some are large."""


@pytest.mark.parametrize(
    ("made", "objection"), [case[1:] for case in HOSTILE], ids=[case[0] for case in HOSTILE]
)
def test_hostile_files_come_to_an_end(made: Callable[[], str | bytes], objection: str) -> None:
    found = read(made())
    assert any(objection in problem for problem in found.problems), found.problems
    assert not found.lists_page


def test_a_moment_is_compared_in_its_zone() -> None:
    now = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    sought = Sought(frozenset(), "example.org", secure=True, now=now)
    found = read(urlset(f"{PAGE} 2026-01-02T02:00:00+14:00", f"{PAGE} 9999-12-31"), sought=sought)
    assert found.future_lastmods == 1
