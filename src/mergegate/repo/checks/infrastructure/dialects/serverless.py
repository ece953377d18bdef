"""Services of the Serverless Framework; resources of CloudFormation in them are what they are."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from mergegate.repo.checks.infrastructure.dialects import cloudformation
from mergegate.repo.checks.infrastructure.dialects.parts import (
    beside,
    evaluated,
    listed,
    mapping,
    resource,
    says,
)
from mergegate.repo.checks.infrastructure.dialects.serverless_variables import put_in
from mergegate.repo.facts.documents import MASKED, DocumentFile, DocumentKind, Documents, Form, Node
from mergegate.repo.facts.resources import Dialect, Resource

_VARIABLE = re.compile(r"\$\{(?!AWS::)[^}]{0,500}\}|\{\{.{0,500}?\}\}")
_ROUTE = re.compile(r"([A-Za-z]+|\*)\s+(/?\S*)")
_WRITING = frozenset({"post", "put", "patch", "delete", "any", "*"})
_OF_PROVIDER = (
    "runtime",
    "tracing",
    "vpc",
    "kmsKeyArn",
    "logRetentionInDays",
    "timeout",
    "memorySize",
)
"""What holds for every function that does not say it itself."""

_BY_NAME = (
    ("authorizer", ("httpApi", "authorizers"), ("alb", "authorizers")),
    ("bucket", ("s3",)),
)
"""What a provider names, by kind: the ways to the maps of names."""


def resources(documents: Documents) -> Iterator[Resource]:
    """Every service with its functions, events and rights, and what it makes besides."""
    for file, root in documents.of(DocumentKind.SERVERLESS):
        settings = evaluated(put_in(root), _VARIABLE)
        if "google" not in settings["provider"]["name"].text:
            yield from _service(file, settings)


def _service(file: DocumentFile, root: Node) -> Iterator[Resource]:
    provider = root["provider"]
    name = root["service"].text or root["service"]["name"].text or "service"
    functions = tuple(_functions(root["functions"]))
    events = [event for _, one in functions for event in one["events"].items]
    more = {
        "runs": says(provider.line, bool(functions)),
        "serves": says(provider.line, any({"http", "httpApi"} & set(one.keys) for one in events)),
    }
    habits = _habits(functions, provider)
    yield resource(file, Dialect.SERVERLESS, "service", name, beside(root, habits))
    yield resource(
        file, Dialect.SERVERLESS, "provider", name, beside(_with_secrets(provider), more)
    )
    yield from _statements(file, name, provider)
    yield from _policies(file, name, provider)
    for kind, *ways in _BY_NAME:
        for way in ways:
            for key, one in provider.at(*way).entries:
                yield resource(file, Dialect.SERVERLESS, kind, key, one)
    for called, one in functions:
        yield from _function(file, called, one, provider)
    for parts in root["resources"].each:
        if parts["Resources"].present:
            yield from cloudformation.described(file, parts)


def _habits(functions: Sequence[tuple[str, Node]], provider: Node) -> dict[str, Node]:
    """By what they leave out: the functions that do."""
    found = {
        name: [(called, one.line) for called, one in functions if lacks(one, provider)]
        for name, lacks in _LACKS.items()
    }
    return {
        name: listed(every[0][1], [called for called, _ in every])
        for name, every in found.items()
        if every
    }


def _is_untraced(one: Node, provider: Node) -> bool:
    return not one["tracing"].present and not provider.at("tracing", "lambda").present


def _is_untagged(one: Node, provider: Node) -> bool:
    return not any(at.present for at in (one["tags"], provider["tags"], provider["stackTags"]))


def _shares_role(one: Node, provider: Node) -> bool:
    """Whether it runs with the one role that a service makes for all of its functions."""
    own = any(one[key].present for key in ("role", "iamRoleStatements", "iam"))
    return not own and not provider["role"].present


def _has_own_secrets_unkeyed(one: Node, provider: Node) -> bool:
    has_variables = one["environment"].present or provider["environment"].present
    return has_variables and not one["kmsKeyArn"].present and not provider["kmsKeyArn"].present


def _loses_failures(one: Node, provider: Node) -> bool:
    """Whether nothing takes what it could not do for events that nobody waits for."""
    del provider  # a service has no such setting
    kinds = {key for event in one["events"].items for key in event.keys}
    has_target = one["onError"].present or one.at("destinations", "onFailure").present
    return bool(kinds & _UNWATCHED) and not has_target


_UNWATCHED = frozenset({"s3", "sns", "schedule", "eventBridge", "cloudwatchEvent", "iot", "ses"})
_LACKS: Mapping[str, Callable[[Node, Node], bool]] = {
    "untraced": _is_untraced,
    "untagged": _is_untagged,
    "one_role": _shares_role,
    "unkeyed": _has_own_secrets_unkeyed,
    "failures_lost": _loses_failures,
}


def _policies(file: DocumentFile, name: str, provider: Node) -> Iterator[Resource]:
    """Who may call the interface, each statement with what the others of its policy say."""
    kind = provider["endpointType"].text
    for found in (provider.at("apiGateway", "resourcePolicy"), provider["resourcePolicy"]):
        denies = any(one["Effect"].text == "Deny" for one in found.items)
        for one in found.items:
            more = {
                "private": says(one.line, kind.lower() == "private"),
                "denies": says(one.line, denies),
            }
            yield resource(
                file, Dialect.SERVERLESS, "resource-policy", f"policy of {name}", beside(one, more)
            )


def _functions(node: Node) -> Iterator[tuple[str, Node]]:
    for part in node.each:
        for name, one in part.entries:
            if one.form is Form.MAP:
                yield name, one


def _function(file: DocumentFile, name: str, one: Node, provider: Node) -> Iterator[Resource]:
    shared = {key: provider[key] for key in _OF_PROVIDER if not one[key].present}
    settings = _with_secrets(beside(one, shared))
    yield resource(file, Dialect.SERVERLESS, "function", name, settings)
    yield from _statements(file, name, one)
    for event in one["events"].items:
        for kind, value in event.entries:
            found = _event(event, value)
            yield resource(file, Dialect.SERVERLESS, f"event-{kind}", f"{kind} of {name}", found)


def _event(event: Node, value: Node) -> Node:
    """What an event says; a text is its route."""
    if value.form is Form.MAP:
        found = dict(value.entries)
    elif match := _ROUTE.fullmatch(value.text):
        found = {
            "method": Node(value.line, text=match[1]),
            "path": Node(value.line, text=match[2]),
        }
    else:
        found = {"route": value}
    method = found.get("method", Node()).text.lower()
    found["writes"] = says(value.line, method in _WRITING)
    return mapping(value.line or event.line, found)


def _with_secrets(node: Node) -> Node:
    """The settings, with the names of variables whose value is a secret in plain text."""
    return beside(node, {"plain_secrets": _plain_secrets(node["environment"])})


def _plain_secrets(environment: Node) -> Node:
    names = [(key, value.line) for key, value in environment.entries if value.text == MASKED]
    return listed(names[0][1] if names else 0, [key for key, _ in names])


def _statements(file: DocumentFile, name: str, holder: Node) -> Iterator[Resource]:
    role: Mapping[str, Node] = {
        "statements": holder.at("iam", "role", "statements"),
        "iamRoleStatements": holder["iamRoleStatements"],
    }
    for found in role.values():
        for one in found.items:
            yield resource(file, Dialect.SERVERLESS, "statement", f"rights of {name}", one)
