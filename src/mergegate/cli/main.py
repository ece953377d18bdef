"""``mergegate``: commands, errors and exit codes."""

import errno
import gc
import io
import os
import signal
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType

import click
from click.shell_completion import CompletionItem

from mergegate import __version__
from mergegate.core.errors import EngineMissing, MergegateError
from mergegate.terminal.exits import INCOMPLETE, USAGE, exit_code

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_MAKE_ROOM = "Make room, or name another folder for temporary files in TMPDIR."
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "scan": "Scan the repository at PATH: code, secrets, dependencies, infrastructure,"
        " quality.",
        "fix": "Apply the fix of the finding ID in the repository at PATH.",
        "init": "Give the repository at PATH a policy, and the pipeline file that its forge runs.",
        "audit": "Audit the page at URL with Lighthouse: performance, SEO, accessibility, best"
        " practices.",
        "browser-test": "Visit URL and the pages that it links in a real browser, and tell what is"
        " wrong with them.",
        "security-scan": "Look at the page at URL and what belongs to it, and tell what is unsafe"
        " about it.",
        "seo": "Analyse how search engines and AI assistants find, read and show the page at URL.",
        "ci": "Scan the change that this CI job is about, publish the answer, and gate the merge.",
        "publish": "Scan a change from a fork as plain files, and post the answer.",
        "replay": "Draw the report of the bundle FILE again, without engines; tell what differs.",
        "verify": "Tell whether ATTESTATION says that COMMIT passed, and rests on what you hold.",
        "rules": "List every rule with its severity.",
        "explain": "Tell what RULE looks for, why it matters and what to do.",
        "advisories": "Fill and inspect the store of advisories that dependencies are checked"
        " against.",
        "policy": "Check the policy in FILE, or print the schema of policies.",
        "doctor": "Check this machine, then predict what will go wrong in the CI of the repository"
        " at PATH.",
        "lsp": "Show an editor what is found in each file as it is saved.",
        "completion": "Print what lets SHELL complete commands, options and rules.",
        "serve": "Answer the HTTP API, and carry out its scans.",
        "worker": "Carry out scans that `mergegate serve` accepted, beside it or on another"
        " machine.",
        "keys": "Make, list and revoke keys to this host's API.",
        "accounts": "Make, suspend and remove accounts on this host, and set their plans.",
        "connections": "Lend this host an account's access to GitHub, GitLab or Bitbucket.",
        "search-console": "Lend this host an account's access to Google's Search Console.",
        "hooks": "Let GitHub, GitLab or Bitbucket tell this host of changes, so that no CI job has"
        " to run.",
        "scans": "List this host's scans, tell why one failed, and cancel one.",
        "schedules": "Let this host scan again and again by itself.",
    }
)
"""Name → the first sentence of its help, in the order in which a newcomer needs them.

It stands here so that the list can be shown without loading every engine's library.
"""
_STANDARD_ERROR = 2
_EXTRAS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "site": frozenset({"audit", "browser-test", "security-scan", "seo"}),
        "serve": frozenset(
            {
                *("serve", "worker", "keys", "accounts", "connections", "search-console"),
                *("hooks", "scans", "schedules"),
            }
        ),
    }
)
"""Extra → the commands that need it; scans of repositories need none."""
_MODULES: Mapping[str, str] = MappingProxyType(
    {
        "replay": "cli.verdict",
        "verify": "cli.verdict",
        "explain": "cli.rules",
        "policy": "cli.rules",
        "browser-test": "cli.browser_test",
        "security-scan": "cli.security_scan",
        "ci": "ci.job",
        "publish": "ci.publish",
        **{name: f"host.commands.{name.replace('-', '_')}" for name in _EXTRAS["serve"]},
    }
)
"""Commands whose module has another name than theirs, or lies in another package."""
_PACKAGES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "site": frozenset({"cryptography", "playwright", "protego", "selectolax", "tldextract"}),
        "serve": frozenset({"aiosqlite", "alembic", "croniter", "psycopg", "sqlalchemy"}),
    }
)
"""Extra → of its packages those without which its commands cannot be loaded."""


class Commands(click.Group):
    """Loads a command when it is asked for: an engine's library takes longer than an answer."""

    def list_commands(self, _: click.Context) -> list[str]:
        """The commands in the order in which a newcomer needs them."""
        return list(COMMANDS)

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Every command with its first sentence, none of them loaded."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, _sentence(name)) for name in COMMANDS])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands that begin so, none of them loaded, and the options."""
        named = [name for name in COMMANDS if name.startswith(incomplete)]
        found = [CompletionItem(name, help=_sentence(name)) for name in named]
        # The group's own would load every one of them.
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that ``args`` begin with; of a name that is none, what was meant."""
        near = get_close_matches(args[0], COMMANDS, 1) if args and args[0] not in COMMANDS else []
        if near and not args[0].startswith("-"):
            ctx.fail(f"No such command {args[0]!r}. Did you mean {near[0]!r}?")
        return super().resolve_command(ctx, args)

    def get_command(self, _: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None when there is none."""
        if cmd_name not in COMMANDS:
            return None
        try:
            path = _MODULES.get(cmd_name, f"cli.{cmd_name}")
            with _loading():
                module = import_module(f"mergegate.{path}")
        except ModuleNotFoundError as error:
            package = (error.name or "").partition(".")[0]
            extra = next((one for one, names in _PACKAGES.items() if package in names), None)
            if extra is None:
                raise
            return _not_installed(cmd_name, extra)
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command


@contextmanager
def _loading() -> Iterator[None]:
    """Import with the garbage collector off: it takes a tenth of the start and frees nothing."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _sentence(name: str) -> str:
    extra = next((one for one, commands in _EXTRAS.items() if name in commands), None)
    missing = extra and not all(map(find_spec, _PACKAGES[extra]))
    return _absent(extra) if extra and missing else COMMANDS[name]


def _absent(extra: str) -> str:
    otherwise = ", or --remote" if extra == "site" else ""
    return f"Not installed: needs the extra `{extra}`{otherwise}."


def _not_installed(name: str, extra: str) -> click.Command:
    """Stands in for the command, and says what to do when it is called."""

    def refuse() -> None:
        remedy = f"Install Mergegate's extra `{extra}`."
        raise EngineMissing(f"{name} is not installed", remedy=remedy)

    return click.Command(
        name,
        callback=refuse,
        short_help=_absent(extra),
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )


@click.group(cls=Commands, context_settings=CONTEXT)
@click.version_option(__version__, prog_name="mergegate")
def main() -> None:
    """Give one trustworthy answer before each merge: is this change safe and good.

    \b
    Examples:
      mergegate scan                      the repository in this folder
      mergegate scan ../shop --base main  what the branch brings against main
      mergegate init                      a policy and the pipeline file of your forge
      mergegate audit localhost:3000      speed and quality of a page
      mergegate browser-test localhost:3000
      mergegate security-scan localhost:3000
      mergegate seo localhost:3000        how search engines and assistants find a page
      mergegate advisories update         fetch or refresh the advisory store
      mergegate explain python-sql-injection

    \b
    Exit codes: 0 passed, 1 gate failed, 2 usage or bad input, 3 incomplete.
    Shell completion: eval "$(mergegate completion bash)", or zsh, or fish
    """


def _end(number: int, _: object) -> None:
    """A job that is cancelled gets SIGTERM, one whose terminal closes SIGHUP.

    Unwind, so that no browser is left behind.
    """
    sys.exit(128 + number)


def run() -> None:
    """The console script: errors of ours become one line and an exit code.

    A mistake in Mergegate itself is no gate that failed: it leaves the answer incomplete.
    """
    _open_standard_streams()
    # It would ask every installed package for plug-ins, and none of them is ours.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    signal.signal(signal.SIGTERM, _end)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup has it
        signal.signal(signal.SIGHUP, _end)
    try:
        main(standalone_mode=False)
    except MergegateError as error:
        _tell(f"mergegate: {error}")
        sys.exit(exit_code(error))
    except click.Abort:
        click.echo("mergegate: interrupted", err=True)
        sys.exit(130)
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        for line in shown.getvalue().splitlines():
            _tell(line)
        sys.exit(USAGE)
    except click.exceptions.Exit as ended:
        sys.exit(ended.exit_code)
    except Exception as error:
        _own_mistake(error)
        sys.exit(INCOMPLETE)
    finally:
        # What is left goes with the process; Python would first look through all of it for garbage.
        gc.freeze()


def _open_standard_streams() -> None:
    """A caller may have closed some (``>&-``): what is written there then goes nowhere.

    Else the next file that is opened would take the number, and what children print.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8"))


def _own_mistake(error: Exception) -> None:
    if isinstance(error, OSError) and error.errno in _FULL:
        _tell(f"mergegate: {error.strerror}. {_MAKE_ROOM}")
        return
    for line in traceback.format_exc().splitlines():
        _tell(line)
    _tell("mergegate: this is a mistake of its own; please report it with the lines above")


def _tell(line: str) -> None:
    """On standard error; what a page or a file is called, or holds, may be part of it."""
    from mergegate.core.render.escape import terminal  # noqa: PLC0415 - brings every report along
    from mergegate.secrets.mask import mask_line  # noqa: PLC0415 - and this every detector

    click.echo(terminal(mask_line(line)), err=True)
