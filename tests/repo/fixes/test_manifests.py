"""Rights of the host are taken away where nothing else shows that they are needed."""

from collections.abc import Callable
from typing import Any

import pytest

from mergegate.repo.fixes import instructions, manifests
from tests.repo.fixes.infrastructure import made

WORKLOAD = """kind: Deployment
metadata:
  name: app
spec:
  template:
    spec:
      containers:
      - name: app
        image: example.org/app:1.0
        volumeMounts:
        - name: data
          mountPath: /data
        securityContext:
          privileged: true
      volumes:
      - name: data
        emptyDir: {}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Deployment", "DaemonSet"),
        ("name: app\nspec", "name: app\n  namespace: kube-system\nspec"),
        ("emptyDir: {}", "hostPath: {path: /dev}"),
        ("mountPath: /data", "mountPath: /data\n          mountPropagation: Bidirectional"),
        ("      containers", "      hostPID: true\n      containers"),
        ("example.org/app:1.0", "docker:27-dind"),
    ],
)
def test_a_container_that_works_on_its_node_stays_privileged(old: str, new: str) -> None:
    assert made(manifests.unprivileged, "yaml", WORKLOAD, "privileged") == (
        WORKLOAD.replace("privileged: true", "privileged: false")
    )
    assert old in WORKLOAD
    changed = WORKLOAD.replace(old, new)
    assert made(manifests.unprivileged, "yaml", changed, "privileged") is None


def test_what_gains_privileges_loses_that_as_well() -> None:
    gains = WORKLOAD.replace("true", "true\n          allowPrivilegeEscalation: true")
    assert made(manifests.unprivileged, "yaml", gains, "privileged") == gains.replace(
        "true", "false"
    )


def test_a_pod_with_a_network_of_its_own_takes_no_port_of_its_node() -> None:
    ports = "        ports:\n        - containerPort: 80\n          hostPort: 80\n"
    text = WORKLOAD.replace("          privileged: true\n", "          runAsUser: 7\n")
    text = text.replace("      containers:\n", "      hostNetwork: true\n      containers:\n")
    text = text.replace("        securityContext", f"{ports}        securityContext")
    new = text.replace("      hostNetwork: true\n", "").replace("          hostPort: 80\n", "")
    assert made(manifests.own_namespaces, "yaml", text, "hostNetwork") == new
    each = text.replace("Deployment", "DaemonSet")
    assert made(manifests.own_namespaces, "yaml", each, "hostNetwork") is None


SERVICE = "services:\n  a:\n    image: b:1\n    privileged: true\n    cap_add: [SYS_ADMIN, CHOWN]\n"


@pytest.mark.parametrize(
    "more",
    [
        "    devices: [/dev/kvm]\n",
        "    pid: host\n",
        "    volumes: ['/var/run/docker.sock:/var/run/docker.sock']\n",
        "    volumes:\n      - type: bind\n        source: /sys\n        target: /sys\n",
    ],
)
def test_a_service_that_works_on_its_host_keeps_its_rights(more: str) -> None:
    new = SERVICE.replace("    privileged: true\n", "")
    assert made(manifests.unprivileged_service, "yaml", SERVICE, "privileged") == new
    assert made(manifests.unprivileged_service, "yaml", SERVICE + more, "privileged") is None
    fewer = SERVICE.replace("SYS_ADMIN, ", "")
    assert made(manifests.safe_capabilities, "yaml", SERVICE, "cap_add") == fewer
    assert made(manifests.safe_capabilities, "yaml", SERVICE + more, "cap_add") is None


WEBSITE = """Resources:
  A:
    Properties:
      AccessControl: PublicRead
      WebsiteConfiguration: {}
"""
READERS = "Resources:\n  A:\n    P:\n    - Principal: '*'\n      Action: s3:GetObject\n"
SHELL = "Resources:\n  A:\n    I:\n    - CidrIp: 0.0.0.0/0\n      FromPort: 22\n      ToPort: 22\n"
MICRO = """Resources:
  A:
    Type: AWS::RDS::DBInstance
    Properties: {DBInstanceClass: db.t2.micro, StorageEncrypted: false}
"""
DEFAULT = "a:\n  MinimumProtocolVersion: TLSv1\n  CloudFrontDefaultCertificate: true\n"
NETWORK = "services:\n  a:\n    pid: host\n    network_mode: host\n"
SIXTH = "services:\n  a:\n    ports:\n    - '[::]:5432:5432'\n"
SCANNERS = "sast:\n  allow_failure: true\ntrivy:\n  allow_failure: true\n"


@pytest.mark.parametrize(
    ("steps", "text", "marked"),
    [
        (manifests.private_bucket, WEBSITE, "AccessControl"),
        (manifests.own_account, READERS, "Principal"),
        (manifests.private_ingress, SHELL, "CidrIp"),
        (manifests.encrypted, MICRO, "Encrypted"),
        (manifests.modern_transport, DEFAULT, "Minimum"),
        (manifests.plain_verbs, "rules:\n- verbs: [bind]\n", "verbs"),
        (manifests.local_databases, SIXTH, "ports"),
        (manifests.own_processes, NETWORK, "pid"),
        (manifests.unprinted_secret, "a:\n  script:\n    - echo $API_TOKEN\n", "- echo"),
        (manifests.strict_security_job, SCANNERS, "allow_failure"),
    ],
)
def test_what_is_not_certain_is_left_alone(
    steps: Callable[..., Any], text: str, marked: str
) -> None:
    assert made(steps, "yaml", text, marked) is None


OWNER = "FROM a\nRUN chmod u=rwx,go=rx /bin/b\n"


@pytest.mark.parametrize(
    ("text", "marked", "expected"),
    [
        ("FROM a\nRUN chmod 777 /b.sh\n", "chmod 777", "FROM a\nRUN chmod 755 /b.sh\n"),
        ("FROM a\nRUN chmod a+rwx /bin/b\n", "chmod a+rwx", OWNER),
        ("FROM a\nRUN chmod 777 /data\n", "chmod 777", None),
        ("FROM a\nRUN chmod -R 777 /usr/bin/b\n", "chmod -R 777", None),
        ("FROM a\nRUN chmod 777 /b.sh /data\n", "chmod 777", None),
        ("FROM a\nCOPY --chmod=777 b /data/\n", "--chmod=777", None),
    ],
)
def test_programs_alone_are_taken_from_others(text: str, marked: str, expected: str | None) -> None:
    assert made(instructions.programs_of_owner, "dockerfile", text, marked) == expected
