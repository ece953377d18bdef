"""What is made of one SARIF document: rule, severity, confidence, place."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.errors import EngineFailed
from mergegate.core.finding import Aside, Place
from mergegate.core.severity import Confidence, Kind, Severity
from mergegate.repo.facts.imported import ImportedResult
from mergegate.repo.imported.document import runs
from mergegate.repo.imported.results import RunResults, read_run
from tests.secrets.mint import SAMPLES

Json = dict[str, Any]
ROOT = Path("/srv/shop")
PATHS = frozenset({"app.py", "src/a b.py", "src/lib/x.py"})


def document(*results: Json, rules: Sequence[Json] = (), tool: str = "Tool", **run: Any) -> Json:
    driver = {"name": tool, "rules": [*rules]}
    return {"version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results, **run}]}


def result(uri: str = "app.py", line: int | None = 3, **more: Any) -> Json:
    physical: Json = {"artifactLocation": {"uri": uri}}
    if line is not None:
        physical["region"] = {"startLine": line}
    given = {"ruleId": "R1", "message": {"text": "It is wrong. Mend it."}}
    return given | {"locations": [{"physicalLocation": physical}]} | more


def read(said: Json) -> RunResults:
    (run,) = runs(json.dumps(said).encode())
    return read_run(run, ROOT, PATHS)


def one(said: Json) -> ImportedResult:
    (found,) = read(said).found
    return found


def test_a_result_is_named_by_its_tool() -> None:
    found = one(document(result(), tool="Some Tool"))
    assert (found.rule, found.title, found.message) == (
        "some-tool/R1",
        "It is wrong",
        "Mend it.",
    )
    assert found.place == Place("app.py", 3, 3)


def test_no_password_is_left_in_the_words_of_a_tool() -> None:
    words = "Possible hardcoded password: 'swordfish'"
    aside = [{"kind": "external", "justification": words}]
    (found,) = read(document(result(message={"text": words}, suppressions=aside))).found
    assert found.title == "Possible hardcoded password: '****'"
    assert "swordfish" not in repr(found)


def test_no_secret_is_left_in_the_name_of_a_tool() -> None:
    token = SAMPLES["github-token"]
    assert token[4:].lower() not in one(document(result(), tool=f"Tool {token}")).rule


@pytest.mark.parametrize(
    ("properties", "level", "expected"),
    [
        ({"security-severity": "9.8"}, "note", Severity.CRITICAL),
        ({"security-severity": "9.0"}, "note", Severity.CRITICAL),
        ({"security-severity": "7.5"}, None, Severity.HIGH),
        ({"security-severity": 4.0}, None, Severity.MEDIUM),
        ({"security-severity": "0.1"}, "error", Severity.LOW),
        ({"security-severity": "0.0"}, "error", Severity.INFO),
        ({"security-severity": "nan"}, "error", Severity.HIGH),
        ({"security-severity": "worst", "tags": ["security"]}, "error", Severity.HIGH),
        ({"tags": ["external/cwe/cwe-079"]}, "error", Severity.HIGH),
        ({"tags": ["security"]}, None, Severity.MEDIUM),
        ({"tags": ["security"]}, "none", Severity.INFO),
        ({}, "error", Severity.MEDIUM),
        ({}, None, Severity.LOW),
        ({}, "of-its-own", Severity.LOW),
        ({}, "note", Severity.INFO),
    ],
)
def test_severity_is_the_scores_or_the_levels(
    properties: Json, level: str | None, expected: Severity
) -> None:
    rule: Json = {"id": "R1", "properties": properties}
    if level:
        rule["defaultConfiguration"] = {"level": level}
    assert one(document(result(ruleIndex=0), rules=[rule])).severity is expected


def test_a_results_own_level_comes_first() -> None:
    rule = {"id": "R1", "defaultConfiguration": {"level": "error"}}
    assert one(document(result(level="note"), rules=[rule])).severity is Severity.INFO


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"properties": {"precision": "very-high"}}, Confidence.HIGH),
        ({"properties": {"issue_confidence": "LOW"}}, Confidence.LOW),
        ({"rank": 90.0}, Confidence.HIGH),
        ({"rank": 50}, Confidence.MEDIUM),
        ({"rank": 0.0}, Confidence.LOW),
        ({"rank": -1.0}, Confidence.MEDIUM),
        ({"kind": "review", "rank": 90.0}, Confidence.LOW),
        ({}, Confidence.MEDIUM),
    ],
)
def test_confidence_is_what_the_tool_says(more: Json, expected: Confidence) -> None:
    assert one(document(result(**more))).confidence is expected


@pytest.mark.parametrize(
    "more", [{"kind": "pass"}, {"kind": "notApplicable"}, {"baselineState": "absent"}]
)
def test_what_is_nothing_wrong_is_none(more: Json) -> None:
    assert read(document(result(**more))) == RunResults("Tool", (), 0)


def test_weaknesses_are_read_from_tags() -> None:
    rule = {"id": "R1", "properties": {"tags": ["CWE-78: Improper…", "external/cwe/cwe-079", "x"]}}
    assert one(document(result(), rules=[rule])).cwe == ("CWE-78", "CWE-79")


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("app.py", "app.py"),
        ("./app.py", "app.py"),
        ("src/../app.py", "app.py"),
        ("src/a%20b.py", "src/a b.py"),
        ("src\\lib\\x.py", "src/lib/x.py"),
        ("file:///srv/shop/src/lib/x.py", "src/lib/x.py"),
        ("/srv/shop/app.py", "app.py"),
        ("../app.py", None),
        ("src/%2e%2e/%2e%2e/app.py", None),
        ("file:///etc/passwd", None),
        ("file:///srv/shop/../../etc/passwd", None),
        ("https://example.org/app.py", None),
        ("//[", None),
        ("app.py%00", None),
        ("other.py", None),
        ("a" * 100_000, None),
    ],
)
def test_a_place_is_a_file_of_the_tree_or_none(uri: str, expected: str | None) -> None:
    told = read(document(result(uri)))
    assert [one.place.file for one in told.found] == ([] if expected is None else [expected])
    assert told.elsewhere == (expected is None)


def test_the_root_on_another_machine_is_found_by_its_files() -> None:
    there = "file:///home/runner/work/shop/shop/"
    results = [result(there + path) for path in ("app.py", "src/lib/x.py")]
    told = read(document(*results, result("file:///usr/lib/python3/app.py")))
    assert [one.place.file for one in told.found] == ["app.py", "src/lib/x.py"]
    assert told.elsewhere == 1


def test_bases_are_followed_and_loops_end() -> None:
    bases = {
        "ROOT": {"uri": "file:///somewhere/else/"},
        "LIB": {"uri": "src/lib/", "uriBaseId": "ROOT"},
        "LOOP": {"uri": "x/", "uriBaseId": "LOOP"},
    }
    inside, loop = result("x.py"), result("app.py")
    inside["locations"][0]["physicalLocation"]["artifactLocation"]["uriBaseId"] = "LIB"
    loop["locations"][0]["physicalLocation"]["artifactLocation"]["uriBaseId"] = "LOOP"
    told = read(document(inside, loop, originalUriBaseIds=bases))
    assert [one.place.file for one in told.found] == ["src/lib/x.py"]


def test_an_artifact_may_be_named_by_its_number() -> None:
    given = result()
    given["locations"][0]["physicalLocation"]["artifactLocation"] = {"index": 1}
    artifacts = [{"location": {"uri": "no.py"}}, {"location": {"uri": "app.py"}}]
    assert one(document(given, artifacts=artifacts)).place.file == "app.py"


def test_a_rule_may_be_an_extensions() -> None:
    given = result(rule={"id": "X", "index": 0, "toolComponent": {"index": 0}})
    del given["ruleId"]
    said = document(given)
    rules = [{"id": "X", "properties": {"security-severity": "8"}}]
    said["runs"][0]["tool"]["extensions"] = [{"name": "pack", "rules": rules}]
    assert (one(said).rule, one(said).severity) == ("tool/X", Severity.HIGH)


def test_words_may_be_the_rules_with_blanks_filled_in() -> None:
    rule = {"id": "R1", "messageStrings": {"default": {"text": "'{0}' is read in {1}."}}}
    given = result(message={"id": "default", "arguments": ["x", "f"]})
    assert one(document(given, rules=[rule])).title == "'x' is read in f"


@pytest.mark.parametrize(
    ("suppressions", "expected"),
    [
        ([], None),
        ([{"kind": "inSource"}], Aside("Tool counts it as suppressed", in_source=True)),
        (
            [{"kind": "external", "status": "accepted", "justification": "known"}],
            Aside("Tool counts it as suppressed: known"),
        ),
        ([{"justification": "odd"}], Aside("Tool counts it as suppressed: odd", in_source=True)),
        ([{"kind": "external", "status": "underReview"}], None),
        ([{"kind": "external"}, {"kind": "inSource", "status": "rejected"}], None),
    ],
)
def test_what_is_suppressed_stays_so(suppressions: list[Json], expected: Aside | None) -> None:
    assert one(document(result(suppressions=suppressions))).aside == expected


def test_the_same_result_twice_is_one() -> None:
    assert len(read(document(result(), result(), result(line=4))).found) == 2


def test_our_own_results_are_counted_and_left() -> None:
    assert read(document(result(), tool="Mergegate")) == RunResults("Mergegate", (), 0, 1)


@pytest.mark.parametrize(
    ("tool", "kind"),
    [("gitleaks", Kind.SECRET), ("Bandit", Kind.CODE), ("checkov", Kind.IAC), ("x", Kind.QUALITY)],
)
def test_a_tool_that_does_not_say_is_known_by_its_name(tool: str, kind: Kind) -> None:
    assert one(document(result(), tool=tool)).kind is kind


@pytest.mark.parametrize(
    ("region", "expected"),
    [
        ({"startLine": 0}, Place("app.py")),
        ({"startLine": -5}, Place("app.py")),
        ({"startLine": 2**50}, Place("app.py")),
        ({"startLine": 3, "endLine": 1}, Place("app.py", 3, 3)),
        ({"startLine": 3, "endLine": 2**50}, Place("app.py", 3, 102)),
        ({"startLine": 3, "startColumn": 9, "endColumn": 2}, Place("app.py", 3, 3)),
        ({"startLine": 3, "startColumn": 2, "endColumn": 9}, Place("app.py", 3, 3, 2, 9)),
    ],
)
def test_a_region_that_cannot_be_is_none(region: Json, expected: Place) -> None:
    given = result()
    given["locations"][0]["physicalLocation"]["region"] = region
    assert one(document(given)).place == expected


def test_texts_are_cut() -> None:
    found = one(document(result(ruleId="r" * 9999, message={"text": "\x1b[31m x" * 100_000})))
    assert (len(found.rule), len(found.title)) == (125, 120)
    assert len(found.message) <= 2000


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "it is not valid JSON"),
        (b"\xff", "it is not valid JSON"),
        (b"[]", "the document is not as it has to be"),
        (b'{"version": "2.0.0", "runs": []}', "version is not"),
        (b'{"version": "2.1.0"}', "runs is not"),
        (b'{"version": "2.1.0", "runs": []}', "it holds no run"),
        (b'{"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]}', "says nothing of results"),
        (b'{"version": "2.1.0", "version": "2.1.0", "runs": []}', "it is not valid JSON"),
        (b'{"a":' * 50_000, "it is not valid JSON"),
        (b" " * ((64 << 20) + 1), "larger than 64 MiB"),
    ],
)
def test_what_is_no_document_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(EngineFailed, match=said):
        runs(content)


def test_a_run_that_did_not_succeed_is_no_answer() -> None:
    said = document(invocations=[{"executionSuccessful": True}, {"executionSuccessful": False}])
    with pytest.raises(EngineFailed, match="did not succeed"):
        read(said)


def test_results_elsewhere_are_not_fetched() -> None:
    references = {"results": [{"location": {"uri": "https://example.org/r.sarif"}}]}
    with pytest.raises(EngineFailed, match="in other files"):
        read(document(externalPropertyFileReferences=references))


def test_more_results_than_any_forge_takes_are_refused() -> None:
    with pytest.raises(EngineFailed, match=r"runs\.0\.results is not"):
        read(document(*([{}] * 25_001)))


def test_a_mark_of_byte_order_is_no_mistake() -> None:
    assert runs(b"\xef\xbb\xbf" + json.dumps(document(result())).encode())


def test_what_many_results_share_costs_no_more_with_each() -> None:
    words: Json = {"id": "R1", "messageStrings": {"m": {"text": "{0}" * 300_000}}}
    bases = {f"b{n}": {"uri": "x/" * 400_000, "uriBaseId": f"b{n + 1}"} for n in range(8)}
    at: Json = {"physicalLocation": {"artifactLocation": {"uri": "app.py", "uriBaseId": "b0"}}}
    lost = [result(locations=[at]) for _ in range(1000)]
    told = [result(line=n, message={"id": "m", "arguments": ["w" * 2000]}) for n in range(1, 1001)]
    found = read(document(*told, *lost, rules=[words], originalUriBaseIds=bases))
    assert (len(found.found), found.elsewhere) == (1000, 1000)


def test_arguments_stand_in_their_holes_and_nowhere_else() -> None:
    said = {"text": "{1} in {0}, {2} and {x}", "arguments": ["{1}", "b"]}
    assert one(document(result(message=said))).title == "b in {1}, {2} and {x}"
