"""The article in a page, read in a process of its own; no page holds it up."""

import datetime as dt
import json
from functools import cache

import pytest
from py3langid.langid import LanguageIdentifier  # type: ignore[import-untyped]

from mergegate.core.errors import EngineMissing
from mergegate.sandbox.process import run
from mergegate.site.seo import article_worker
from mergegate.site.seo.article_worker import main
from mergegate.site.seo.facts import Reading
from mergegate.site.seo.gather import Bounds
from mergegate.site.seo.gather.gathering import reading
from tests.site.links.places import Say
from tests.site.seo.gather.site import NOW, WORDS, look

MOST = 2 * 1024 * 1024
DAY = "2026-11-22"


@pytest.fixture(autouse=True)
def _one_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """To unpack it takes longer than all else that is done here without a process."""
    monkeypatch.setattr(LanguageIdentifier, "from_model_file", _model)


_model = cache(LanguageIdentifier.from_model_file)


def article(text: str, head: str = "") -> str:
    return (
        f"<!doctype html><head><title>Lanterns</title>{head}</head><article><h1>Lanterns</h1>{text}"
    )


TEXT = "".join(f"<p>{WORDS} Number {number}.</p>" for number in range(6))
META = (
    '<meta name=author content="Ada Lovelace">'
    '<meta property="article:published_time" content="2025-03-01T10:00:00Z">'
    '<meta property="article:modified_time" content="2025-04-02T10:00:00Z">'
)


def test_the_article_its_language_dates_and_author_are_read() -> None:
    found, notes = reading(article(f"{TEXT}<nav>Home</nav>", META), NOW, MOST, 30)
    assert found.text.count(WORDS) == 6
    assert "Home" not in found.text
    assert (found.language, found.published, found.modified) == ("en", "2025-03-01", "2025-04-02")
    assert found.language_certainty > 0.9
    assert found.authors == ("Ada Lovelace",)
    assert notes == ()


def test_the_facts_hold_it() -> None:
    facts, _ = look({"/page": Say(body=article(TEXT, META))}, bounds=Bounds(crawlers=0))
    assert facts.reading.language == "en"
    assert facts.reading.published == "2025-03-01"


LANGUAGES = [
    (
        "de",
        "Die Laternen am Hafen wurden abends angezündet, und jedes Schiff kam heim. ",
    ),
    (
        "fr",
        "Les lanternes du port furent allumées au crépuscule, et les navires rentrèrent. ",
    ),
    ("ja", "港の灯りは夕暮れに灯され、船は霧の中をゆっくりと帰ってきた。"),
    (
        "ru",
        "Фонари в гавани зажгли в сумерках, и корабли медленно возвращались домой. ",
    ),
]


@pytest.mark.parametrize(("language", "text"), LANGUAGES, ids=[case[0] for case in LANGUAGES])
def test_a_language_is_told_from_two_hundred_letters_on(language: str, text: str) -> None:
    long = main(article(f"<p>{text * 8}</p>"), DAY)
    assert long["language"] == language
    assert "language" not in main(article(f"<p>{text}</p>"), DAY)


DATES = [
    ("no date", article(TEXT), ""),
    ("a year in the footer", article(f"{TEXT}<footer>© 2019 Lanterns</footer>"), ""),
    (
        "structured data",
        article(
            TEXT,
            '<script type="application/ld+json">{"@context":'
            '"https://schema.org","@type":"Article","datePublished":"2025-03-01"}</script>',
        ),
        "2025-03-01",
    ),
    (
        "a time element",
        article(f'<time datetime="2025-03-01" pubdate>1 March</time>{TEXT}'),
        "2025-03-01",
    ),
    ("a date that is to come", article(TEXT, META.replace("2025-03", "2027-03")), "2025-04-02"),
]


@pytest.mark.parametrize(
    ("page", "published"), [case[1:] for case in DATES], ids=[case[0] for case in DATES]
)
def test_a_date_is_read_and_never_guessed(page: str, published: str) -> None:
    assert main(page, DAY).get("published", "") == published


def test_nothing_is_read_of_nothing() -> None:
    assert reading("  ", NOW, MOST, 30) == (Reading(), ())
    assert reading(article(TEXT), NOW, 0, 30) == (Reading(), ())


def test_of_a_large_page_the_beginning_is_read() -> None:
    found, notes = reading(article(TEXT), NOW, 1200, 30)
    assert 0 < found.text.count("Number") < 6
    (note,) = notes
    assert "beginning" in note


HOSTILE = [
    ("a ladder", "<div>" * 100_000),
    ("tables in tables", "<table><tr><td>" * 20_000 + "x"),
    ("a comment without end", "<!--" * 100_000),
    ("zeros and surrogates", "\0\ud800" * 10_000),
    ("no markup", WORDS * 100),
    ("JSON that is deep", article(TEXT, '<script type="application/ld+json">' + "[" * 100_000)),
]


@pytest.mark.parametrize("page", [case[1] for case in HOSTILE], ids=[case[0] for case in HOSTILE])
def test_hostile_pages_come_to_an_end(page: str) -> None:
    found, notes = reading(page, NOW, 200_000, 15)
    assert len(found.text) <= 400_000
    assert len(notes) <= 1


def test_a_page_that_holds_up_the_libraries_is_given_up() -> None:
    found, notes = reading(article("<a>" * 150_000), NOW, MOST, 1.0)
    assert found == Reading()
    (note,) = notes
    assert "1 s" in note


def test_a_missing_process_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*given: object, **more: object) -> run.Completed:
        raise EngineMissing("python is not installed")

    monkeypatch.setattr(run, "run", missing)
    found, notes = reading(article(TEXT), NOW, MOST, 30)
    assert found == Reading()
    assert notes == ("The article in the page was not read: python is not installed.",)


def test_a_part_that_the_libraries_fail_at_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> dict[str, object]:
        raise RecursionError

    monkeypatch.setattr(article_worker, "_modified", fails)
    told = main(article(TEXT), DAY)
    assert told["unread"] == ["date of change"]
    assert told["text"]
    said = json.dumps(told).encode()
    monkeypatch.setattr(run, "run", lambda *_, **__: run.Completed(0, said, b""))
    assert reading(article(TEXT), NOW, MOST, 30)[1] == (
        "The page could not be read for its date of change.",
    )


@pytest.mark.parametrize("said", [b"", b"[]", b'{"text": 5}', b'{"more": 1}', b'{"text": "a"'])
def test_a_worker_that_says_something_else_is_not_believed(
    said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "run", lambda *_, **__: run.Completed(0, said, b""))
    found, notes = reading(article(TEXT), NOW, MOST, 30)
    assert found == Reading()
    assert "another shape" in notes[0]


def test_the_last_day_of_a_date_is_that_of_the_scan() -> None:
    before = dt.datetime(2025, 3, 15, tzinfo=dt.UTC)
    found, _ = reading(article("<p>Short.</p>", META), before, MOST, 30)
    assert (found.published, found.modified) == ("2025-03-01", "2025-03-01")
