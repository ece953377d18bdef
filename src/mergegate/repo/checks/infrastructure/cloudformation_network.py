"""What CloudFormation templates open to the internet."""

from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule, listed
from mergegate.repo.checks.infrastructure.cloudformation import (
    Resource,
    is_off,
    open_services,
    resources,
)
from mergegate.repo.facts.documents import Documents, Node

_WORLD = frozenset({"0.0.0.0/0", "::/0"})
_ALL_PORTS = (0, 65535)
_OLD_TLS = (
    "ELBSecurityPolicy-2015-05", "ELBSecurityPolicy-2016-08", "ELBSecurityPolicy-TLS-1-0-2015-04",
    "ELBSecurityPolicy-TLS-1-1-2017-01", "ELBSecurityPolicy-FS-2018-06",
)  # fmt: skip
_OLD_CLOUDFRONT = frozenset({"SSLv3", "TLSv1", "TLSv1_2016", "TLSv1.1_2016"})


@check("iac-cloudformation-open-security-group", Severity.HIGH, "CWE-284")
def open_security_group(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A security group lets the whole internet reach SSH, RDP, a database or every port.

    Such ports are scanned within minutes.

    Title: Administration or database port open to the internet

    Remedy: Limit CidrIp to known addresses or another security group; use Session Manager for
    shells.

    Reference: https://docs.aws.amazon.com/vpc/latest/userguide/security-group-rules.html
    """
    for resource, ingress in _ingresses(documents):
        low, high = _port_range(ingress)
        open_to = [ingress[key] for key in ("CidrIp", "CidrIpv6") if ingress[key].text in _WORLD]
        names = open_services(low, high)
        if open_to and names:
            wide = (low, high) == _ALL_PORTS
            what = "every port" if wide else f"{listed(names)} ({_shown(low, high)})"
            wrong = f"{resource.name} lets {open_to[0].text} reach {what}"
            yield resource.told(rule, open_to[0], wrong)


def _ingresses(documents: Documents) -> Iterator[tuple[Resource, Node]]:
    for group in resources(documents, "AWS::EC2::SecurityGroup"):
        for ingress in group.properties["SecurityGroupIngress"].each:
            yield group, ingress
    for single in resources(documents, "AWS::EC2::SecurityGroupIngress"):
        yield single, single.properties


def _port_range(ingress: Node) -> tuple[int, int]:
    """First and last port; an empty range where they are not known or not TCP or UDP."""
    protocol = ingress["IpProtocol"].text.lower()
    if protocol == "-1":
        return _ALL_PORTS
    low, high = ingress["FromPort"].text, ingress["ToPort"].text
    if protocol not in {"tcp", "udp", "6", "17"} or not (low.isdecimal() and high.isdecimal()):
        return (1, 0)
    return int(low[:6]), int(high[:6])


def _shown(low: int, high: int) -> str:
    return f"port {low}" if low == high else f"ports {low} to {high}"


@check("iac-cloudformation-weak-transport", Severity.LOW, "CWE-319")
def weak_transport(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A balancer or distribution serves plain HTTP, or accepts TLS older than 1.2.

    Listeners that redirect are left alone.

    Title: Unencrypted or outdated transport

    Remedy: Serve HTTPS with TLS 1.2 or newer and redirect HTTP to it.

    Reference: https://docs.aws.amazon.com/elasticloadbalancing/latest/application/create-https-listener.html
    Reference: https://docs.aws.amazon.com/elasticloadbalancing/latest/application/describe-ssl-policies.html
    """
    for listener in resources(documents, "AWS::ElasticLoadBalancingV2::Listener"):
        yield from _listener(rule, listener)
    for distribution in resources(documents, "AWS::CloudFront::Distribution"):
        config = distribution.properties["DistributionConfig"]
        policy = config.at("DefaultCacheBehavior", "ViewerProtocolPolicy")
        version = config.at("ViewerCertificate", "MinimumProtocolVersion")
        if policy.text == "allow-all":
            wrong = f"{distribution.name} answers over plain HTTP"
            yield distribution.told(rule, policy, wrong)
        if version.text in _OLD_CLOUDFRONT:
            wrong = f"{distribution.name} accepts {version.text}, which is outdated"
            yield distribution.told(rule, version, wrong)


def _listener(rule: DocumentRule, listener: Resource) -> Iterator[Finding]:
    protocol = listener.properties["Protocol"]
    redirects = any(
        action["Type"].text in {"redirect", "fixed-response"}
        for action in listener.properties["DefaultActions"].each
    )
    policy = listener.properties["SslPolicy"]
    if protocol.text == "HTTP" and not redirects:
        wrong = f"{listener.name} forwards plain HTTP"
        yield listener.told(rule, protocol, wrong)
    if policy.text in _OLD_TLS:
        wrong = f"{listener.name} accepts TLS 1.0 and 1.1 ({policy.text})"
        yield listener.told(rule, policy, wrong)


@check("iac-cloudformation-eks-public-endpoint", Severity.LOW, "CWE-668")
def eks_public_endpoint(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A cluster's API answers the whole internet, which is the default.

    It still asks for a login.

    Title: Kubernetes API open to the internet

    Remedy: Set PublicAccessCidrs, or EndpointPublicAccess to false.

    Reference: https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html
    """
    for cluster in resources(documents, "AWS::EKS::Cluster"):
        network = cluster.properties["ResourcesVpcConfig"]
        cidrs = network["PublicAccessCidrs"]
        public = not network["EndpointPublicAccess"].is_false
        listed_open = any(item.text in _WORLD for item in cidrs.each) or is_off(cidrs)
        if public and listed_open and network["EndpointPublicAccess"].tag == "":
            yield cluster.told(rule, network, f"The API of {cluster.name} answers anyone")
