"""The safe value of an entry, within maps and JSON of Terraform."""

import pytest

from tests.repo.fixes.mending import mended

_TASK = 'resource "aws_ecs_task_definition" "a" {\n  container_definitions = jsonencode([%s])\n}\n'


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("{ «privileged = true» }", "{ privileged = false }"),
        ('{ «privileged = "true"» }', '{ privileged = "false" }'),
        (
            "{\n «privileged = true»\n }, {\n privileged = true\n }",
            "{\n privileged = false\n }, {\n privileged = true\n }",
        ),
        ("{ «privileged = var.on» }", None),
        ("{ «read = true» }", None),
    ],
)
def test_a_value_within_json_becomes_the_safe_one(said: str, expected: str | None) -> None:
    made = mended("aws-privileged-container", "terraform", _TASK % said)
    assert made == (expected and _TASK % expected)
