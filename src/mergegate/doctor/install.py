"""``mergegate doctor --fix``: install what the site tools lack, by the means of the machine."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from mergegate.core.errors import EngineMissing, MergegateError
from mergegate.core.render.escape import log, terminal
from mergegate.doctor.signs import PACKAGES
from mergegate.sandbox.browser import executable
from mergegate.sandbox.process.node import packaged
from mergegate.sandbox.process.run import MEBIBYTE, Limits, python_module, run

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
"""No package of ours needs a script of its own."""
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Step:
    """One call of an installer."""

    what: str
    """As "Installing Chromium with apt-get"."""
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
        # The Node.js in Playwright's wheel links libatomic, and no package depends on that.
        wanted = ("chromium", "libatomic1")
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
