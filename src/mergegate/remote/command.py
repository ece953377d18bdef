"""What the commands that ``--remote`` hands to a host share: its options, and the asking itself."""

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

import click
from click.core import ParameterSource

from mergegate.core.errors import EngineFailed, UsageError
from mergegate.core.render import escape
from mergegate.core.render.formats import Format
from mergegate.remote.host import (
    KEY_VARIABLE,
    TIMEOUT_S,
    Host,
    Order,
    PollPolicy,
    ScanProgress,
    host,
)
from mergegate.sandbox.process.deny_ptrace import deny_ptrace

Command = Callable[..., Any]
R = TypeVar("R")


class _OnPage(Protocol):
    """A report that says which page it is about; an older host's may not."""

    @property
    def url(self) -> str | None: ...


P = TypeVar("P", bound=_OnPage)
SHORT_AUDIT_FORMATS = frozenset({"console", "json"})
"""What can be made of an audit's nested shape, which has no figures."""
_LONGEST_S = 7 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Remote:
    """The host that carries a scan out, and the patience with it."""

    host: Host
    policy: PollPolicy = PollPolicy()

    def report_on(self, page: str, order: Order, read: Callable[[bytes], P]) -> tuple[P, bytes]:
        """What the host says of ``page`` when it gets ``order``: read, and as it was sent.

        Raises as :meth:`asked`; EngineFailed for what no scan writes, or about another page.
        """
        content = self.asked(order)
        report = heard(read, content, self)
        # Other hosts may spell the same address in another way.
        if report.url is not None and _plain(report.url) != _plain(page):
            raise EngineFailed(f"{self.host.name} answers about another page than it was asked for")
        return report, content

    def asked(self, order: Order) -> bytes:
        """The result of ``order`` as the host sends it.

        An interrupt, or the end of the wait, calls the scan off. Raises UsageError, TargetError and
        EngineError.
        """
        from mergegate.remote.client import OutOfTime, submit  # noqa: PLC0415 - it speaks HTTP

        deny_ptrace()  # the key is in our memory, and Git may run beside us
        progress = ScanProgress(say)
        try:
            return submit(order, self.host, progress, self.policy)
        except (KeyboardInterrupt, SystemExit, OutOfTime):
            _leave(order, self.host, progress)
            raise


def remote_options(*local: str, cooldown: bool = False) -> Callable[[Command], Command]:
    """Give a command ``--remote`` and what belongs to it, as one value: ``remote``, or None.

    ``local`` names the parameters that only a scan on this machine honours: given with
    ``--remote``, they raise UsageError. ``cooldown`` adds ``--wait``.
    """

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(
            remote_url: str | None,
            timeout: float,
            allow_http: bool,
            wait: bool = False,
            **values: Any,
        ) -> Any:
            if remote_url is None:
                _refuse_alone()
                return command(**values, remote=None)
            _refuse(local)
            given = host(remote_url, os.environ, plain_http=allow_http)
            policy = PollPolicy(timeout_s=timeout, cooldown=wait)
            return command(**values, remote=Remote(given, policy))

        for option in reversed((*_OPTIONS, *((_WAIT,) if cooldown else ()))):
            run = option(run)
        return run

    return decorate


def answered(known: Mapping[str, Format[R]], content: bytes) -> Mapping[str, Format[R]]:
    """The formats ``known``, of which JSON is exactly what the host sent."""
    text = content.decode()
    return {**known, "json": replace(known["json"], render=lambda *_: text)}


def heard(read: Callable[[bytes], R], content: bytes, remote: Remote) -> R:
    """What ``read`` makes of the host's answer; raises EngineFailed for what no scan writes."""
    try:
        return read(content)
    except UsageError as error:
        raise EngineFailed(
            f"{remote.host.name} answers what cannot be read: {error.what}",
            remedy="Is it a host of Mergegate, and not older than this release?",
        ) from error


def _plain(address: str) -> tuple[str, ...]:
    try:
        parts = urlsplit(address)
    except ValueError:
        return (address,)
    return parts.scheme, parts.netloc.lower(), parts.path.rstrip("/"), parts.query


def refuse_formats(names: Collection[str], refused: Mapping[str, str]) -> None:
    """Raise UsageError for a format that a host's result does not hold enough for, with why."""
    for name in names:
        if name in refused:
            raise UsageError(
                f"the format {name} cannot be had with --remote: {refused[name]}",
                remedy="Leave it out, or scan here.",
            )


def say(line: str) -> None:
    """One line on standard error; what a host says may be part of it."""
    click.echo(escape.log(escape.terminal(f"mergegate: {line}")), err=True)


def _leave(order: Order, host: Host, progress: ScanProgress) -> None:
    """Call the scan off, and say what becomes of it."""
    from mergegate.remote.client import cancel  # noqa: PLC0415

    if not progress.sent:
        return
    is_off = False
    try:
        is_off = cancel(order, progress.scan_id, host)
    finally:  # a second interrupt may come here too
        say(_left(order, host, progress, is_off=is_off))


def _left(order: Order, host: Host, progress: ScanProgress, *, is_off: bool) -> str:
    """What becomes of the scan, with its id, or with the key that leads to it."""
    name = f" {progress.scan_id}" if progress.scan_id else ""
    if is_off or name:
        return f"the scan{name} {'was called off' if is_off else 'goes on'} at {host.name}"
    key = order.idempotency_key
    return f"the scan goes on at {host.name}; Idempotency-Key {key} is answered with it"


def _refuse(local: Collection[str]) -> None:
    """What was asked for and would not be done must not go unnoticed."""
    context = click.get_current_context()
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        given = source not in {ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP}
        if parameter.name in local and given:
            raise UsageError(
                f"{_spelled(parameter)} is not for --remote: the host does not take it",
                remedy="Leave it out, or scan here.",
            )
    if "headers" in local:
        _refuse_secrets()


def _refuse_secrets() -> None:
    """What opens a site may stand in variables as well."""
    from mergegate.site.options import COOKIES_VARIABLE, HEADERS_VARIABLE  # noqa: PLC0415

    for name in (HEADERS_VARIABLE, COOKIES_VARIABLE):
        if os.environ.get(name, "").strip():
            raise UsageError(
                f"{name} opens a site for a scan on this machine alone",
                remedy="Unset it to have the host see what every visitor sees.",
            )


def _refuse_alone() -> None:
    """Patience with a host means nothing where there is none."""
    context = click.get_current_context()
    for name in ("timeout", "allow_http", "wait"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise UsageError(
                f"--{name.replace('_', '-')} is about a host", remedy="Add --remote URL."
            )


def _spelled(parameter: click.Parameter) -> str:
    return parameter.opts[0] if isinstance(parameter, click.Option) else str(parameter.name)


_OPTIONS = (
    click.option(
        "--remote",
        "remote_url",
        metavar="URL",
        help="Have the scan carried out by the host at this address; its key is in the variable "
        f"{KEY_VARIABLE}. Interrupted, the scan is called off there.",
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(1, _LONGEST_S),
        metavar="SECONDS",
        default=TIMEOUT_S,
        show_default=True,
        help="Wait so long for a host, restarts of it included.",
    ),
    click.option(
        "--allow-http",
        is_flag=True,
        help="Send the key to an http address too: only where nobody listens on the way.",
    ),
)
_WAIT = click.option(
    "--wait",
    is_flag=True,
    help="Wait for the end of the cooldown, if the account has to, as long as --timeout allows.",
)
