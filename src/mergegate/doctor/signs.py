"""What a scan needs on this machine, and whether it is here."""

from collections.abc import Callable, Sequence

from mergegate.core.errors import MergegateError
from mergegate.doctor.sign import Sign
from mergegate.doctor.site import site_signs
from mergegate.packages.advisories import StoreStatus
from mergegate.sandbox.process.run import find_program, network_is_isolated


def signs(
    engines: Sequence[tuple[str, Callable[[], str]]], store: Callable[[], StoreStatus | None]
) -> tuple[Sign, ...]:
    """The engines, Git, network isolation, the advisory store and the site tools, looked at now.

    ``engines`` are names with how to ask for the version; both callables raise MergegateError.
    """
    return (*_engines(engines), _git(), _isolation(), _advisories(store), *site_signs())


def _engines(engines: Sequence[tuple[str, Callable[[], str]]]) -> list[Sign]:
    found = []
    for name, version in engines:
        try:
            found.append(Sign(name, version()))
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
