"""Documents as they are applied: files as they stand, charts rendered, overlays joined.

Objects of Kubernetes that Terraform makes stand beside them, as the manifests that they amount to.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mergegate.core.report import EngineStatus
from mergegate.core.severity import Aspect
from mergegate.core.tree import Reason, Skipped, SourceFile, Tree
from mergegate.repo.engines import documents, kustomize
from mergegate.repo.engines.documents.named_by_others import with_named
from mergegate.repo.engines.kustomize import naming
from mergegate.repo.engines.terraform import manifests as terraform_manifests
from mergegate.repo.facts.documents import DocumentFile, Documents, FileDocuments, Rendered
from mergegate.repo.facts.resources import Resources
from mergegate.sandbox.engines.engine import Answers, EngineContext, Gathered, Memory, ask
from mergegate.sandbox.engines.runner import Facts, Source


def source(memory: Memory) -> Source:
    """Where documents come from, those of rendered templates among them."""

    def gather(tree: Tree, context: EngineContext, facts: Facts) -> Gathered:
        engine = documents.DocumentEngine()
        known = ask(engine, tree, memory, context)
        answers = with_named(known, engine, tree, memory, context)
        rendered = facts.get(Rendered)
        # Without an answer of that engine the scan is incomplete, and templates are not searched.
        by_path = rendered.files if isinstance(rendered, Rendered) else {}
        scripts = naming.scripts(tree.files, _text)
        files, unread = kustomize.applied(documents.fact(answers, by_path).files, scripts)
        unread += _unproved(files, answers)
        run = answers.run
        if (unread or answers.limited) and run.status is EngineStatus.OK:
            run = replace(run, status=EngineStatus.LIMITED)
        searched = answers.searched - {one.path for one in unread}
        made = facts.get(Resources)
        if isinstance(made, Resources):
            files += tuple(terraform_manifests.files(made))
        return Gathered((Documents(files),), run, (*answers.limited, *unread), searched)

    aspects = frozenset({Aspect.IAC})
    name = documents.DocumentEngine.name
    # What one file lacks, another may hold.
    needs = (Rendered, Resources)
    return Source(name, aspects, (Documents,), gather, needs=needs, searches=aspects)


def _text(file: SourceFile) -> str | None:
    try:
        return file.location.read_text("utf-8", "replace")
    except OSError:
        return None


def _unproved(files: Sequence[DocumentFile], answers: Answers[FileDocuments]) -> Iterator[Skipped]:
    """Changed copies of what changes other files: without those nothing shows what they do."""
    copies = {file.path for file, _ in answers.files if file.copy_of}
    for file in files:
        kinds = {one.kind for one in file.found.documents}
        if file.path in copies and kinds & kustomize.CHANGING:
            yield Skipped(file.path, "a changed patch is not applied", cause=Reason.LANGUAGE)
