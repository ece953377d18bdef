"""Managed resources of Crossplane, as the kinds that its providers are made from.

Upbound's providers are Terraform's resources; the community's provider of AWS speaks of AWS's own
API, of which those kinds are read that say the same as CloudFormation's. A composition's bases are
resources as well, of which what a patch fills in is not known.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from mergegate.repo.checks.infrastructure.dialects.parts import of_kind
from mergegate.repo.checks.infrastructure.dialects.providers import (
    provider_kind,
    renamed,
    template_kind,
)
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, Form, Node
from mergegate.repo.facts.resources import GAP, UNKNOWN, Resource

_UPBOUND: Final = re.compile(r"([a-z0-9]+)\.(aws|gcp|azure)\.(?:m\.)?upbound\.io/.+")
_OF_AWS: Final = re.compile(r"([a-z0-9]+)\.aws\.crossplane\.io/.+")
_FAMILIES: Final = {"aws": "aws", "gcp": "google", "azure": "azurerm"}
_TERRAFORM: Final = {
    ("rds", "Instance"): "aws_db_instance",
    ("rds", "ParameterGroup"): "aws_db_parameter_group",
}
"""Kinds that are called otherwise than their service and name say."""
_TEMPLATES: Final = {
    ("cache", "ReplicationGroup"): ("ElastiCache", "ReplicationGroup"),
    ("cloudfront", "Distribution"): ("CloudFront", "Distribution"),
    ("cloudwatchlogs", "LogGroup"): ("Logs", "LogGroup"),
    ("database", "RDSInstance"): ("RDS", "DBInstance"),
    ("docdb", "DBCluster"): ("DocDB", "DBCluster"),
    ("ec2", "SecurityGroup"): ("EC2", "SecurityGroup"),
    ("ec2", "Volume"): ("EC2", "Volume"),
    ("ecr", "Repository"): ("ECR", "Repository"),
    ("ecs", "Cluster"): ("ECS", "Cluster"),
    ("efs", "FileSystem"): ("EFS", "FileSystem"),
    ("elbv2", "Listener"): ("ElasticLoadBalancingV2", "Listener"),
    ("kms", "Key"): ("KMS", "Key"),
    ("mq", "Broker"): ("AmazonMQ", "Broker"),
    ("neptune", "DBCluster"): ("Neptune", "DBCluster"),
    ("rds", "DBCluster"): ("RDS", "DBCluster"),
    ("rds", "DBInstance"): ("RDS", "DBInstance"),
    ("s3", "Bucket"): ("S3", "Bucket"),
    ("secretsmanager", "Secret"): ("SecretsManager", "Secret"),
    ("sns", "Topic"): ("SNS", "Topic"),
    ("sqs", "Queue"): ("SQS", "Queue"),
}
"""Kinds whose settings the API and CloudFormation call alike."""
_WORDS: Final = {
    "AWS::EC2::SecurityGroup": {
        "ingress": "securityGroupIngress",
        "egress": "securityGroupEgress",
        "cidrIPv6": "cidrIpv6",
    },
    "AWS::ECS::Cluster": {"settings": "clusterSettings"},
    "AWS::ElasticLoadBalancingV2::Listener": {"actionType": "type"},
    "AWS::Neptune::DBCluster": {"enableIAMDatabaseAuthentication": "iamAuthEnabled"},
}
"""Settings that the API calls otherwise."""
_ELSEWHERE: Final = re.compile(r"(.+?)s?(?:SecretRef|Refs?|Selector)")
"""A setting whose value another object provides."""
_SETTING: Final = re.compile(r"spec\.(?:forProvider|initProvider)\.(\w+)")
_RANGES: Final = ("ipRanges", "ipv6Ranges")


def resources(documents: Documents) -> Iterator[Resource]:
    """Every managed resource whose kind is known."""
    for file, root in documents.of(DocumentKind.KUBERNETES):
        for node, filled in _declared(root):
            if kind := _kind(node):
                yield _resource(file, node, kind, filled)


def _declared(root: Node) -> Iterator[tuple[Node, frozenset[str]]]:
    """Each object, with the settings that patches fill in."""
    yield root, frozenset()
    if root["kind"].text != "Composition":
        return
    spec = root["spec"]
    shared = _filled(spec["patchSets"])
    steps = (one.at("input", "resources") for one in spec["pipeline"].items)
    for listed in (spec["resources"], *steps):
        for one in listed.items:
            yield one["base"], shared | _filled(Node(form=Form.LIST, children=(one,)))


def _filled(holders: Node) -> frozenset[str]:
    """The settings that the holders' patches write."""
    patches = (patch for one in holders.items for patch in one["patches"].items)
    ways = (patch[end].text for patch in patches for end in ("toFieldPath", "fromFieldPath"))
    return frozenset(match[1] for way in ways if (match := _SETTING.match(way)))


def _kind(node: Node) -> str:
    version, name = node["apiVersion"].text, node["kind"].text
    if match := _UPBOUND.fullmatch(version):
        service, family = match[1], _FAMILIES[match[2]]
        return _TERRAFORM.get((service, name), "") or provider_kind(family, service, name)
    if (match := _OF_AWS.fullmatch(version)) and (known := _TEMPLATES.get((match[1], name))):
        return template_kind(*known)
    return ""


def _resource(file: DocumentFile, node: Node, kind: str, filled: frozenset[str]) -> Resource:
    spec = node["spec"]
    stated = dict(spec["initProvider"].entries) | dict(spec["forProvider"].entries)
    stated |= {name: _unknown(node) for name in filled}
    said = Node(node.line, Form.MAP, keys=tuple(stated), children=tuple(stated.values()))
    properties = renamed(_known(said, _WORDS.get(kind, {})), kind)
    name = node.at("metadata", "name").text or "?"
    return of_kind(file, kind, name, replace(properties, line=node.line))


def _known(node: Node, words: Mapping[str, str]) -> Node:
    """The value in the words of templates; what another object provides is unknown."""
    if node.form is Form.LIST:
        items = tuple(part for one in node.children for part in _each(_known(one, words)))
        return replace(node, children=items)
    if node.form is not Form.MAP:
        return node
    told = {words.get(key, key): _known(one, words) for key, one in node.entries}
    for key, one in node.entries:
        if match := _ELSEWHERE.fullmatch(key):
            told.setdefault(match[1], _unknown(one))
    return replace(node, keys=tuple(told), children=tuple(told.values()))


def _each(item: Node) -> Iterator[Node]:
    """A rule of a security group for each of its ranges; anything else as it is."""
    ranges = [one for name in _RANGES for one in item[name].items if item.form is Form.MAP]
    if not ranges:
        yield item
    rest = {key: one for key, one in item.entries if key not in _RANGES}
    for one in ranges:
        told = rest | dict(one.entries)
        yield Node(one.line, Form.MAP, keys=tuple(told), children=tuple(told.values()))


def _unknown(at: Node) -> Node:
    return Node(at.line, text=GAP, tag=UNKNOWN)
