"""Reads infrastructure as a scan does, and tells what the entries say of it."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import count

from mergegate.core.check import Check, Failed, apply
from mergegate.core.finding import Finding
from mergegate.core.languages import language_of
from mergegate.core.report import EngineRun
from mergegate.core.tree import Role, SourceFile
from mergegate.repo.checks import all_checks
from mergegate.repo.engines import documents
from mergegate.repo.engines.terraform import (
    FileConfiguration,
    TerraformEngine,
    evaluated,
    manifests,
)
from mergegate.repo.facts.documents import Documents, FileDocuments
from mergegate.repo.facts.resources import Resource, Resources
from mergegate.sandbox.engines.engine import Answer, Answers, EngineContext, FileEngine
from mergegate.sandbox.files.stage import Stage


@cache
def check() -> Check:
    """The check that holds settings to the entries."""
    return next(one for one in all_checks() if one.id == "settings")


def answers(
    engine: FileEngine[Answer],
    files: Mapping[str, str],
    role: Role = Role.SOURCE,
    copy_of: str = "",
) -> Answers[Answer]:
    """What a file engine says of files, by path."""
    [said] = answers_of_each(engine, [files], role, copy_of)
    return said


def answers_of_each(
    engine: FileEngine[Answer],
    projects: Sequence[Mapping[str, str]],
    role: Role = Role.SOURCE,
    copy_of: str = "",
) -> list[Answers[Answer]]:
    """What a file engine, asked once, says of the files of each project."""
    with Stage() as stage:
        numbers = count()
        wanted = [
            [
                one
                for path, text in files.items()
                if engine.wants(one := _source(stage, next(numbers), path, text, role, copy_of))
            ]
            for files in projects
        ]
        asked = {one.key: one for files in wanted for one in files}
        told: Mapping[str, Answer] = {}
        if asked:
            examination = engine.examine([*asked.values()], EngineContext(stage))
            unread = [asked[key].location.read_text("utf-8") for key in examination.problems]
            assert not unread, examination.problems
            told = examination.answers
    run = EngineRun(name=engine.name)
    return [Answers(tuple((one, told[one.key]) for one in files), run, ()) for files in wanted]


def _source(
    stage: Stage, number: int, path: str, text: str, role: Role, copy_of: str
) -> SourceFile:
    content = text.encode()
    location = stage.root / str(number)
    location.write_bytes(content)
    return SourceFile(
        path=path,
        location=location,
        size=len(content),
        digest=hashlib.sha256(content).hexdigest(),
        role=role if role is not Role.SOURCE or "examples/" not in path else Role.EXAMPLE,
        copy_of=copy_of,
        language=language_of(path),
    )


def resources(files: Mapping[str, str] | str, *, copy_of: str = "") -> tuple[Resource, ...]:
    """What the configurations describe; a text is one file."""
    named = {"main.tf": files} if isinstance(files, str) else files
    found, unread = evaluated(answers(TerraformEngine(), named, copy_of=copy_of))
    assert unread == frozenset()
    return found.found


def told(files: Mapping[str, str], role: Role = Role.SOURCE, *, copy_of: str = "") -> list[Finding]:
    """What the entries say of the files."""
    [said] = told_of_each([files], role, copy_of=copy_of)
    return said


def told_of_each(
    projects: Sequence[Mapping[str, str]], role: Role = Role.SOURCE, *, copy_of: str = ""
) -> list[list[Finding]]:
    """What the entries say of the files of each project."""
    read = zip(
        answers_of_each(TerraformEngine(), projects, role, copy_of),
        answers_of_each(documents.DocumentEngine(), projects, role),
        strict=True,
    )
    return [_judged(*both) for both in read]


def _judged(
    configurations: Answers[FileConfiguration], templates: Answers[FileDocuments]
) -> list[Finding]:
    found, _ = evaluated(configurations)
    made = (*documents.fact(templates).files, *manifests.files(found))
    outcome = apply(check(), {Resources: found, Documents: Documents(made)})
    return list(outcome.findings) if isinstance(outcome, Failed) else []
