"""What crawlers of assistants are told and get, and what answers can draw on."""

from types import MappingProxyType

import pytest

from mergegate.core.severity import Severity
from mergegate.site.seo.checks import ai_search
from mergegate.site.seo.checks.ai_search import policies
from mergegate.site.seo.crawlers import CRAWLERS
from mergegate.site.seo.facts import CrawlerAnswer, Robots, RobotsGroup, RobotsRule, SearchFacts
from mergegate.site.seo.report import Ground
from tests.site.seo.checks.texts import found, page, paragraphs, rules, sentences
from tests.site.seo.checks.well_made import fetched, site

_DISALLOW = RobotsRule(allow=False, pattern="/", line=5)
_VIEWPORT = '<meta name="viewport"'
_ROBOTS = 'content="index, follow, max-image-preview:large"'
_LLMS = "https://example.org/llms.txt"
_SOURCE = '<a href="https://example.com/leaves">How leaves unfold</a> is a film about it.'
_DEGREES = "Let it cool to 75 degrees first"
_BYLINE = (
    '<time datetime="2026-03-01">1 March 2026</time>,\nchanged on <time datetime="2026-10-01">'
)


def robots(*shut: str, state: str = "present", groups: tuple[RobotsGroup, ...] = ()) -> Robots:
    return Robots(
        fetched=fetched("", "https://example.org/robots.txt"),
        state=state,
        groups=groups,
        allowed=MappingProxyType({one.token: one.token not in shut for one in CRAWLERS}),
        matched=MappingProxyType(dict.fromkeys(shut, _DISALLOW)),
    )


def signals(*groups: tuple[str, str], shut: tuple[str, ...] = ()) -> SearchFacts:
    """The site whose robots.txt says, to each agent, this signal."""
    told = tuple(
        RobotsGroup(agents=(agent,), signals=(signal,) if signal else ())
        for agent, signal in groups
    )
    return site(robots=robots(*shut, groups=told))


def answers(*given: tuple[str, int, bool | None], shut: tuple[str, ...] = ()) -> SearchFacts:
    crawlers = tuple(CrawlerAnswer(token=token, status=n, same=same) for token, n, same in given)
    return site(crawlers=crawlers, robots=robots(*shut))


def llms(text: str, status: int = 200, kind: str = "text/plain") -> SearchFacts:
    return site(llms=fetched(text, _LLMS, status, [("content-type", kind)]))


def essay(*more: str) -> SearchFacts:
    """A long article without figures, quotations or sources, and ``more`` in it."""
    return page((_SOURCE, ""), (_DEGREES, "Let it cool first"), body=paragraphs(40) + "".join(more))


CASES: dict[str, tuple[SearchFacts, list[str]]] = {
    "everybody is let in": (site(robots=robots()), []),
    "no robots.txt was looked for": (site(robots=None), []),
    "one search crawler is kept out": (
        site(robots=robots("OAI-SearchBot")), ["ai-search-blocked"]
    ),
    "training is kept out": (
        site(robots=robots("GPTBot", "ClaudeBot", "CCBot", "Google-Extended")),
        ["ai-training-blocked"],
    ),
    "visits on request are kept out": (site(robots=robots("ChatGPT-User")), ["ai-user-blocked"]),
    "all of them": (
        site(robots=robots("GPTBot", "ChatGPT-User", "PerplexityBot")),
        ["ai-search-blocked", "ai-training-blocked", "ai-user-blocked"],
    ),
    "search engines are kept out, too": (
        site(robots=robots("Googlebot", "OAI-SearchBot", "GPTBot")), []
    ),
    "a search engine that is no assistant": (site(robots=robots("YandexBot")), []),
    "an unreachable robots.txt": (
        site(robots=robots("OAI-SearchBot", state="unreachable")), []
    ),
    "let in and turned away": (
        answers(("OAI-SearchBot", 403, None)), ["ai-crawler-refused"]
    ),
    "let in and answered": (answers(("OAI-SearchBot", 200, True)), []),
    "let in, and nobody knows whether the text is the same": (
        answers(("OAI-SearchBot", 200, None)), []
    ),
    "let in and shown another text": (
        answers(("PerplexityBot", 200, False)), ["ai-crawler-other-text"]
    ),
    "let in, and the page is not there for it": (answers(("GPTBot", 404, None)), []),
    "the server breaks": (answers(("GPTBot", 503, None)), ["ai-crawler-refused"]),
    "kept out and turned away": (
        answers(("GPTBot", 403, None), shut=("GPTBot",)), ["ai-training-blocked"]
    ),
    "kept out and served": (
        answers(("GPTBot", 200, True), shut=("GPTBot",)), ["ai-training-blocked"]
    ),
    "no answer": (
        site(crawlers=(CrawlerAnswer(token="GPTBot", status=None, failure="it took too long"),)), []
    ),
    "a crawler that nobody knows": (answers(("NobodyBot", 403, None)), []),
    "nosnippet": (page((_ROBOTS, 'content="nosnippet"')), ["snippet-forbidden"]),
    "max-snippet:0": (page((_ROBOTS, 'content="max-snippet:0"')), ["snippet-forbidden"]),
    "both": (page((_ROBOTS, 'content="nosnippet, max-snippet:0"')), ["snippet-forbidden"]),
    "a short snippet": (page((_ROBOTS, 'content="max-snippet:20"')), ["snippet-short"]),
    "a snippet of any length": (page((_ROBOTS, 'content="max-snippet:-1"')), []),
    "a snippet of a line": (page((_ROBOTS, 'content="max-snippet:160"')), []),
    "a snippet that is no number": (page((_ROBOTS, 'content="max-snippet:all"')), []),
    "nosnippet for another engine": (
        page((_VIEWPORT, f'<meta name="googlebot-news" content="nosnippet">{_VIEWPORT}')), []
    ),
    "nosnippet on a page left out whole": (page((_ROBOTS, 'content="noindex, nosnippet"')), []),
    "nosnippet in a header": (
        site(page=fetched("x", headers=[("x-robots-tag", "nosnippet")])), ["snippet-forbidden"]
    ),
    "data-nosnippet on a paragraph": (
        page(("<p>Every ten", "<p data-nosnippet>Every ten")), ["data-nosnippet-no-effect"]
    ),
    "data-nosnippet on the main part": (
        page(("<main>", '<main class="a" data-nosnippet="">')), ["data-nosnippet-no-effect"]
    ),
    "data-nosnippet on a section": (
        page(body="<section data-nosnippet>x</section><span id=a data-nosnippet>y</span>"), []
    ),
    "data-nosnippet as a text": (page(body="<p>Use data-nosnippet where it helps.</p>"), []),
    "a signal": (signals(("*", "search=yes, ai-train=no")), []),
    "a signal for use by answers": (signals(("*", "search=yes,ai-input=yes,ai-train=yes")), []),
    "two answers in a line": (
        signals(("*", "search=yes, search=no")), ["content-signal-contradiction"]
    ),
    "two answers in two groups of one agent": (
        signals(("*", "ai-train=yes"), ("*", "ai-train=no")), ["content-signal-contradiction"]
    ),
    "two answers for two agents": (signals(("gptbot", "ai-train=yes"), ("*", "ai-train=no")), []),
    "training is granted to who may not come": (
        signals(("*", "ai-train=yes"), shut=("GPTBot",)),
        ["ai-training-blocked", "content-signal-contradiction"],
    ),
    "training is forbidden to who may not come": (
        signals(("*", "ai-train=no"), shut=("GPTBot",)), ["ai-training-blocked"]
    ),
    "a group of its own escapes": (
        signals(("*", "ai-train=no"), ("gptbot", "")), ["content-signal-contradiction"]
    ),
    "a group of its own says the same": (
        signals(("*", "ai-train=no"), ("gptbot", "ai-train=no")), []
    ),
    "a group of a search crawler leaves training aside": (
        signals(("*", "ai-train=no"), ("oai-searchbot", "")), []
    ),
    "a signal that is none": (signals(("*", "ai-train=maybe, mood=good")), []),
    "a good llms.txt": (
        llms("# Tea\n\n> All about tea.\n\nSome words.\n\n## Guides\n\n- [Water](/w): soft\n"
             "- [Leaves](https://example.org/l)\n\n## Optional\n\n* [Films](/f)\n"), []
    ),
    "an llms.txt of one line": (llms("# Tea"), []),
    "an llms.txt with a mark of its encoding": (llms("\ufeff# Tea\n"), []),
    "an llms.txt without a heading": (llms("Tea is good.\n"), ["llms-txt-invalid"]),
    "an llms.txt that begins later": (llms("Hello\n# Tea\n"), ["llms-txt-invalid"]),
    "an llms.txt with two names": (llms("# Tea\n# Coffee\n"), ["llms-txt-invalid"]),
    "an llms.txt with bare addresses": (
        llms("# Tea\n## Guides\n- https://example.org/w\n- [x]( )\n"), ["llms-txt-invalid"]
    ),
    "an llms.txt with a list before its sections": (llms("# Tea\n- soft water\n## A\n"), []),
    "an llms.txt with code": (llms("# Tea\n```\n# not a heading\n```\n## A\n- [a](/a)\n"), []),
    "no llms.txt": (llms("Not found", status=404), []),
    "a page of HTML for it": (llms("<!doctype html><p>Not found", kind="text/html"), []),
    "a page of HTML that calls itself text": (llms("\n<html><p>Hello"), []),
    "an empty llms.txt": (llms(" \n"), []),
    "a long article of mere words": (essay(), ["evidence-none"]),
    "with a figure": (essay("<p>It takes 12 minutes.</p>"), []),
    "with a percentage": (essay("<p>Half, or 5 %, of it.</p>"), []),
    "with a year alone": (essay("<p>It was in 1987.</p>"), ["evidence-none"]),
    "with a source": (essay('<p><a href="https://example.com/">A study</a></p>'), []),
    "with a link within the site": (essay('<a href="/study">A study</a>'), ["evidence-none"]),
    "with a quotation": (essay(f"<p>He said: “{sentences(1)[0]}”</p>"), []),
    "with a quoted word": (essay("<p>It is “tea”.</p>"), ["evidence-none"]),
    "with a block of quotation": (essay("<blockquote>Tea is water.</blockquote>"), []),
    "with a note": (essay("<p>It is known [3].</p>"), []),
    "a page that does not answer": (
        site(page=fetched("x", status=500), robots=robots("GPTBot")), []
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_site_has_these_points_and_no_others(name: str) -> None:
    facts, expected = CASES[name]
    assert rules(ai_search.points(facts)) == expected


def test_what_keeps_out_search_tells_whom_where_and_how_to_let_them_in() -> None:
    (blocked,) = ai_search.points(site(robots=robots("OAI-SearchBot", "PerplexityBot")))
    assert blocked.message == (
        "OAI-SearchBot and PerplexityBot may not fetch the page: it is shown less, or not at all, "
        "where their assistants search."
    )
    assert blocked.evidence == "line 5: Disallow: /"
    assert blocked.snippet == "User-agent: OAI-SearchBot\nUser-agent: PerplexityBot\nAllow: /"
    assert (blocked.severity, blocked.ground) == (Severity.MEDIUM, Ground.DOCUMENTED)
    assert blocked.source == "https://developers.openai.com/api/docs/bots"


@pytest.mark.parametrize(
    ("shut", "severity"),
    [
        (("YouBot",), Severity.LOW),
        (("YouBot", "Claude-SearchBot"), Severity.MEDIUM),
        (("GPTBot",), Severity.INFO),
        (("Claude-User",), Severity.INFO),
    ],
)
def test_what_is_kept_out_weighs_by_what_it_comes_for(
    shut: tuple[str, ...], severity: Severity
) -> None:
    (point,) = ai_search.points(site(robots=robots(*shut)))
    assert point.severity is severity


@pytest.mark.parametrize(
    ("tokens", "severity"),
    [
        (("GPTBot",), Severity.INFO),
        (("ChatGPT-User", "GPTBot"), Severity.LOW),
        (("GPTBot", "PerplexityBot"), Severity.MEDIUM),
    ],
)
def test_a_refusal_weighs_by_who_is_refused_and_never_counts(
    tokens: tuple[str, ...], severity: Severity
) -> None:
    (point,) = ai_search.points(answers(*((token, 403, None) for token in tokens)))
    assert (point.severity, point.ground) == (severity, Ground.HEURISTIC)
    assert "by their addresses" in point.message


def test_the_flaws_of_an_llms_txt_name_their_lines() -> None:
    (point,) = ai_search.points(llms("# Tea\n\n## Guides\n- water\n"))
    assert point.evidence == "line 4 is no link: “- water”"
    assert point.severity is Severity.INFO


def test_policies_tell_what_each_crawler_is_told_and_gets() -> None:
    told = {one.token: one for one in policies(answers(("GPTBot", 403, None), shut=("CCBot",)))}
    assert list(told) == [one.token for one in CRAWLERS]
    assert (told["CCBot"].allowed, told["CCBot"].purpose) == (False, "training")
    assert told["GPTBot"].allowed
    assert told["GPTBot"].answer == CrawlerAnswer(token="GPTBot", status=403)
    assert told["Googlebot"].answer is None


def test_without_a_robots_txt_everybody_may_come() -> None:
    assert all(one.allowed for one in policies(site(robots=None)))


@pytest.mark.parametrize("text", ["<a " * 30_000, "<a data-nosnippet" * 3_000, "# " * 30_000])
def test_hostile_files_are_read_within_bounds(text: str) -> None:
    facts = site(page=fetched(f"data-nosnippet{text}"), llms=fetched(text, _LLMS, 200, []))
    assert {one.rule for one in ai_search.points(facts)} <= {
        "llms-txt-invalid", "data-nosnippet-no-effect",
    }  # fmt: skip


def test_a_robots_txt_of_thousands_of_groups_is_read_within_bounds() -> None:
    groups = [(f"bot{number}", "search=yes, search=no") for number in range(30_000)]
    (point,) = ai_search.points(signals(("*", "ai-train=no" * 5_000), *groups))
    assert point.rule == "content-signal-contradiction"
    assert point.message == "Content-Signal: search is yes and no for “bot0”."


def test_a_well_made_article_with_everything_yields_nothing() -> None:
    assert rules(found(page(body=paragraphs(40)))) == []
