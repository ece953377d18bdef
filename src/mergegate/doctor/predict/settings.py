"""What a platform's API says of a repository's rules → one frozen value."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from mergegate.core.errors import UsageError

T = TypeVar("T")

LARGEST_BYTES = 4 * 1024 * 1024
_MOST_DOCUMENTS = 500
_RULE_KEYS = frozenset({"ruleset_id", "parameters"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A CI/CD variable; its value is never read."""

    name: str
    protected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is set outside the files; None: not known."""

    required: tuple[str, ...] | None = None
    """Names of the checks without which nothing is merged."""
    queue: bool | None = None
    """Whether a merge queue stands before the branch."""
    default_permissions: str | None = None
    """``read`` or ``write``: what GITHUB_TOKEN may do where nothing is stated."""
    private: bool | None = None
    forks: bool | None = None
    """Whether the repository may be forked."""
    default_branch: str | None = None
    protected_branches: tuple[str, ...] | None = None
    """Names of the branches that the rules are about, patterns left out."""
    variables: tuple[Variable, ...] | None = None
    pipeline_must_pass: bool | None = None
    """GitLab: whether a failed pipeline stops a merge."""
    skipped_passes: bool | None = None
    """GitLab: whether a skipped pipeline counts as passed."""

    def has_variable(self, *names: str) -> bool | None:
        """Whether one of ``names`` is set; None when the variables are not known."""
        if self.variables is None:
            return None
        return any(variable.name in names for variable in self.variables)


def parse_settings(content: bytes, where: str) -> Settings:
    """What the JSON in ``content`` tells. Raises UsageError.

    It is one answer of the platform, a list of several, or an object of several: on GitHub the
    branch's protection, its rulesets or rules, the repository, its workflow permissions; on
    GitLab the project and its variables; on Bitbucket the repository and its variables.
    """
    if len(content) > LARGEST_BYTES:
        raise UsageError(f"{where} is larger than 4 MiB")
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where} is not valid JSON") from error
    told = [part for one in _objects(document, 0) if (part := _told(one)) is not None]
    if not told:
        raise UsageError(
            f"{where} holds nothing that is known",
            remedy="Give what the platform's API answers; docs/doctor.md names the addresses.",
        )
    settings = Settings()
    for part in told[:_MOST_DOCUMENTS]:
        settings = _joined(settings, part)
    return settings


def _objects(document: Any, depth: int) -> Iterator[Mapping[str, Any]]:
    """Each answer in the file, however they were put together."""
    if isinstance(document, list):
        for one in document:
            yield from _objects(one, depth + 1)
    elif isinstance(document, dict):
        yield document
        if depth < 3 and _told(document) is None:
            for one in document.values():
                yield from _objects(one, depth + 1)


def _told(one: Mapping[str, Any]) -> Settings | None:
    """What a single answer says, by the keys that only it has; None for what is not known."""
    return next((read(one) for knows, read in _READERS if knows(one)), None)


def _protection(one: Mapping[str, Any]) -> Settings:
    checks = _dicts(_at(one, list, "required_status_checks", "checks"))
    named = [check.get("context") for check in checks]
    named += _at(one, list, "required_status_checks", "contexts") or []
    branch = str(one.get("url", "")).partition("/branches/")[2].removesuffix("/protection")
    return Settings(required=_unique(named), protected_branches=(branch,) if branch else None)


def _ruleset(one: Mapping[str, Any]) -> Settings:
    """A ruleset; one that is switched off, or is about tags, says nothing."""
    if one["enforcement"] != "active" or one.get("target", "branch") != "branch":
        return Settings()
    branches = tuple(
        ref.removeprefix("refs/heads/")
        for ref in _at(one, list, "conditions", "ref_name", "include") or []
        if isinstance(ref, str) and ref.startswith("refs/heads/") and "*" not in ref
    )
    return replace(_rules(_dicts(one["rules"])), protected_branches=branches or None)


def _rules(rules: list[Mapping[str, Any]]) -> Settings:
    required: list[object] = []
    for rule in rules:
        if rule.get("type") == "required_status_checks":
            checks = _dicts(_at(rule, list, "parameters", "required_status_checks"))
            required += [check.get("context") for check in checks]
    queue = any(rule.get("type") == "merge_queue" for rule in rules)
    return Settings(required=_unique(required), queue=queue)


def _repository(one: Mapping[str, Any]) -> Settings:
    """GitHub's or Bitbucket's repository."""
    private = _at(one, bool, "private" if "private" in one else "is_private")
    forks = False if one.get("fork_policy") == "no_forks" else _at(one, bool, "allow_forking")
    on_bitbucket = _at(one, dict, "mainbranch") is not None
    branch = ("mainbranch", "name") if on_bitbucket else ("default_branch",)
    return Settings(
        private=private,
        # A public repository may be forked whatever this says.
        forks=forks if private is True else None,
        default_branch=_at(one, str, *branch),
    )


def _project(one: Mapping[str, Any]) -> Settings:
    """GitLab's project."""
    visibility = _at(one, str, "visibility")
    return Settings(
        private=None if visibility is None else visibility != "public",
        forks=False if one.get("forking_access_level") == "disabled" else None,
        default_branch=_at(one, str, "default_branch"),
        pipeline_must_pass=_at(one, bool, "only_allow_merge_if_pipeline_succeeds"),
        skipped_passes=_at(one, bool, "allow_merge_on_skipped_pipeline"),
    )


def _variable(one: Mapping[str, Any]) -> Settings:
    variable = Variable(name=str(one["key"]), protected=one.get("protected") is True)
    return Settings(variables=(variable,))


_READERS: tuple[
    tuple[Callable[[Mapping[str, Any]], bool], Callable[[Mapping[str, Any]], Settings]], ...
] = (
    (lambda one: "enforce_admins" in one or "required_status_checks" in one, _protection),
    (lambda one: isinstance(one.get("rules"), list) and "enforcement" in one, _ruleset),
    (
        lambda one: isinstance(one.get("type"), str) and bool(one.keys() & _RULE_KEYS),
        lambda one: _rules([one]),
    ),
    (
        lambda one: one.get("default_workflow_permissions") in {"read", "write"},
        lambda one: Settings(default_permissions=one["default_workflow_permissions"]),
    ),
    (lambda one: isinstance(one.get("full_name"), str), _repository),
    (lambda one: isinstance(one.get("path_with_namespace"), str), _project),
    (lambda one: "key" in one and bool(one.keys() & {"protected", "secured"}), _variable),
)
"""How to tell the answers apart, and what reads each."""


def _joined(one: Settings, other: Settings) -> Settings:
    """Both; what is a list in both is put together, a merge queue in either counts."""
    changes: dict[str, Any] = {}
    for name in (field.name for field in fields(Settings)):
        mine, theirs = getattr(one, name), getattr(other, name)
        if isinstance(mine, tuple) and isinstance(theirs, tuple):
            changes[name] = tuple(dict.fromkeys((*mine, *theirs)))
        elif name == "queue" and theirs is not None:
            changes[name] = bool(mine) or theirs
        elif theirs is not None:
            changes[name] = theirs
    return replace(one, **changes)


def _at(one: Mapping[str, Any], kind: type[T], *path: str) -> T | None:
    """The value under the keys of ``path``; None where it is missing or no ``kind``."""
    value: Any = one
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, kind) else None


def _dicts(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _unique(names: list[object]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str) and name))
