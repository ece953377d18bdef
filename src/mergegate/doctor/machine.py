"""What a scan needs on this machine, and ``doctor --fix``, which installs what is missing."""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from mergegate.core.errors import EngineMissing, MergegateError
from mergegate.core.render.escape import log, terminal
from mergegate.packages.advisories import StoreStatus
from mergegate.sandbox.browser import chromium, executable
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process.account import READABLE, engines_account
from mergegate.sandbox.process.confinement import network_is_isolated
from mergegate.sandbox.process.node import OLDEST, node, packaged, version
from mergegate.sandbox.process.run import (
    MEBIBYTE,
    Limits,
    find_program,
    python_module,
    run,
)


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
        """The machine-readable form, for JSON."""
        return {**asdict(self), "healthy": self.healthy}


PACKAGES = ("lighthouse", "axe-core", "web-vitals")
"""The npm packages that are needed; each runs on Node.js or in a page."""
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
        "Start Mergegate as another user than root, or let MERGEGATE_ENGINE_USER name an account."
        if os.geteuid() == 0 and engines_account() is None
        else "Allow user namespaces; in a container, also the capability SYS_CHROOT "
        "(`--cap-drop ALL --cap-add SYS_CHROOT`)."
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
    """The engines, Git, the engines' account and network, advisories, the site tools; as of now.

    ``engines`` are names with how to ask for the version; both callables raise MergegateError.
    """
    found = (_engine(name, release) for name, release in engines)
    return (*found, _git(), _account(), _isolation(), _advisories(store), *site_signs())


def _engine(name: str, release: Callable[[], str]) -> Sign:
    try:
        return Sign(name, release())
    except MergegateError as error:
        return Sign(name, error.what, error.remedy or "Install mergegate again.")


def _git() -> Sign:
    try:
        return Sign("git", str(find_program("git")))
    except MergegateError as error:
        return Sign("git", error.what, "Install git: changes cannot be compared without it.", False)


def _account() -> Sign:
    name = "engines' account"
    try:
        account = engines_account()
    except MergegateError as error:
        return Sign(name, error.what, error.remedy)
    if account:
        state = f"{account.name or 'without a name'}, number {account.uid}"
        if not account.reads_all:
            return Sign(name, state)
        return Sign(name, f"{state}, which may read all files", READABLE, essential=False)
    if os.geteuid() != 0:
        return Sign(name, "your own, with no more rights")
    state = "root without capabilities, which may write what root owns"
    remedy = "Start Mergegate as another user: `docker run --user 10001`, or `su` on a machine."
    return Sign(name, state, remedy, essential=False)


def _isolation() -> Sign:
    try:
        is_isolated = network_is_isolated()
    except MergegateError as error:
        return Sign("network isolation", error.what, error.remedy)
    if is_isolated:
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


_LIMITS = Limits(timeout_s=900, memory_bytes=2048 * MEBIBYTE, output_bytes=2048 * MEBIBYTE)
_PASSED_ON = (
    *("HOME", "PATH", "TMPDIR", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy"),
    *("https_proxy", "no_proxy", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "NPM_CONFIG_REGISTRY"),
    *("npm_config_registry", "NPM_CONFIG_USERCONFIG", "PLAYWRIGHT_BROWSERS_PATH"),
    *("PLAYWRIGHT_DOWNLOAD_HOST",),
)
"""Variables that say where from and where to; installers see no others."""
_CHECKOUT = Path(__file__).parents[3]
_NPM = ("--omit=dev", "--ignore-scripts")
"""Scripts of packages are not run: none of ours needs one."""
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Step:
    """One call of an installer."""

    what: str
    """What is being done, such as "Installing Chromium with apt-get"."""
    argv: tuple[str, ...]
    cwd: Path
    environment: Mapping[str, str] = field(default_factory=dict)


def install(say: Say) -> None:
    """Install Chromium and the npm packages where they are missing, and tell each step."""
    if _has_chromium():
        say("Chromium is here already.")
    elif not any(_taken(way, say) and _has_chromium() for way in _chromium_ways()):
        say("Chromium could not be installed. Install it yourself, or name it: MERGEGATE_CHROMIUM.")
    if _has_packages():
        say("The npm packages are here already.")
    elif not (_taken(_package_steps(say), say) and _has_packages()):
        say("The npm packages could not be installed: Lighthouse is missing.")


def _taken(steps: tuple[Step, ...], say: Say) -> bool:
    """Whether there were steps, and all of them went well."""
    return bool(steps) and all(_well(step, say) for step in steps)


def _well(step: Step, say: Say) -> bool:
    say(f"{step.what}: {' '.join(step.argv)}")
    environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    try:
        done = run(
            step.argv,
            cwd=step.cwd,
            limits=_LIMITS,
            environment=environment | dict(step.environment),
            network=True,
            own_rights=True,
        )
    except MergegateError as error:
        say(f"It failed: {error}")
        return False
    if done.exit_code:
        say(f"It failed (exit code {done.exit_code}): {_reason(done.stderr or done.stdout)}")
    return done.exit_code == 0


def _chromium_ways() -> Iterator[tuple[Step, ...]]:
    """The distribution's package, which is updated with the machine; else Playwright's build."""
    root = Path("/")
    if os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {"DEBIAN_FRONTEND": "noninteractive"}
        # The fonts that pages are judged in everywhere; the Node.js in Playwright's wheel links
        # libatomic, and no package depends on that.
        wanted = ("chromium", "fonts-dejavu-core", "fonts-liberation", "libatomic1")
        packages = ("apt-get", "install", "--yes", "--no-install-recommends", *wanted)
        yield (
            Step("Reading Debian's package lists", ("apt-get", "update", "-qq"), root, quiet),
            Step("Installing Chromium with apt-get", packages, root, quiet),
        )
    if find_spec("playwright"):
        argv = (*python_module("playwright"), "install", "chromium", "--no-shell")
        yield (Step("Installing Chromium with Playwright", argv, root),)


def _package_steps(say: Say) -> tuple[Step, ...]:
    if not (_CHECKOUT / "package-lock.json").is_file():
        say("Mergegate was built without its npm packages; a release brings them. In the checkout")
        say(f"run `npm ci {' '.join(_NPM)}`, then install it again from there.")
        return ()
    if shutil.which("npm") is None:
        say("There is no npm. Install it (`apt-get install npm`), then run this again.")
        return ()
    argv = ("npm", "ci", *_NPM, "--no-audit", "--no-fund")
    return (Step("Installing the npm packages as locked", argv, _CHECKOUT),)


def _has_chromium() -> bool:
    try:
        return executable().is_file()
    except EngineMissing:
        return False


def _has_packages() -> bool:
    try:
        return all(packaged(name, "package.json").is_file() for name in PACKAGES)
    except EngineMissing:
        return False


def _reason(output: bytes) -> str:
    """The first line that speaks of an error, else the last one."""
    lines = [line for line in output.decode("utf-8", "replace").splitlines() if line.strip()]
    told = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "")
    return log(terminal(told.strip()[:300])) or "it said nothing"
