"""The image as it is run: unprivileged and sealed, or as root in a container action of GitHub."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ci.jobs.clones import WEAK
from tests.container.builder import BUILT_WITHIN_S, FULL_IMAGE, IMAGE, ROOT, Builder
from tests.sandbox.git.test_repository import commit, git

pytestmark = [pytest.mark.container, pytest.mark.timeout(BUILT_WITHIN_S)]

SEALED = ("--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--user", "10001")
PYTHON = "/opt/mergegate/bin/python"
RUNNER = 1001


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A part of our own repository as a runner has it: of an account of its own, one file for it
    alone."""
    folder = tmp_path_factory.mktemp("checkout") / "repo"
    subprocess.run(["git", "clone", "--quiet", "--sparse", ROOT, folder], check=True)
    git(folder, "sparse-checkout", "set", "src/mergegate/editor", "container")
    (folder / "private").mkdir()
    closed = folder / "private" / "settings.py"
    closed.write_text('KEY = "' + "".join(("AK", "IA", "QX7PLM2ZRT5VWN3K")) + '"\n')
    git(folder, "add", "--sparse", "private")
    # A commit of its own: what the last of ours touched may lie outside of this part.
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    git(folder, *identity, "commit", "--quiet", "--message", "settings")
    subprocess.run(["chown", "-R", f"{RUNNER}:{RUNNER}", folder], check=True)
    closed.chmod(0o600)
    closed.parent.chmod(0o700)
    return folder


def report(done: Any) -> dict[str, Any]:
    assert done.code in (0, 1), f"{done.out[-2000:]}\n{done.err[-2000:]}"
    return dict(json.loads(done.out))


def documents(text: str) -> Iterator[dict[str, Any]]:
    """Several, one after the other."""
    while text := text.lstrip():
        found, end = json.JSONDecoder().raw_decode(text)
        text = text[end:]
        yield found


def states(found: dict[str, Any]) -> set[str]:
    return {one["status"] for one in found["engines"]}


def mounted(checkout: Path, how: str = "rw") -> tuple[str, str]:
    return ("--volume", f"{checkout}:/github/workspace:{how}")


def test_the_slim_image_takes_less_than_900_megabytes(image: Builder) -> None:
    size = int(image.call("podman", "image", "inspect", "--format", "{{.Size}}", IMAGE).out)
    print(f"slim: {size / 1e6:.0f} MB")
    assert size < 900_000_000


def test_sealed_and_unprivileged_it_scans_real_code(image: Builder) -> None:
    arguments = ("scan", "/work", "--format", "json", "--fail-on", "never")
    options = (*SEALED, "--volume", f"{ROOT}/src/mergegate/model:/work:ro")
    found = report(image.run(*arguments, options=options))
    assert states(found) <= {"ok", "idle"}
    assert found["coverage"]["filesScanned"] > 15


def test_as_root_no_engine_is_and_no_file_is_missed(image: Builder, checkout: Path) -> None:
    arguments = ("scan", "/github/workspace", "--format", "json", "--fail-on", "never")
    found = report(image.run(*arguments, options=mounted(checkout)))
    assert states(found) <= {"ok", "idle"}
    secrets = [one for one in found["issues"] if one["file"] == "private/settings.py"]
    assert secrets, "a file that only its owner may read was not searched"
    left = {path for path in checkout.rglob("*") if path.lstat().st_uid != RUNNER}
    assert not left, "files that the runner cannot remove"


def test_a_container_action_of_github_leaves_outputs_and_reports(
    image: Builder, checkout: Path, tmp_path: Path
) -> None:
    """GitHub itself is out of reach here; that must change nothing about the verdict."""
    safe = ("-c", "safe.directory=*")
    head = git(checkout, *safe, "rev-parse", "HEAD")
    repository = {"full_name": "example/shop", "fork": False}
    event = {
        "action": "synchronize",
        "number": 7,
        "repository": repository,
        "sender": {"login": "ada"},
        "pull_request": {
            "number": 7,
            "head": {"sha": head, "ref": "change", "repo": repository},
            "base": {
                "sha": git(checkout, *safe, "rev-parse", "HEAD~1"),
                "ref": "main",
                "repo": repository,
            },
        },
    }
    (tmp_path / "event.json").write_text(json.dumps(event))
    for name in ("output", "summary"):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(0o666)
    given = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": "/github/workflow/event.json",
        "GITHUB_OUTPUT": "/github/workflow/output",
        "GITHUB_STEP_SUMMARY": "/github/workflow/summary",
        "GITHUB_REPOSITORY": "example/shop",
        "GITHUB_SHA": head,
        "GITHUB_REF": "refs/pull/7/merge",
        "GITHUB_RUN_ID": "1",
        "GITHUB_RUN_ATTEMPT": "1",
        "GITHUB_WORKSPACE": "/github/workspace",
        "INPUT_TOKEN": "canary-of-the-token",
        "INPUT_FAIL-ON": "never",
        "INPUT_REPORT": "out",
        "INPUT_ONLY": "iac",  # what engines do here is looked at above
    }
    options = [word for name, one in given.items() for word in ("--env", f"{name}={one}")]
    options += [*mounted(checkout), "--volume", f"{tmp_path}:/github/workflow"]
    done = image.run("ci", options=(*options, "--workdir", "/github/workspace"))
    assert done.code == 0, f"{done.out[-2000:]}\n{done.err[-2000:]}"
    outputs = dict(line.split("=", 1) for line in (tmp_path / "output").read_text().splitlines())
    assert set(outputs) >= {"score", "gate", "new-findings", "report-path"}
    assert (tmp_path / "summary").read_text()
    assert json.loads((checkout / "out" / "mergegate.json").read_text())
    assert "canary-of-the-token" not in done.out + done.err


PROBE = """
from mergegate.sandbox.process.confinement import network_is_isolated, rights_are_given_up
from mergegate.sandbox.process.run import run
from mergegate.sandbox.files.stage import Stage
python = "/opt/mergegate/bin/python -I -c 'import socket; socket.socket()' 2>&1 | tail -n 1"
script = f"id -u; id -G; grep -h Cap /proc/self/status; cat /proc/1/environ; env; {python}"
with Stage() as stage:
    done = run(["/bin/sh", "-c", script], cwd=stage.room("engine"))
print(done.stdout.decode())
print(network_is_isolated(), rights_are_given_up())
"""


def engine_says(image: Builder, *options: str) -> list[str]:
    environment = ("--env", "GITHUB_TOKEN=canary")
    done = image.run("-I", "-c", PROBE, program=PYTHON, options=(*environment, *options))
    assert done.code == 0, done.err
    assert "canary" not in done.out
    lines = done.out.splitlines()
    assert lines[:2] == ["10002", "10002"]
    assert [line.split()[1] for line in lines if line.startswith("Cap")] == ["0" * 16] * 5
    assert lines[-1] == "True True"
    return lines


@pytest.mark.parametrize("options", [(), SEALED[:3]], ids=["writable", "read-only"])
def test_as_root_engines_run_as_their_own_account(image: Builder, options: tuple[str, ...]) -> None:
    engine_says(image, *options)


def test_without_namespaces_as_in_docker_engines_still_have_no_network(
    image: Builder, tmp_path: Path
) -> None:
    profile = tmp_path / "profile.json"
    denied = {"names": ["unshare"], "action": "SCMP_ACT_ERRNO", "errnoRet": 1}
    profile.write_text(json.dumps({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [denied]}))
    lines = engine_says(image, "--security-opt", f"seccomp={profile}")
    assert "OSError: [Errno 101] Network is unreachable" in lines


def test_the_image_carries_its_advisories_and_says_of_when(image: Builder) -> None:
    done = image.run("advisories", "status", options=SEALED)
    assert done.code == 0
    assert "PyPI" in done.out
    assert "2026-01-01" in done.out


def test_the_bill_of_materials_lists_python_and_debian_packages(image: Builder) -> None:
    done = image.run("/usr/share/mergegate/sbom.cdx.json", program="cat")
    bill = json.loads(done.out)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["name"] == "mergegate"
    purls = {one["purl"].split("@")[0] for one in bill["components"]}
    assert {"pkg:pypi/semgrep", "pkg:pypi/pip-audit", "pkg:deb/debian/git"} <= purls
    assert len(purls) == len(bill["components"])


def test_nothing_that_only_builds_and_nothing_secret_is_inside(image: Builder) -> None:
    code = (
        "import importlib.util as u; print([n for n in ('hatchling', 'pytest') if u.find_spec(n)])"
    )
    assert image.run("-I", "-c", code, program=PYTHON).out.strip() == "[]"
    [facts] = json.loads(image.call("podman", "image", "inspect", IMAGE).out)
    assert facts["Config"]["Entrypoint"] == ["/usr/local/bin/mergegate"]
    assert facts["Config"]["Labels"]["org.opencontainers.image.version"] == "9.9.9"
    assert facts["Config"].get("User", "") in ("", "root")
    found = image.run(
        "-c", "cat /etc/pip.conf; find / -xdev -name '*.pem' -path '*key*'", program="/bin/sh"
    )
    assert found.out == ""


def test_settings_of_the_environment_cannot_load_code(image: Builder, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('owned')\n")
    tmp_path.chmod(0o755)
    options = ("--volume", f"{tmp_path}:/evil:ro", "--env", "PYTHONPATH=/evil", "-w", "/evil")
    done = image.run("--version", options=(*SEALED, *options))
    assert done.code == 0
    assert "owned" not in done.out


@pytest.mark.thorough
@pytest.mark.parametrize("options", [(), SEALED], ids=["as root", "sealed"])
def test_the_full_image_looks_at_a_site_without_a_network(
    full: Builder, tmp_path: Path, options: tuple[str, ...]
) -> None:
    page = '<!doctype html><html lang="en"><title>Proof</title><h1>Proof</h1>'
    tmp_path.joinpath("index.html").write_text(page)
    tmp_path.chmod(0o755)
    site = ("--volume", f"{tmp_path}:/site:ro", "--volume", f"{ROOT}/container:/proof:ro", *options)
    run = ("podman", "run", "--rm", "--network", "none", *site, "--entrypoint", "sh")
    words = ("-e", "/proof/site.sh", "--format", "json")
    done = full.call(*run, FULL_IMAGE, *words, timeout_s=300)
    assert done.code == 0, done.err
    audit, test, security, seo = documents(done.out)
    assert audit["performanceScore"] > 90
    assert (test["pagesVisited"], test["jsErrors"]) == (1, [])
    assert "csp-missing" in {one["ruleId"] for one in security["findings"]}
    assert (seo["status"], seo["pageData"]["title"]) == ("done", "Proof")


PAGE = '<!doctype html><html lang="en"><title>{0}</title><h1>{0}</h1><a href="gone.html">Gone</a>'
JOB = """
mergegate ci --base HEAD~1 --site-folder built --formats json --report /tmp/report 1>&2
echo $?
cat /tmp/report/mergegate.json
"""


@pytest.mark.thorough
@pytest.mark.parametrize("options", [(), SEALED], ids=["as root", "sealed"])
def test_the_full_image_answers_for_code_and_site_of_a_change(
    full: Builder, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """As docs/ci/github-site.yml starts it, of a work tree that it may not write to."""
    root = tmp_path / "repository"
    (root / "built").mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    (root / "built" / "index.html").write_text(PAGE.format("Shop"))
    commit(root, "a site")
    (root / "app.py").write_text(WEAK)
    commit(root, "weak")
    subprocess.run(["chown", "-R", f"{RUNNER}:{RUNNER}", root], check=True)
    tmp_path.chmod(0o755)
    work = ("--volume", f"{root}:/work:ro", "--workdir", "/work", *options)
    run = ("podman", "run", "--rm", "--network", "none", *work, "--entrypoint", "sh")
    done = full.call(*run, FULL_IMAGE, "-c", JOB, timeout_s=300)
    code, _, report = done.out.partition("\n")
    assert code == "1", done.err
    found = json.loads(report)
    assert "app.py" in {one["file"] for one in found["issues"]}
    assert states(found) <= {"ok", "idle"}
    site = found["site"]
    assert (site["gaps"], site["verdict"]["gate"]) == ([], "passed")
    assert site["audited"]["scores"]["performance"] > 90
    assert "brokenLinks" in {one["topic"] for one in site["tested"]["highlights"]}


@pytest.mark.thorough
def test_chromium_has_its_sandbox_where_the_container_leaves_one_capability(full: Builder) -> None:
    """The filter of system calls lets nobody change the root who could not have that right."""

    def said(*more: str) -> str:
        sealed = ("podman", "run", "--rm", "--network", "none", *SEALED, *more, FULL_IMAGE)
        signs = full.call(*sealed, "doctor", "/", "--format", "json").out
        [chromium] = (one for one in json.loads(signs)["environment"] if one["name"] == "chromium")
        return f"{chromium['state']} {chromium['remedy']}"

    assert "in its sandbox" in said("--cap-add", "SYS_CHROOT")
    without = said()
    assert "in its sandbox" in without or "--cap-add SYS_CHROOT" in without
