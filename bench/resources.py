"""How long it takes to evaluate Terraform and to hold it to what is known of settings.

python -m bench.resources FOLDER...

Prints, for all configurations below the folders together, files, resources, findings by severity,
and the CPU seconds of reading, evaluating and judging.
"""

import argparse
import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from mergegate.core.check import Failed, apply
from mergegate.core.report import EngineRun
from mergegate.core.tree import SourceFile
from mergegate.repo.checks import all_checks
from mergegate.repo.engines.terraform import TerraformEngine, evaluated
from mergegate.repo.facts.documents import Documents
from mergegate.repo.facts.resources import Resources
from mergegate.sandbox.engines.engine import Answers, EngineContext
from mergegate.sandbox.files.stage import Stage


def files(folder: Path) -> Iterator[SourceFile]:
    """The configurations below a folder, all of them production code."""
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        name = str(path.relative_to(folder.parent))
        yield SourceFile(path=name, location=path, size=len(content), digest=digest)


def main(folders: Sequence[Path]) -> None:
    """Measure and print."""
    engine = TerraformEngine()
    check = next(one for one in all_checks() if one.id == "settings")
    apply(check, {Resources: Resources(), Documents: Documents()})  # what is loaded once
    wanted = [one for folder in folders for one in files(folder) if engine.wants(one)]
    started = time.process_time()
    with Stage() as stage:
        examined = engine.examine(wanted, EngineContext(stage))
    read = time.process_time()
    pairs = tuple((one, examined.answers[one.key]) for one in wanted)
    found, unread = evaluated(Answers(pairs, EngineRun(name=engine.name), ()))
    known = time.process_time()
    outcome = apply(check, {Resources: found, Documents: Documents()})
    judged = time.process_time()
    findings = outcome.findings if isinstance(outcome, Failed) else ()
    print(
        json.dumps(
            {
                "files": len(wanted),
                "not_read": len(examined.problems) + len(unread),
                "resources": len(found.found),
                "findings": Counter(one.severity.label for one in findings),
                "cpu_s": {
                    "read": round(read - started, 2),
                    "evaluate": round(known - read, 2),
                    "judge": round(judged - known, 2),
                },
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    main(parser.parse_args().folders)
