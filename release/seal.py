"""Checksums of a release, and where it comes from: SLSA's provenance as an in-toto statement.

Unsigned: signing is the forge's, which alone can say who built.
"""

import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

from release.recipes import UNBUILT, Release
from release.settings import NotReleased

CHECKSUMS, STATEMENT = "SHA256SUMS", "provenance.intoto.json"
_LOCKS = ("requirements.txt", "requirements-serve.txt", "package-lock.json", "Dockerfile")


def seal(folder: Path, root: Path, release: Release, built: str) -> None:
    """Write both beside the files of ``folder``, made from ``root`` at the commit ``built``."""
    for name in (CHECKSUMS, STATEMENT):
        (folder / name).unlink(missing_ok=True)
    files = {one.name: digest(one) for one in sorted(folder.iterdir()) if one.is_file()}
    if not files:
        raise NotReleased(f"{folder} holds nothing to seal")
    said = json.dumps(_statement(files, root, release, built), indent=2) + "\n"
    (folder / STATEMENT).write_text(said, encoding="utf-8")
    files[STATEMENT] = digest(folder / STATEMENT)
    lines = "".join(f"{one}  {name}\n" for name, one in files.items())
    (folder / CHECKSUMS).write_text(lines, encoding="utf-8")


def digest(file: Path) -> str:
    """SHA-256 of what ``file`` holds, as ``sha256sum`` prints it."""
    return sha256(file.read_bytes()).hexdigest()


def _statement(files: dict[str, str], root: Path, release: Release, built: str) -> dict[str, Any]:
    settings = release.settings
    images = {"slim": release.slim, "full": release.full}
    subjects = [
        *({"name": name, "digest": {"sha256": one}} for name, one in files.items()),
        *(
            {"name": settings.image, "digest": {"sha256": one}, "annotations": {"target": target}}
            for target, one in images.items()
            if one != UNBUILT
        ),
    ]
    source = f"git+{settings.home}@refs/tags/release/v{release.version}"
    materials = [{"uri": source, "digest": {"gitCommit": built}}]
    materials += [{"name": name, "digest": {"sha256": digest(root / name)}} for name in _LOCKS]
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects,
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": f"{settings.home}/blob/{built}/docs/releasing.md",
                "externalParameters": {"version": release.version},
                "resolvedDependencies": materials,
            },
            "runDetails": _run(settings.home),
        },
    }


def _run(home: str) -> dict[str, Any]:
    """Who built, as far as that is known here."""
    here = os.environ
    if "GITHUB_RUN_ID" not in here:
        return {"builder": {"id": f"{home}/blob/HEAD/release/__main__.py"}}
    server, repository = here["GITHUB_SERVER_URL"], here["GITHUB_REPOSITORY"]
    run = f"{here['GITHUB_RUN_ID']}/attempts/{here.get('GITHUB_RUN_ATTEMPT', '1')}"
    return {
        "builder": {"id": f"{server}/{here['GITHUB_WORKFLOW_REF']}"},
        "metadata": {"invocationId": f"{server}/{repository}/actions/runs/{run}"},
    }
