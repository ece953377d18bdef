"""What CONTRIBUTING says works, done in a copy of the project as it says."""

import csv
import json
import os
import re
import shutil
import subprocess
import venv
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.recipes.documents import ROOT
from tests.secrets.mint import minted

GUIDE = (ROOT / ".github" / "CONTRIBUTING.md").read_text()


def blocks(title: str) -> list[str]:
    """The code of a recipe, block by block."""
    (recipe,) = re.findall(rf"^## {title}\n(.*?)^## ", GUIDE, re.DOTALL | re.MULTILINE)
    return re.findall(r"^```\w*\n(.*?)^```", recipe, re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Copy:
    """The project's code and tests in a folder, to be changed."""

    root: Path
    touched: set[str] = field(default_factory=set)

    def write(self, path: str, text: str) -> None:
        self.touched.add(path)
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def put_before(self, path: str, line: str, text: str) -> None:
        """``text`` above the one line of ``path`` that begins with ``line``."""
        before, found, after = (self.root / path).read_text().partition(f"\n{line}")
        assert found, line
        self.write(path, f"{before}\n{text}{line}{after}")

    def run(self, *command: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        """By a Python that finds the copy and all else that is installed here, engines' too."""
        return subprocess.run(
            [self.root / "python" / "bin" / "python", *command],
            cwd=folder or self.root,
            env={**os.environ, "MERGEGATE_DATA_DIR": str(self.root / "data")},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def mergegate(self, *arguments: str, folder: Path) -> str:
        """What the command prints in ``folder``."""
        code = "from mergegate.cli.main import run; run()"
        ended = self.run("-c", code, *arguments, folder=folder)
        assert ended.returncode in (0, 1), ended.stderr
        return ended.stdout

    def tests_pass(self, *which: str) -> bool:
        ended = self.run("-m", "pytest", "-q", "-p", "no:cacheprovider", *which)
        assert ended.returncode in (0, 1), ended.stdout + ended.stderr
        return ended.returncode == 0


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    root = tmp_path / "project"
    for name in ("src", "tests", "docs"):
        shutil.copytree(ROOT / name, root / name)  # compiled as it is: times are copied too
    shutil.copy(ROOT / "pyproject.toml", root)
    venv.create(root / "python")
    (packages,) = (root / "python" / "lib").glob("*/site-packages")
    here = Path(pytest.__file__).parents[1]
    (packages / "copy.pth").write_text(f"{root / 'src'}\n{here}\n")
    return Copy(root)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    for command in (("init", "-q"), ("config", "user.email", "a@example.org")):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


def found(report: str) -> list[dict[str, Any]]:
    told = json.loads(report)
    return [*told["issues"], *told["riskFindings"], *told["dependencyVulns"]]


def scan(*arguments: str) -> tuple[str, ...]:
    return ("scan", "--offline", "--fail-on", "never", *arguments)


REFERENCE = "tests/test_docs.py::test_the_rules_reference_is_current"


@pytest.mark.slow
def test_a_semgrep_rule_is_two_files(copy: Copy, repository: Path) -> None:
    rule, example = blocks("A semgrep rule")
    copy.write("src/mergegate/repo/rules/python/python-umask-cleared.yaml", rule)
    whole = ("tests/repo/test_rules.py", "-k", "umask-cleared")
    assert not copy.tests_pass(*whole), "without its example it is not whole"
    copy.write("tests/rules/python/python-umask-cleared.py", example)
    others = "(accepts and python) or reference"  # other folders are as they were
    assert copy.tests_pass(REFERENCE, *whole[:-1], f"{whole[-1]} or {others}")
    assert len(copy.touched) == 2

    (repository / "app.py").write_text("import os\n\nos.umask(0)\n")
    (told,) = found(copy.mergegate(*scan("--only", "code", "--format", "json"), folder=repository))
    assert (told["ruleId"], told["severity"]) == ("python-umask-cleared", "low")
    assert "python-umask-cleared" in copy.mergegate("rules", "--format", "json", folder=repository)


PLAIN_CONTEXT = "services:\n  app:\n    build: http://git.example.org/app.git\n"


@pytest.mark.slow
def test_an_infrastructure_check_is_two_files(copy: Copy, repository: Path) -> None:
    module, example = blocks("An infrastructure check")
    copy.write("src/mergegate/repo/checks/infrastructure/compose_build.py", module)
    declared = "tests/repo/checks/test_declared.py"
    whole = ("tests/repo/checks/test_infrastructure.py", declared, REFERENCE)
    chosen = ("-k", "plain-build-context or declared or reference")
    assert not copy.tests_pass(*whole, *chosen), "without its example it is not whole"
    name = "iac-compose-plain-build-context"
    copy.write(f"tests/fixtures/iac/compose/{name}.yaml", example)
    assert copy.tests_pass(*whole, *chosen)
    assert len(copy.touched) == 2

    (repository / "compose.yaml").write_text(PLAIN_CONTEXT)
    told = found(copy.mergegate(*scan("--only", "iac", "--format", "json"), folder=repository))
    assert [one["startLine"] for one in told if one["ruleId"] == name] == [3]
    assert "unencrypted address" in copy.mergegate("explain", name, folder=repository)


@pytest.mark.slow
def test_a_report_format_is_a_module_and_a_line(copy: Copy, repository: Path) -> None:
    module, line = blocks("A report format")
    copy.put_before("src/mergegate/repo/report/formats.py", "}\n", line)
    whole = ("tests/repo/report/test_formats.py", "-k", "csv or extensions")
    assert not copy.tests_pass(*whole), "without its module it is not whole"
    copy.write("src/mergegate/repo/report/spreadsheet.py", module)
    assert copy.tests_pass(*whole)
    assert len(copy.touched) == 2

    privileged = "services:\n  app:\n    image: app:1\n    privileged: true\n"
    (repository / "=1+1.yaml").write_text(privileged)
    text = copy.mergegate(*scan("--only", "iac", "--format", "csv"), folder=repository)
    heading, *rows = csv.reader(text.splitlines())
    assert heading[:4] == ["severity", "rule", "file", "line"]
    assert ["high", "iac-compose-privileged", "'=1+1.yaml", "4"] in [row[:4] for row in rows]
    assert "csv" in copy.mergegate("scan", "--help", folder=repository)


@pytest.mark.slow
def test_a_secret_detector_is_one_entry(copy: Copy, repository: Path) -> None:
    (entry,) = blocks("A secret detector")
    copy.put_before("src/mergegate/secrets/detectors/services.toml", "[airtable-token]\n", entry)
    assert copy.tests_pass(
        "tests/secrets/test_tokens.py", REFERENCE, "-k", "acme or whole or reference"
    )
    page = "tests/site/security/gather/test_exposures.py::test_a_page_knows_every_detector"
    assert copy.tests_pass(page, "-k", "acme")
    assert len(copy.touched) == 1

    (repository / "app.py").write_text(f'call("{minted("acme_<base36:32>")}")\n')
    words = scan("--only", "secrets", "--format", "json")
    (told,) = found(copy.mergegate(*words, folder=repository))
    assert (told["ruleId"], told["severity"]) == ("secret-acme-token", "critical")
    assert "at Acme first" in told["message"]
    assert "Acme token" in copy.mergegate("explain", "secret-acme-token", folder=repository)


FLAW = {
    "id": "GHSA-2222-3333-4444",
    "schema_version": "1.6.0",
    "modified": "2026-01-02T00:00:00Z",
    "summary": "A page of Markdown exhausts memory",
    "database_specific": {"severity": "HIGH"},
    "affected": [
        {
            "package": {"ecosystem": "CRAN", "name": "commonmark"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "1.8"}]}],
        }
    ],
}


@pytest.mark.slow
def test_a_lock_file_reader_is_three_files(copy: Copy, repository: Path) -> None:
    reader, entry, fixture = blocks("A lock-file reader")
    table = "src/mergegate/packages/ecosystems.toml"
    copy.write("src/mergegate/packages/readers/renv.py", reader)
    copy.write(table, f"{(copy.root / table).read_text()}\n{entry}")
    whole = "tests/packages/test_ecosystems.py"
    assert not copy.tests_pass(whole), "without its fixture it is not whole"
    copy.write("tests/fixtures/dependencies/renv/renv.lock", fixture)
    assert copy.tests_pass(whole)
    assert len(copy.touched) == 3

    (repository / "renv.lock").write_text(fixture)
    dump = repository.parent / "osv"
    dump.mkdir()
    (dump / "one.json").write_text(json.dumps(FLAW))
    copy.mergegate("advisories", "update", str(dump), folder=repository)
    words = scan("--only", "dependencies", "--format")
    (told,) = found(copy.mergegate(*words, "json", folder=repository))
    assert told["title"] == "commonmark 1.7: A page of Markdown exhausts memory"
    assert 'Upgrade to 1.8: run `renv::install("commonmark@1.8")`' in told["message"]
    parts = json.loads(copy.mergegate(*words, "cyclonedx", folder=repository))["components"]
    assert [one["purl"] for one in parts] == ["pkg:cran/commonmark@1.7", "pkg:cran/markdown@1.1"]
