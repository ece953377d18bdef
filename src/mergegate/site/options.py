"""What the commands that visit a site share: what opens it, what may be reached, what is missing.

A header or cookie that opens a site is a secret. It need not stand in the list of processes:
``@FILE`` and two environment variables hold one a line.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from mergegate.core.errors import EngineMissing, UsageError
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.visit import Credentials
from mergegate.site.address import host_and_port, policy_for

HEADERS_VARIABLE = "MERGEGATE_SITE_HEADERS"
COOKIES_VARIABLE = "MERGEGATE_SITE_COOKIES"
_LARGEST_BYTES = 1 << 16
_MOST = 50
"""Headers, cookies, or hosts."""
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""A field name (RFC 9110, 5.6.2)."""
_VALUE = re.compile(r"[\x20-\x7e]+")
_COOKIE_VALUE = re.compile(r"[\x20-\x3a\x3c-\x7e]*")
"""What browsers keep, which is more than RFC 6265 lets a server set."""
_NOT_OURS = re.compile(
    r"host|connection|content-length|cookie2?|expect|keep-alive|te|trailer|transfer-encoding"
    r"|upgrade|proxy-.*|sec-.*",
    re.IGNORECASE,
)
"""Headers that the browser alone may set (Fetch, "forbidden request-header")."""

Command = Callable[..., Any]


def site_options(command: Command) -> Command:
    """Give a command ``--header``, ``--cookie`` and ``--allow``: three tuples of text."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def credentials(
    headers: Sequence[str], cookies: Sequence[str], environment: Mapping[str, str] = os.environ
) -> Credentials:
    """What the options and the two variables say; raises UsageError, which repeats no value."""
    return Credentials(
        headers=tuple(map(_header, _lines(headers, environment.get(HEADERS_VARIABLE, "")))),
        cookies=tuple(map(_cookie, _lines(cookies, environment.get(COOKIES_VARIABLE, "")))),
    )


def policy(addresses: Sequence[str], allow: Sequence[str]) -> Policy:
    """What a scan of ``addresses`` may reach, ``--allow`` included.

    Addresses are in their one spelling. A host without a port is allowed on 80 and 443. Raises
    UsageError for what is no host, TargetNotAllowed for one that no scan may ever reach.
    """
    if len(allow) > _MOST:
        raise UsageError(f"--allow names more than {_MOST} hosts")
    return policy_for(*addresses, also=[to for host in allow for to in host_and_port(host)])


_OPTIONS = (
    click.option(
        "--header",
        "headers",
        multiple=True,
        metavar="'NAME: VALUE'",
        help="Send this to the site's own origin alone; repeatable. @FILE reads one a line, as "
        f"does the variable {HEADERS_VARIABLE}: neither shows in the list of processes.",
    ),
    click.option(
        "--cookie",
        "cookies",
        multiple=True,
        metavar="NAME=VALUE",
        help=f"The same for a cookie; repeatable. @FILE and {COOKIES_VARIABLE} as above.",
    ),
    click.option(
        "--allow",
        multiple=True,
        metavar="HOST[:PORT]",
        help="A private host that the pages need, such as an API on localhost; repeatable.",
    ),
)


def _lines(given: Sequence[str], variable: str) -> tuple[str, ...]:
    found = [*variable.splitlines()]
    for one in given:
        found += _file(Path(one[1:])) if one.startswith("@") else [one]
    lines = tuple(line.strip() for line in found if line.strip())
    if len(lines) > _MOST:
        raise UsageError(f"more than {_MOST} headers or cookies were given")
    return lines


def _file(path: Path) -> list[str]:
    try:
        with path.open("rb") as file:  # secrets are mounted as links, or come through a pipe
            content = file.read(_LARGEST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    if len(content) > _LARGEST_BYTES:
        raise UsageError(f"{path} is larger than {_LARGEST_BYTES >> 10} KiB")
    # An unreadable character is no header's: the checks of the value refuse it.
    return content.decode("utf-8", "replace").splitlines()


def _header(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not (colon and _TOKEN.fullmatch(name) and _VALUE.fullmatch(value.strip())):
        raise UsageError("a header cannot be read", remedy="Write it as 'Name: value', in ASCII.")
    if _NOT_OURS.fullmatch(name):
        # The name was checked: it is a plain token.
        remedy = "Use --cookie." if name.lower() == "cookie" else "Leave it out."
        raise UsageError(f"the header {name} is the browser's own", remedy=remedy)
    return name, value.strip()


def _cookie(line: str) -> tuple[str, str]:
    name, equals, value = line.partition("=")
    if not (equals and _TOKEN.fullmatch(name) and _COOKIE_VALUE.fullmatch(value)):
        raise UsageError("a cookie cannot be read", remedy="Write it as name=value, in ASCII.")
    return name, value


@contextmanager
def needing_packages(command: str) -> Iterator[None]:
    """Around the imports of ``command``; raises EngineMissing for a package that is not there."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "mergegate":
            raise
        raise EngineMissing(
            f"{command} is not installed here",
            remedy="Install Mergegate's extra `site`, or let a host do it with --remote URL.",
        ) from error
