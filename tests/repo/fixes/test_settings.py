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


@pytest.mark.parametrize("image", ["docker:dind", "datadog/agent:7"])
def test_what_works_on_its_host_stays(image: str) -> None:
    said = f'{{ image = "{image}"\n «privileged = true» }}'
    assert mended("aws-privileged-container", "terraform", _TASK % said) is None
    lines = f"Image: {image}\n        «Privileged: true»\n"
    template = (
        "Resources:\n  A:\n    Type: AWS::ECS::TaskDefinition\n    Properties:\n"
        "      ContainerDefinitions:\n      - "
    )
    assert mended("aws-privileged-container", "yaml", template + lines) is None
    other = mended("aws-privileged-container", "yaml", template + lines.replace(image, "shop"))
    assert other is not None and "Privileged: false" in other
