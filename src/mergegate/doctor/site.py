"""What the site tools need on this machine; who only scans repositories does without all of it."""

import json
from collections.abc import Callable
from functools import partial

from mergegate.core.errors import MergegateError
from mergegate.doctor.sign import Sign
from mergegate.sandbox.browser import chromium, executable
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process.node import OLDEST, node, packaged, version

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
