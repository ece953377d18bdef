"""Recipes for Kubernetes, Compose, CloudFormation and GitLab that are more than a key to set."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import wraps

from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.mappings import Manifest, Spot, manifest_of, nested
from mergegate.repo.fixes.recipe import Found

_Make = Callable[[Manifest, Found], Iterator[Splice]]


def _carried_out(make: _Make) -> Callable[[Found], Sequence[Splice]]:
    """A recipe that changes nothing where it does not know what stands there."""

    @wraps(make)
    def steps(found: Found) -> Sequence[Splice]:
        try:
            return tuple(make(manifest_of(found.text), found))
        except UncertainError:
            return ()

    return steps


def _entry(manifest: Manifest, found: Found) -> Spot:
    """The innermost key or item that begins on the line that was found."""
    here = manifest.on_line(found.place.start_line)
    if not here:
        raise UncertainError
    entry = here[0]
    if any(entry not in one.above for one in here):
        raise UncertainError  # several beside one another
    return next((one for one in here if not one.is_map), entry)


def _without_items(manifest: Manifest, items: Sequence[Spot]) -> Iterator[Splice]:
    """A list without some of its items; without the list where none is left."""
    parent = items[0].parent if items else None
    if parent is None:
        raise UncertainError
    if len(items) == len(parent.children):
        yield manifest.without(parent)
    elif parent.is_flow and len(items) > 1:
        raise UncertainError  # the commas between them
    else:
        for one in items:
            yield manifest.without(one)


_CONTAINER = r"(?:.*\.)?(?:containers|initContainers|ephemeralContainers)\.\d+"
_SERVICE = r"services\.[^.]+"
_BUILT_FOR_THE_HOST = re.compile(
    r"(?i)dind|buildkit|kaniko|k3s|rancher|kindest|systemd|wireguard|openvpn|tailscale|cadvisor|netdata"
    r"|node-exporter|falco|sysdig|datadog|csi|cni|calico|cilium|flannel|weave|kube-proxy|fluent"
)
"""Images whose programs work on their host: without its rights they do nothing."""


_SHARED = ("hostPID", "hostIPC", "hostNetwork")


def _works_on_node(container: Spot) -> bool:
    """Whether a container shows that it needs its node, beside the right that was found."""
    pod = container.parent.parent if container.parent is not None else None
    return (
        pod is None
        or any(pod.says(key).lower() == "true" for key in _SHARED)
        or _serves_node(pod, container)
    )


def _serves_node(pod: Spot, container: Spot) -> bool:
    """Whether it runs on each node, is part of the cluster, or works on files of its node."""
    volumes = pod.child("volumes")
    of_node = {
        one.says("name")
        for one in (volumes.items if volumes is not None else ())
        if one.child("hostPath") is not None
    }
    mounts = container.child("volumeMounts")
    mounted = mounts.items if mounts is not None else ()
    return (
        any(one.says("kind") == "DaemonSet" for one in pod.above)
        or any(one.says("metadata", "namespace").startswith("kube-") for one in pod.above)
        or container.child("volumeDevices") is not None
        or any(one.says("name") in of_node or one.says("mountPropagation") for one in mounted)
        or _BUILT_FOR_THE_HOST.search(container.says("image")) is not None
    )


def _works_on_host(service: Spot) -> bool:
    """Whether a service of Compose shows that it needs its host, beside what was found."""
    mounts = service.child("volumes")
    sources = [
        one.says("source") or one.text for one in (mounts.items if mounts is not None else ())
    ]
    return (
        service.child("devices") is not None
        or any(service.says(key) == "host" for key in ("pid", "ipc", "network_mode"))
        or any(one.startswith(("/dev", "/sys", "/proc", "/lib/modules", "/:")) for one in sources)
        or any(".sock" in one for one in sources)
        or _BUILT_FOR_THE_HOST.search(service.says("image")) is not None
    )


_TO_THE_NODE = frozenset(
    {
        *("ALL", "SYS_ADMIN", "SYS_MODULE", "SYS_PTRACE", "SYS_RAWIO", "SYS_BOOT", "BPF"),
        *("DAC_READ_SEARCH", "NET_ADMIN"),
    }
)


@_carried_out
def safe_capabilities(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """The list of added capabilities without those that lead to the host."""
    added = _entry(manifest, found)
    added = added if added.is_list else added.parent or added
    for around in added.above:
        if re.fullmatch(_CONTAINER, ".".join(around.path)) and _works_on_node(around):
            raise UncertainError
        if re.fullmatch(_SERVICE, ".".join(around.path)) and _works_on_host(around):
            raise UncertainError
    bad = [one for one in added.items if one.text.upper().removeprefix("CAP_") in _TO_THE_NODE]
    yield from _without_items(manifest, bad)


@_carried_out
def unprivileged(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """A container without the rights of its node, and without a way to gain them."""
    container = manifest.meant(found.place.start_line, _CONTAINER)
    if _works_on_node(container):
        raise UncertainError
    yield from manifest.put(container, nested({"securityContext.privileged": "false"}))
    gains = container.at("securityContext", "allowPrivilegeEscalation")
    if gains is not None and gains.text.lower() == "true":
        yield from manifest.changed(gains, "false")


@_carried_out
def own_namespaces(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """A pod with network, processes and memory of its own, and with no port of its node."""
    pod = _entry(manifest, found).parent
    if pod is None or pod.shared:
        raise UncertainError
    listed = [one for key in ("containers", "initContainers") if (one := pod.child(key))]
    containers = [one for each in listed for one in each.items]
    if any(_serves_node(pod, one) or _is_privileged(one) for one in containers):
        raise UncertainError
    for key in _SHARED:
        if (shared := pod.child(key)) is not None:
            yield manifest.without(shared)
    if pod.child("hostNetwork") is not None:
        for container in containers:
            yield from _without_host_ports(manifest, container)


def _is_privileged(container: Spot) -> bool:
    return container.says("securityContext", "privileged").lower() == "true"


@_carried_out
def no_host_ports(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """A container's ports without those of its node."""
    container = manifest.meant(found.place.start_line, _CONTAINER)
    if any(one.says("kind") == "DaemonSet" for one in container.above):
        raise UncertainError  # it is reached on each node
    yield from _without_host_ports(manifest, container)


def _without_host_ports(manifest: Manifest, container: Spot) -> Iterator[Splice]:
    ports = container.child("ports")
    for port in ports.items if ports is not None else ():
        taken = port.child("hostPort")
        if taken is not None and port.child("containerPort") is not None:
            yield manifest.without(taken)


_ANYONE = frozenset({"system:anonymous", "system:unauthenticated"})


@_carried_out
def known_subjects(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """A binding without those who have not logged in; it may be left with nobody."""
    subjects = next((one for one in _entry(manifest, found).above if one.is_list), None)
    if subjects is None or subjects.name != "subjects":
        raise UncertainError
    open_to = [one for one in subjects.items if one.says("name") in _ANYONE]
    if len(open_to) < len(subjects.items):
        yield from _without_items(manifest, open_to)
    elif subjects.key is not None and not subjects.shared and not subjects.is_flow:
        start, end = int(subjects.key.end_mark.index), manifest.end(subjects)
        yield manifest.splice(start, end, ": []")
    else:
        raise UncertainError


@_carried_out
def plain_verbs(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """A role's verbs without those with which it makes itself more powerful."""
    verbs = _entry(manifest, found)
    verbs = verbs if verbs.is_list else verbs.parent or verbs
    bad = [one for one in verbs.items if one.text in {"bind", "escalate", "impersonate"}]
    if len(bad) == len(verbs.items):
        raise UncertainError
    yield from _without_items(manifest, bad)


@_carried_out
def without_entry(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """Without the key or item that was found."""
    yield manifest.without(_entry(manifest, found))


@_carried_out
def unprivileged_service(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """A service without the rights of its host, where nothing else shows that it needs them."""
    service = manifest.meant(found.place.start_line, _SERVICE)
    privileged = service.child("privileged")
    if privileged is None or _works_on_host(service):
        raise UncertainError
    yield manifest.without(privileged)


@_carried_out
def own_processes(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """A service with processes and memory of its own; what shares the network needs its ports."""
    service = manifest.meant(found.place.start_line, _SERVICE)
    if service.says("network_mode") == "host":
        raise UncertainError
    for key in ("pid", "ipc"):
        shared = service.child(key)
        if shared is not None and shared.text == "host":
            yield manifest.without(shared)


_DATA_PORTS = frozenset(
    "1433 1521 2379 3306 5432 5984 6379 8086 9042 9200 11211 27017".split()  # noqa: SIM905
)


@_carried_out
def local_databases(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """A service's database ports published on the host itself alone."""
    yield from _published_locally(manifest, found, _DATA_PORTS)


@_carried_out
def local_ports(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """All ports of a service published on the host itself alone."""
    yield from _published_locally(manifest, found, frozenset())


def _published_locally(manifest: Manifest, found: Found, known: frozenset[str]) -> Iterator[Splice]:
    for port in _ports(manifest, found):
        if port.is_map:
            if port.child("published") and (not known or port.says("target") in known):
                yield from manifest.put(port, {"host_ip": "127.0.0.1"})
            continue
        address, published, container = _parts(port.text)
        if published and (not known or container in known) and address != "127.0.0.1":
            rest = port.text.removeprefix(f"{address}:")
            yield from manifest.changed(port, f"127.0.0.1:{rest}")


def _ports(manifest: Manifest, found: Found) -> Sequence[Spot]:
    service = manifest.meant(found.place.start_line, _SERVICE)
    ports = service.child("ports")
    return ports.items if ports is not None else ()


_PORT = re.compile(
    r"(?:(?P<address>\d+\.\d+\.\d+\.\d+):)?(?:(?P<host>[\d-]+|\$\{[^{}]*\}|\$\w+):)?"
    r"(?P<container>\d+)(?:/\w+)?"
)


def _parts(text: str) -> tuple[str, bool, str]:
    """Address, whether it is published on a port that is named, and the container's port."""
    port = _PORT.fullmatch(text)
    if port is None:
        raise UncertainError
    return port["address"] or "", port["host"] is not None, port["container"]


@_carried_out
def no_docker_port(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """A service without the port of the unprotected Docker API."""
    docker = [
        one
        for one in _ports(manifest, found)
        if (one.says("target") if one.is_map else _parts(one.text)[2]) == "2375"
    ]
    yield from _without_items(manifest, docker)


_RESOURCE = r"Resources\.[^.]+"
_STORED = {
    "AWS::RDS::DBInstance": "StorageEncrypted",
    "AWS::RDS::DBCluster": "StorageEncrypted",
    "AWS::DocDB::DBCluster": "StorageEncrypted",
    "AWS::Neptune::DBCluster": "StorageEncrypted",
    "AWS::Redshift::Cluster": "Encrypted",
    "AWS::EFS::FileSystem": "Encrypted",
    "AWS::EC2::Volume": "Encrypted",
    "AWS::Elasticsearch::Domain": "EncryptionAtRestOptions.Enabled",
    "AWS::OpenSearchService::Domain": "EncryptionAtRestOptions.Enabled",
}


_NEVER_ENCRYPTED = re.compile(r"db\.(?:t2\.micro|m1\..*|m2\..*)")
"""Classes of instances that cannot encrypt what they store."""


def _resource(manifest: Manifest, found: Found) -> Spot:
    return manifest.meant(found.place.start_line, _RESOURCE)


@_carried_out
def encrypted(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """A resource whose data are stored encrypted, by the property of its type."""
    resource = _resource(manifest, found)
    kind = resource.says("Type")
    if _NEVER_ENCRYPTED.fullmatch(resource.says("Properties", "DBInstanceClass")):
        raise UncertainError
    if kind in _STORED:
        yield from manifest.put(resource, nested({f"Properties.{_STORED[kind]}": "true"}))
    elif kind == "AWS::ElastiCache::ReplicationGroup":
        both = ("AtRestEncryptionEnabled", "TransitEncryptionEnabled")
        yield from manifest.put(resource, nested({f"Properties.{key}": "true" for key in both}))
    else:
        for one in resource.walk():
            if one.path[-2:] == ("Ebs", "Encrypted") and one.text.lower() == "false":
                yield from manifest.changed(one, "true")


@_carried_out
def private_bucket(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """A bucket that is no website is its owner's."""
    resource = _resource(manifest, found)
    if resource.at("Properties", "WebsiteConfiguration") is not None:
        raise UncertainError
    yield from manifest.put(resource, nested({"Properties.AccessControl": "Private"}))


_WORLD = frozenset({"0.0.0.0/0", "::/0"})
_PORTS = _DATA_PORTS | {"22", "23", "135", "445", "2375", "3389", "5439", "5900", "5985", "10250"}


@_carried_out
def private_ingress(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """One port of administration or of a database is left to the network of the template."""
    ingress = _entry(manifest, found).parent
    if ingress is None or not ingress.says("FromPort") == ingress.says("ToPort"):
        raise UncertainError
    if ingress.says("FromPort") not in _PORTS or ingress.child("CidrIp") is None:
        raise UncertainError
    networks = [
        one.name
        for one in ingress.above
        if one.path[:1] == ("Resources",) and len(one.path) == 1
        for one in one.children
        if one.says("Type") == "AWS::EC2::VPC"
    ]
    if len(networks) != 1:
        raise UncertainError
    value = ingress.child("CidrIp")
    if value is None or value.text not in _WORLD or value.shared:
        raise UncertainError
    start, end = int(value.value.start_mark.index), int(value.value.end_mark.index)
    in_json = f'{{"Fn::GetAtt": ["{networks[0]}", "CidrBlock"]}}'
    block = in_json if found.language == "json" else f"!GetAtt {networks[0]}.CidrBlock"
    yield manifest.splice(start, end, block)


@_carried_out
def private_cluster(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """A cluster's API answers known addresses, or its network where none is listed."""
    resource = _resource(manifest, found)
    network = resource.at("Properties", "ResourcesVpcConfig")
    cidrs = network.child("PublicAccessCidrs") if network is not None else None
    if cidrs is not None and any(one.text not in _WORLD for one in cidrs.items):
        yield from _without_items(manifest, [one for one in cidrs.items if one.text in _WORLD])
        return
    if cidrs is not None:
        yield manifest.without(cidrs)
    inside = {"EndpointPublicAccess": "false", "EndpointPrivateAccess": "true"}
    properties = {f"Properties.ResourcesVpcConfig.{key}": on for key, on in inside.items()}
    yield from manifest.put(resource, nested(properties))


@_carried_out
def own_account(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """A policy for everyone becomes one for the account of the stack."""
    principal = _entry(manifest, found)
    while principal.name != "Principal":
        if principal.parent is None:
            raise UncertainError
        principal = principal.parent
    statement = principal.parent
    if statement is None or _only_reads_objects(statement):
        raise UncertainError
    named = principal.child("AWS") if principal.is_map else principal
    if named is None or named.text != "*" or named.shared or named.key is None:
        raise UncertainError
    start, end = int(named.value.start_mark.index), int(named.value.end_mark.index)
    in_json = found.language == "json" or statement.is_flow
    account = _account(named, in_json=in_json)
    if named is principal and "Action" in {one.name for one in statement.children}:
        if in_json:
            account = f'{{"AWS": {account}}}'
        else:
            start = int(named.key.end_mark.index)
            account = f":\n{' ' * (named.key.start_mark.column + 2)}AWS: {account}"
    yield manifest.splice(start, end, account)


def _only_reads_objects(statement: Spot) -> bool:
    """What a website's bucket allows everyone."""
    actions = statement.child("Action")
    said = {one.text.lower() for one in (actions.items or [actions])} if actions else set()
    return bool(said) and said <= {"s3:getobject", "s3:getobjectversion"}


@_carried_out
def known_caller(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """A function that the account of the stack may invoke, and nobody else."""
    principal = _entry(manifest, found)
    if principal.name != "Principal" or principal.text != "*" or principal.shared:
        raise UncertainError
    start, end = int(principal.value.start_mark.index), int(principal.value.end_mark.index)
    yield manifest.splice(start, end, _account(principal, in_json=found.language == "json"))


def _account(spot: Spot, *, in_json: bool) -> str:
    """The number of the stack's account, to stand where ``spot`` does."""
    if in_json:
        return '{"Ref": "AWS::AccountId"}'
    in_brackets = spot.parent is not None and spot.parent.is_flow
    return '!Ref "AWS::AccountId"' if in_brackets else "!Ref AWS::AccountId"


_POLICY = "ELBSecurityPolicy-TLS13-1-2-2021-06"
_MODERN = {
    "ViewerProtocolPolicy": "redirect-to-https",
    "MinimumProtocolVersion": "TLSv1.2_2021",
    "SslPolicy": _POLICY,
}


@_carried_out
def modern_transport(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """TLS 1.2 and newer, where the certificate is one's own and names are indicated."""
    setting = _entry(manifest, found)
    beside = setting.parent
    if beside is None or setting.name not in _MODERN:
        raise UncertainError
    default, method = beside.child("CloudFrontDefaultCertificate"), beside.says("SslSupportMethod")
    if (default is not None and default.text.lower() != "false") or method == "vip":
        raise UncertainError
    yield from manifest.changed(setting, _MODERN[setting.name])


_SECURITY_JOB = re.compile(
    r"(?i)(^|[-_:. /])(sast|dast|secret[-_]?detection|dependency[-_]?scanning"
    r"|container[-_]?scanning|security[-_]?scan|trivy|semgrep|gitleaks|snyk|mergegate)($|[-_:. /])"
)


@_carried_out
def strict_security_job(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """A scanner's job that stops the pipeline; only where it is the one that may fail."""
    lenient = _entry(manifest, found)
    others = [
        job
        for job in (
            lenient.parent.parent.children if lenient.parent and lenient.parent.parent else ()
        )
        if _SECURITY_JOB.search(job.name) and job.says("allow_failure").lower() == "true"
    ]
    if len(others) != 1 or lenient.name != "allow_failure":
        raise UncertainError
    yield manifest.without(lenient)


_TOKEN_ADDRESS = re.compile(r"http(?=://[^\s\"']{0,300}(gitlab-ci-token|\$\{?CI_JOB_TOKEN))")


@_carried_out
def encrypted_token(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """Every address of the job that the token is sent to, by HTTPS."""
    script = _entry(manifest, found)
    job = next((one for one in script.above if len(one.path) == 1), None)
    if job is None or job.shared or any(one.shared for one in job.walk()):
        raise UncertainError
    start, end = job.start, manifest.end(job)
    for address in _TOKEN_ADDRESS.finditer(manifest.text, start, end):
        yield manifest.splice(address.start(), address.end(), "https")


_PRINTS = re.compile(r"(echo|printf) [^;&|<>()`\n]*")


@_carried_out
def unprinted_secret(manifest: Manifest, found: Found) -> Iterator[Splice]:
    """A script without the command that does nothing but print a secret."""
    command = _entry(manifest, found)
    if command.key is not None or not _PRINTS.fullmatch(command.text):
        raise UncertainError
    if command.parent is None or len(command.parent.children) < 2:
        raise UncertainError  # a job needs a script
    yield manifest.without(command)
