"""What the answer to /robots.txt means, whatever it is."""

import socket
from typing import Any

import pytest

from mergegate.site.seo.crawlers import CRAWLERS
from mergegate.site.seo.facts import Robots
from mergegate.site.seo.gather.robots import agent_token, read_robots, robots, rulings
from tests.site.links.places import Say, place, raw
from tests.site.seo.gather.site import TEXT, asking

FORBIDS = "User-agent: *\nDisallow: /"


def ask(say: Any, **others: Any) -> Robots:
    """What it means for a page when /robots.txt answers ``say``."""
    with place(**{"/robots.txt": say, **others}) as own, asking(own) as web:
        fetched = web.get(own.at("/robots.txt"), timeout_s=1.5)
        return robots(fetched, own.at("/page"))


def moved(to: str) -> Say:
    return Say(302, "", headers=(("Location", to),))


def hops(number: int) -> dict[str, Say]:
    """A way of so many redirects to a file that forbids everything."""
    way = {f"/{hop}": moved(f"/{hop + 1}") for hop in range(1, number)}
    return {"/robots.txt": moved("/1"), **way, f"/{number}": Say(200, FORBIDS, TEXT)}


def half(connection: socket.socket) -> None:
    """The beginning of a file that does not go on."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nUser-agent: *\nAllow: /\n")


STATES = [
    ("a file", Say(200, FORBIDS, TEXT), "present", False),
    ("an empty file", Say(200, "", TEXT), "present", True),
    ("no file", Say(404, FORBIDS, TEXT), "absent", True),
    ("a file that is closed", Say(401, FORBIDS), "absent", True),
    ("a server that is busy", Say(429, FORBIDS), "unreachable", False),
    ("a server that fails", Say(503, "User-agent: *\nAllow: /"), "unreachable", False),
    ("a circle", moved("/robots.txt"), "absent", True),
    ("a page in its place", Say(200, "<!doctype html><title>Shop</title>"), "not robots", True),
    ("a page sent as text", Say(200, "\n <HTML><body>Shop", TEXT), "not robots", True),
    ("half a file", raw(half), "unreachable", False),
    ("a hung-up connection", raw(lambda connection: connection.close()), "unreachable", False),
]


@pytest.mark.parametrize(
    ("say", "state", "allowed"), [case[1:] for case in STATES], ids=[case[0] for case in STATES]
)
def test_the_answer_decides_what_crawlers_may_do(say: Any, state: str, allowed: bool) -> None:
    found = ask(say)
    assert found.state == state
    assert set(found.allowed.values()) == {allowed}


@pytest.mark.parametrize(("number", "state"), [(5, "present"), (6, "absent")])
def test_five_redirects_are_followed_and_no_more(number: int, state: str) -> None:
    way = hops(number)
    assert ask(way.pop("/robots.txt"), **way).state == state


def test_rules_that_are_sent_as_a_page_count_and_are_objected_to() -> None:
    found = ask(Say(200, FORBIDS))
    assert (found.state, found.allowed["*"]) == ("present", False)
    assert [line for line, said in found.problems if "text/plain" in said] == [0]


def test_the_line_that_decides_is_kept_for_each_crawler_that_one_decides_about() -> None:
    found = ask(Say(200, "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nAllow: /x", TEXT))
    assert found.matched["GPTBot"].line == 2
    assert "*" not in found.matched
    assert (found.allowed["GPTBot"], found.allowed["ClaudeBot"]) == (False, True)


def test_a_file_without_end_is_read_as_far_as_crawlers_read() -> None:
    def drip(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        connection.sendall(b"User-agent: *\nDisallow: /page\n")
        while True:
            connection.sendall(b"# again\n" * 8192)

    with place(**{"/robots.txt": raw(drip)}) as own, asking(own) as web:
        fetched = web.get(own.at("/robots.txt"), most_bytes=600 * 1024)
        found = robots(fetched, own.at("/page"))
    assert (found.state, found.allowed["*"]) == ("present", False)
    assert "500 KiB" in found.problems[0][1]


PAGE = "https://example.org/shop/lantern.html?size=3"

VERDICTS = [
    ("an empty file allows", "", PAGE, "*", True, None),
    ("an empty Disallow allows", "User-agent: *\nDisallow:", PAGE, "*", True, None),
    ("a slash forbids everything", "User-agent: *\nDisallow: /", PAGE, "Googlebot", False, 2),
    ("a rule is a beginning", "User-agent: *\nDisallow: /sho", PAGE, "*", False, 2),
    ("and not a middle", "User-agent: *\nDisallow: /lantern", PAGE, "*", True, None),
    ("letter case counts in paths", "User-agent: *\nDisallow: /Shop", PAGE, "*", True, None),
    ("and not in names", "USER-AGENT: gptbot\nDISALLOW: /", PAGE, "GPTBot", False, 2),
    (
        "the longest rule counts",
        "User-agent: *\nDisallow: /shop/\nAllow: /shop/lan",
        PAGE,
        "*",
        True,
        3,
    ),
    ("whatever its place", "User-agent: *\nAllow: /shop/lan\nDisallow: /shop/", PAGE, "*", True, 2),
    (
        "of two as long Allow counts",
        "User-agent: *\nDisallow: /shop\nAllow: /shop",
        PAGE,
        "*",
        True,
        3,
    ),
    ("a star is anything", "User-agent: *\nDisallow: /*.html", PAGE, "*", False, 2),
    ("a dollar is the end", "User-agent: *\nDisallow: /*.html$", PAGE, "*", True, None),
    ("of the query as well", "User-agent: *\nDisallow: /*size=3$", PAGE, "*", False, 2),
    ("queries are matched", "User-agent: *\nDisallow: /*?size=", PAGE, "*", False, 2),
    ("escapes are one spelling", "User-agent: *\nDisallow: /sh%6Fp", PAGE, "*", False, 2),
    (
        "so are letters beyond ASCII",
        "User-agent: *\nDisallow: /café",
        "https://example.org/caf%c3%a9",
        "*",
        False,
        2,
    ),
    ("an escaped slash is no slash", "User-agent: *\nDisallow: /shop%2F", PAGE, "*", True, None),
    (
        "its own group counts alone",
        "User-agent: *\nDisallow: /\nUser-agent: GPTBot\nAllow: /",
        PAGE,
        "GPTBot",
        True,
        4,
    ),
    (
        "groups of one name are one",
        (
            "User-agent: GPTBot\nAllow: /shop\nUser-agent: a\nDisallow: /\n"
            "User-agent: gptbot\nDisallow: /shop/l"
        ),
        PAGE,
        "GPTBot",
        False,
        6,
    ),
    (
        "names stand together",
        "User-agent: a\nUser-agent: ClaudeBot\nDisallow: /",
        PAGE,
        "ClaudeBot",
        False,
        3,
    ),
    (
        "a part of a name is another",
        "User-agent: Applebot\nDisallow: /",
        PAGE,
        "Applebot-Extended",
        True,
        None,
    ),
    (
        "a longer name is another",
        "User-agent: Applebot-Extended\nDisallow: /",
        PAGE,
        "Applebot",
        True,
        None,
    ),
    (
        "a version is no part of a name",
        "User-agent: GPTBot/1.1\nDisallow: /",
        PAGE,
        "GPTBot",
        False,
        2,
    ),
    (
        "Apple follows Google's rules",
        "User-agent: Googlebot\nDisallow: /",
        PAGE,
        "Applebot",
        False,
        2,
    ),
    (
        "unless it has its own",
        "User-agent: Googlebot\nDisallow: /\nUser-agent: Applebot\nDisallow:",
        PAGE,
        "Applebot",
        True,
        None,
    ),
    (
        "a Sitemap ends no group",
        "User-agent: a\nSitemap: https://example.org/s.xml\nUser-agent: CCBot\nDisallow: /",
        PAGE,
        "CCBot",
        False,
        4,
    ),
    (
        "rules before any name are nobody's",
        "Disallow: /\nUser-agent: *\nDisallow: /x",
        PAGE,
        "*",
        True,
        None,
    ),
    ("comments are no rules", "User-agent: * # all\nDisallow: /#shop", PAGE, "*", False, 2),
    ("a space does for a colon", "User-agent *\nDisallow /shop", PAGE, "*", False, 2),
    ("a misspelt Disallow counts", "User-agent: *\nDissallow: /shop", PAGE, "*", False, 2),
    (
        "a rule without a slash matches nothing",
        "User-agent: *\nDisallow: shop",
        PAGE,
        "*",
        True,
        None,
    ),
    ("old line ends are line ends", "User-agent: *\rDisallow: /shop", PAGE, "*", False, 2),
    (
        "allowing an index allows its folder",
        "User-agent: *\nDisallow: /\nAllow: /a/index.html",
        "https://example.org/a/",
        "*",
        True,
        3,
    ),
    (
        "robots.txt itself is open",
        "User-agent: *\nDisallow: /",
        "https://example.org/robots.txt",
        "*",
        True,
        None,
    ),
]


@pytest.mark.parametrize(
    ("text", "url", "token", "allowed", "line"),
    [case[1:] for case in VERDICTS],
    ids=[case[0] for case in VERDICTS],
)
def test_the_verdict_is_that_of_rfc_9309(
    text: str, url: str, token: str, allowed: bool, line: int | None
) -> None:
    ruling = rulings(read_robots(text.encode()).groups, url)[token]
    assert (ruling.allowed, ruling.rule.line if ruling.rule else None) == (allowed, line)
    assert not ruling.disputed


PROBLEMS = [
    (
        "a plain file has none",
        b"# ours\nUser-agent: *\nDisallow: /x\n\nSitemap: https://example.org/s.xml",
        [],
    ),
    ("a byte order mark", b"\xef\xbb\xbfUser-agent: *\nDisallow:", [(1, "byte order mark")]),
    ("UTF-16", "User-agent: *\nDisallow: /".encode("utf-16"), [(0, "UTF-16")]),
    ("a rule before any name", b"Disallow: /\nUser-agent: *\nAllow: /", [(1, "nobody follows")]),
    ("a rule without a slash", b"User-agent: *\nDisallow: shop", [(2, "slash")]),
    ("a star may begin a rule", b"User-agent: *\nDisallow: *.pdf$", []),
    ("a rule with a host", b"User-agent: *\nDisallow: https://example.org/x", [(2, "paths")]),
    ("a dollar in the middle", b"User-agent: *\nDisallow: /a$b", [(2, "$")]),
    ("Noindex", b"User-agent: *\nNoindex: /old", [(2, "robots meta")]),
    ("a relative Sitemap", b"Sitemap: /sitemap.xml", [(1, "whole address")]),
    ("two names in a line", b"User-agent: GPTBot, CCBot\nDisallow: /", [(1, "only “gptbot”")]),
    ("a star within a name", b"User-agent: *bot\nDisallow: /", [(1, "No crawler")]),
    ("a star after a name", b"User-agent: gpt*\nDisallow: /", [(1, "A star")]),
    ("a name that is empty", b"User-agent:\nDisallow: /", [(1, "nobody")]),
    ("an unknown word", b"User-agent: *\nDeny: /", [(2, "no word")]),
    (
        "words of other crawlers",
        b"User-agent: *\nClean-param: ref /\nHost: example.org\nDisallow:",
        [],
    ),
    ("a line without a colon", b"User-agent: *\nDisallow /", [(2, "not every crawler")]),
    ("a sentence", b"User-agent: *\nDisallow all of it", [(2, "pass over it")]),
    ("two words", b"User-agent: *\nbe kind", [(2, "no colon")]),
    ("a misspelt word", b"User-agent: *\nDisalow: /", [(2, "misspelt")]),
    (
        "Crawl-delay for Google",
        b"User-agent: Googlebot\nCrawl-delay: 5\nDisallow:",
        [(2, "Google")],
    ),
    ("Crawl-delay for Bing", b"User-agent: bingbot\nCrawl-delay: 5\nDisallow:", []),
    ("Crawl-delay in words", b"User-agent: a\nCrawl-delay: slow\nDisallow:", [(2, "number")]),
    (
        "a group that does not end",
        b"User-agent: a\nCrawl-delay: 5\nUser-agent: b\nDisallow: /",
        [(3, "group above")],
    ),
    (
        "a Sitemap between names",
        b"User-agent: a\nSitemap: https://example.org/s\nUser-agent: b\nDisallow: /",
        [],
    ),
    ("Content-Signal", b"User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /", []),
    (
        "Content-Signal misspelt",
        b"User-agent: *\nContent-Signal: ai_train=no\nAllow: /",
        [(2, "Content-Signal wants")],
    ),
    (
        "more than crawlers read",
        b"User-agent: *\nDisallow: /x\n" + b"#" * 512_000,
        [(0, "500 KiB")],
    ),
    ("a rule that is too long", b"User-agent: *\nDisallow: /" + b"x" * 3000, [(2, "too long")]),
]


@pytest.mark.parametrize(
    ("body", "expected"), [case[1:] for case in PROBLEMS], ids=[case[0] for case in PROBLEMS]
)
def test_every_mistake_is_told_once_with_its_line(
    body: bytes, expected: list[tuple[int, str]]
) -> None:
    problems = read_robots(body).problems
    assert [line for line, _ in problems] == [line for line, _ in expected]
    for (_, said), (_, part) in zip(problems, expected, strict=True):
        assert part in said


WELL_MADE = [
    (
        "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n\n"
        "Sitemap: https://example.org/wp-sitemap.xml\n"
    ),
    (
        "# BEGIN managed\nUser-Agent: *\nContent-signal: search=yes,ai-train=no\nAllow: /\n\n"
        "User-agent: Amazonbot\nDisallow: /\n\nUser-agent: CCBot\nDisallow: /\n# END\n"
    ),
    (
        "sitemap: https://example.org/s.xml\n\nuser-agent: a\nuser-agent: b\ndisallow: /*?*sort=\n"
        "disallow: /tmp$\n\nuser-agent: *\ncrawl-delay: 1\ndisallow:\n"
    ),
    "User-agent: *\r\nDisallow: /suche\r\nDisallow: /größen/\r\nDisallow: /%C3%A4\r\n",
]


@pytest.mark.parametrize("text", WELL_MADE, ids=range(len(WELL_MADE)))
def test_a_well_made_file_has_no_mistakes(text: str) -> None:
    file = read_robots(text.encode())
    assert file.problems == ()
    assert not any(ruling.disputed for ruling in rulings(file.groups, PAGE).values())


def test_delays_signals_and_sitemaps_are_kept() -> None:
    file = read_robots(
        b"User-agent: Bingbot\nUser-agent: *\nCrawl-delay: 2.5\nContent-Signal: ai-train=no\n"
        b"Disallow: /x\nSitemap: https://example.org/a.xml\nSitemap: https://example.org/a.xml\n"
    )
    (group,) = file.groups
    assert (group.agents, group.crawl_delay_s) == (("bingbot", "*"), 2.5)
    assert group.signals == ("ai-train=no",)
    assert file.sitemaps == ("https://example.org/a.xml",)


def test_nothing_beyond_500_kib_is_read() -> None:
    padding = b"#" * (500 * 1024)
    assert read_robots(padding + b"\nUser-agent: *\nDisallow: /").groups == ()


def test_a_file_of_mistakes_does_not_make_a_long_list() -> None:
    assert len(read_robots(b"nonsense\n" * 50_000).problems) == 50


def test_a_hostile_name_is_quoted_short_and_on_one_line() -> None:
    ((_, said),) = read_robots(b"User-agent: *\n\x1b[31m\x00" + b"y" * 5000 + b": x").problems
    assert "\x1b" not in said
    assert len(said) < 150


@pytest.mark.parametrize(
    ("agent", "token"),
    [
        ("*", "*"),
        ("* # all", "*"),
        ("googlebot", "googlebot"),
        ("gptbot/1.1", "gptbot"),
        ("*bot", ""),
    ],
)
def test_a_name_ends_before_the_first_other_sign(agent: str, token: str) -> None:
    assert agent_token(agent) == token


def test_a_file_that_names_every_crawler_at_length_is_judged() -> None:
    rules = "".join(f"Disallow: /*a*b{number}*c\n" for number in range(600))
    body = "".join(f"User-agent: {crawler.token}\n{rules}" for crawler in CRAWLERS).encode()
    file = read_robots(body)
    found = rulings(file.groups, "https://example.org/" + "ab" * 2000)
    assert all(ruling.allowed for ruling in found.values())


def test_where_parsers_differ_the_standard_counts_and_the_difference_is_told() -> None:
    """Protego escapes the ampersand, and finds the digit of its escape."""
    file = read_robots(b"User-agent: *\nDisallow: /*2")
    ruling = rulings(file.groups, "https://example.org/a?b=1&c=3")["*"]
    assert (ruling.allowed, ruling.disputed) == (True, True)


def test_there_is_a_ruling_for_each_crawler_and_for_everybody() -> None:
    found = rulings((), PAGE)
    assert set(found) == {"*", *(crawler.token for crawler in CRAWLERS)}
