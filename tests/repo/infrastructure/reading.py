"""Reads infrastructure as a scan does, and tells what the entries say of it."""

import hashlib
from collections.abc import Mapping
from functools import cache

from mergegate.core.check import Check, Failed, apply
from mergegate.core.finding import Finding
from mergegate.core.languages import language_of
from mergegate.core.report import EngineRun
from mergegate.core.tree import Role, SourceFile
from mergegate.repo.checks import all_checks
from mergegate.repo.engines import documents
from mergegate.repo.engines.terraform import TerraformEngine, evaluated, manifests
from mergegate.repo.facts.documents import Documents
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
    with Stage() as stage:
        sources = []
        for number, (path, text) in enumerate(files.items()):
            location = stage.root / str(number)
            location.write_text(text, "utf-8")
            digest = hashlib.sha256(text.encode()).hexdigest()
            size = len(text.encode())
            kept = role if role is not Role.SOURCE or "examples/" not in path else Role.EXAMPLE
            sources.append(
                SourceFile(
                    path=path,
                    location=location,
                    size=size,
                    digest=digest,
                    role=kept,
                    copy_of=copy_of,
                    language=language_of(path),
                )
            )
        wanted = [one for one in sources if engine.wants(one)]
        examination = engine.examine(wanted, EngineContext(stage))
        told = examination.answers
        assert not examination.problems, [*files.values()]
    return Answers(tuple((one, told[one.key]) for one in wanted), EngineRun(name=engine.name), ())


def resources(files: Mapping[str, str] | str, *, copy_of: str = "") -> tuple[Resource, ...]:
    """What the configurations describe; a text is one file."""
    named = {"main.tf": files} if isinstance(files, str) else files
    found, unread = evaluated(answers(TerraformEngine(), named, copy_of=copy_of))
    assert unread == frozenset()
    return found.found


def told(files: Mapping[str, str], role: Role = Role.SOURCE, *, copy_of: str = "") -> list[Finding]:
    """What the entries say of the files."""
    found, _ = evaluated(answers(TerraformEngine(), files, role, copy_of))
    templates = documents.fact(answers(documents.DocumentEngine(), files, role))
    made = (*templates.files, *manifests.files(found))
    outcome = apply(check(), {Resources: found, Documents: Documents(made)})
    return list(outcome.findings) if isinstance(outcome, Failed) else []
