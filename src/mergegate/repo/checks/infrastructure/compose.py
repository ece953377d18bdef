"""What Compose files open to their host and their neighbours."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.core.finding import Finding
from mergegate.core.severity import Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure.reading import (
    ELSEWHERE,
    NEVER,
    DocumentRule,
    is_floating_image,
    listed,
)
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, Node


@dataclass(frozen=True, slots=True)
class Service:
    """One service of one file."""

    file: DocumentFile
    name: str
    spec: Node


@dataclass(frozen=True, slots=True)
class Port:
    """A published port."""

    container: str
    everywhere: bool
    """Whether it is bound on all of the host's addresses."""
    line: int


def services(documents: Documents) -> Iterator[Service]:
    """Every service of every Compose file."""
    for file, root in documents.of(DocumentKind.COMPOSE):
        for name, spec in root["services"].entries:
            yield Service(file, name, spec)


def mounts(spec: Node) -> Iterator[tuple[str, int]]:
    """What is mounted from outside, with its line."""
    for mount in spec["volumes"].items:
        yield mount["source"].text or mount.text.partition(":")[0], mount.line


def ports_of(spec: Node) -> Iterator[Port]:
    """The ports a service publishes, short and long syntax."""
    for port in spec["ports"].items:
        if port["target"].present:
            local = port["host_ip"].text.startswith(("127.", "::1"))
            published = port["published"].present
            yield Port(port["target"].text, published and not local, port.line)
        else:
            yield _short_port(port)


def _short_port(port: Node) -> Port:
    """``[address:][host:]container[/protocol]``; without a host port the engine picks one."""
    address, _, rest = (
        port.text.partition("]:") if port.text.startswith("[") else ("", "", port.text)
    )
    parts = rest.partition("/")[0].split(":")
    if len(parts) > 2:
        address = parts[0]
    local = address.startswith(("127.", "localhost", "[::1")) or "$" in address
    return Port(parts[-1], len(parts) > 1 and not local, port.line)


def environment_of(node: Node) -> Iterator[tuple[str, str, int]]:
    """Name, value and line of each variable, from a list or a map."""
    for item in node.items:
        name, _, value = item.text.partition("=")
        yield name, value, item.line
    for name, item in node.entries:
        yield name, item.text, item.line


_DOCKER = "https://docs.docker.com/engine/security/"
_SERVICES = "https://docs.docker.com/reference/compose-file/services/"
_SOCKETS = re.compile(r"/(docker|containerd/containerd|podman/podman)\.sock$")
_SENSITIVE_PATHS = frozenset({"/", "/etc", "/root", "/var/lib/docker", "/boot"})
_DATA_PORTS = {
    "1433": "SQL Server", "1521": "Oracle", "2379": "etcd", "3306": "MySQL",
    "5432": "PostgreSQL", "5984": "CouchDB", "6379": "Redis", "8086": "InfluxDB",
    "9042": "Cassandra", "9200": "Elasticsearch", "11211": "memcached", "27017": "MongoDB",
}  # fmt: skip
_DOCKER_PORT = "2375"
_LOGIN_OFF = {
    "POSTGRES_HOST_AUTH_METHOD": frozenset({"trust"}),
    "MYSQL_ALLOW_EMPTY_PASSWORD": frozenset({"1", "yes", "true"}),
    "MARIADB_ALLOW_EMPTY_ROOT_PASSWORD": frozenset({"1", "yes", "true"}),
    "ALLOW_EMPTY_PASSWORD": frozenset({"1", "yes", "true"}),
    "xpack.security.enabled": frozenset({"false"}),
    "DISABLE_SECURITY_PLUGIN": frozenset({"true"}),
    "NEO4J_AUTH": frozenset({"none"}),
}


_PRIVILEGED = DocumentRule(
    id="iac-compose-privileged",
    title="Privileged service",
    severity=Severity.MEDIUM,
    remedy="Remove `privileged: true` and add the device or capability that is needed.",
    cwe=("CWE-250",),
    references=(
        _DOCKER,
        "https://docs.docker.com/engine/containers/run/#runtime-privilege-and-linux-capabilities",
    ),
)


@check(_PRIVILEGED)
def privileged(documents: Documents) -> Iterator[Finding]:
    """A service runs privileged: breaking into it gives the host."""
    for service in services(documents):
        value = service.spec["privileged"]
        if value.is_true:
            yield _PRIVILEGED.broken(
                service.file,
                value.line,
                f"Service {service.name} is privileged, so breaking into it gives the whole host",
            )


_SOCKET = DocumentRule(
    id="iac-compose-docker-socket",
    title="Service reaches the container runtime's socket",
    severity=Severity.MEDIUM,
    remedy="Put a socket proxy between that allows the calls it needs, or do without.",
    cwe=("CWE-250",),
    references=("https://docs.docker.com/engine/security/#docker-daemon-attack-surface",),
)


@check(_SOCKET)
def docker_socket(documents: Documents) -> Iterator[Finding]:
    """A service mounts the Docker socket, which gives it root on the host.

    ``:ro`` does not help: commands go through the socket all the same.
    """
    for service in services(documents):
        for source, line in mounts(service.spec):
            if _SOCKETS.search(source):
                yield _SOCKET.broken(
                    service.file,
                    line,
                    f"Service {service.name} mounts {source}, so whoever controls it has root on "
                    "the host",
                )


_HOST_FILES = DocumentRule(
    id="iac-compose-host-files",
    title="Service mounts the host's system files",
    severity=Severity.MEDIUM,
    milder={**ELSEWHERE, Severity.LOW: "where it is mounted read-only, as monitoring agents do"},
    remedy="Mount only the file that is needed, read-only.",
    cwe=("CWE-668",),
    references=("https://docs.docker.com/reference/compose-file/services/#volumes",),
)


@check(_HOST_FILES)
def host_files(documents: Documents) -> Iterator[Finding]:
    """A service mounts the host's root, ``/etc``, ``/root`` or Docker's state as a whole."""
    for service in services(documents):
        for mount in service.spec["volumes"].items:
            source = mount["source"].text or mount.text.partition(":")[0]
            if (source.rstrip("/") or source) in _SENSITIVE_PATHS:
                options = mount.text.rpartition(":")[2].split(",")
                read_only = mount["read_only"].is_true or "ro" in options
                yield _HOST_FILES.broken(
                    service.file,
                    mount.line,
                    f"Service {service.name} mounts {source} of the host",
                    Severity.LOW if read_only else Severity.MEDIUM,
                )


_HOST_NETWORK = DocumentRule(
    id="iac-compose-host-namespace",
    title="Service shares the host's namespaces",
    severity=Severity.MEDIUM,
    milder={**ELSEWHERE, Severity.LOW: "for the network alone"},
    remedy="Publish single ports instead.",
    cwe=("CWE-653",),
    references=("https://docs.docker.com/reference/compose-file/services/#network_mode",),
)


@check(_HOST_NETWORK)
def host_namespace(documents: Documents) -> Iterator[Finding]:
    """A service shares the host's network, processes or memory.

    It reaches what listens on localhost only, or sees and signals every process.
    """
    for service in services(documents):
        keys = [key for key in ("pid", "ipc", "network_mode") if service.spec[key].text == "host"]
        if keys:
            yield _HOST_NETWORK.broken(
                service.file,
                service.spec[keys[0]].line,
                f"Service {service.name} shares the host's {listed(keys)}, so it is not kept apart "
                "from the host",
                Severity.LOW if keys == ["network_mode"] else Severity.MEDIUM,
            )


_CAPABILITIES = DocumentRule(
    id="iac-compose-capabilities",
    title="Service has dangerous capabilities",
    severity=Severity.MEDIUM,
    milder={
        **ELSEWHERE,
        Severity.LOW: "for other capabilities than `ALL`, `SYS_ADMIN` and `SYS_MODULE`",
    },
    remedy="Add only capabilities that the program fails without.",
    cwe=("CWE-250",),
    references=("https://docs.docker.com/reference/compose-file/services/#cap_add",),
)


@check(_CAPABILITIES)
def capabilities(documents: Documents) -> Iterator[Finding]:
    """A service adds capabilities that lead to the host."""
    for service in services(documents):
        added = service.spec["cap_add"]
        names = {item.text.upper().removeprefix("CAP_") for item in added.each}
        bad = sorted(names & {"ALL", "SYS_ADMIN", "SYS_MODULE", "SYS_PTRACE", "SYS_RAWIO"})
        if bad:
            severe = bool({"ALL", "SYS_ADMIN", "SYS_MODULE"} & set(bad))
            yield _CAPABILITIES.broken(
                service.file,
                added.line,
                f"Service {service.name} adds {', '.join(bad)}, which lets it act on the host",
                Severity.MEDIUM if severe else Severity.LOW,
            )


_UNCONFINED = DocumentRule(
    id="iac-compose-unconfined",
    title="Service runs unconfined",
    severity=Severity.LOW,
    remedy="Remove the option, or give a profile that allows the calls it needs.",
    cwe=("CWE-693",),
    references=("https://docs.docker.com/engine/security/seccomp/",),
)


@check(_UNCONFINED)
def unconfined(documents: Documents) -> Iterator[Finding]:
    """A service turns the system call filter or AppArmor off."""
    for service in services(documents):
        for option in service.spec["security_opt"].items:
            if option.text.replace("=", ":").endswith(":unconfined"):
                yield _UNCONFINED.broken(
                    service.file,
                    option.line,
                    f"Service {service.name} sets {option.text}, which leaves more of the kernel "
                    "within an intruder's reach",
                )


_OPEN_DATA = DocumentRule(
    id="iac-compose-open-database",
    title="Database port open on all interfaces",
    severity=Severity.LOW,
    milder=NEVER,
    remedy='Publish it on localhost alone, `"127.0.0.1:5432:5432"`, or not at all.',
    cwe=("CWE-668",),
    references=("https://docs.docker.com/engine/network/port-publishing/",),
)


@check(_OPEN_DATA)
def open_database(documents: Documents) -> Iterator[Finding]:
    """A database's port is published on every address of the host, past its firewall.

    Docker's rules go before those of most host firewalls. Other services of the file reach
    the database without publishing.
    """
    for service in services(documents):
        open_ports = [
            port
            for port in ports_of(service.spec)
            if port.everywhere and port.container in _DATA_PORTS
        ]
        if open_ports and _OPEN_DATA.concerns(service.file):
            names = listed(sorted({_DATA_PORTS[port.container] for port in open_ports}))
            yield _OPEN_DATA.broken(
                service.file,
                open_ports[0].line,
                f"Service {service.name} publishes {names} on all addresses of the host, past most "
                "host firewalls",
            )


_OPEN_DOCKER = DocumentRule(
    id="iac-compose-open-docker-api",
    title="Docker API open without login",
    severity=Severity.HIGH,
    remedy="Do not publish port 2375; use TLS on 2376 or an SSH context.",
    cwe=("CWE-306",),
    references=("https://docs.docker.com/engine/security/protect-access/",),
)


@check(_OPEN_DOCKER)
def open_docker_api(documents: Documents) -> Iterator[Finding]:
    """The Docker API is published without TLS: whoever reaches the port has root on the host."""
    for service in services(documents):
        for port in ports_of(service.spec):
            if port.everywhere and port.container == _DOCKER_PORT:
                yield _OPEN_DOCKER.broken(
                    service.file,
                    port.line,
                    f"Service {service.name} publishes the unprotected Docker API on all addresses",
                )


_NO_LOGIN = DocumentRule(
    id="iac-compose-login-disabled",
    title="Database published with its login turned off",
    severity=Severity.MEDIUM,
    remedy="Set a password through a secret, or stop publishing the port.",
    cwe=("CWE-306",),
    references=("https://docs.docker.com/reference/compose-file/services/#ports",),
)


@check(_NO_LOGIN)
def login_disabled(documents: Documents) -> Iterator[Finding]:
    """A service turns its login off and is reachable on all addresses of the host."""
    for service in services(documents):
        if not any(port.everywhere for port in ports_of(service.spec)):
            continue
        for name, value, line in environment_of(service.spec["environment"]):
            if value.lower() in _LOGIN_OFF.get(name, ()):
                yield _NO_LOGIN.broken(
                    service.file,
                    line,
                    f"Service {service.name} sets {name}={value} and publishes its port: anyone on "
                    "the network may log in",
                )


_FLOATING = DocumentRule(
    id="iac-compose-floating-image",
    title="Image without a fixed version",
    severity=Severity.LOW,
    milder=NEVER,
    remedy="Name a version, or better a digest.",
    cwe=("CWE-1357",),
    references=("https://docs.docker.com/reference/compose-file/services/#image",),
)


@check(_FLOATING)
def floating_image(documents: Documents) -> Iterator[Finding]:
    """Services run images without a tag, or with ``latest``: each pull may bring something else.

    One finding a file; images that the file itself builds are left alone.
    """
    for file, root in documents.of(DocumentKind.COMPOSE):
        services = [spec for _, spec in root["services"].entries]
        built = {spec["image"].text for spec in services if spec["build"].present}
        images = [spec["image"] for spec in services if spec["image"].text not in built]
        floating = [image for image in images if is_floating_image(image.text)]
        if floating and _FLOATING.concerns(file):
            names = listed(sorted({image.text for image in floating}))
            yield _FLOATING.broken(
                file, floating[0].line, f"The content of {names} can change with any pull"
            )
