"""What CloudFormation templates open to the internet."""

from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.core.finding import Finding
from mergegate.core.severity import Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure.cloudformation_resources import (
    Resource,
    is_off,
    open_services,
    resources,
)
from mergegate.repo.checks.infrastructure.reading import ELSEWHERE, DocumentRule, listed
from mergegate.repo.facts.documents import Documents, Node

_REFERENCE = "https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference"
_WORLD = frozenset({"0.0.0.0/0", "::/0"})
_ALL_PORTS = (0, 65535)
_PUBLIC_ACLS = {"PublicRead": "read", "PublicReadWrite": "read and change"}
_BLOCKS = ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets")
_OLD_TLS = (
    "ELBSecurityPolicy-2015-05", "ELBSecurityPolicy-2016-08", "ELBSecurityPolicy-TLS-1-0-2015-04",
    "ELBSecurityPolicy-TLS-1-1-2017-01", "ELBSecurityPolicy-FS-2018-06",
)  # fmt: skip
_OLD_CLOUDFRONT = frozenset({"SSLv3", "TLSv1", "TLSv1_2016", "TLSv1.1_2016"})

_BUCKET_ACL = DocumentRule(
    id="iac-cloudformation-s3-public-acl",
    title="S3 bucket open to everyone",
    severity=Severity.HIGH,
    milder={
        **ELSEWHERE,
        Severity.MEDIUM: "where everyone may only read a bucket that is configured as a website",
    },
    remedy="Remove AccessControl and serve public files through CloudFront.",
    cwe=("CWE-732",),
    references=(
        "https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html",
        "https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html",
    ),
)


@check(_BUCKET_ACL)
def s3_public_acl(documents: Documents) -> Iterator[Finding]:
    """A bucket's ACL lets everyone read, or even write, its objects."""
    for bucket in resources(documents, "AWS::S3::Bucket"):
        acl = bucket.properties["AccessControl"]
        if acl.text in _PUBLIC_ACLS:
            website = bucket.properties["WebsiteConfiguration"].present and acl.text == "PublicRead"
            yield _BUCKET_ACL.broken(
                bucket.file,
                acl.line,
                f"Everyone may {_PUBLIC_ACLS[acl.text]} the objects of {bucket.name}",
                Severity.MEDIUM if website else Severity.HIGH,
            )


_BUCKET_BLOCK = DocumentRule(
    id="iac-cloudformation-s3-public-access-block",
    title="S3 protection against public access turned off",
    severity=Severity.MEDIUM,
    remedy="Set all four flags of PublicAccessBlockConfiguration to true.",
    cwe=("CWE-732",),
    references=(
        "https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html",
    ),
)


@check(_BUCKET_BLOCK)
def s3_public_access_block(documents: Documents) -> Iterator[Finding]:
    """A bucket turns off flags that keep a wrong ACL or policy from publishing it."""
    for bucket in resources(documents, "AWS::S3::Bucket"):
        block = bucket.properties["PublicAccessBlockConfiguration"]
        off = [flag for flag in _BLOCKS if block[flag].is_false]
        if off:
            yield _BUCKET_BLOCK.broken(
                bucket.file,
                block[off[0]].line,
                f"{bucket.name} turns off {listed(off)}, so one wrong policy can publish it",
            )


_OPEN_GROUP = DocumentRule(
    id="iac-cloudformation-open-security-group",
    title="Administration or database port open to the internet",
    severity=Severity.HIGH,
    remedy="Limit CidrIp to known addresses or another security group; use Session Manager for "
    "shells.",
    cwe=("CWE-284",),
    references=("https://docs.aws.amazon.com/vpc/latest/userguide/security-group-rules.html",),
)


@dataclass(frozen=True, slots=True)
class _Opening:
    resource: Resource
    rule: Node


@check(_OPEN_GROUP)
def open_security_group(documents: Documents) -> Iterator[Finding]:
    """A security group lets the whole internet reach SSH, RDP, a database or every port.

    Such ports are scanned within minutes.
    """
    for opening in _openings(documents):
        rule = opening.rule
        low, high = _port_range(rule)
        names = open_services(low, high)
        if names:
            cidr = rule["CidrIp"] if rule["CidrIp"].text in _WORLD else rule["CidrIpv6"]
            wide = (low, high) == _ALL_PORTS
            what = "every port" if wide else f"{listed(names)} ({_shown(low, high)})"
            yield _OPEN_GROUP.broken(
                opening.resource.file,
                cidr.line,
                f"{opening.resource.name} lets {cidr.text} reach {what}",
            )


def _openings(documents: Documents) -> Iterator[_Opening]:
    for group in resources(documents, "AWS::EC2::SecurityGroup"):
        for rule in group.properties["SecurityGroupIngress"].each:
            if _is_open(rule):
                yield _Opening(group, rule)
    for single in resources(documents, "AWS::EC2::SecurityGroupIngress"):
        if _is_open(single.properties):
            yield _Opening(single, single.properties)


def _is_open(rule: Node) -> bool:
    return rule["CidrIp"].text in _WORLD or rule["CidrIpv6"].text in _WORLD


def _port_range(rule: Node) -> tuple[int, int]:
    """First and last port; an empty range where they are not known or not TCP or UDP."""
    protocol = rule["IpProtocol"].text.lower()
    if protocol == "-1":
        return _ALL_PORTS
    low, high = rule["FromPort"].text, rule["ToPort"].text
    if protocol not in {"tcp", "udp", "6", "17"} or not (low.isdecimal() and high.isdecimal()):
        return (1, 0)
    return int(low[:6]), int(high[:6])


def _shown(low: int, high: int) -> str:
    return f"port {low}" if low == high else f"ports {low} to {high}"


_PUBLIC_DATABASE = DocumentRule(
    id="iac-cloudformation-public-database",
    title="Database with a public address",
    severity=Severity.HIGH,
    remedy="Set PubliclyAccessible to false and reach it from inside the VPC.",
    cwe=("CWE-284",),
    references=(
        f"{_REFERENCE}/aws-resource-rds-dbinstance.html",
        "https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_VPC.WorkingWithRDSInstanceinaVPC.html",
    ),
)


@check(_PUBLIC_DATABASE)
def public_database(documents: Documents) -> Iterator[Finding]:
    """A database or warehouse gets an address on the internet."""
    types = ("AWS::RDS::DBInstance", "AWS::Redshift::Cluster", "AWS::DMS::ReplicationInstance")
    for database in resources(documents, *types):
        public = database.properties["PubliclyAccessible"]
        if public.is_true:
            yield _PUBLIC_DATABASE.broken(
                database.file,
                public.line,
                f"{database.name} has an address on the internet, one password away from everyone",
            )


_FUNCTION_URL = DocumentRule(
    id="iac-cloudformation-lambda-url-open",
    title="Function address without login",
    severity=Severity.MEDIUM,
    remedy="Set AuthType to AWS_IAM, or put an API with an authorizer in front.",
    cwe=("CWE-306",),
    references=("https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html",),
)


@check(_FUNCTION_URL)
def lambda_url_open(documents: Documents) -> Iterator[Finding]:
    """A function's address answers anyone (``AuthType: NONE``).

    Right for a webhook that checks signatures itself, a hole for all else.
    """
    for function in resources(documents, "AWS::Lambda::Url", "AWS::Serverless::Function"):
        config = function.properties
        if function.node["Type"].text == "AWS::Serverless::Function":
            config = config["FunctionUrlConfig"]
        if config["AuthType"].text == "NONE":
            yield _FUNCTION_URL.broken(
                function.file,
                config["AuthType"].line,
                f"Anyone on the internet can call {function.name} without logging in",
            )


_PLAIN_LISTENER = DocumentRule(
    id="iac-cloudformation-weak-transport",
    title="Unencrypted or outdated transport",
    severity=Severity.LOW,
    remedy="Serve HTTPS with TLS 1.2 or newer and redirect HTTP to it.",
    cwe=("CWE-319",),
    references=(
        "https://docs.aws.amazon.com/elasticloadbalancing/latest/application/create-https-listener.html",
        "https://docs.aws.amazon.com/elasticloadbalancing/latest/application/describe-ssl-policies.html",
    ),
)


@check(_PLAIN_LISTENER)
def weak_transport(documents: Documents) -> Iterator[Finding]:
    """A balancer or distribution serves plain HTTP, or accepts TLS older than 1.2.

    Listeners that redirect are left alone.
    """
    for listener in resources(documents, "AWS::ElasticLoadBalancingV2::Listener"):
        yield from _listener(listener)
    for distribution in resources(documents, "AWS::CloudFront::Distribution"):
        config = distribution.properties["DistributionConfig"]
        policy = config.at("DefaultCacheBehavior", "ViewerProtocolPolicy")
        version = config.at("ViewerCertificate", "MinimumProtocolVersion")
        if policy.text == "allow-all":
            wrong = f"{distribution.name} answers over plain HTTP"
            yield _PLAIN_LISTENER.broken(distribution.file, policy.line, wrong)
        if version.text in _OLD_CLOUDFRONT:
            wrong = f"{distribution.name} accepts {version.text}, which is outdated"
            yield _PLAIN_LISTENER.broken(distribution.file, version.line, wrong)


def _listener(listener: Resource) -> Iterator[Finding]:
    protocol = listener.properties["Protocol"]
    redirects = any(
        action["Type"].text in {"redirect", "fixed-response"}
        for action in listener.properties["DefaultActions"].each
    )
    policy = listener.properties["SslPolicy"]
    if protocol.text == "HTTP" and not redirects:
        wrong = f"{listener.name} forwards plain HTTP"
        yield _PLAIN_LISTENER.broken(listener.file, protocol.line, wrong)
    if policy.text in _OLD_TLS:
        wrong = f"{listener.name} accepts TLS 1.0 and 1.1 ({policy.text})"
        yield _PLAIN_LISTENER.broken(listener.file, policy.line, wrong)


_CLUSTER = DocumentRule(
    id="iac-cloudformation-eks-public-endpoint",
    title="Kubernetes API open to the internet",
    severity=Severity.LOW,
    remedy="Set PublicAccessCidrs, or EndpointPublicAccess to false.",
    cwe=("CWE-668",),
    references=("https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html",),
)


@check(_CLUSTER)
def eks_public_endpoint(documents: Documents) -> Iterator[Finding]:
    """A cluster's API answers the whole internet, which is the default.

    It still asks for a login.
    """
    for cluster in resources(documents, "AWS::EKS::Cluster"):
        network = cluster.properties["ResourcesVpcConfig"]
        cidrs = network["PublicAccessCidrs"]
        public = not network["EndpointPublicAccess"].is_false
        listed_open = any(item.text in _WORLD for item in cidrs.each) or is_off(cidrs)
        if public and listed_open and network["EndpointPublicAccess"].tag == "":
            yield _CLUSTER.broken(
                cluster.file,
                network.line or cluster.line,
                f"The API of {cluster.name} answers anyone",
            )
