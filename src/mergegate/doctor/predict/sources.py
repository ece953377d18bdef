"""Which files have to be read before anything can be predicted."""

import fnmatch
from collections.abc import Iterable, Mapping

from mergegate.doctor.predict.bitbucket.pipeline import ENTRY as BITBUCKET
from mergegate.doctor.predict.github.view import FOLDER
from mergegate.doctor.predict.gitlab.pipeline import ENTRY as GITLAB
from mergegate.doctor.predict.gitlab.pipeline import local_includes
from mergegate.doctor.predict.yaml.nodes import ABSENT
from mergegate.doctor.predict.yaml.parse import Unreadable, root

MOST_FILES = 200
_FIXED = frozenset(
    {
        GITLAB,
        BITBUCKET,
        "action.yml",
        "action.yaml",
        ".github/dependabot.yml",
        ".github/dependabot.yaml",
    }
)


def wanted(listed: Iterable[str], held: Mapping[str, str]) -> tuple[str, ...]:
    """Of the paths in ``listed``, those to read next; empty when ``held`` is complete.

    To be asked again with what was read: a file may include others.
    """
    patterns = [
        pattern
        for path, text in held.items()
        if path == GITLAB or not (path in _FIXED or path.startswith(FOLDER))
        for pattern in _included(text)
    ]
    found = [
        path
        for path in listed
        if path not in held and (_is_fixed(path) or _is_included(path, patterns))
    ]
    return tuple(sorted(found)[: max(MOST_FILES - len(held), 0)])


def _is_fixed(path: str) -> bool:
    return path in _FIXED or (
        path.startswith(FOLDER)
        and path.endswith((".yml", ".yaml"))
        and "/" not in path.removeprefix(FOLDER)
    )


def _is_included(path: str, patterns: list[str]) -> bool:
    return any(path == one or ("*" in one and fnmatch.fnmatchcase(path, one)) for one in patterns)


def _included(text: str) -> tuple[str, ...]:
    try:
        return local_includes(root(text) or ABSENT)
    except Unreadable:
        return ()
