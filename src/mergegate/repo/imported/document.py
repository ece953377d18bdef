"""The parts of a SARIF 2.1.0 document that are read (OASIS, errata 01); all else is passed over.

A document comes from a tool that read hostile code, or from anybody who could write the file.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic.alias_generators import to_camel

from mergegate.core.errors import EngineFailed
from mergegate.core.strict_json import foreign_json

MOST_RESULTS = 25_000
"""The most results of one run; GitHub takes no more either."""
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_Text = Annotated[str, StringConstraints(max_length=1_000_000)]
_Properties = Mapping[str, Any]


class _Part(BaseModel):
    """``null`` and what is not there are alike."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", strict=True, alias_generator=to_camel, populate_by_name=True
    )


class Message(_Part):
    """A text, or the name of one of the rule's with what is filled in."""

    text: _Text | None = None
    id: _Text | None = None
    arguments: list[_Text] | None = None


class ArtifactLocation(_Part):
    """Where a file is: a URI, perhaps below a named base, or the number of an artifact."""

    uri: _Text | None = None
    uri_base_id: _Text | None = None
    index: int | None = None


class Artifact(_Part):
    """A file that results may name by its number."""

    location: ArtifactLocation | None = None


class Region(_Part):
    """Lines and columns count from 1; the end column is exclusive."""

    start_line: int | None = None
    start_column: int | None = None
    end_line: int | None = None
    end_column: int | None = None


class PhysicalLocation(_Part):
    """A region of a file."""

    artifact_location: ArtifactLocation | None = None
    region: Region | None = None


class Location(_Part):
    """A place of a result; the first one counts."""

    physical_location: PhysicalLocation | None = None


class Suppression(_Part):
    """That somebody decided about a result."""

    kind: _Text | None = None
    status: _Text | None = None
    justification: _Text | None = None


class Component(_Part):
    """The tool, or the number of an extension that a rule belongs to."""

    index: int | None = None


class RuleReference(_Part):
    """The rule of a result, where that names it so."""

    id: _Text | None = None
    index: int | None = None
    tool_component: Component | None = None


class Configuration(_Part):
    """What a rule is, unless a result says otherwise."""

    level: _Text | None = None


class Rule(_Part):
    """A reportingDescriptor."""

    id: _Text | None = None
    name: _Text | None = None
    short_description: Message | None = None
    full_description: Message | None = None
    message_strings: Mapping[str, Message] | None = None
    default_configuration: Configuration | None = None
    help_uri: _Text | None = None
    properties: _Properties | None = None


class ToolComponent(_Part):
    """A program, or an extension of it, with its rules."""

    name: _Text | None = None
    version: _Text | None = None
    semantic_version: _Text | None = None
    rules: list[Rule] | None = None


class Tool(_Part):
    """What made a run."""

    driver: ToolComponent
    extensions: list[ToolComponent] | None = None


class Invocation(_Part):
    """How the tool ended."""

    execution_successful: bool | None = None


class Result(_Part):
    """What the tool says of one place."""

    rule_id: _Text | None = None
    rule_index: int | None = None
    rule: RuleReference | None = None
    kind: _Text | None = None
    level: _Text | None = None
    message: Message | None = None
    locations: list[Location] | None = None
    suppressions: list[Suppression] | None = None
    baseline_state: _Text | None = None
    rank: float | int | None = None
    properties: _Properties | None = None


class Run(_Part):
    """One run of a tool."""

    tool: Tool
    invocations: list[Invocation] | None = None
    original_uri_base_ids: Mapping[str, ArtifactLocation] | None = None
    artifacts: list[Artifact] | None = None
    results: Annotated[list[Result], Field(max_length=MOST_RESULTS)] | None = None
    external_property_file_references: _Properties | None = None


class _Document(_Part):
    version: Literal["2.1.0"]
    runs: Annotated[list[Run], Field(max_length=100)]


def runs(content: bytes) -> list[Run]:
    """The runs in ``content``; raises EngineFailed for anything that does not tell what was found.

    That is no SARIF 2.1.0, a tool that did not succeed, a run without results, and results that
    are in other files.
    """
    try:
        document = _Document.model_validate(foreign_json(content.removeprefix(_BYTE_ORDER_MARK)))
    except ValidationError as error:
        raise EngineFailed(
            f"it is no SARIF 2.1.0: {_where(error)} is not as it has to be"
        ) from error
    except ValueError as error:
        raise EngineFailed(f"it is no SARIF 2.1.0: {error}") from error
    if not document.runs:
        raise EngineFailed("it holds no run of a tool")
    for run in document.runs:
        _check(run)
    return document.runs


def _check(run: Run) -> None:
    if any(one.execution_successful is False for one in run.invocations or ()):
        raise EngineFailed("the tool says that its own run did not succeed")
    if "results" in (run.external_property_file_references or {}):
        raise EngineFailed("its results are in other files, which are not read")
    if run.results is None:
        raise EngineFailed("it says nothing of results, not even that there are none")


def _where(error: ValidationError) -> str:
    """The way to the first mistake: names of the standard and positions, no text of the file."""
    names = set[str]()
    for part in _Part.__subclasses__():
        names.update(field.alias or name for name, field in part.model_fields.items())
    way = [one for one in error.errors()[0]["loc"] if isinstance(one, int) or one in names]
    return ".".join(map(str, way)) or "the document"
