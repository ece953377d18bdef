"""One critical flaw in many disguises, each tried in a change of its own.

python -m bench.disguises [NAME...]          prints each disguise and what became of it

python -m bench.disguises --write [NAME...]  and writes docs/disguises.md, or the rows of some
"""

import argparse
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.repo.disguises import DOCS, FILES, ROW, STATES, Outcome, tried

NAMES = [name for group in (*FILES.values(), *STATES.values()) for name in group]
_INTRODUCTION = """\
# Disguises

One critical flaw in {count} disguises, each in a change of its own beside forty lines of ordinary
work, scanned with `mergegate scan --base … --fail-on new`. `python -m bench.disguises --write`
tries them anew and writes this page; the disguises themselves are in `tests/repo/disguises.py`, and
`tests/repo/test_disguises.py` holds each to what is said here.

Passed without a word: {silent}.

What no flow of data is followed through still, and no other rule names: in Python an argument of a
decorator or of a class's head, a slice, a `type` alias, `del`, what a `raise` comes `from`, the
guard of a `case`,
the type after `except`, and a handler behind a body that only defines a class or a function; in
JavaScript and TypeScript a computed name, a default in a pattern, what a class extends; in Java the
guard of a `case`; in Go an index with a call in it.\
"""

_LIMITS = """\

## What is not looked at

A flow is followed inside one function. Beyond it, rules know functions of the same file that run
what they are handed (`python-injection-through-function`), names that clean or check elsewhere and
were given another meaning, and other names of the request (in Python for commands,
code, SQL and deserialisation alone). They do not follow

- a value through an attribute into another method, through a callback, a generator, a channel, a
  decorator, or a function of another file; in other languages than Python through any function;
- a value that is sliced in Python after it was given a name (`v = request.args["x"]; run(v[1:])`),
  or bound by `match`;
- which branch a check leads to, and whether a check of several statements checks anything: what is
  tested against a list or by a function called `is_…`, `check…` or `valid…` is believed;
- arguments of the program, standard input, sockets and queues: they are no data of a request;
- names that are computed (`globalThis["ev" + "al"]`), reflection, and functions kept in tables;
- in Java and Go a command that is kept before it runs (`rt = Runtime.getRuntime()`, `exec.Cmd{…}`,
  `os.StartProcess`).
"""


def page(found: Mapping[str, tuple[Outcome, int]]) -> str:
    """``docs/disguises.md``."""
    silent = sum(one is Outcome.SILENT for one, _ in found.values())
    lines = [_INTRODUCTION.format(count=len(found), silent=silent)]
    for group, disguises in {**FILES, **STATES}.items():
        lines += [
            f"\n## {group}\n",
            "| Disguise | What became of it | Exit code |",
            "|---|---|---|",
        ]
        lines += [f"| {name} | {found[name][0]} | {found[name][1]} |" for name in disguises]
    return "\n".join(lines) + "\n" + _LIMITS


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    names = given.names or NAMES
    found = {}
    if given.names:
        rows = ROW.findall(DOCS.read_text("utf-8"))
        found = {name: (Outcome(said), int(code)) for name, said, code in rows if name in NAMES}
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            found[name] = tried(name, Path(folder))
        print(f"{found[name][1]}  {name}: {found[name][0]}", flush=True)
    if given.write:
        DOCS.write_text(page(found), encoding="utf-8")
    sys.exit(any(one is Outcome.SILENT for one, _ in found.values()))


if __name__ == "__main__":
    main()
