"""The commit that a person means by a name: a branch comes before a tag of the same name."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from mergegate.core.errors import UsageError
from mergegate.sandbox.git.names import is_branch, is_commit
from mergegate.sandbox.git.repository import Repository

_WAY = re.compile(r"[~^:]|@\{")
"""Where a name ends, and the way from it begins: ``main~3``."""
_ABBREVIATED = re.compile(r"[0-9a-f]{4,64}", re.ASCII)
BRANCHES = ("refs/{}", "refs/heads/{}", "refs/remotes/{}")
"""Where a branch may stand that is called so."""
ANYTHING = (*BRANCHES, "refs/remotes/origin/{}", "refs/tags/{}")
"""Likewise a branch or tag, the first that exists. Whoever may push can lay a tag over a name, and
none over these places: Git itself asks for tags first."""
_MOST_ALIKE = 3
_RESEMBLANCE = 0.5


def resolve(repository: Repository, ref: str) -> str:
    """The commit that a person calls ``ref``.

    Raises UsageError for one that is not there, with the names that resemble it, and for a name
    of two commits.
    """
    found = find(repository, ref, ANYTHING)
    if found is None:
        raise unknown(repository, ref)
    return found


def find(repository: Repository, ref: str, places: Sequence[str]) -> str | None:
    """The commit called ``ref`` in the first of ``places`` that has it, else by Git's own words.

    Those are commits, ``HEAD`` and the like; None for a tag that is not among ``places`` and for
    what does not exist. Raises UsageError for a name of two commits.
    """
    if ref.startswith("-") or not ref or "\n" in ref or "\0" in ref:
        raise UsageError(
            f"{ref!r} is not a Git revision", remedy="Name a branch, a tag or a commit."
        )
    name = _WAY.split(ref, maxsplit=1)[0]
    way = ref[len(name) :]
    exist = _references(repository, name)
    if exist and (found := [one for one in _wanted(repository, name, places) if one in exist]):
        return repository.peeled(f"{_only(repository, name, found)}{way}")
    return None if exist or name.startswith("refs/") else repository.peeled(ref)


def unknown(repository: Repository, ref: str) -> UsageError:
    """What to say of a base that is not there."""
    names = repository.references()
    short = {re.sub(r"^refs/(?:heads|remotes|tags)/", "", one): one for one in sorted(names)}
    alike = get_close_matches(ref, short, _MOST_ALIKE, _RESEMBLANCE)
    shown = ", ".join(f"`{short[one] if one == ref else one}`" for one in alike)
    fetch = "Fetch it first, for example `git fetch origin` with enough depth."
    return UsageError(
        f"the base {ref!r} is not in this repository",
        remedy=f"Is it {shown}? Else fetch it first." if shown else fetch,
    )


def _references(repository: Repository, name: str) -> frozenset[str]:
    """All references that may be called ``name``, but for a full commit, which is always itself."""
    if is_commit(name) or not is_branch(name):
        return frozenset()
    full = name.startswith("refs/")
    places = {name} if full else {one.format(name) for one in ANYTHING}
    return frozenset(repository.references(*sorted(places))) & places


def _wanted(repository: Repository, name: str, places: Sequence[str]) -> list[str]:
    """The references that are looked for, the first first; ``origin/main`` is never a tag."""
    if name.startswith("refs/"):
        return [name]
    keys = (key for key, _ in repository.configured(r"^remote\..*\.url$"))
    remotes = [key.removeprefix("remote.").removesuffix(".url") for key in keys]
    is_branch_there = any(name.startswith(f"{one}/") for one in remotes)
    wanted = (one.format(name) for one in places)
    return [one for one in wanted if not (is_branch_there and one.startswith("refs/tags/"))]


def _only(repository: Repository, name: str, found: Sequence[str]) -> str:
    """The first of ``found``; raises UsageError where a branch or commit beside it is another."""
    branches = [one for one in found if one in {place.format(name) for place in BRANCHES}]
    meant = {one: repository.peeled(one) for one in branches or found[:1]}
    if _ABBREVIATED.fullmatch(name) and (commit := repository.commit(name)):
        meant[commit] = commit
    if len(set(meant.values())) > 1:
        raise UsageError(
            f"the base {name!r} is the name of two commits",
            remedy=f"Say which is meant: {' or '.join(f'`{one}`' for one in meant)}.",
        )
    return found[0]
