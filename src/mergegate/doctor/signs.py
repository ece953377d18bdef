"""What a scan needs on this machine, and whether it is here."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial

from mergegate.core.errors import MergegateError
from mergegate.packages.advisories import StoreStatus
from mergegate.sandbox.browser import chromium, executable
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process.node import OLDEST, node, packaged, version
from mergegate.sandbox.process.run import find_program, network_is_isolated


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing that was looked at."""

    name: str
    state: str
    remedy: str = ""
    essential: bool = True
    """Whether a scan is incomplete without it."""

    @property
    def healthy(self) -> bool:
        """Nothing to be done."""
        return not self.remedy

    @property
    def alarming(self) -> bool:
        """A scan will be incomplete."""
        return self.essential and not self.healthy

    def plain(self) -> Mapping[str, object]:
        """For machines."""
        return {**asdict(self), "healthy": self.healthy}


PACKAGES = ("lighthouse", "axe-core", "web-vitals")
"""Of npm; each runs on Node.js or in a page."""
_NOWHERE = "http://127.0.0.1:9"
_ONLY = "Only the site tools need it:"


def site_signs() -> tuple[Sign, ...]:
    """Chromium, which is started for that, Node.js, and the npm packages."""
    return (
        _looked("chromium", _chromium),
        _looked("node", _node),
        *(_looked(name, partial(_package, name)) for name in PACKAGES),
    )


def _looked(name: str, look: Callable[[], Sign]) -> Sign:
    try:
        return look()
    except MergegateError as error:
        remedy = f"{_ONLY} {error.remedy or 'run `mergegate doctor --fix`.'}"
        return Sign(name, error.what, remedy, essential=False)


def _chromium() -> Sign:
    with Stage() as stage, chromium(_NOWHERE, stage.room("browser")) as browser:
        state = f"{executable()}, {browser.version.removeprefix('Chromium ')}"
        if browser.sandboxed:
            return Sign("chromium", f"{state}, in its sandbox")
    remedy = (
        "Start Mergegate as another user than root, or let MERGEGATE_ENGINE_USER name an account; "
        "allow user namespaces."
    )
    return Sign("chromium", f"{state}, without its sandbox", remedy, essential=False)


def _node() -> Sign:
    found = version()
    state = f"{node()}, v{'.'.join(map(str, found))}"
    if found >= OLDEST:
        return Sign("node", state)
    oldest = ".".join(map(str, OLDEST))
    return Sign("node", state, f"Lighthouse needs Node.js {oldest} or newer.", essential=False)


def _package(name: str) -> Sign:
    try:
        told = json.loads(packaged(name, "package.json").read_text(encoding="utf-8"))
        return Sign(name, str(told["version"])[:40])
    except (OSError, ValueError, KeyError, TypeError):
        return Sign(name, "cannot be read", "Run `mergegate doctor --fix`.", essential=False)


def signs(
    engines: Sequence[tuple[str, Callable[[], str]]], store: Callable[[], StoreStatus | None]
) -> tuple[Sign, ...]:
    """The engines, Git, network isolation, the advisory store and the site tools, looked at now.

    ``engines`` are names with how to ask for the version; both callables raise MergegateError.
    """
    return (*_engines(engines), _git(), _isolation(), _advisories(store), *site_signs())


def _engines(engines: Sequence[tuple[str, Callable[[], str]]]) -> list[Sign]:
    found = []
    for name, release in engines:
        try:
            found.append(Sign(name, release()))
        except MergegateError as error:
            found.append(Sign(name, error.what, error.remedy or "Install mergegate again."))
    return found


def _git() -> Sign:
    try:
        return Sign("git", str(find_program("git")))
    except MergegateError as error:
        return Sign("git", error.what, "Install git: changes cannot be compared without it.", False)


def _isolation() -> Sign:
    if network_is_isolated():
        return Sign("network isolation", "engines run without a network")
    remedy = "Allow user namespaces (unshare), or run in a container without a network."
    return Sign("network isolation", "not possible here", remedy, essential=False)


def _advisories(store: Callable[[], StoreStatus | None]) -> Sign:
    try:
        held = store()
    except MergegateError as error:
        return Sign("advisory store", error.what, "Run `mergegate advisories update`.")
    if held is None or not held.sources:
        return Sign("advisory store", "empty", "Run `mergegate advisories update`.")
    parts = ", ".join(f"{one.ecosystem} {one.newest[:10]}" for one in held.sources)
    return Sign("advisory store", parts)
