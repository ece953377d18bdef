"""How long it takes to read infrastructure of every kind and to judge it.

python -m bench.resources FOLDER...

Each folder is a project. Prints, for all together, how many files of which kind hold
infrastructure, resources, findings by severity, and the CPU seconds of reading charts, documents
and configurations, of describing them as resources, and of judging.
"""

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mergegate.core.check import Check, Failed, apply
from mergegate.core.severity import Aspect
from mergegate.core.tree import Skipped, Tree
from mergegate.repo.cache import RunMemory
from mergegate.repo.checks import all_checks
from mergegate.repo.checks.infrastructure.dialects import described
from mergegate.repo.engines import helm, manifests, terraform
from mergegate.repo.facts.documents import Documents, Rendered
from mergegate.repo.facts.resources import Dialect, Resources
from mergegate.sandbox.engines.engine import EngineContext
from mergegate.sandbox.files.checkout import read_tree
from mergegate.sandbox.files.stage import Stage

FACTS = frozenset({Documents, Resources})
"""What the measured checks need, and nothing else."""


@dataclass
class Measured:
    """Of all projects together."""

    files: Counter[str] = field(default_factory=Counter)
    resources: int = 0
    not_read: int = 0
    findings: Counter[str] = field(default_factory=Counter)
    cpu_s: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Count the CPU time of what is done inside to ``step``."""
        started = time.process_time()
        yield
        self.cpu_s[step] += time.process_time() - started

    def look(self, tree: Tree, checks: Sequence[Check]) -> None:
        """Read a project, describe it and judge it."""
        facts: dict[type, Any] = {}
        unread: set[Skipped] = set()
        for source in (one.source(RunMemory()) for one in (helm, manifests, terraform)):
            with Stage() as stage, self.timed(source.name):
                gathered = source.gather(tree, EngineContext(stage), facts)
            facts |= {type(one): one for one in gathered.facts}
            unread |= set(gathered.limited)
        with self.timed("describe"):
            self.resources += len(facts[Resources].found) + len([*described(facts[Documents])])
        with self.timed("judge"):  # describes them once more, as a scan does
            outcomes = [apply(check, facts) for check in checks]
        told = (one for found in outcomes if isinstance(found, Failed) for one in found.findings)
        self.findings.update(one.severity.label for one in told)
        self.files.update(_kinds(facts).values())
        self.not_read += len(unread)


def _kinds(facts: dict[type, Any]) -> dict[str, str]:
    """Path → what the file holds, of each that holds infrastructure."""
    templates = facts[Rendered].files
    kinds = {one.path: Dialect.TERRAFORM.value for one in facts[Resources].found}
    for file in facts[Documents].files:
        found = {one.kind.value for one in file.found.documents}
        if found or file.found.instructions:
            kind = min(found, default=Dialect.DOCKERFILE.value)
            kinds[file.path] = helm.NAME if file.path in templates else kind
    return kinds


def main(folders: Sequence[Path]) -> None:
    """Measure and print."""
    checks = [one for one in all_checks() if one.aspect is Aspect.IAC and set(one.needs) <= FACTS]
    for check in checks:  # what is loaded once
        apply(check, {Resources: Resources(), Documents: Documents()})
    measured = Measured()
    for folder in folders:
        measured.look(read_tree(folder), checks)
    told = {
        "files": {"all": measured.files.total(), **dict(sorted(measured.files.items()))},
        "not_read": measured.not_read,
        "resources": measured.resources,
        "findings": measured.findings,
        "cpu_s": {step: round(taken, 2) for step, taken in measured.cpu_s.items()},
        "cpu_s_all": round(sum(measured.cpu_s.values()) - measured.cpu_s["describe"], 2),
    }
    print(json.dumps(told, indent=2))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    main(parser.parse_args().folders)
