"""What scripts do wrong, and what only looks like it."""

from dataclasses import replace

import pytest

from mergegate.site.browser_test.checks.collect import problems
from mergegate.site.browser_test.facts import Fault, ScriptFault
from mergegate.site.browser_test.report import Kind, Problem
from mergegate.site.level import Level
from tests.site.browser_test.checks.journeys import HOME, NOTHING, journey, thrown, unloaded, visit

_CDN = "https://cdn.vendor.example/tag.js"


def _only(*faults: ScriptFault, path: str = "/") -> Problem:
    (found,) = problems(journey(visit(path, faults=faults)), NOTHING)
    return found


@pytest.mark.parametrize(
    ("fault", "rule", "level"),
    [
        (thrown(), "uncaught-error", Level.ERROR),
        (thrown(fault=Fault.REJECTION), "unhandled-rejection", Level.ERROR),
        (thrown(fault=Fault.CONSOLE), "console-error", Level.WARNING),
        (thrown(vendor="Tracker"), "uncaught-error", Level.WARNING),
        (thrown(fault=Fault.REJECTION, vendor="Tracker"), "unhandled-rejection", Level.WARNING),
        (thrown(fault=Fault.CRASH, script=""), "page-crash", Level.ERROR),
        (unloaded(f"{HOME}a.js", "script"), "failed-request", Level.ERROR),
        (unloaded(f"{HOME}a.css", "stylesheet", 500), "failed-request", Level.ERROR),
        (unloaded(f"{HOME}api", "fetch", 500), "failed-request", Level.ERROR),
        (unloaded(f"{HOME}api", "xhr", None), "failed-request", Level.ERROR),
        (unloaded(f"{HOME}frame", "document"), "failed-request", Level.ERROR),
        (unloaded(f"{HOME}me", "fetch", 401), "failed-request", Level.WARNING),
        (unloaded(f"{HOME}a.js", "script", 403), "failed-request", Level.ERROR),
        (unloaded(f"{HOME}a.woff2", "font"), "failed-request", Level.WARNING),
        (unloaded(f"{HOME}a.mp4", "media"), "failed-request", Level.WARNING),
        (unloaded(f"{HOME}beacon", "ping", 500), "failed-request", Level.WARNING),
        (unloaded(_CDN, "script", vendor="Tracker"), "failed-request", Level.WARNING),
        (unloaded(f"{HOME}a.png", "image"), "broken-image", Level.ERROR),
        (unloaded(f"{HOME}a.png", "image", 503), "broken-image", Level.WARNING),
        (unloaded(f"{HOME}a.png", "image", vendor="Tracker"), "broken-image", Level.WARNING),
    ],
)
def test_each_fault_has_its_rule_and_level(fault: ScriptFault, rule: str, level: Level) -> None:
    found = _only(fault)
    assert (found.rule, found.level) == (rule, level)
    assert found.remedy


def test_a_broken_image_stands_with_the_images() -> None:
    assert _only(unloaded(f"{HOME}a.png", "image")).kind is Kind.IMAGE
    assert _only(unloaded(f"{HOME}a.js", "script")).kind is Kind.SCRIPT


@pytest.mark.parametrize(
    "fault",
    [
        thrown("ResizeObserver loop limit exceeded"),
        thrown("ResizeObserver loop completed with undelivered notifications."),
        thrown("Uncaught (in promise) AbortError: signal is aborted without reason"),
        thrown("AbortError: The user aborted a request.", fault=Fault.REJECTION),
        thrown("Failed to load resource: net::ERR_FAILED", fault=Fault.CONSOLE),
        thrown("boom", script="chrome-extension://abcdef/content.js"),
        thrown("NotAllowedError: play() failed because the user didn't interact with the document"),
        unloaded(f"{HOME}a.js", "script", None, message="net::ERR_ABORTED"),
        unloaded(f"{HOME}a.js", "script", None, message="ERR_ABORTED"),
        unloaded(f"{HOME}a.js", "script", None, message="blocked: inspector"),
        unloaded(f"{HOME}favicon.ico", "other"),
    ],
)
def test_known_noise_is_dropped(fault: ScriptFault) -> None:
    assert problems(journey(visit(faults=(fault,))), NOTHING) == ()


@pytest.mark.parametrize(
    "fault",
    [
        thrown("ResizeObserver is not defined"),
        thrown("AbortErrors are piling up"),
        thrown("Failed to load resource: the basket"),  # thrown, not the browser's own line
        thrown("boom", script=f"{HOME}chrome-extension.js"),
        unloaded(f"{HOME}a.js", "script", None, message="ERR_CONNECTION_RESET"),
        unloaded(f"{HOME}a.js", "script", None, message="blocked: csp"),
        unloaded(f"{HOME}favicon.ico.js", "script"),
    ],
)
def test_what_resembles_noise_is_an_error(fault: ScriptFault) -> None:
    assert _only(fault).level is Level.ERROR


def test_an_error_that_the_browser_hides_is_a_warning_that_says_why() -> None:
    found = _only(thrown("Script error.", script=""))
    assert (found.level, "without CORS" in found.remedy) == (Level.WARNING, True)


def test_a_request_that_our_way_out_may_have_stopped_is_a_warning_that_says_so() -> None:
    found = _only(unloaded(f"{HOME}a.js", "script", None, message="ERR_TUNNEL_CONNECTION_FAILED"))
    assert (found.level, "the way out of the scan" in found.remedy) == (Level.WARNING, True)
    assert found.message == "The script /a.js does not load: its server cannot be reached from here"


def test_the_failure_of_the_page_itself_is_no_failed_request() -> None:
    fault = unloaded(f"{HOME}gone", "document")
    assert problems(journey(visit("/gone", faults=(fault,))), NOTHING) == ()


def test_the_same_error_on_two_pages_is_told_once() -> None:
    fault = thrown(count=2)
    found = problems(journey(visit("/", faults=(fault,)), visit("/b", faults=(fault,))), NOTHING)
    assert [(one.pages, one.count) for one in found] == [((HOME, f"{HOME}b"), 4)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Cannot read row 17 of 300", "Cannot read row 4 of 12"),
        ("no answer from https://shop.example/api?t=1", "no answer from https://shop.example/api"),
        ("chunk app-3f9a1b2c.js failed", "chunk app-77aa0d1e.js failed"),
        ("chunk index-DiwrgTda.js failed", "chunk index-BvX8s2_k.js failed"),
        ("id 0f8fad5b-d9cb-469f-a165-70867728950e", "id 7c9e6679-7425-40de-944b-e07fc1f90ae7"),
    ],
)
def test_what_differs_by_load_or_build_is_the_same_problem(one: str, other: str) -> None:
    assert _only(thrown(one)).id == _only(thrown(other, line=99)).id


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cart is undefined", "user is undefined"),
        ("chunk my-component.js failed", "chunk my-container.js failed"),
    ],
)
def test_what_says_another_thing_is_another_problem(one: str, other: str) -> None:
    assert _only(thrown(one)).id != _only(thrown(other)).id


def test_an_inline_script_is_one_problem_on_all_pages() -> None:
    pages = [
        visit(path, faults=(thrown(script=f"https://shop.example{path}"),)) for path in ("/", "/b")
    ]
    (found,) = problems(journey(*pages), NOTHING)
    assert found.pages == (HOME, f"{HOME}b")


def test_the_id_does_not_know_the_host() -> None:
    here = thrown("no answer from https://shop.example/api")
    there = replace(
        thrown("no answer from http://localhost:3000/api", script="http://localhost:3000/app.js")
    )
    other = visit("/", host="http://localhost:3000", faults=(there,))
    (found,) = problems(journey(other), NOTHING)
    assert _only(here).id == found.id


def test_a_host_that_only_begins_alike_is_another() -> None:
    evil = thrown("no answer from https://shop.example.evil.example/api")
    assert _only(evil).id != _only(thrown("no answer from https://shop.example/api")).id


def test_the_evidence_is_the_first_line_of_the_stack() -> None:
    assert _only(thrown()).evidence == "at addToCart (https://shop.example/app.js:3:7)"


def test_the_evidence_of_a_request_is_what_its_message_leaves_out() -> None:
    asked = replace(unloaded(f"{HOME}api", "fetch", 500), frames=thrown().frames)
    assert _only(asked).message == "The call to /api answers 500"
    assert _only(asked).evidence == (
        "https://shop.example/api; asked for at addToCart (https://shop.example/app.js:3:7)"
    )


def test_why_there_was_no_answer_is_told_in_words_and_by_the_browsers_own() -> None:
    found = _only(unloaded(f"{HOME}a.js", "script", None, message="blocked: csp"))
    assert found.message == (
        "The script /a.js does not load: the page's Content Security Policy forbids it"
    )
    assert found.evidence == "https://shop.example/a.js; blocked: csp"


def test_a_reason_without_words_of_ours_is_told_once() -> None:
    found = _only(unloaded(f"{HOME}a.js", "script", None, message="ERR_FAILED"))
    assert found.message == "The script /a.js does not load: ERR_FAILED"
    assert found.evidence == "https://shop.example/a.js"


def test_what_is_written_to_the_console_says_so() -> None:
    assert _only(thrown("look out", fault=Fault.CONSOLE)).message == "console.error: look out"


def test_a_message_of_any_length_is_cut() -> None:
    found = _only(thrown("a\n" * 1_000_000))
    assert (len(found.message), "\n" in found.message) == (300, False)


@pytest.mark.parametrize(
    ("lost", "message", "expected"),
    [
        ("https://cdn.example/search.js", "ReferenceError: search is not defined", Level.WARNING),
        ("https://cdn.example/search.js", "TypeError: cart is undefined", Level.ERROR),
        (f"{HOME}search.js", "ReferenceError: search is not defined", Level.ERROR),
        ("", "ReferenceError: search is not defined", Level.ERROR),
    ],
)
def test_a_name_that_a_script_out_of_reach_may_define_is_only_a_warning(
    lost: str, message: str, expected: Level
) -> None:
    gone = unloaded(lost, "script", None, message="ERR_TUNNEL_CONNECTION_FAILED")
    faults = (thrown(message), *([gone] if lost else []))
    page = visit(faults=faults)
    found = problems(journey(page), NOTHING)
    assert [one.level for one in found if one.rule == "uncaught-error"] == [expected]
