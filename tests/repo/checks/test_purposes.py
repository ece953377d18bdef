"""What a Dockerfile's image is for, and what weighs less there."""

import pytest

from mergegate.core.severity import Severity
from mergegate.core.tree import Role
from mergegate.repo.checks.code import infrastructure_rules
from mergegate.repo.checks.infrastructure.purposes import Purpose, purpose_of
from mergegate.repo.engines.documents import instructions
from mergegate.repo.facts.code import CodeFile, CodeMatches, FileMatches
from mergegate.repo.rules import catalogue
from tests.repo.checks.test_code import match
from tests.repo.checks.test_infrastructure import documents
from tests.repo.infrastructure.reading import told


@pytest.mark.parametrize(
    ("dockerfile", "purpose"),
    [
        ("FROM debian:12\nEXPOSE 8080", Purpose.SERVICE),
        ("FROM debian:12\nEXPOSE $PORT", Purpose.SERVICE),
        ("FROM debian:12 AS one\nEXPOSE 80\nFROM one\nCMD bash", Purpose.SERVICE),
        ("FROM debian:12 AS one\nEXPOSE 80\nFROM debian:12\nCMD bash", Purpose.WORKPLACE),
        ('FROM node:22\nCMD ["node", "server.js"]', Purpose.SERVICE),
        ('FROM node:22\nCMD ["npm", "start"]', Purpose.SERVICE),
        ("FROM python:3\nCMD gunicorn site", Purpose.SERVICE),
        ('FROM python:3\nENTRYPOINT ["python"]\nCMD ["app.py"]', Purpose.SERVICE),
        ("FROM python:3\nCMD python tool.py --host 0.0.0.0", Purpose.SERVICE),
        ('FROM eclipse-temurin:21\nENTRYPOINT ["java", "-jar", "/a.jar"]', Purpose.SERVICE),
        ('FROM alpine:3\nENTRYPOINT ["/usr/bin/restic"]', Purpose.PROGRAM),
        ("FROM alpine:3\nCMD /entry.sh", Purpose.PROGRAM),
        ('FROM alpine:3\nENTRYPOINT ["tool"]\nCMD ["--version"]', Purpose.PROGRAM),
        ("FROM example/engine", Purpose.PROGRAM),
        ("FROM $BASE", Purpose.PROGRAM),
        ("FROM php:8.4-apache", Purpose.PROGRAM),
        ("FROM nginx:1", Purpose.PROGRAM),
        ("FROM php:8.4-cli", Purpose.WORKPLACE),
        ("FROM --platform=linux/amd64 registry.example.org/library/debian:12", Purpose.WORKPLACE),
        ("FROM debian@sha256:0123", Purpose.WORKPLACE),
        ("FROM golang:1.25", Purpose.WORKPLACE),
        ("ARG base=ubuntu:24.04\nFROM --platform=linux/amd64 ${base}", Purpose.WORKPLACE),
        ("ARG TAG='12'\nFROM debian:$TAG AS one", Purpose.WORKPLACE),
        ("ARG base\nFROM ${base}", Purpose.PROGRAM),
        ('FROM $BASE\nCMD ["bash"]', Purpose.WORKPLACE),
        ('FROM $BASE\nENTRYPOINT ["tini", "--"]\nCMD ["/bin/bash", "-l"]', Purpose.WORKPLACE),
        ('FROM $BASE\nCMD ["/src/bin/run_tests.sh", "--all"]', Purpose.WORKPLACE),
        ("FROM $BASE\nCMD ./scripts/test/e2e/entry", Purpose.WORKPLACE),
        ("FROM $BASE\nCMD cd /src && make all", Purpose.WORKPLACE),
        ('FROM $BASE\nENTRYPOINT ["/src/scripts/build.py"]', Purpose.WORKPLACE),
        ('FROM $BASE\nENTRYPOINT ["/src/rebuild.py"]', Purpose.PROGRAM),
        ('FROM $BASE\nCMD ["npm", "run", "build"]', Purpose.WORKPLACE),
        ('FROM $BASE\nENTRYPOINT ["/usr/bin/golangci-lint"]\nCMD ["run"]', Purpose.WORKPLACE),
        ("FROM $BASE\nCMD bash -c /server", Purpose.SERVICE),
        ("FROM $BASE\nCMD makes-a-cake", Purpose.PROGRAM),
        ('FROM alpine:3\nENTRYPOINT ["/sbin/tini", "-g", "--"]', Purpose.WORKPLACE),
        ('FROM $BASE\nENTRYPOINT ["dumb-init", "--"]\nCMD ["sh", "-c", "make"]', Purpose.WORKPLACE),
        ('FROM $BASE\nENTRYPOINT ["dumb-init", "--", "/usr/bin/gunicorn"]', Purpose.SERVICE),
        ("# nothing", Purpose.PROGRAM),
    ],
)
def test_the_file_itself_shows_what_its_image_is_for(dockerfile: str, purpose: Purpose) -> None:
    assert purpose_of(instructions(dockerfile)) is purpose


def test_a_long_command_takes_no_time() -> None:
    long = "FROM debian:12\nCMD " + " -test '" * 5000 + "&& " * 5000
    assert purpose_of(instructions(long)) in set(Purpose)


@pytest.mark.parametrize(
    ("rule", "dockerfile", "severity"),
    [
        ("dockerfile-piped-download", "FROM debian:12\nRUN x\n", Severity.INFO),
        ("dockerfile-piped-download", "FROM debian:12\nRUN x\nEXPOSE 80\n", Severity.MEDIUM),
        ("dockerfile-piped-download", "FROM debian:12\nRUN x\nCMD /tool\n", Severity.MEDIUM),
        ("dockerfile-apt-key", "FROM debian:12\nRUN x\nCMD bash\n", Severity.INFO),
        ("dockerfile-ssh-port", "FROM debian:12\nEXPOSE 22\nCMD /tool\n", Severity.INFO),
        ("dockerfile-ssh-port", "FROM debian:12\nEXPOSE 22 80\nCMD /tool\n", Severity.LOW),
        ("dockerfile-certificate-check-off", "FROM debian:12\nRUN x\n", Severity.MEDIUM),
    ],
)
def test_some_matters_weigh_less_in_an_image_that_serves_nothing(
    rule: str, dockerfile: str, severity: Severity
) -> None:
    file = CodeFile("Dockerfile", Role.SOURCE, FileMatches((match(rule, line=2),)))
    code = CodeMatches((file,), dict(catalogue().rules))
    [found] = infrastructure_rules(code, documents(dockerfile, "Dockerfile"))
    assert found.severity is severity
    assert severity in {catalogue().rules[rule].severity, *catalogue().rules[rule].milder}


def test_the_same_is_for_information_outside_production() -> None:
    rule = "dockerfile-piped-download"
    file = CodeFile("Dockerfile", Role.TEST, FileMatches((match(rule, line=2),)))
    code = CodeMatches((file,), dict(catalogue().rules))
    [found] = infrastructure_rules(code, documents("FROM a\nRUN x\nEXPOSE 80\n", "Dockerfile"))
    assert found.severity is Severity.INFO


def test_every_purpose_that_a_rule_names_is_one() -> None:
    named = {one for rule in catalogue().rules.values() for one in rule.by_purpose}
    assert named == {Purpose.PROGRAM, Purpose.WORKPLACE}


@pytest.mark.parametrize(
    ("dockerfile", "severity"),
    [
        ("FROM python:3.8\n", Severity.INFO),
        ("FROM python:3.8\nCMD pytest\n", Severity.INFO),
        ("FROM python:3.8\nCMD /tool\n", Severity.LOW),
        ("FROM python:3.8\nEXPOSE 80\n", Severity.LOW),
    ],
)
def test_an_image_to_work_in_may_be_old(dockerfile: str, severity: Severity) -> None:
    found = [one for one in told({"Dockerfile": dockerfile}) if "support-ended" in one.rule_id]
    assert [one.severity for one in found] == [severity]


def _compose(*services: str) -> str:
    return "services:\n" + "".join(f"  s{n}: {{{one}}}\n" for n, one in enumerate(services))


REDIS = 'image: "redis:8", ports: ["6379:6379"], command: redis-server --protected-mode no'
SOCKET = 'volumes: ["/var/run/docker.sock:/var/run/docker.sock"]'


@pytest.mark.parametrize(
    ("services", "severity"),
    [
        ([REDIS], Severity.MEDIUM),
        ([REDIS, "image: mongo"], Severity.INFO),
        ([REDIS, "image: golang, command: make test"], Severity.INFO),
        ([REDIS, "image: example/shop"], Severity.MEDIUM),
        ([REDIS, "build: ."], Severity.MEDIUM),
        ([REDIS.replace("redis:8", "example/redis:8")], Severity.MEDIUM),
    ],
)
def test_databases_alone_are_what_programs_are_developed_with(
    services: list[str], severity: Severity
) -> None:
    found = told({"compose.yaml": _compose(*services)})
    assert [one.severity for one in found if "login-disabled" in one.rule_id] == [severity]


@pytest.mark.parametrize(
    ("image", "severity"),
    [
        ("docker.io/datadog/agent:7.57.2", Severity.INFO),
        ("timberio/vector:0.42.X-alpine", Severity.INFO),
        ("example/vector", Severity.MEDIUM),
        ("traefik:3", Severity.MEDIUM),
    ],
)
def test_an_agent_needs_its_host(image: str, severity: Severity) -> None:
    found = told({"compose.yaml": _compose(f'image: "{image}", {SOCKET}')})
    assert [one.severity for one in found if "docker-socket" in one.rule_id] == [severity]
