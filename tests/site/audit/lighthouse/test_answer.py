"""What the worker says is read strictly; a figure that is missing is never taken for nothing."""

import json
from typing import Any

import pytest

from mergegate.core.errors import EngineFailed, TargetNotAnalysable
from mergegate.sandbox.visit import Visit
from mergegate.site.audit.budget import Key, Request, Share
from mergegate.site.audit.facts import Area, Mode
from mergegate.site.audit.lighthouse.answer import Answer, Failure, read
from mergegate.site.audit.lighthouse.facts import run_of

PAGE = "https://shop.example/"
TAG = "https://tags.example/tag.js"
FIGURES = {
    "lcp": 2000.5,
    "tbt": 120,
    "cls": 0.01,
    "fcp": 900,
    "transferBytes": 5000,
    "scriptBytes": 4000,
    "requestCount": 2,
}


def request(url: str, kind: str, entity: str, size: int = 100) -> dict[str, Any]:
    return {
        "url": url,
        "kind": kind,
        "status": 200,
        "startMs": 1.0,
        "endMs": 2.0,
        "transferBytes": size,
        "resourceBytes": size,
        "priority": "High",
        "protocol": "h2",
        "entity": entity,
    }


def audit(id: str, **more: object) -> dict[str, Any]:
    return {
        "id": id,
        "title": id,
        "description": "",
        "mode": "binary",
        "score": 0,
        "displayValue": "",
        "explanation": "",
        "savings": {},
        "wastedBytes": 0,
        "rows": 0,
        "details": [],
        "error": "",
        **more,
    }


def result(**more: object) -> dict[str, Any]:
    return {
        "version": "13.5.0",
        "browser": "Chrome",
        "finalUrl": PAGE,
        "metrics": FIGURES,
        "categories": [
            {"id": "seo", "score": 0.915, "refs": [{"id": "image-alt", "weight": 1}]},
            {"id": "accessibility", "score": None, "refs": [{"id": "image-alt", "weight": 10}]},
        ],
        "audits": [audit("image-alt"), audit("network-rtt", mode="informative", score=1)],
        "entities": [{"name": "Tags", "category": "ad", "homepage": "", "hosts": ["tags.example"]}],
        "mainThread": [{"entity": "Tags", "ms": 40}],
        "requests": [
            request(TAG, "script", "Tags", 4000),
            request(PAGE, "document", "Shop"),
            request(f"{PAGE}favicon.ico", "other", "Shop"),
            request("data:image/gif;base64,", "image", ""),
        ],
        "shares": [{"key": "tbt", "url": TAG, "element": "", "amount": 100}],
        "frames": [{"atMs": 300, "image": "data:image/jpeg;base64,/9j/"}],
        "waited": 0.25,
        "warnings": [],
        **more,
    }


def line(said: dict[str, Any] | None = None, **more: object) -> bytes:
    answer = {"result": said or result(), "headers": [], "probed": None, **more}
    return json.dumps(answer).encode()


def facts(said: dict[str, Any] | None = None) -> Any:
    answer = read(line(said))
    assert isinstance(answer, Answer)
    return run_of(answer.result, Visit(url=PAGE))


def test_scores_are_whole_points_and_a_missing_one_stays_missing() -> None:
    scores = facts().scores
    assert (scores.seo, scores.accessibility, scores.performance) == (92, None, None)


def test_an_audit_knows_its_areas_and_its_weight_in_the_first() -> None:
    alt, rtt = facts().audits
    assert (alt.areas, alt.weight) == ((Area.SEO, Area.ACCESSIBILITY), 1)
    assert (rtt.areas, rtt.weight, rtt.mode) == ((), 0, Mode.INFORMATIVE)


def test_requests_are_those_that_the_sums_count_and_name_their_vendor() -> None:
    measured = facts().measured
    assert measured.requests == (
        Request(TAG, 4000, "script", "Tags"),
        Request(PAGE, 100, "document", None),
    )
    assert measured.shares == (Share(Key.TBT, TAG, "Tags", 100),)
    assert measured.vendors == ("Tags",)


def test_a_vendor_has_the_weight_of_its_requests() -> None:
    (vendor,) = facts().vendors
    assert (vendor.requests, vendor.transfer_bytes, vendor.main_thread_ms) == (1, 4000, 40)


@pytest.mark.parametrize("key", FIGURES)
def test_a_figure_that_could_not_be_measured_is_an_error(key: str) -> None:
    with pytest.raises(TargetNotAnalysable):
        facts(result(metrics={**FIGURES, key: None}))


@pytest.mark.parametrize(
    "bad",
    [
        result(metrics={**FIGURES, "lcp": -1}),
        result(metrics={**FIGURES, "lcp": "1"}),
        result(frames=[{"atMs": 1, "image": "data:text/html;base64,AA"}]),
        result(frames=[{"atMs": 1, "image": 'data:image/jpeg;base64,"><script>'}]),
        result(audits=[audit("x", score=2)]),
        result(audits=[audit("x", mode="surprise")]),
        result(audits=[audit("x" * 5000)]),
        result(more=1),
    ],
)
def test_an_answer_of_another_shape_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(EngineFailed, match="cannot be understood"):
        read(line(bad))


@pytest.mark.parametrize("bad", [b"", b"{}", b"null", b"[1]", b'{"error": 1}', b"\xff\n"])
def test_a_line_that_is_no_answer_is_refused(bad: bytes) -> None:
    with pytest.raises(EngineFailed):
        read(bad)


@pytest.mark.parametrize(
    ("probed", "said"),
    [(None, None), ('{"a": [1]}', {"a": [1]}), ("[" * 100_000, None), ('{"a":1,"a":2}', None)],
)
def test_a_probe_that_cannot_be_read_said_nothing(probed: str | None, said: object) -> None:
    answer = read(line(probed=probed))
    assert isinstance(answer, Answer)
    assert answer.probe_said() == said


def test_headers_of_one_name_are_kept_together() -> None:
    answer = read(line(headers=[["vary", "a"], ["server", "x"], ["vary", "b"]]))
    assert isinstance(answer, Answer)
    assert answer.named_headers() == {"vary": ("a", "b"), "server": ("x",)}


def test_a_failure_is_told_apart_from_a_result() -> None:
    said = {"code": "NO_FCP", "status": "", "reason": ""}
    assert read(json.dumps({"error": said}).encode()) == Failure.model_validate(said)


def test_a_machine_that_was_too_busy_is_told() -> None:
    quiet, busy = facts(), facts(result(waited=0.6))
    assert (quiet.waited, quiet.warnings) == (0.25, ())
    assert busy.waited == 0.6
    assert busy.warnings[0].startswith("The machine was busy: for 60% of the time of a long task")
