"""Every infrastructure check against its annotated example in tests/fixtures/iac.

``# expect: high`` speaks of the next line, which must be hit with that severity; ``# clean``
marks a near-miss. Whatever else a check reports in the file is a failure.
"""

import hashlib
import re
import time
from functools import cache
from pathlib import Path

import pytest

from mergegate.core.check import Check, Failed, apply
from mergegate.core.finding import Finding
from mergegate.core.report import EngineRun
from mergegate.core.severity import Category, Kind, Severity
from mergegate.core.tree import Role, SourceFile
from mergegate.repo.checks import all_checks
from mergegate.repo.engines.documents import DocumentEngine, fact
from mergegate.repo.facts.documents import Documents, FileDocuments
from mergegate.sandbox.engines.engine import Answers, EngineContext
from mergegate.sandbox.files.stage import Stage
from tests.secrets.mint import minted

EXAMPLES = Path(__file__).parents[2] / "fixtures" / "iac"
CHECKS = {check.id: check for check in all_checks() if check.id.startswith("iac-")}
PATHS = {"gitlab": ".gitlab-ci.yml", "dockerfile": "Dockerfile", "compose": "compose.prod.yaml"}
_EXPECTED = re.compile(r"\s*# (?:expect: (?P<severity>\w+)|(?P<clean>clean))$")


@cache
def documents(text: str, path: str, role: Role = Role.SOURCE) -> Documents:
    """The fact for one file of that text, through the real gatherer."""
    content = text.encode()
    with Stage() as stage:
        location = stage.root / "file"
        location.write_bytes(content)
        file = SourceFile(
            path=path,
            location=location,
            size=len(content),
            digest=hashlib.sha256(content).hexdigest(),
            role=role,
            language="dockerfile" if path.endswith("Dockerfile") else "yaml",
        )
        answers = DocumentEngine().examine([file], EngineContext(stage)).answers
    asked: Answers[FileDocuments] = Answers(
        ((file, answers[file.key]),), EngineRun(name="documents"), ()
    )
    return fact(asked)


def findings(check_id: str, text: str, path: str, role: Role = Role.SOURCE) -> list[Finding]:
    """What one check says of one file."""
    outcome = apply(CHECKS[check_id], {Documents: documents(text, path, role)})
    return sorted(outcome.findings, key=lambda f: f.place) if isinstance(outcome, Failed) else []


def example(check_id: str) -> tuple[str, str]:
    """The example's text and the path it is scanned under."""
    kind = check_id.split("-")[1]
    [path] = (EXAMPLES / kind).glob(f"{check_id}.*")
    return path.read_text("utf-8"), PATHS.get(kind, "deploy/app.yaml")


@cache
def annotations(check_id: str) -> tuple[dict[int, str], frozenset[int]]:
    """What the example of a check expects."""
    return expected(example(check_id)[0])


def expected(text: str) -> tuple[dict[int, str], frozenset[int]]:
    """Line to expected severity, and the lines of near-misses."""
    lines: dict[int, str] = {}
    clean: set[int] = set()
    for number, line in enumerate(text.splitlines(), start=1):
        match = _EXPECTED.match(line)
        if match and match["clean"]:
            clean.add(number + 1)
        elif match:
            lines[number + 1] = match["severity"]
    return lines, frozenset(clean)


@pytest.fixture(params=sorted(CHECKS))
def check(request: pytest.FixtureRequest) -> Check:
    return CHECKS[request.param]


def test_there_are_checks_for_every_format() -> None:
    told = {rule.id for one in all_checks() for rule in one.rules()}
    kinds = ("kubernetes", "compose", "dockerfile")
    counts = {kind: sum(id.startswith(f"iac-{kind}-") for id in told) for kind in kinds}
    assert counts["kubernetes"] >= 90
    assert counts["compose"] >= 40
    assert counts["dockerfile"] >= 60


def test_check_hits_exactly_the_annotated_lines(check: Check) -> None:
    text, path = example(check.id)
    expected, _ = annotations(check.id)
    found = {f.place.start_line: f.severity.label for f in findings(check.id, text, path)}
    assert found == expected


def test_severities_are_those_that_the_rule_states(check: Check) -> None:
    [rule] = check.rules()
    stated = [rule.severity.label, *(one.label for one in rule.milder)]
    expected = {*annotations(check.id)[0].values()}
    assert rule.severity.label in expected
    assert expected <= {*stated}


def test_example_has_hits(check: Check) -> None:
    assert annotations(check.id)[0]


def test_example_has_near_misses(check: Check) -> None:
    if check.id != "iac-dockerfile-runs-as-root":  # one final stage a file: a table below
        assert annotations(check.id)[1]


def test_findings_outside_production_are_information(check: Check) -> None:
    text, path = example(check.id)
    found = findings(check.id, text, path, Role.EXAMPLE)
    assert {finding.severity for finding in found} <= {Severity.INFO}


def test_small_matters_outside_production_are_not_told() -> None:
    text = "FROM debian\nCMD run\n"
    for check_id in ("iac-dockerfile-runs-as-root", "iac-dockerfile-floating-base"):
        assert len(findings(check_id, text, "Dockerfile")) == 1
        assert findings(check_id, text, "Dockerfile", Role.TEST) == []


def test_finding_is_complete(check: Check) -> None:
    text, path = example(check.id)
    for finding in findings(check.id, text, path):
        assert finding.rule_id == check.id
        assert (finding.category, finding.kind) == (Category.IAC, Kind.IAC)
        assert re.fullmatch(r"CWE-\d+", finding.cwe[0])
        assert finding.references[0].startswith("https://")
        assert finding.message.endswith(".")
        assert ".." not in finding.message
        assert finding.place.file == path


def test_secrets_never_reach_a_finding(check: Check) -> None:
    text, path = example(check.id)
    assert "no-real" not in repr(findings(check.id, text, path))


@pytest.mark.parametrize(
    ("dockerfile", "hits"),
    [
        ("FROM debian:12\nCMD run", 1),
        ("FROM debian:12\nUSER app\nCMD run", 0),
        ("FROM debian:12\nUSER app\nUSER root\nCMD run", 1),
        ("FROM debian:12\nUSER 0:0\nCMD run", 1),
        ("FROM debian:12\nUSER 1000\nCMD run", 0),
        ("FROM debian:12\nUSER ${APP_USER}\nCMD run", 0),
        ("FROM debian:12 AS base\nUSER app\nFROM base\nCMD run", 0),
        ("FROM debian:12 AS base\nFROM base\nENTRYPOINT run", 1),
        ("FROM gcr.io/distroless/static:nonroot\nCMD run", 0),
        ("FROM debian:12\nRUN make", 0),
        ('FROM debian:12\nCMD ["bash"]', 0),
        ("FROM debian:12\nCMD /bin/sh -l", 0),
        ('FROM debian:12\nENTRYPOINT []\nCMD ["bash", "-il"]', 0),
        ('FROM debian:12\nCMD ["bash", "serve.sh"]', 1),
        ('FROM debian:12\nCMD ["/src/bin/run_tests.sh", "--all"]', 0),
        ('FROM debian:12\nCMD ["npm", "test"]', 0),
        ("FROM debian:12\nCMD echo done", 0),
        ('FROM debian:12\nCMD ["/opt/latest/serve"]', 1),
        ("FROM debian:12\nCMD sh -c serve", 1),
        ('FROM debian:12\nENTRYPOINT ["/entry.sh"]\nCMD ["bash"]', 1),
        ("# escape=`\nFROM debian:12\nRUN a `\n  b\nCMD run", 1),
    ],
)
def test_root_is_judged_in_the_final_stage(dockerfile: str, hits: int) -> None:
    assert len(findings("iac-dockerfile-runs-as-root", dockerfile, "Dockerfile")) == hits


@pytest.mark.parametrize(
    ("lines", "severity"),
    [
        ("RUN apk add --no-cache su-exec tzdata\nENTRYPOINT /entry.sh", "info"),
        ("RUN apt-get update && apt-get install -y gosu\nENTRYPOINT /entry.sh", "info"),
        ("COPY --from=tools /bin/gosu /usr/local/bin/gosu\nENTRYPOINT /entry.sh", "info"),
        ('ENTRYPOINT ["setpriv", "--reuid", "1000", "/server"]', "info"),
        ("COPY my-su-exec-notes /\nENTRYPOINT /server", "low"),
        ("COPY entry.sh /\nENTRYPOINT /entry.sh", "info"),
        ('ENTRYPOINT ["/docker-entrypoint.sh"]\nCMD ["radiusd"]', "info"),
        ('ENTRYPOINT ["/server"]\nCMD ["/etc/entry.sh"]', "low"),
        ("FROM debian:12\nENTRYPOINT /server", "low"),
        ('CMD ["nginx", "-g", "daemon off;"]', "info"),
        ('CMD ["/usr/sbin/apache2ctl", "-D", "FOREGROUND"]', "info"),
        ('CMD ["nginx-like-server"]', "low"),
        ('ENTRYPOINT ["tini", "--", "/server"]', "low"),
        ('ENTRYPOINT ["/usr/bin/dumb-init", "--", "/start.sh"]', "info"),
        ('ENTRYPOINT ["tini", "--"]\nCMD ["/start.sh", "serve"]', "info"),
        ('CMD ["/start.sh"]', "info"),
        ('ENTRYPOINT ["/usr/sbin/unbound", "-d"]', "info"),
    ],
)
def test_root_weighs_less_with_a_program_that_leaves_it(lines: str, severity: str) -> None:
    dockerfile = f"FROM debian:12 AS tools\n{lines}\nEXPOSE 80\n"
    [told] = findings("iac-dockerfile-runs-as-root", dockerfile, "Dockerfile")
    assert told.severity.label == severity


@pytest.mark.parametrize(
    ("lines", "severity"),
    [
        ("FROM debian:12\nCMD serve\nEXPOSE 80", "low"),
        ("FROM debian:12 AS base\nEXPOSE 80\nFROM base\nCMD serve", "low"),
        ("FROM debian:12\nCOPY app /app\nCMD /app/convert", "info"),
        ("FROM debian:12\nCOPY app /app\nCMD /app/server", "low"),
        ("FROM debian:12 AS build\nEXPOSE 80\nFROM debian:12\nCMD convert", "info"),
        ("FROM debian:12\nCMD convert", "info"),
        ("FROM debian:12\nEXPOSE 22/tcp\nCMD convert", "info"),
        ("FROM debian:12\nEXPOSE 22 80\nCMD convert", "low"),
        ('FROM debian:12\nEXPOSE 80\nENTRYPOINT ["hugo"]\nCMD ["--help"]', "low"),
        ("FROM debian:12\nHEALTHCHECK CMD look\nCMD convert", "low"),
        ("FROM debian:12\nHEALTHCHECK NONE\nCMD convert", "info"),
    ],
)
def test_root_weighs_less_where_the_image_serves_nothing(lines: str, severity: str) -> None:
    [told] = findings("iac-dockerfile-runs-as-root", lines, "Dockerfile")
    assert told.severity.label == severity


def test_a_key_that_its_maker_means_to_be_seen_is_no_secret() -> None:
    public, own = minted("phc_<alnum:43>"), minted("<alnum:43>")
    for name, value, hits in (("TOKEN", public, 0), ("TOKEN", own, 1)):
        text = f"FROM a:1\nENV POSTHOG_{name}={value}\nCMD serve\n"
        assert len(findings("iac-dockerfile-secret", text, "Dockerfile")) == hits


def test_an_image_without_a_version_is_for_information_for_a_version_can_be_moved_too() -> None:
    [base] = findings("iac-dockerfile-floating-base", "FROM node\nRUN make\n", "Dockerfile")
    compose = "services: {a: {image: example/service}}\n"
    [image] = findings("iac-compose-floating-image", compose, "compose.yaml")
    assert (base.severity, image.severity) == (Severity.INFO, Severity.INFO)


@pytest.mark.parametrize(
    ("image", "floats"),
    [
        ("redis", True),
        ("redis:latest", True),
        ("registry.example.org:5000/redis", True),
        ("registry.example.org:5000/redis:7", False),
        ("redis:7@sha256:" + "0" * 64, False),
        ("$IMAGE", False),
        ("{{ image }}", False),
        ("redis:edge", True),
        ("ko://example.org/shop/web", False),
        ("shop/web:${TAG:-latest}", True),
        ("shop/web:${TAG-main}", True),
        ("shop/web:${TAG:-1.2}", False),
        ("shop/web:${TAG:?say which}", False),
    ],
)
def test_floating_images_are_told_from_pinned_ones(image: str, floats: bool) -> None:
    text = f"services:\n  a:\n    image: '{image}'\n"
    assert bool(findings("iac-compose-floating-image", text, "compose.yaml")) == floats


@pytest.mark.parametrize(
    ("mount", "path", "told"),
    [
        (".:/app", "compose.prod.yaml", True),
        ("./src:/app/src", "docker-compose.production.yml", True),
        (".:/app:ro", "compose.prod.yaml", False),
        ("media:/app/media", "compose.prod.yaml", False),
        (".:/app", "compose.yaml", False),
    ],
)
def test_production_runs_no_working_copy(mount: str, path: str, told: bool) -> None:
    text = f"services:\n  a:\n    image: redis:7\n    volumes: ['{mount}']\n"
    assert bool(findings("iac-compose-working-copy-in-production", text, path)) == told


@pytest.mark.parametrize(
    ("variables", "job", "floats"),
    [
        ("TAG: latest", "", True),
        ("TAG: '1.4'", "", False),
        ("TAG: '1.4'", "TAG: {value: latest}", True),
        ("TAG: latest", "TAG: '1.4'", False),
        ("OTHER: latest", "", False),
    ],
)
def test_the_image_of_a_job_has_the_version_of_its_variable(
    variables: str, job: str, floats: bool
) -> None:
    text = (
        f"variables: {{{variables}}}\na:\n  image: b/c:$TAG\n  script: [make]\n"
        f"  variables: {{{job}}}\n"
    )
    found = findings("iac-gitlab-floating-image", text, ".gitlab-ci.yml")
    assert bool(found) is floats


@pytest.mark.parametrize("path", [".gitlab-ci.yml", ".gitlab/ci/build.yml", "a.gitlab-ci.yml"])
def test_pipelines_are_known_by_their_path(path: str) -> None:
    short = "build: {image: node, script: [make]}\n"
    assert len(findings("iac-gitlab-floating-image", short, path)) == 1
    text = "stages: [build]\nbuild:\n  image: node\n  stage: build\n  script: [make]\n"
    assert len(findings("iac-gitlab-floating-image", text, path)) == 1


def test_what_only_looks_like_a_pipeline_is_left_alone() -> None:
    text = "stages: [build]\nbuild:\n  image: node\n  script: [make]\n"
    assert findings("iac-gitlab-floating-image", text, "config/jobs.yml") == []


def crowded(parts: int) -> str:
    """A pod with that many volumes and mounts."""
    volumes = "".join(f"  - {{name: v{n}, hostPath: {{path: /srv/{n}}}}}\n" for n in range(parts))
    mounts = "".join(f"    - {{name: v{n}, mountPath: /m}}\n" for n in range(parts))
    return (
        "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    volumeMounts:\n"
        f"{mounts}  volumes:\n{volumes}"
    )


HOSTILE = {
    "deploy/app.yaml": crowded(12_000),
    ".gitlab-ci.yml": "a:\n  script:\n    - '" + "curl http:// echo $A_TOKEN " * 20_000 + "'\n",
    "compose.yaml": "services:\n" + "".join(f"  s{n}: {{image: a}}\n" for n in range(20_000)),
    "Dockerfile": "".join(f"FROM s{n} AS s{n + 1}\n" for n in range(4_000)) + "CMD a\n",
}


@pytest.mark.parametrize("path", sorted(HOSTILE))
def test_hostile_document_takes_little_time(path: str) -> None:
    fact = documents(HOSTILE[path], path)
    assert fact.files
    started = time.process_time()
    for one in CHECKS.values():
        apply(one, {Documents: fact})
    assert time.process_time() - started < 10
