"""Cut GitHub's official API descriptions down to what the adapter uses.

    npm pack @octokit/openapi@23.0.2 @octokit/graphql-schema@15.26.1   # both MIT, unpack them
    python prune.py <openapi>/generated/api.github.com.json <graphql-schema>/schema.graphql

Only descriptions and examples are dropped: what is kept constrains as strictly as the original.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    build_schema,
    get_named_type,
    print_type,
)

HERE = Path(__file__).parent
REPOSITORY = "/repos/{owner}/{repo}"
OPERATIONS = {
    "/app/installations/{installation_id}/access_tokens": ["post"],
    REPOSITORY: ["get"],
    f"{REPOSITORY}/branches/{{branch}}": ["get"],
    f"{REPOSITORY}/rules/branches/{{branch}}": ["get"],
    f"{REPOSITORY}/contents/{{path}}": ["get"],
    f"{REPOSITORY}/git/blobs": ["post"],
    f"{REPOSITORY}/git/trees": ["post"],
    f"{REPOSITORY}/git/commits": ["post"],
    f"{REPOSITORY}/git/commits/{{commit_sha}}": ["get"],
    f"{REPOSITORY}/pulls": ["get", "post"],
    f"{REPOSITORY}/pulls/{{pull_number}}": ["get", "patch"],
    f"{REPOSITORY}/pulls/{{pull_number}}/commits": ["get"],
    f"{REPOSITORY}/pulls/{{pull_number}}/comments": ["post"],
    f"{REPOSITORY}/issues": ["get", "post"],
    f"{REPOSITORY}/issues/{{issue_number}}": ["patch"],
    f"{REPOSITORY}/issues/{{issue_number}}/comments": ["get", "post"],
    f"{REPOSITORY}/issues/comments/{{comment_id}}": ["patch", "delete"],
    f"{REPOSITORY}/issues/comments/{{comment_id}}/reactions": ["post"],
    f"{REPOSITORY}/commits/{{ref}}/check-runs": ["get"],
    f"{REPOSITORY}/commits/{{commit_sha}}/pulls": ["get"],
    f"{REPOSITORY}/check-runs": ["post"],
    f"{REPOSITORY}/check-runs/{{check_run_id}}": ["patch"],
    f"{REPOSITORY}/statuses/{{sha}}": ["post"],
    f"{REPOSITORY}/code-scanning/sarifs": ["post"],
    f"{REPOSITORY}/collaborators/{{username}}/permission": ["get"],
}
PROSE = ("description", "summary", "example", "examples", "externalDocs", "tags", "title")
TYPES = (
    "Query",
    "Mutation",
    "Actor",
    "Bot",
    "EnterpriseUserAccount",
    "Mannequin",
    "Organization",
    "User",
    "Repository",
    "PullRequest",
    "PullRequestReviewThread",
    "PullRequestReviewThreadConnection",
    "PullRequestReviewComment",
    "PullRequestReviewCommentConnection",
    "PageInfo",
    "ResolveReviewThreadPayload",
    "UnresolveReviewThreadPayload",
    "UpdatePullRequestReviewCommentPayload",
    "UpdateRefsPayload",
)
MUTATIONS = (
    "resolveReviewThread",
    "unresolveReviewThread",
    "updatePullRequestReviewComment",
    "updateRefs",
)


def openapi(whole: dict[str, Any]) -> dict[str, Any]:
    """The used operations with their successes, and every component they refer to."""
    paths = {
        path: {verb: _operation(_bare(whole["paths"][path][verb])) for verb in verbs}
        for path, verbs in OPERATIONS.items()
    }
    kept: dict[str, Any] = {
        "openapi": whole["openapi"],
        "info": whole["info"],
        "servers": whole["servers"],
        "paths": paths,
    }
    kept["components"] = _components(kept["paths"], whole["components"])
    return kept


def _operation(found: dict[str, Any]) -> dict[str, Any]:
    answers = found["responses"].items()
    successes = {code: {**said, "description": ""} for code, said in answers if code[0] == "2"}
    kept = ("operationId", "parameters", "requestBody")
    return {**{key: found[key] for key in kept if key in found}, "responses": successes}


def _bare(value: Any, is_named: bool = False) -> Any:
    """Without prose; under ``properties`` the keys are names, and stay."""
    if isinstance(value, list):
        return [_bare(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _bare(one, key == "properties")
        for key, one in value.items()
        if is_named or not (key in PROSE or key.startswith("x-"))
    }


def _components(start: Any, whole: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    queue = [start]
    while queue:
        for kind, name in re.findall(r"#/components/([\w-]+)/([\w.-]+)", json.dumps(queue.pop())):
            if name not in kept.setdefault(kind, {}):
                kept[kind][name] = _bare(whole[kind][name])
                queue.append(kept[kind][name])
    return kept


def graphql(schema: GraphQLSchema) -> str:
    """The types around a review thread; of each type the fields whose types are kept too."""
    kept: dict[str, GraphQLNamedType] = {}
    for name in TYPES:
        kept[name] = schema.type_map[name]
    for name in MUTATIONS:
        for argument in schema.type_map["Mutation"].fields[name].args.values():  # type: ignore[attr-defined]
            found = get_named_type(argument.type)
            kept |= _inputs(found)
    for found in kept.values():
        _narrow(found, kept)
    scalars = {
        get_named_type(part.type).name: get_named_type(part.type)
        for found in list(kept.values())
        for field in getattr(found, "fields", {}).values()
        for part in (field, *getattr(field, "args", {}).values())
    }
    kept |= {name: one for name, one in scalars.items() if not _is_builtin(one)}
    return "\n\n".join(_plain(print_type(kept[name])) for name in sorted(kept)) + "\n"


def _inputs(found: GraphQLNamedType) -> dict[str, GraphQLNamedType]:
    """An input, and those that it is made of."""
    parts = getattr(found, "fields", {}).values()
    inside = (get_named_type(part.type) for part in parts)
    kept = {found.name: found}
    for one in inside:
        if isinstance(one, GraphQLInputObjectType):
            kept |= _inputs(one)
    return kept


def _narrow(found: GraphQLNamedType, kept: dict[str, GraphQLNamedType]) -> None:
    if not isinstance(found, GraphQLObjectType | GraphQLInterfaceType):
        return
    found.interfaces = [one for one in found.interfaces if one.name in kept]
    for name, field in list(found.fields.items()):
        if name in MUTATIONS or (found.name != "Mutation" and _stays(field.type, kept)):
            field.args = {key: one for key, one in field.args.items() if _stays(one.type, kept)}
        else:
            del found.fields[name]


def _stays(type_: Any, kept: dict[str, GraphQLNamedType]) -> bool:
    named = get_named_type(type_)
    is_leaf = isinstance(named, GraphQLScalarType | GraphQLEnumType)
    return is_leaf or isinstance(named, GraphQLInputObjectType) or named.name in kept


def _is_builtin(one: GraphQLNamedType) -> bool:
    return one.name in {"Int", "Float", "String", "Boolean", "ID"}


def _plain(sdl: str) -> str:
    return re.sub(r'^ *"""(?:.|\n)*?"""\n', "", sdl, flags=re.MULTILINE)


def main(specification: str, sdl: str) -> None:
    rest = openapi(json.loads(Path(specification).read_text()))
    HERE.joinpath("openapi.json").write_text(json.dumps(rest, separators=(",", ":")) + "\n")
    HERE.joinpath("schema.graphql").write_text(
        graphql(build_schema(Path(sdl).read_text(), assume_valid_sdl=True))
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
