"""The table of crawlers, and what they are answered under their names."""

import threading
from urllib.parse import urlsplit

import pytest

from mergegate.site.seo.crawlers import CRAWLERS, PROBED, Purpose, crawler
from mergegate.site.seo.facts import CrawlerAnswer
from mergegate.site.seo.gather import Bounds
from mergegate.site.seo.gather.gathering import shown_words
from tests.site.links.places import Asked, Say
from tests.site.seo.gather.site import PAGE, QUICK, WORDS, look

CHALLENGE = "<title>Just a moment</title><p>We check that you are no robot. Please wait here.</p>"
CHANGED = PAGE.replace("dusk", "dawn").replace("before midnight", "after sunrise")


def answers(page: object, **routes: object) -> dict[str, CrawlerAnswer]:
    facts, _ = look({"/page": page, **routes})
    return {answer.token: answer for answer in facts.crawlers}


def for_crawlers(say: Say) -> object:
    """A browser gets the page, who calls itself a crawler ``say``."""
    return lambda asked: say if _is_crawler(asked) else Say(body=PAGE)


def _is_crawler(asked: Asked) -> bool:
    agent = asked.headers["User-Agent"]
    return any(crawler(token).agent == agent for token in PROBED)


ANSWERS = [
    ("the same page", Say(body=PAGE), 200, True),
    ("the page with a few other words", Say(body=CHANGED), 200, True),
    ("another page", Say(body=CHALLENGE), 200, False),
    ("half of the page", Say(body=PAGE.replace(WORDS, WORDS[:88])), 200, None),
    ("a closed door", Say(403, CHALLENGE), 403, None),
    ("a crowd", Say(429, ""), 429, None),
    ("a fault", Say(503, ""), 503, None),
    ("a locked door", Say(401, ""), 401, None),
]


@pytest.mark.parametrize(
    ("say", "status", "same"), [case[1:] for case in ANSWERS], ids=[case[0] for case in ANSWERS]
)
def test_what_a_crawler_gets_is_held_against_what_a_browser_gets(
    say: Say, status: int, same: bool | None
) -> None:
    found = answers(for_crawlers(say))
    assert tuple(found) == PROBED
    assert {(one.status, one.same) for one in found.values()} == {(status, same)}


def test_a_wall_for_one_crawler_is_told_of_that_one() -> None:
    agent = crawler("GPTBot").agent

    def page(asked: Asked) -> Say:
        return Say(403, "no") if asked.headers["User-Agent"] == agent else Say(body=PAGE)

    assert [token for token, one in answers(page).items() if one.status != 200] == ["GPTBot"]


def test_a_page_of_few_words_cannot_be_compared() -> None:
    found = answers(Say(body="<title>Shop</title><p>Please enable scripts."))
    assert {(one.status, one.same) for one in found.values()} == {(200, None)}


def test_a_server_that_hangs_up_on_crawlers_is_told() -> None:
    def page(asked: Asked) -> Say:
        if _is_crawler(asked):
            raise ConnectionAbortedError
        return Say(body=PAGE)

    found = answers(page)
    assert {one.status for one in found.values()} == {None}
    assert all(one.failure for one in found.values())


def test_they_ask_after_everything_else() -> None:
    order: list[str] = []

    def page(asked: Asked) -> Say:
        order.append("crawler" if _is_crawler(asked) else "browser")
        return Say(body=PAGE)

    _, own = look({"/page": page}, bounds=Bounds(article_bytes=0, crawlers=4))
    assert order == ["browser", *["crawler"] * 4]
    assert [one.path for one in own.asked[-4:]] == ["/page"] * 4


def test_they_ask_two_at_a_time() -> None:
    both, at_once, most = threading.Barrier(2, timeout=5), set[int](), [0]

    def page(asked: Asked) -> Say:
        if _is_crawler(asked):
            at_once.add(id(asked))
            both.wait()
            most[0] = max(most[0], len(at_once))
            at_once.discard(id(asked))
        return Say(body=PAGE)

    found = answers(page)
    assert {one.status for one in found.values()} == {200}
    assert most == [2]


def test_nobody_asks_for_a_page_that_is_not_there() -> None:
    facts, own = look({"/page": Say(404, "no")})
    assert facts.crawlers == ()
    assert own.count("/page") == 1


def test_as_many_ask_as_the_bound_allows() -> None:
    facts, _ = look({}, bounds=Bounds(article_bytes=0, crawlers=0))
    assert facts.crawlers == ()
    assert len(PROBED) == QUICK.crawlers


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<p>Dusk &amp; dawn</p>", {"dusk", "dawn", "amp"}),
        ("<script>var dusk = '<p>night</p>'</script>dawn", {"dawn"}),
        ("<STYLE>p{color:red}</STYLE><p title='dusk'>dawn", {"dawn"}),
        ("<script src=a></script><script>b</script>", set()),
        ("<!-- dusk --><p>dawn", {"dawn"}),
        ("dusk <b", set()),
    ],
)
def test_the_words_that_a_page_shows_are_told(html: str, words: set[str]) -> None:
    assert shown_words(html) == words


def test_each_token_stands_once_and_asks_as_itself() -> None:
    tokens = [one.token.lower() for one in CRAWLERS]
    assert len(set(tokens)) == len(tokens)
    for one in CRAWLERS:
        assert bool(one.agent) is (one.purpose is not Purpose.CONTROL)
        assert not one.agent or one.token.lower() in one.agent.lower()
        assert one.agent.isascii() and one.agent.isprintable()
        assert urlsplit(one.documentation).scheme == "https"


def test_those_in_whose_name_is_asked_come_for_answers() -> None:
    assert all(crawler(token).for_answers and crawler(token).agent for token in PROBED)
    assert {crawler(token).purpose for token in PROBED} == set(Purpose) - {Purpose.CONTROL}


NEEDED = {
    Purpose.SEARCH: "Googlebot Bingbot Applebot DuckDuckBot YandexBot Baiduspider OAI-SearchBot "
    "Claude-SearchBot PerplexityBot YouBot",
    Purpose.TRAINING: "GPTBot ClaudeBot CCBot Bytespider meta-externalagent Amazonbot Diffbot",
    Purpose.USER: "ChatGPT-User Claude-User Perplexity-User meta-externalfetcher MistralAI-User "
    "DuckAssistBot cohere-ai",
    Purpose.CONTROL: "Google-Extended Applebot-Extended",
}


@pytest.mark.parametrize("purpose", Purpose)
def test_the_table_knows_them_by_what_they_come_for(purpose: Purpose) -> None:
    assert {crawler(token).purpose for token in NEEDED[purpose].split()} == {purpose}


def test_an_unknown_name_is_nobodys() -> None:
    assert crawler("gptbot").token == "GPTBot"
    with pytest.raises(KeyError):
        crawler("NoSuchBot")
