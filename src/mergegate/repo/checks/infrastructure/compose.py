"""What Compose files open to their host and their neighbours."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.core.finding import Finding
from mergegate.core.severity import Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule, floating_images, listed
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, Node


@dataclass(frozen=True, slots=True)
class Service:
    """One service of one file."""

    file: DocumentFile
    name: str
    spec: Node

    def told(
        self, rule: DocumentRule, line: int, does: str, severity: Severity | None = None
    ) -> Finding:
        """A finding at ``line``; ``does`` is what the service does, without a full stop."""
        return rule.broken(self.file, line, f"Service {self.name} {does}", severity)


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


@check("iac-compose-privileged", Severity.HIGH, "CWE-250")
def privileged(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A service runs privileged: breaking into it gives the host.

    Title: Privileged service

    Remedy: Remove `privileged: true` and add the device or capability that is needed.

    Reference: https://docs.docker.com/engine/security/
    Reference: https://docs.docker.com/engine/containers/run/#runtime-privilege-and-linux-capabilities
    """
    for service in services(documents):
        value = service.spec["privileged"]
        if value.is_true:
            yield service.told(
                rule, value.line, "is privileged, so breaking into it gives the whole host"
            )


@check("iac-compose-docker-socket", Severity.MEDIUM, "CWE-250")
def docker_socket(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A service mounts the Docker socket, which gives it root on the host.

    ``:ro`` does not help: commands go through the socket all the same.

    Title: Service reaches the container runtime's socket

    Remedy: Put a socket proxy between that allows the calls it needs, or do without.

    Reference: https://docs.docker.com/engine/security/#docker-daemon-attack-surface
    """
    for service in services(documents):
        for source, line in mounts(service.spec):
            if _SOCKETS.search(source):
                yield service.told(
                    rule, line, f"mounts {source}, so whoever controls it has root on the host"
                )


@check("iac-compose-host-files", Severity.MEDIUM, "CWE-668")
def host_files(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A service mounts the host's root, ``/etc``, ``/root`` or Docker's state as a whole.

    Title: Service mounts the host's system files

    Low: where it is mounted read-only, as monitoring agents do

    Remedy: Mount only the file that is needed, read-only.

    Reference: https://docs.docker.com/reference/compose-file/services/#volumes
    """
    for service in services(documents):
        for mount in service.spec["volumes"].items:
            source = mount["source"].text or mount.text.partition(":")[0]
            if (source.rstrip("/") or source) in _SENSITIVE_PATHS:
                options = mount.text.rpartition(":")[2].split(",")
                read_only = mount["read_only"].is_true or "ro" in options
                wrong = f"mounts {source} of the host"
                severity = Severity.LOW if read_only else Severity.MEDIUM
                yield service.told(rule, mount.line, wrong, severity)


@check("iac-compose-host-namespace", Severity.MEDIUM, "CWE-653")
def host_namespace(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A service shares the host's network, processes or memory.

    It reaches what listens on localhost only, or sees and signals every process.

    Title: Service shares the host's namespaces

    Low: for the network alone

    Remedy: Publish single ports instead.

    Reference: https://docs.docker.com/reference/compose-file/services/#network_mode
    """
    for service in services(documents):
        keys = [key for key in ("pid", "ipc", "network_mode") if service.spec[key].text == "host"]
        if keys:
            wrong = f"shares the host's {listed(keys)}, so it is not kept apart from the host"
            severity = Severity.LOW if keys == ["network_mode"] else Severity.MEDIUM
            yield service.told(rule, service.spec[keys[0]].line, wrong, severity)


@check("iac-compose-capabilities", Severity.MEDIUM, "CWE-250")
def capabilities(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A service adds capabilities that lead to the host.

    Title: Service has dangerous capabilities

    Low: for other capabilities than `ALL`, `SYS_ADMIN` and `SYS_MODULE`

    Remedy: Add only capabilities that the program fails without.

    Reference: https://docs.docker.com/reference/compose-file/services/#cap_add
    """
    for service in services(documents):
        added = service.spec["cap_add"]
        names = {item.text.upper().removeprefix("CAP_") for item in added.each}
        bad = sorted(names & {"ALL", "SYS_ADMIN", "SYS_MODULE", "SYS_PTRACE", "SYS_RAWIO"})
        if bad:
            severe = {"ALL", "SYS_ADMIN", "SYS_MODULE"} & {*bad}
            wrong = f"adds {', '.join(bad)}, which lets it act on the host"
            severity = Severity.MEDIUM if severe else Severity.LOW
            yield service.told(rule, added.line, wrong, severity)


@check("iac-compose-unconfined", Severity.LOW, "CWE-693")
def unconfined(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A service turns the system call filter or AppArmor off.

    Title: Service runs unconfined

    Remedy: Remove the option, or give a profile that allows the calls it needs.

    Reference: https://docs.docker.com/engine/security/seccomp/
    """
    for service in services(documents):
        for option in service.spec["security_opt"].items:
            if option.text.replace("=", ":").endswith(":unconfined"):
                wrong = (
                    f"sets {option.text}, which leaves more of the kernel "
                    "within an intruder's reach"
                )
                yield service.told(rule, option.line, wrong)


@check("iac-compose-open-database", Severity.LOW, "CWE-668", production_only=True)
def open_database(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A database's port is published on every address of the host, past its firewall.

    Docker's rules go before those of most host firewalls. Other services of the file reach
    the database without publishing. Where its login is turned off as well, that is told instead.

    Title: Database port open on all interfaces

    Remedy: Publish it on localhost alone, `"127.0.0.1:5432:5432"`, or not at all.

    Reference: https://docs.docker.com/engine/network/port-publishing/
    """
    for service in services(documents):
        exposed = [one for one in ports_of(service.spec) if one.everywhere]
        known = [one for one in exposed if one.container in _DATA_PORTS]
        if known and rule.concerns(service.file) and not any(_logins_off(service.spec)):
            names = listed(sorted({_DATA_PORTS[port.container] for port in known}))
            wrong = f"publishes {names} on all addresses of the host, past most host firewalls"
            yield service.told(rule, known[0].line, wrong)


@check("iac-compose-open-docker-api", Severity.HIGH, "CWE-306")
def open_docker_api(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """The Docker API is published without TLS: whoever reaches the port has root on the host.

    Title: Docker API open without login

    Remedy: Do not publish port 2375; use TLS on 2376 or an SSH context.

    Reference: https://docs.docker.com/engine/security/protect-access/
    """
    for service in services(documents):
        for port in ports_of(service.spec):
            if port.everywhere and port.container == _DOCKER_PORT:
                yield service.told(
                    rule, port.line, "publishes the unprotected Docker API on all addresses"
                )


@check("iac-compose-login-disabled", Severity.MEDIUM, "CWE-306")
def login_disabled(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A service turns its login off and is reachable on all addresses of the host.

    Title: Database published with its login turned off

    Remedy: Set a password through a secret, or stop publishing the port.

    Reference: https://docs.docker.com/reference/compose-file/services/#ports
    """
    for service in services(documents):
        if not any(port.everywhere for port in ports_of(service.spec)):
            continue
        for name, value, line in _logins_off(service.spec):
            wrong = f"sets {name}={value} and publishes its port: anyone on the network may log in"
            yield service.told(rule, line, wrong)


def _logins_off(spec: Node) -> Iterator[tuple[str, str, int]]:
    """Each setting that turns a login off: name, value, line."""
    for name, value, line in environment_of(spec["environment"]):
        if value.lower() in _LOGIN_OFF.get(name, ()):
            yield name, value, line


@check("iac-compose-floating-image", Severity.INFO, "CWE-1357", production_only=True)
def floating_image(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """Services run images without a tag, or with ``latest``: each pull may bring something else.

    One finding a file; images that the file itself builds are left alone. It is for information:
    whoever can move `latest` can move a version too, and only a digest keeps to one content.

    Title: Image without a fixed version

    Remedy: Name a version, or better a digest.

    Reference: https://docs.docker.com/reference/compose-file/services/#image
    """
    for file, root in documents.of(DocumentKind.COMPOSE):
        services = [spec for _, spec in root["services"].entries]
        built = {spec["image"].text for spec in services if spec["build"].present}
        images = [spec["image"] for spec in services if spec["image"].text not in built]
        names, line = floating_images(images)
        if names and rule.concerns(file):
            yield rule.broken(file, line, f"The content of {names} can change with any pull")
