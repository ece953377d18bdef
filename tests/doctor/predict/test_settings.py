"""Answers of the platforms' APIs, in any order and wrapping."""

import json

import pytest

from mergegate.core.errors import UsageError
from mergegate.doctor.predict.settings import Settings, Variable, parse_settings

PROTECTION = {
    "url": "https://api.example.org/repos/acme/shop/branches/main/protection",
    "required_status_checks": {
        "strict": False,
        "contexts": ["Tests", "Scan"],
        "checks": [{"context": "Scan", "app_id": 15368}, {"context": "Tests", "app_id": None}],
    },
    "enforce_admins": {"enabled": True},
}
RULESET = {
    "id": 7,
    "target": "branch",
    "enforcement": "active",
    "conditions": {"ref_name": {"include": ["~DEFAULT_BRANCH", "refs/heads/next"], "exclude": []}},
    "rules": [
        {"type": "deletion"},
        {"type": "merge_queue", "parameters": {"merge_method": "SQUASH"}},
        {
            "type": "required_status_checks",
            "parameters": {"required_status_checks": [{"context": "Mergegate"}]},
        },
    ],
}


def read(document: object) -> Settings:
    return parse_settings(json.dumps(document).encode(), "settings.json")


def test_a_branch_protection_tells_required_checks_and_its_branch() -> None:
    assert read(PROTECTION) == Settings(required=("Scan", "Tests"), protected_branches=("main",))


def test_a_protection_without_checks_requires_none() -> None:
    assert read({"url": "x", "enforce_admins": {"enabled": False}}).required == ()


def test_a_ruleset_tells_checks_queue_and_branches() -> None:
    assert read(RULESET) == Settings(
        required=("Mergegate",), queue=True, protected_branches=("next",)
    )


@pytest.mark.parametrize("change", [{"enforcement": "evaluate"}, {"target": "tag"}])
def test_a_ruleset_that_does_not_apply_tells_nothing(change: dict[str, str]) -> None:
    assert read({**RULESET, **change}) == Settings()


def test_several_answers_are_put_together_in_a_list_or_an_object() -> None:
    answers = [PROTECTION, RULESET, {"default_workflow_permissions": "read"}]
    together = read(answers)
    assert together.required == ("Scan", "Tests", "Mergegate")
    assert together.queue is True
    assert together.default_permissions == "read"
    assert read({"a": PROTECTION, "b": [RULESET], "c": answers[2]}) == together


def test_the_rules_of_a_branch_are_read_one_by_one() -> None:
    rules = [{**rule, "ruleset_id": 7} for rule in RULESET["rules"]]  # type: ignore[attr-defined]
    assert read(rules) == Settings(required=("Mergegate",), queue=True)


def test_a_public_repository_may_be_forked_whatever_it_says() -> None:
    shop = {"full_name": "acme/shop", "private": False, "allow_forking": False}
    assert read(shop) == Settings(private=False)
    assert read({**shop, "private": True}) == Settings(private=True, forks=False)


def test_a_gitlab_project_and_its_variables_are_read_without_values() -> None:
    project = {
        "path_with_namespace": "acme/shop",
        "visibility": "public",
        "default_branch": "main",
        "only_allow_merge_if_pipeline_succeeds": True,
        "allow_merge_on_skipped_pipeline": None,
    }
    variable = {"key": "MERGEGATE_TOKEN", "value": "hush", "protected": True, "masked": True}
    found = read([project, [variable]])
    assert found == Settings(
        private=False,
        default_branch="main",
        pipeline_must_pass=True,
        variables=(Variable(name="MERGEGATE_TOKEN", protected=True),),
    )
    assert "hush" not in repr(found)


def test_bitbucket_variables_and_repository_are_read() -> None:
    found = read(
        {
            "repository": {
                "full_name": "acme/shop",
                "is_private": True,
                "fork_policy": "no_forks",
                "mainbranch": {"name": "trunk", "type": "branch"},
            },
            "variables": {"values": [{"key": "MERGEGATE_TOKEN", "secured": True}]},
        }
    )
    assert found == Settings(
        private=True,
        forks=False,
        default_branch="trunk",
        variables=(Variable(name="MERGEGATE_TOKEN"),),
    )


@pytest.mark.parametrize(
    "content",
    [b"", b"[", b"{}", b"[1, 2]", b"\xff", b"[" * 200_000, b'{"a": ' * 50_000, b" " * 5_000_000],
    ids=lambda content: repr(content[:8]),
)
def test_a_file_without_an_answer_is_refused(content: bytes) -> None:
    with pytest.raises(UsageError, match=r"settings\.json"):
        parse_settings(content, "settings.json")


@pytest.mark.parametrize(
    "document",
    [
        {"required_status_checks": "x"},
        {"required_status_checks": {"checks": [1, {"context": 7}], "contexts": {"a": 1}}},
        {**RULESET, "rules": [1, {"type": 3}, {"type": "required_status_checks"}]},
        {**RULESET, "conditions": {"ref_name": []}},
        {"full_name": "a/b", "private": "yes", "mainbranch": []},
    ],
)
def test_an_answer_of_wrong_types_is_read_without_a_crash(document: object) -> None:
    assert isinstance(read(document), Settings)
