"""Kinds and settings of providers, which tools that are made from them write in other letters."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from mergegate.repo.facts.documents import Node
from mergegate.repo.facts.resources import Dialect, dialect_of
from mergegate.repo.infrastructure import steps, subjects

_KINDS = {
    "aws_cloudtrail_trail": "aws_cloudtrail",
    "aws_lb_load_balancer": "aws_lb",
    "aws_elb_load_balancer": "aws_elb",
    "aws_rds_instance": "aws_db_instance",
    "aws_rds_parameter_group": "aws_db_parameter_group",
    "aws_s3_bucket_objectv2": "aws_s3_object",
    "aws_cloudwatchlogs_group": "aws_cloudwatch_log_group",
    "aws_elbv2_lb": "aws_lb",
    "aws_elbv2_lblistener": "aws_lb_listener",
    "azurerm_cache_redis_cache": "azurerm_redis_cache",
    "azurerm_keyvault_vault": "azurerm_key_vault",
    "google_cloudplatform_service_account_key": "google_service_account_key",
}
"""Kinds that are called otherwise in Terraform."""
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def provider_kind(family: str, service: str, name: str) -> str:
    """The kind of Terraform that ``name`` of a service stands for; empty where none is known."""
    base = _snake(name)
    named = f"{family}_{service}_{base}".lower()
    choices = (_KINDS.get(named, named), f"{family}_{base}")
    return next((one for one in choices if one in subjects()), "")


def template_kind(service: str, name: str) -> str:
    """The kind of CloudFormation of that service and name; empty where none is known."""
    return _templates().get(f"aws::{service}::{name}".lower(), "")


def renamed(value: Node, kind: str) -> Node:
    """A value with its settings' names as the kind has them; lists of blocks may be plural."""
    return _renamed(value, _names(kind))


@cache
def _templates() -> Mapping[str, str]:
    """CloudFormation's kinds by their small letters."""
    return {kind.lower(): kind for kind in subjects() if dialect_of(kind) is Dialect.CLOUDFORMATION}


@cache
def _names(kind: str) -> Mapping[str, str]:
    """The names of a kind's known settings, by their letters alone."""
    ways = (way for _, subject in subjects().get(kind, ()) for way in subject.ways)
    return {_letters(name): name for way in ways for name in steps(way)}


def _renamed(value: Node, names: Mapping[str, str]) -> Node:
    keys = tuple(_known(key, names) for key in value.keys)
    return replace(value, keys=keys, children=tuple(_renamed(one, names) for one in value.children))


def _known(key: str, names: Mapping[str, str]) -> str:
    plain = _letters(key)
    return names.get(plain) or names.get(plain.removesuffix("s")) or key


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


def _snake(name: str) -> str:
    return _WORD.sub("_", name).lower()
