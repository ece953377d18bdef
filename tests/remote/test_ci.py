"""A job whose scans a host carries out says the same as one that scans by itself."""

import datetime as dt
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from mergegate.ci import options
from mergegate.ci.options import SETTINGS, Job
from mergegate.ci.remote import host_of, site_tools
from mergegate.core.errors import UsageError
from mergegate.core.finding import Finding
from mergegate.core.report import Comparison, Target
from mergegate.core.severity import Severity
from mergegate.forges.marker import recall
from mergegate.remote.command import Remote
from mergegate.remote.host import Host
from mergegate.repo.report.formats import FORMATS, OF_A_SCAN
from mergegate.repo.wire import to_json
from mergegate.sandbox.visit import Device, Visit
from mergegate.site.audit.run import AuditRequest
from tests.ci.jobs.clones import WEAK
from tests.ci.jobs.conftest import Pull
from tests.conftest import CLEAN, Run
from tests.forges.github.hub import NUMBER, REPOSITORY
from tests.remote.conftest import whole
from tests.remote.stand_in import KEY, Say, StandIn, problem
from tests.repo.report import samples as repository
from tests.sandbox.git.test_repository import git
from tests.site.render import samples

UNTIL = dt.datetime.now(dt.UTC).date() + dt.timedelta(days=30)
OWN = {"id", "createdAt", "completedAt"}
SITE = "https://preview.example.org/"


def job(pull: Pull, *arguments: str, event: dict[str, Any] | None = None, **given: str) -> Run:
    """Always the first run, so that two jobs differ in nothing but where they scan."""
    pull.runs = 0
    name = "issue_comment" if event else "pull_request"
    (pull.root.parent / "event.json").write_text(json.dumps(pull.event(**(event or {}))))
    return pull.run("ci", *arguments, token="ghs-usual", name=name, environment=given)


def there(
    pull: Pull, host: StandIn, *arguments: str, event: dict[str, Any] | None = None, **more: str
) -> Run:
    keyed = {"MERGEGATE_API_KEY": KEY} | more
    return job(pull, "--remote", host.url, *arguments, event=event, **keyed)


def forget(pull: Pull) -> None:
    pull.hub.comments.clear()
    pull.hub.runs.clear()
    pull.hub.threads.clear()
    pull.hub.sarifs.clear()


def left(pull: Pull, name: str = "mergegate.json") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((pull.root.parent / "report" / name).read_text())
    return found


def told_there(pull: Pull) -> tuple[list[str], ...]:
    """What stands at the forge: comments, checks with their annotations, reviews, alerts."""
    hub = pull.hub
    places = ("path", "line", "startLine", "body")
    threads = [json.dumps({name: one.get(name) for name in places}) for one in hub.threads]
    checks = [json.dumps(one["output"]) for one in hub.runs]
    alerts = [json.dumps(one) for one in hub.sarifs]
    return (
        [lasting(one["body"]) for one in hub.comments],
        [lasting(one) for one in checks],
        threads,
        alerts,
    )


def written_files(pull: Pull) -> dict[str, str]:
    """The report folder's files by name."""
    folder = pull.root.parent / "report"
    return {one.name: one.read_text() for one in folder.iterdir()}


def timeless(text: str, scan_id: str) -> str:
    """Without the scan's own name, and what a bill of materials makes of it."""
    return re.sub(r"urn:uuid:[0-9a-f-]{36}", "U", text.replace(scan_id, "ID"))


def without_times(document: dict[str, Any]) -> dict[str, Any]:
    engines = [{**one, "durationMs": 0} for one in document["engines"]]
    return {name: it for name, it in document.items() if name not in OWN} | {"engines": engines}


def lasting(text: str) -> str:
    """Without the moments at which a job ran; what a comment hides is shown."""
    hidden = recall(text)
    plain = re.sub(r"\beN[\w=-]+", "", text)
    return re.sub(r"20\d\d-\d\d-\d\dT[\d:.]+Z", "T", f"{plain}{hidden}")


def told(pull: Pull, *issues: Finding) -> bytes:
    """What a host says of the change: these findings, all of them new."""
    found = repository.report([replace(one, is_new=True) for one in issues])
    owner, _, repo = REPOSITORY.rpartition("/")
    base = git(pull.root, "rev-parse", "main")
    target = Target(
        provider="github", owner=owner, repo=repo, branch="topic", commit=pull.hub.head, base=base
    )
    new = Comparison(
        base=base,
        new=len(issues),
        existing=0,
        fixed=(),
        verdict=found.verdict,
        ledger=found.ledger,
    )
    return to_json(replace(whole(found), target=target, comparison=new)).encode()


@pytest.fixture
def weak(pull: Pull, stand_in: StandIn) -> Pull:
    """A change with a critical finding, which the host tells of at once."""
    stand_in.polls = 0
    pull.push({"app.py": WEAK})
    (worst, *_) = repository.failed().findings
    stand_in.results["/api/repo/scan"] = told(pull, worst)
    return pull


def test_the_report_and_the_comment_are_those_of_a_job_that_scans_by_itself(
    weak: Pull, stand_in: StandIn
) -> None:
    seen = weak.mergegate("scan", weak.root, "--base", "main", "--offline", "--format", "json")
    cold = str(weak.root.parent / "cold")  # how an answer was come by is in no result
    every = ("--formats", ",".join(FORMATS.keys() - OF_A_SCAN), "--sarif")
    here = job(weak, "--offline", *every, MERGEGATE_DATA_DIR=cold)
    assert here.code == 1, here.err
    report, published, files = left(weak), told_there(weak), written_files(weak)
    assert recall(weak.hub.comments[0]["body"]) is not None
    assert [len(one) > 0 for one in published] == [True] * 4
    assert without_times(seen.json) == without_times(report), "whoever scans the commit"
    stand_in.results["/api/repo/scan"] = json.dumps(report).encode()
    forget(weak)
    run = there(weak, stand_in, *every)
    assert run.code == 1, run.err
    (scan_id,) = stand_in.scans
    assert left(weak) == report | {"id": scan_id}
    assert told_there(weak) == published
    again = written_files(weak)
    assert again.keys() == files.keys() >= {"mergegate.html", "mergegate.cdx.json"}
    for name in again.keys() - {"mergegate.json"}:
        assert timeless(again[name], scan_id) == timeless(files[name], report["id"]), name


def test_the_host_is_asked_for_the_last_commit_against_the_base(
    weak: Pull, stand_in: StandIn
) -> None:
    git(weak.root, "switch", "-q", "--detach", "main")
    git(weak.root, "merge", "-q", "--no-ff", "--no-edit", "topic")
    run = there(weak, stand_in)
    assert run.code == 1, run.err
    owner, repo = REPOSITORY.split("/")
    assert stand_in.posts()[0].body == {
        "provider": "github",
        "owner": owner,
        "repo": repo,
        "branch": "topic",
        "commit": weak.hub.head,
        "base": git(weak.root, "rev-parse", "main"),
    }


def test_what_was_dismissed_on_the_change_does_not_fail_it(weak: Pull, stand_in: StandIn) -> None:
    assert there(weak, stand_in).code == 1
    (finding,) = left(weak)["issues"]
    body = f"/mergegate ignore {finding['id'][:10]} until {UNTIL} because it is a demo"
    erin = {"login": "erin", "id": 1002, "type": "User"}
    weak.hub.permissions |= {"erin": "write"}
    weak.hub.comments.append({"id": 990, "body": body, "user": erin})
    said = {"id": 990, "body": body, "user": erin, "author_association": "MEMBER"}
    event = {
        "action": "created",
        "issue": {"number": NUMBER, "pull_request": {"url": "https://api.example.org/pulls/7"}},
        "comment": said | {"created_at": "2026-01-31T00:00:00Z"},
        "sender": erin,
    }
    git(weak.root, "update-ref", "refs/remotes/origin/topic", "topic")
    run = there(weak, stand_in, event=event)
    assert run.code == 0, run.err
    assert stand_in.posts()[-1].body["branch"] == "topic", "the event names none"
    assert [one["reason"] for one in left(weak)["suppressed"]] == ["it is a demo"]
    assert left(weak)["qualityGate"] == "passed"


@pytest.mark.parametrize(
    ("published", "code"), [("2001-01-01T00:00:00Z", 1), ("", 1), ("2090-01-01T00:00:00Z", 0)]
)
def test_what_became_known_is_for_the_clone_to_say(
    published: str, code: int, weak: Pull, stand_in: StandIn
) -> None:
    """A host that calls every defect news would pass the gate of a change."""
    (old, *_) = repository.failed().vulnerabilities
    assert old.advisory is not None
    advisory = replace(old.advisory, published=published)
    known = replace(old, advisory=advisory, severity=Severity.CRITICAL, is_new=False)
    document = json.loads(told(weak))
    told_of = json.loads(to_json(repository.report((), (), [known])))
    document |= {name: told_of[name] for name in ("dependencyVulns", "verdict", "qualityGate")}
    document["comparison"] |= {"drifted": [known.id], "existing": 1}
    stand_in.results["/api/repo/scan"] = json.dumps(document).encode()
    assert there(weak, stand_in, "--fail-on", "gate").code == code


def test_a_change_of_a_fork_is_scanned_here(weak: Pull, stand_in: StandIn) -> None:
    fork = {"sha": weak.hub.head, "ref": "topic", "repo": {"full_name": "x/fork", "fork": True}}
    event = weak.event()["pull_request"] | {"head": fork}
    (weak.root.parent / "event.json").write_text(json.dumps(weak.event(pull_request=event)))
    arguments = ("ci", "--remote", stand_in.url, "--only", "secrets")
    run = weak.run(*arguments, token="ghs-usual", name="pull_request")
    assert run.code == 0, run.err
    assert "a change from a fork is scanned here" in run.err
    assert stand_in.heard == []


def test_the_inputs_of_the_action_name_host_and_key_which_is_written_nowhere(
    weak: Pull, stand_in: StandIn
) -> None:
    inputs = {"INPUT_API-URL": stand_in.url, "INPUT_API-KEY": KEY}
    run = job(weak, event=None, **inputs)
    assert run.code == 1, run.err
    assert len(stand_in.posts()) == 1
    assert KEY not in run.out + run.err + weak.summary + json.dumps(weak.hub.comments)
    for file in (weak.root.parent / "report").iterdir():
        assert KEY.encode() not in file.read_bytes()


def test_a_job_needs_nothing_that_only_the_full_image_has() -> None:
    lacking = ("playwright", "selectolax", "protego", "tldextract", "cryptography", "sqlalchemy")
    code = f"import sys; sys.modules |= dict.fromkeys({lacking}); import mergegate.ci.remote"
    subprocess.run([sys.executable, "-c", f"{code}, mergegate.ci.site"], check=True)


def test_a_host_that_gives_no_result_is_no_pass(pull: Pull, stand_in: StandIn) -> None:
    failed = Say(200, b'{"status": "failed", "error": {"code": "COMMIT_NOT_FOUND"}}')
    stand_in.faults += [Say(200, b'{"scanId": "rs_1"}'), failed]
    run = there(pull, stand_in)
    assert run.code == 3
    assert "does not find the commit at the provider" in run.err
    (comment,) = pull.hub.comments
    assert comment["body"].startswith("## ⚠️ Incomplete")
    assert "does not find the commit at the provider" in comment["body"]
    assert [one["conclusion"] for one in pull.hub.runs] == ["failure"]
    assert KEY not in comment["body"]


def settings(**given: str) -> Job:
    return options.job({one.name.replace("-", "_"): one.default for one in SETTINGS} | given)


URL = "https://host.example.org"
KEYED = {"MERGEGATE_API_KEY": KEY}


def test_what_stands_in_no_setting_is_asked_of_the_host() -> None:
    assert host_of(settings(api_url=URL), KEYED).host == Host(URL, KEY)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("only", "code"),
        ("policy", "p.yml"),
        ("offline", "true"),
        ("path", "src"),
        ("site_base_url", "https://base.example.org"),
        ("site_pages", "9"),
    ],
)
def test_what_a_host_cannot_honour_is_refused(name: str, value: str) -> None:
    with pytest.raises(UsageError, match=name.replace("_", "-")):
        host_of(settings(api_url=URL, **{name: value}), KEYED)


@pytest.mark.parametrize("url", ["http://host.example.org", "host", "https://x@h.example.org"])
def test_a_key_goes_to_no_odd_address(url: str) -> None:
    with pytest.raises(UsageError):
        host_of(settings(api_url=url), KEYED)


def test_a_job_without_a_key_says_so() -> None:
    with pytest.raises(UsageError, match="MERGEGATE_API_KEY"):
        host_of(settings(api_url=URL), {"INPUT_API-KEY": " "})


# --- the site


@pytest.fixture
def deployed(weak: Pull, stand_in: StandIn, written: Callable[..., bytes]) -> Pull:
    weak.push({"app.py": CLEAN})
    stand_in.results["/api/repo/scan"] = told(weak)
    stand_in.results["/api/audit"] = written("audit", replace(samples.quick(), url=SITE))
    stand_in.results["/api/browser-test"] = written(
        "browser-test", replace(samples.broken(), url=SITE)
    )
    return weak


def test_a_site_is_looked_at_by_the_host_too(deployed: Pull, stand_in: StandIn) -> None:
    run = there(deployed, stand_in, "--site-url", SITE)
    assert run.code == 0, run.err
    assert [post.path for post in stand_in.posts()] == [
        "/api/repo/scan",
        "/api/audit",
        "/api/browser-test",
    ]
    assert {post.body.get("url") for post in stand_in.posts()[1:]} == {SITE}
    seen = left(deployed)["site"]
    assert seen["audited"]["scores"]["performance"] == samples.quick().scores.performance
    assert seen["tested"]["errors"] == samples.broken().errors
    assert left(deployed, "site-audit.json") == json.loads(stand_in.results["/api/audit"])
    files = {one.name for one in (deployed.root.parent / "report").iterdir()}
    assert files >= {"mergegate.json", "site-audit.html", "browser-test.json"}


def test_a_site_that_the_host_cannot_reach_is_a_gap(deployed: Pull, stand_in: StandIn) -> None:
    del stand_in.results["/api/audit"]
    started = stand_in._answer

    def answer(heard: Any) -> Say:
        is_audit = heard.path == "/api/audit"
        return problem(422, "TARGET_UNREACHABLE", "No DNS.") if is_audit else started(heard)

    stand_in._answer = answer  # type: ignore[method-assign]
    run = there(deployed, stand_in, "--site-url", SITE)
    assert run.code == 3, run.err
    assert "does not reach the page: No DNS" in left(deployed)["site"]["gaps"][0]


REMOTE = Remote(Host(URL, KEY))


def test_secrets_of_a_site_go_to_no_host() -> None:
    with pytest.raises(UsageError, match="MERGEGATE_SITE_HEADERS"):
        site_tools(REMOTE, 5, {"MERGEGATE_SITE_HEADERS": "Token: x"})


def test_a_device_that_a_host_would_not_take_is_refused() -> None:
    tools = site_tools(REMOTE, 0, {})
    assert tools.test is None
    assert tools.audit is not None
    with pytest.raises(UsageError, match="site-device"):
        tools.audit(AuditRequest(visit=Visit(url=SITE, device=Device.DESKTOP)))
