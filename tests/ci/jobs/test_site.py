"""``mergegate ci`` with a site: one verdict for the code and for what it deploys."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from mergegate.ci import site
from mergegate.core.errors import EngineMissing
from mergegate.sandbox.egress.policy import PUBLIC
from tests.ci.jobs.conftest import Pull
from tests.conftest import CLEAN, Run
from tests.forges.github.hub import NUMBER, REPOSITORY
from tests.sandbox.git.test_repository import git

GOOD = """<!doctype html>
<html lang="en">
<head><title>The shop</title><meta name="viewport" content="width=device-width">
<meta name="description" content="A shop that sells things."><link rel="icon" href="data:,"></head>
<body><main><h1>The shop</h1><p>Everything you need.</p></main></body></html>
"""
# It repeats what it can see of the credentials.
BROKEN = GOOD.replace(
    "</main>",
    """<img src="/hero.png"><a href="/gone.html">gone</a></main>
    <script>cart.open()</script><script>throw Error(document.cookie)</script>""",
)
SECRETS = {
    "MERGEGATE_SITE_HEADERS": "X-Preview: preview-secret-1",
    "MERGEGATE_SITE_COOKIES": "session=cookie-secret-2",
}
TIGHT = {
    "version": 1,
    "device": "desktop",
    "metrics": {"lcp": 9000, "tbt": 9000, "cls": 1, "fcp": 9000},
    "transferBytes": 10,
    "scriptBytes": 100_000,
    "requestCount": 100,
    "vendors": [],
}
RULES = "version: 1\nsite: {browser-errors: 0, minimum-scores: {accessibility: 101}}\n"
STRICT = "version: 1\nsite: {browser-errors: 0}\n"
WITHIN_BUDGET = "version: 1\nsite: {browser-errors: 0, over-budget: fail}\n"

pytestmark = pytest.mark.slow


@pytest.fixture
def deploying(pull: Pull) -> Pull:
    """A pull request whose base has a policy that is strict about the site."""
    return based(pull, {".mergegate.yml": STRICT})


def based(pull: Pull, files: dict[str, str]) -> Pull:
    """The pull request, whose base has these files."""
    git(pull.root, "switch", "-q", "main")
    for name, text in files.items():
        (pull.root / name).write_text(text)
    git(pull.root, "add", "-A")
    git(pull.root, "commit", "-qm", "strict")
    git(pull.root, "switch", "-q", "topic")
    git(pull.root, "rebase", "-q", "main")
    pull.hub.head = git(pull.root, "rev-parse", "HEAD")
    return pull


def built(pull: Pull, page: str) -> None:
    """The site as a build leaves it: no part of the repository."""
    folder = pull.root / "dist"
    folder.mkdir(exist_ok=True)
    (folder / ".gitignore").write_text("*\n")
    (folder / "index.html").write_text(page)


def left(pull: Pull) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((pull.root.parent / "report/mergegate.json").read_text())
    return found


def test_a_good_site_is_told_in_the_same_comment(deploying: Pull) -> None:
    deploying.push({"clean.py": CLEAN})
    built(deploying, GOOD)
    run = deploying.ci("--site-folder", "dist", "--formats", "json,html,markdown,bundle")
    assert run.code == 0, run.err
    (comment,) = deploying.hub.comments
    assert comment["body"].startswith("## ✅ Passed")
    assert "### The site: passed" in comment["body"]
    seen = left(deploying)["site"]
    assert seen["audited"]["scores"]["accessibility"] == 100
    assert (seen["tested"]["pages"], seen["tested"]["errors"]) == (1, 0)
    files = {one.name for one in (deploying.root.parent / "report").iterdir()}
    assert files >= {"site-audit.json", "browser-test.json", "mergegate.html"}
    is_drawn_again(deploying)


def is_drawn_again(pull: Pull) -> None:
    """The page of code and site, from the bundle alone."""
    folder = pull.root.parent / "report"
    (bundle,) = folder.glob("*bundle*")
    again = pull.mergegate("replay", bundle, "--format", "markdown")
    assert again.err == ""
    assert again.out == (folder / "mergegate.md").read_text()


def test_a_site_that_breaks_and_is_too_large_fails_by_the_policy_and_budget_of_the_base(
    pull: Pull,
) -> None:
    based(pull, {".mergegate.yml": WITHIN_BUDGET, "budget.json": json.dumps(TIGHT)})
    loose = json.dumps(TIGHT | {"transferBytes": 10_000_000})
    pull.push({"clean.py": CLEAN, ".mergegate.yml": "version: 1\n", "budget.json": loose})
    built(pull, BROKEN)
    pull.environment = SECRETS
    run = pull.ci("--site-folder", "dist", "--site-budget", "budget.json")
    assert run.code == 1, run.err
    (comment,) = pull.hub.comments
    assert comment["body"].startswith("## ❌ Failed: 96/100 for this change, and the site fails")
    assert "cart is not defined" in comment["body"]
    assert pull.outputs["gate"] == "failed"
    is_over_its_budget(left(pull)["site"])
    assert credentials_in(run, pull) == []


def is_over_its_budget(seen: dict[str, Any]) -> None:
    assert (seen["device"], seen["audited"]["runs"]) == ("desktop", 3)
    (violation,) = seen["audited"]["violations"]
    assert (violation["key"], violation["certain"]) == ("transferBytes", True)
    assert "Site: 1 figure is over the budget" in seen["verdict"]["reasons"]


def credentials_in(run: Run, pull: Pull) -> list[str]:
    """What holds one of the site's, of all that was written."""
    texts = [run.out, run.err, pull.summary, json.dumps(pull.hub.comments)]
    texts += [one.read_text("utf-8") for one in (pull.root.parent / "report").iterdir()]
    secrets = ("preview-secret-1", "cookie-secret-2")
    return [text for text in texts if any(one in text for one in secrets)]


def test_a_site_that_does_not_answer_is_incomplete_never_a_pass(deploying: Pull) -> None:
    run = deploying.ci("--site-url", "http://127.0.0.1:47011/", "--site-pages", "0")
    assert run.code == 3, run.err
    (comment,) = deploying.hub.comments
    assert comment["body"].startswith("## ⚠️ Incomplete")
    assert "does not take connections" in comment["body"]
    assert left(deploying)["site"]["verdict"]["gate"] == "incomplete"


def test_a_site_that_was_not_built_is_incomplete_and_says_what_to_do(deploying: Pull) -> None:
    run = deploying.ci("--site-folder", "dist")
    assert run.code == 3, run.err
    (comment,) = deploying.hub.comments
    assert "dist is no folder. Build the site before this job." in comment["body"]


@pytest.mark.parametrize("state", ["pending", "failure"])
def test_a_deployment_that_has_not_succeeded_is_left_alone(pull: Pull, state: str) -> None:
    run = deployment(pull, state, "https://pr-7.example.org")
    assert (run.code, pull.hub.comments) == (0, [])
    assert "the deployment has not succeeded" in run.err


def test_a_deployment_is_answered_on_its_pull_request(pull: Pull) -> None:
    head, base = pull.hub.head, pull.hub.base
    home = {"full_name": REPOSITORY}
    pull.hub.pulls = [
        {
            "number": NUMBER,
            "state": "open",
            "head": {"sha": head, "ref": "topic", "repo": home},
            "base": {"sha": base, "ref": "main", "repo": home},
            "commits": [head],
        }
    ]
    run = deployment(pull, "success", "http://127.0.0.1:47011/")
    assert run.code == 3, run.err
    (comment,) = pull.hub.comments
    assert comment["body"].startswith("## ⚠️ Incomplete")
    # What an event names is never let into the private network.
    assert "may not be visited" in comment["body"], run.err


def test_a_deployment_that_names_no_address_is_told_in_the_log(pull: Pull) -> None:
    run = deployment(pull, "success", "")
    assert "the deployment does not say where it can be seen" in run.err
    assert left(pull).get("site") is None


def deployment(pull: Pull, state: str, url: str) -> Run:
    said: dict[str, Any] = {
        "deployment": {"sha": pull.hub.head, "ref": "topic"},
        "deployment_status": {"state": state, "environment_url": url},
    }
    return pull.ci("--site-pages", "0", name="deployment_status", **said)


def test_a_policy_that_cannot_be_is_refused_before_anything_runs(
    pull: Pull, tmp_path: Path
) -> None:
    policy = tmp_path / "policy.yml"
    policy.write_text(RULES)
    run = pull.ci("--policy", str(policy), "--site-folder", "dist")
    assert run.code == 2
    assert "minimum-scores.accessibility" in run.err


def test_where_only_repositories_can_be_scanned_the_remedy_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "mergegate.ci.deployed", None)
    with pytest.raises(EngineMissing, match="the site tools are not installed") as missing:
        site._tools(PUBLIC, pages=0)
    assert "`full`" in missing.value.remedy
