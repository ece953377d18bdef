"""The settings of a job: one name for option, action input, component input and variable."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from mergegate.ci.testing import LONGEST_S, TestOrder
from mergegate.core.data_table import read_table
from mergegate.core.errors import UsageError
from mergegate.core.report import Report
from mergegate.core.score import FailOn
from mergegate.core.severity import Aspect, Severity
from mergegate.repo.report.formats import FORMATS
from mergegate.terminal.output import meant

AUTO, NONE = "auto", "none"
NO_ADDRESS = frozenset({"", AUTO, NONE})
"""What names no address of its own as ``site-url``."""
_ASPECTS = ", ".join(Aspect)
Command = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a job."""

    name: str
    """The option's name without the hyphens before it."""
    default: str
    help: str
    """``{aspects}`` and ``{formats}`` are filled in with their names."""
    choices: tuple[str, ...] = ()
    also: str = ""
    """What other commands call it: another name of option and variable."""

    @property
    def options(self) -> list[str]:
        """What stands on a command line."""
        return [f"--{name}" for name in (self.name, self.also) if name]

    @property
    def variables(self) -> list[str]:
        """Where a pipeline may state it: ``MERGEGATE_FAIL_ON``; ``INPUT_FAIL-ON`` on GitHub."""
        name = (self.also or self.name).upper().replace("-", "_")
        return [f"MERGEGATE_{name}", f"INPUT_{self.name.upper()}"]


SWITCH = ("true", "false")
SETTINGS = tuple(
    read_table(Path(__file__).with_name("settings.toml"), Setting, key="name").values()
)


def usual() -> dict[str, Any]:
    """What :func:`job` takes when nothing is set."""
    return {one.name.replace("-", "_"): one.default for one in SETTINGS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """The settings, read."""

    path: Path
    base: str | None
    """None: what the event says."""
    fail_on: str
    """``auto``, ``new``, ``gate`` or ``never``."""
    fail_change_on: Severity | None = None
    """None: what the policy says."""
    aspects: frozenset[Aspect]
    policy: Path | None
    import_sarif: tuple[Path, ...]
    import_sarif_base: tuple[Path, ...]
    comment: bool
    review: int
    commands: bool
    sarif: bool
    report: Path
    formats: tuple[str, ...]
    cache: Path | None
    offline: bool
    site_url: str
    """``auto``, ``none``, or an address."""
    site_base_url: str
    site_folder: Path | None
    site_command: str
    site_budget: str
    """A path inside the repository; empty for none."""
    site_device: str
    """``auto``, ``mobile`` or ``desktop``."""
    site_pages: int
    tests: TestOrder | None = None
    """The repository's own tests, which fixes have to pass; None where nobody ordered any."""
    api_url: str = ""
    """The address of the host that carries the scans out; empty for this machine."""


def settings(*names: str) -> Callable[[Command], Command]:
    """Give a command an option for every setting, or for those named."""

    def decorate(command: Command) -> Command:
        for one in reversed(SETTINGS):
            if not names or one.name in names:
                command = _option(one)(command)
        return command

    return decorate


def _option(one: Setting) -> Callable[[Command], Command]:
    """A switch may be given alone: ``--comment`` is ``--comment true``."""
    alone: dict[str, Any] = {"is_flag": False, "flag_value": "true"}
    return click.option(
        one.name.replace("-", "_"),
        *one.options,
        default=one.default,
        show_default=bool(one.default),
        envvar=one.variables,
        type=click.Choice(one.choices, case_sensitive=False) if one.choices else str,
        help=one.help.format(aspects=_ASPECTS, formats=", ".join(FORMATS)),
        **(alone if one.choices == SWITCH else {}),
    )


def job(values: Mapping[str, Any]) -> Job:
    """The settings as click gives them, by name; raises UsageError for what cannot be."""
    _check_site(values["site_url"].strip(), values["site_folder"], values["site_command"])
    return Job(
        path=Path(values["path"]),
        base=None if values["base"] in {"", AUTO} else values["base"],
        fail_on=values["fail_on"],
        fail_change_on=level(values["fail_change_on"]),
        aspects=aspects(values["only"]),
        policy=Path(values["policy"]) if values["policy"] else None,
        import_sarif=_files(values, "import-sarif"),
        import_sarif_base=_files_of_base(values),
        comment=values["comment"] == "true",
        review=_count("review", values["review"]),
        commands=values["commands"] == "true",
        sarif=values["sarif"] == "true",
        report=Path(values["report"]),
        formats=_formats(values["formats"]),
        cache=Path(values["cache"]) if values["cache"] else None,
        offline=values["offline"] == "true",
        site_url=values["site_url"].strip(),
        site_base_url=values["site_base_url"].strip(),
        site_folder=Path(values["site_folder"]) if values["site_folder"] else None,
        site_command=values["site_command"],
        site_budget=values["site_budget"],
        site_device=values["site_device"],
        site_pages=_count("site-pages", values["site_pages"]),
        tests=_tests(values),
        api_url=values["api_url"].strip(),
    )


def _files(values: Mapping[str, Any], name: str) -> tuple[Path, ...]:
    """What the setting names; raises UsageError where a host scans, which sees none of it."""
    listed = values[name.replace("-", "_")].split(",")
    files = tuple(Path(part.strip()) for part in listed if part.strip())
    if files and values["api_url"].strip():
        raise UsageError(
            f"{name} names files of this machine, and api-url a host that cannot see them",
            remedy="Leave one of them out.",
        )
    return files


def _files_of_base(values: Mapping[str, Any]) -> tuple[Path, ...]:
    """What ``import-sarif-base`` names; raises UsageError where nothing is beside it."""
    files = _files(values, "import-sarif-base")
    if files and not _files(values, "import-sarif"):
        raise UsageError(
            "import-sarif-base is what scanners found in the base of what import-sarif names",
            remedy="Set import-sarif as well.",
        )
    return files


def _tests(values: Mapping[str, Any]) -> TestOrder | None:
    """The tests that are ordered; raises UsageError for what would go unnoticed."""
    command, names = values["test_command"].strip(), values["test_env"].split(",")
    order = TestOrder(
        command,
        tuple(name.strip() for name in names if name.strip()),
        values["test_network"] == "true",
        _seconds("test-timeout", values["test_timeout"]),
    )
    if not command and (order.variables or order.network):
        raise UsageError(
            "test-env and test-network say how tests are run, and no test-command names any",
            remedy="Set test-command, or leave them out.",
        )
    if command and values["api_url"].strip():
        raise UsageError(
            "test-command runs tests on this machine, and with api-url a host scans, which runs"
            " nothing of the repository",
            remedy="Leave one of them out.",
        )
    return order if command else None


def _check_site(url: str, folder: str, command: str) -> None:
    """A site that was asked for and would not be looked at must not go unnoticed."""
    if folder and (command or url not in NO_ADDRESS):
        raise UsageError(
            "site-folder names one site, and site-url or site-command another",
            remedy="Leave one of them out; a job looks at one site.",
        )
    if command and url in NO_ADDRESS - {NONE}:
        raise UsageError(
            "site-command serves a site, and no site-url says where",
            remedy="Name the address, as in `site-url: http://127.0.0.1:3000/`.",
        )


def aspects(only: str | None) -> frozenset[Aspect]:
    """The parts named in ``only``, all without; raises UsageError."""
    if not only or only == "all":
        return frozenset(Aspect)
    try:
        return frozenset(Aspect(part.strip()) for part in only.split(","))
    except ValueError as error:
        raise UsageError(f"only {only!r}: the parts are {_ASPECTS}") from error


def level(label: str) -> Severity | None:
    """The severity called ``label``; None for ``auto``."""
    return None if label == AUTO else Severity.named(label)


def _count(name: str, text: str) -> int:
    if not text.isdecimal() or len(text) > 3:
        raise UsageError(f"{name} {text!r} is no count from 0 to 999")
    return int(text)


def _seconds(name: str, text: str) -> int:
    if not text.isdecimal() or not 0 < int(text[:6]) <= LONGEST_S:
        raise UsageError(f"{name} {text!r} is no number of seconds up to {LONGEST_S:,}")
    return int(text)


def _formats(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    unknown = [name for name in names if name not in FORMATS]
    if unknown:
        known = ", ".join(FORMATS)
        hint = f"{meant(unknown[0], FORMATS)}The formats are {known}."
        raise UsageError(f"there is no format {unknown[0]!r}", remedy=hint)
    return names


def chosen(fail_on: str, report: Report) -> FailOn:
    """``auto``: a change answers for what it brings, a branch for all that it holds."""
    if fail_on != AUTO:
        return FailOn(fail_on)
    return FailOn.NEW if report.comparison else FailOn.GATE
