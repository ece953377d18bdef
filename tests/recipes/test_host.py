"""The files that a host is run by are valid, and do what mergegate itself advises."""

import subprocess
import sys
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from mergegate.cli.main import main
from mergegate.host import server
from mergegate.host.commands.worker import worker
from tests.conftest import Mergegate
from tests.recipes.documents import ROOT

HOST = ROOT / "docs" / "host"
COMPOSE, KUBERNETES = HOST / "compose.yml", HOST / "kubernetes.yml"
SERVICES = yaml.safe_load(COMPOSE.read_text())["services"]
OBJECTS = list(yaml.safe_load_all(KUBERNETES.read_text()))
PODS = {
    one["metadata"]["name"]: one["spec"]["template"]["spec"]
    for one in OBJECTS
    if one["kind"] == "Deployment"
}
CONTAINERS = [one for pod in PODS.values() for one in pod["containers"]]
GRACE_S = float(worker.make_context("worker", []).params["grace"])
"""What a worker gives to what runs, where nobody says otherwise; a server too."""


def checked(*command: str | Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, check=False, timeout=60
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "Couldn't" not in said  # kubernetes-validate passes what it cannot parse


def commands() -> Iterator[tuple[str, list[str]]]:
    """Every command line of ours in the two files, those that a shell is given apart."""
    for name, service in SERVICES.items():
        if service["image"].startswith("mergegate") and "entrypoint" not in service:
            yield f"compose {name}", service["command"]
    for container in CONTAINERS:
        if "command" not in container:
            yield f"kubernetes {container['name']}", container["args"]


def test_the_compose_file_is_valid() -> None:
    checked("check_jsonschema", "--builtin-schema", "vendor.compose-spec", COMPOSE)


def test_the_kubernetes_manifest_is_valid() -> None:
    checked("kubernetes_validate", "--strict", KUBERNETES)


@pytest.mark.parametrize(("where", "words"), list(commands()), ids=lambda one: str(one)[:30])
def test_every_command_in_them_is_one_of_ours(where: str, words: list[str]) -> None:
    with click.Context(main) as context:
        command = main.get_command(context, words[0])
        assert command is not None, where
        command.make_context(words[0], words[1:], parent=context)


def test_we_have_nothing_to_say_against_them(mergegate: Mergegate, tmp_path: Path) -> None:
    for file in (COMPOSE, KUBERNETES):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    aspects = ("--only", "iac,secrets")
    done = mergegate(
        "scan", str(tmp_path), *aspects, "--offline", "--format", "json", "--fail-on", "never"
    )
    found = done.json["issues"] + done.json["riskFindings"]
    told = [one for one in found if one["severity"] != "info"]
    assert [(one["ruleId"], one["file"], one["startLine"]) for one in told] == []


def test_whoever_is_stopped_gets_longer_than_its_own_grace() -> None:
    assert server.GRACE_S == GRACE_S
    for name in ("api", "worker"):
        seconds = SERVICES[name]["stop_grace_period"].replace("2m", "120s").removesuffix("s")
        assert int(seconds) > GRACE_S
    assert PODS["worker"]["terminationGracePeriodSeconds"] > GRACE_S
    (api,) = PODS["api"]["containers"]
    (_, pause) = api["lifecycle"]["preStop"]["exec"]["command"]
    assert PODS["api"]["terminationGracePeriodSeconds"] > GRACE_S + int(pause)


@pytest.mark.parametrize("container", CONTAINERS, ids=lambda one: one["name"])
def test_every_container_is_locked_and_bounded(container: dict[str, Any]) -> None:
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    for which in ("requests", "limits"):
        assert set(container["resources"][which]) == {"cpu", "memory", "ephemeral-storage"}


def test_a_worker_may_write_where_it_keeps_its_advisories() -> None:
    """What else it sees is read-only, and the next one finds them there."""
    assert SERVICES["worker"]["environment"]["MERGEGATE_DATA_DIR"] == "/data"
    assert "advisories:/data" in SERVICES["worker"]["volumes"]
    (one,) = PODS["worker"]["containers"]
    assert {"name": "MERGEGATE_DATA_DIR", "value": "/data"} in one["env"]
    assert {"name": "advisories", "mountPath": "/data"} in one["volumeMounts"]


def test_what_a_scan_leaves_behind_is_buried() -> None:
    """A worker as first process would have to do it."""
    assert SERVICES["worker"]["init"]
    assert PODS["worker"]["shareProcessNamespace"]


def test_every_pod_has_a_network_policy_and_a_budget_of_disruptions() -> None:
    for kind, way in (("NetworkPolicy", "podSelector"), ("PodDisruptionBudget", "selector")):
        chosen = [one["spec"][way]["matchLabels"] for one in OBJECTS if one["kind"] == kind]
        named = {labels["app.kubernetes.io/component"] for labels in chosen}
        assert named == set(PODS)


def test_a_workers_second_lock_leaves_out_what_the_first_refuses() -> None:
    """Metadata services and private networks, by the addresses that scans may not reach."""
    (policy,) = [
        one["spec"]
        for one in OBJECTS
        if one["kind"] == "NetworkPolicy" and one["metadata"]["name"] == "worker"
    ]
    blocks = [to["ipBlock"] for rule in policy["egress"] for to in rule.get("to", ())]
    shut = [ip_network(one) for block in blocks for one in block["except"]]
    for address in ("169.254.169.254", "168.63.129.16", "192.0.0.192", "100.100.100.200"):
        assert any(ip_address(address) in one for one in shut if one.version == 4), address
    for address in ("fd00:ec2::254", "64:ff9b::a9fe:a9fe"):
        assert any(ip_address(address) in one for one in shut if one.version == 6), address
