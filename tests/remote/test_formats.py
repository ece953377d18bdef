"""Every format of every tool, through a host that queues, keeps and sends results as ever.

What its scans come to is given, so that two runs of a browser need not measure the same.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mergegate.cli.main import main
from mergegate.core.change import Provider
from mergegate.core.render.formats import Format, Surface
from mergegate.core.report import Report
from mergegate.remote import command
from mergegate.repo.report.formats import FORMATS, OF_A_SCAN
from mergegate.site.render.formats import AUDIT_FORMATS, SECURITY_FORMATS, SEO_FORMATS, TEST_FORMATS
from tests.host.api.conftest import Host, running, toy
from tests.remote.conftest import called, head, whole
from tests.repo.report import stock
from tests.sandbox.git.test_repository import commit, git
from tests.site.render import samples, seo_samples
from tests.site.security.render import samples as security

URL = "https://shop.example.org/"
OF_HOSTS = {name: form for name, form in FORMATS.items() if name not in OF_A_SCAN}
SITES: Mapping[str, tuple[Callable[[], Any], Mapping[str, Format[Any]]]] = {
    "audit": (samples.quick, AUDIT_FORMATS),
    "browser-test": (samples.broken, TEST_FORMATS),
    "security-scan": (security.bad, SECURITY_FORMATS),
    "seo": (seo_samples.tea, SEO_FORMATS),
}


_EXTRA = (
    *("cryptography", "htmldate", "playwright", "protego", "py3langid", "selectolax"),
    *("tldextract", "trafilatura"),
    *("aiosqlite", "alembic", "croniter", "sqlalchemy", "uvicorn"),
)
"""What `pip install mergegate` alone does not bring."""


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One commit, which the provider has."""
    root = tmp_path_factory.mktemp("clone")
    git(root, "init", "-q", "-b", "main")
    (root / "a.py").write_text("one\n")
    commit(root, "first")
    called(root, "https://github.com/octo/shop.git")
    return root


@pytest.fixture(scope="module")
def reports(clone: Path) -> Mapping[str, Any]:
    """What a scan of each tool comes to."""
    plain = replace(stock.stocked(), comparison=None)
    target = replace(plain.target, owner="octo", repo="shop", commit=head(clone))
    runs = tuple(replace(run, reused=0) for run in whole(plain).engines)
    repository: Report = replace(plain, target=target, engines=runs)
    sites = {tool: replace(sample(), url=URL) for tool, (sample, _) in SITES.items()}
    return {"repository": repository, **sites}


@pytest.fixture(scope="module")
def host(reports: Mapping[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    folder = tmp_path_factory.mktemp("formats")
    formats = {"repository": OF_HOSTS, **{tool: known for tool, (_, known) in SITES.items()}}
    for tool, report in reports.items():
        (folder / f"{tool}.json").write_text(formats[tool]["json"].render(report, Surface()))
    yield from running(toy(folder, folder, f"sqlite:///{folder}/service.db"))


@pytest.fixture(scope="module")
def key(host: Host) -> str:
    account = host.account()
    host.connect(account, Provider.GITHUB)
    return host.key(account)


@pytest.fixture(autouse=True)
def _open(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests' own process stays as it is."""
    monkeypatch.setattr(command, "deny_ptrace", lambda: True)


@pytest.mark.parametrize("tool", ["repository", *SITES])
def test_every_format_is_that_of_a_run_here(
    tool: str, host: Host, key: str, reports: Mapping[str, Any], clone: Path, tmp_path: Path
) -> None:
    known: Mapping[str, Format[Any]] = OF_HOSTS if tool == "repository" else SITES[tool][1]
    asked = ["scan", str(clone)] if tool == "repository" else [tool, URL]
    wanted = [one for name in known for one in ("--format", f"{name}={tmp_path / name}")]
    arguments = [*asked, "--remote", host.url, *wanted]
    done = CliRunner().invoke(main, arguments, env={"MERGEGATE_API_KEY": key})
    assert done.exit_code == (1 if tool == "repository" else 0), done.output
    document = json.loads((tmp_path / "json").read_text())
    report = replace(reports[tool], id=named(document))
    if tool == "repository":
        web = "https://github.com/octo/shop"  # as the clone's origin says
        report = replace(report, target=replace(report.target, web=web))
    for name, form in known.items():
        for file, expected in rendered(form, report, tmp_path / name).items():
            if name != "json":
                assert file.read_text(encoding="utf-8") == expected, file
    own = {"url": None} if tool == "repository" else {}  # the host's own page of it
    assert document | own == json.loads(known["json"].render(report, Surface()))


_EACH = f"""
import sys
sys.modules |= dict.fromkeys({_EXTRA})
from mergegate.cli.main import main
for tool in {[*SITES]}:
    try:
        main([tool, {URL!r}, "--remote", sys.argv[1]], standalone_mode=False)
    except SystemExit as end:
        print(end.code, "\\f")
"""


def test_whoever_has_a_host_needs_no_package_of_the_site_tools(host: Host, key: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _EACH, host.url],
        env={"PATH": os.environ["PATH"], "MERGEGATE_API_KEY": key},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *told, _ = done.stdout.split("\f")
    assert [(URL in one, one.split()[-1]) for one in told] == [(True, "0")] * len(SITES)


def named(document: Mapping[str, Any]) -> str:
    names = ("id", "reportId", "testId", "scanId")
    return str(next(document[name] for name in names if name in document))


def rendered(form: Format[Any], report: Any, where: Path) -> Mapping[Path, str]:
    """A format that is a folder has a text for each file."""
    parts = {where / name: part(report) for name, part in form.parts.items()}
    return parts or {where: form.render(report, Surface())}


def test_a_scan_that_nobody_waits_for_any_more_ends_at_the_host(host: Host, key: str) -> None:
    page = "https://slow-gone.example.org/"
    arguments = ["seo", page, "--remote", host.url, "--timeout", "2"]
    done = CliRunner().invoke(main, arguments, env={"MERGEGATE_API_KEY": key})
    assert "did not finish within 2 s" in str(done.exception)
    (scan_id,) = re.findall(r"the scan (seo_\w+) was called off", done.stderr)
    with host.client(key) as client:
        found = client.get("/api/seo-optimizer", params={"id": scan_id}).json()
    assert (found["status"], found["error"]["code"]) == ("failed", "CANCELLED")
