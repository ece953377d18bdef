"""What readers see, as pictures: console, HTML, comment, check and GitLab's widget.

    python -m bench.pictures FOLDER [--findings 0,1,30,3000] [--only html-phone,comment]
    python -m bench.pictures --docs     # writes docs/images/comment.png and host-report.png

Generates a repository whose change brings as many findings, scans it with the installed command,
and writes a picture of each surface into ``FOLDER``, beside the page it is of. Prints JSON: how
many findings the scan told, and of each page its seconds until it is drawn, its height, whether it
is wider than its screen, and where the first finding stands (pixels; a phone's screen has 844).

Console, HTML and SARIF are what the command writes. Comment and check are drawn from its JSON, as
``mergegate ci`` draws them, and rendered as GitHub renders Markdown in its widths and rules.
GitLab's widget is drawn from the code quality reports of both sides as GitLab compares them: by
fingerprint. Needs Chromium.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Page, Playwright, sync_playwright
from rich.console import Console
from rich.text import Text
from tests.repo.report import changes

from mergegate.ci.publication import publication
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import Report
from mergegate.core.score import FailOn, decided
from mergegate.forges.publication import GITHUB, Framing, Publication
from mergegate.repo.report import html
from mergegate.repo.wire import read
from mergegate.sandbox.browser.find import executable

PROGRAM = str(Path(sys.executable).with_name("mergegate"))
FLAWS = (
    'os.system("ls " + request.args["d{n}"])',
    'db.execute("SELECT * FROM t{n} WHERE a = \'" + request.args["a"] + "\'")',
    'yaml.load(request.data, Loader=yaml.Loader), "{n}"',
    'pickle.loads(request.data), "{n}"',
    'eval(request.args["e{n}"])',
    'requests.get("https://a{n}.example.org/", verify=False, timeout=9)',
    'open("/srv/{n}/" + request.args["f"]).read()',
    'redirect(request.args["u{n}"])',
    'requests.get(request.args["v{n}"], timeout=9)',
    'tempfile.mktemp("{n}")',
)
HEAD = """import os
import pickle
import tempfile

import requests
import yaml
from flask import redirect, request

from shop.store import db
"""
OLD, IN_A_FILE = 4, 20
"""Findings of the base; findings of a file."""
DESKTOP, PHONE, PAPER = (1280, 800), (390, 844), (794, 1123)
_ASPECTS = ("--offline", "--only", "code,secrets,iac,quality")


@dataclass(frozen=True, slots=True)
class Surface:
    """A page on a screen."""

    name: str
    page: str
    """Which of the pages it shows."""
    screen: tuple[int, int]
    dark: bool = False
    paper: bool = False


SURFACES = (
    Surface("console", "console", (900, 800)),
    Surface("html", "html", DESKTOP),
    Surface("html-dark", "html", DESKTOP, dark=True),
    Surface("html-phone", "html", PHONE),
    Surface("html-paper", "html", PAPER, paper=True),
    Surface("comment", "comment", DESKTOP),
    Surface("comment-phone", "comment", PHONE),
    Surface("check", "check", DESKTOP),
    Surface("check-phone", "check", PHONE),
    Surface("gitlab-widget", "widget", DESKTOP),
)


def repository(root: Path, findings: int) -> None:
    """A small shop, and a change on top of it that brings ``findings``."""
    (root / "shop").mkdir(parents=True)
    (root / "shop" / "store.py").write_text("db = None\n")
    (root / "README.md").write_text("# A shop\n")
    (root / "shop" / "orders.py").write_text(_module(range(OLD)))
    _git(root, "init", "-q", "-b", "main")
    _git(root, "remote", "add", "origin", "https://github.com/acme/shop.git")
    _commit(root, "base")
    (root / "README.md").write_text("# A shop\n\nSells tea.\n")
    for start in range(0, findings, IN_A_FILE):
        numbers = range(start + 100, min(start + IN_A_FILE, findings) + 100)
        (root / "shop" / f"area_{start // IN_A_FILE}.py").write_text(_module(numbers))
    _commit(root, "change")


def _module(numbers: Sequence[int]) -> str:
    """A function for each number, each with a flaw of its own."""
    told = (FLAWS[n % len(FLAWS)].replace("{n}", str(n)) for n in numbers)
    bodies = zip(numbers, told, strict=True)
    return HEAD + "".join(f"\n\ndef part_{n}():\n    return {flaw}\n" for n, flaw in bodies)


def _git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True)


def _commit(root: Path, message: str) -> None:
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", message)


def pages(root: Path, folder: Path, findings: int) -> tuple[Report, dict[str, Path]]:
    """Scan the change and write each page; the report, and where the pages lie."""
    report, page, head, base = (
        folder / f"{findings}.{name}" for name in ("json", "html", "head.json", "base.json")
    )
    wanted = (f"json={report}", f"html={page}", f"codequality={head}")
    formats = [part for one in ("console", *wanted) for part in ("--format", one)]
    shown = _scanned(root, "--base", "HEAD~1", "--fail-on", "new", *formats)
    _git(root, "checkout", "-q", "HEAD~1")
    _scanned(root, "--format", f"codequality={base}")
    told = decided(read(report.read_bytes()), FailOn.NEW, REPOSITORY)
    said = _publication(told)
    made = {
        "console": _console(shown),
        "comment": _comment(said.comment(None)),
        "check": _check(said),
        "widget": _widget(*(json.loads(one.read_text()) for one in (head, base))),
    }
    places = {name: folder / f"{findings}.{name}.html" for name in made}
    for name, text in made.items():
        places[name].write_text(text, encoding="utf-8")
    return told, places | {"html": page}


def _scanned(root: Path, *options: str) -> str:
    """Standard output of a scan."""
    environment = os.environ | {"FORCE_COLOR": "1", "COLUMNS": "100"}
    command = [PROGRAM, "scan", str(root), *_ASPECTS, *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in {0, 1}:
        raise RuntimeError(f"a scan ended with {done.returncode}: {done.stderr[-500:]}")
    return done.stdout


def _publication(report: Report) -> Publication:
    assert report.decided
    framing = Framing(
        verdict=report.decided.verdict,
        fail_on=report.decided.fail_on,
        dialect=GITHUB,
        head=report.target.commit or changes.HEAD,
        sequence=1,
        at=report.completed_at,
        run_url="https://ci.example.org/acme/shop/runs/81",
        commands=True,
    )
    return publication(report, framing, {}, None)


def _document(style: str, body: str) -> str:
    """A page of ours with foreign text in it, which GitHub would have cleaned; no script runs."""
    return f"""<!doctype html><html lang="en"><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><style>{style}</style>{body}</html>
"""


def _console(output: str) -> str:
    """A terminal's window of what the command printed."""
    screen = Console(record=True, width=100, file=StringIO())
    screen.print(Text.from_ansi(output))
    code = screen.export_html(inline_styles=True, code_format="<pre>{code}</pre>")
    return _document("body{background:#fff}pre{font:13px/1.35 DejaVu Sans Mono,monospace}", code)


# Widths, type and the behaviour of tables and code as github.com had them in 2026.
_GITHUB = """
*{box-sizing:border-box}body{margin:0;font:14px/1.5 "Segoe UI",Helvetica,Arial,sans-serif;
color:#1f2328}main{max-width:900px;margin:16px auto;padding:0 16px}
.box{border:1px solid #d1d9e0;border-radius:6px}.by{background:#f6f8fa;padding:8px 16px;
border-bottom:1px solid #d1d9e0;color:#59636e}.md{padding:16px;overflow-wrap:break-word}
.md>:first-child{margin-top:0}.md p,.md ul,.md ol,.md details,.md pre,.md table{margin:0 0 16px}
.md h2{font-size:1.5em;padding-bottom:.3em;border-bottom:1px solid #d1d9e0;margin:24px 0 16px}
.md h3{font-size:1.25em;margin:24px 0 16px}.md ul,.md ol{padding-left:2em}
.md code{font:85% ui-monospace,DejaVu Sans Mono,monospace;background:#818b981f;padding:.2em .4em;
border-radius:6px;white-space:break-spaces}.md pre{padding:16px;overflow:auto;background:#f6f8fa;
border-radius:6px}.md pre code{background:none;padding:0;white-space:pre}
.md table{display:block;width:max-content;max-width:100%;overflow:auto;border-collapse:collapse}
.md td,.md th{border:1px solid #d1d9e0;padding:6px 13px}a{color:#0969da}
.note{border-left:4px solid #cf222e;padding:8px 16px;margin:8px 0;white-space:pre-wrap}
.note b{display:block}@media(max-width:767px){main{padding:0 8px}}
"""


def _markdown(text: str) -> str:
    renderer = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    rendered: str = renderer.render(text)
    return rendered


def _comment(text: str, style: str = _GITHUB) -> str:
    by = "<div class=by><b>github-actions</b> commented 2 minutes ago · edited</div>"
    body = f"<div class=box>{by}<div class=md>{_markdown(text)}</div></div>"
    return _document(style, f"<main>{body}</main>")


def _check(said: Publication) -> str:
    """Title, summary, and the annotations that GitHub lists below them."""
    notes = "".join(
        f"<div class=note><b>{escape(f'{one.path}#L{one.start_line}')}</b>"
        f"<b>{escape(one.title)}</b>{escape(one.message)}</div>"
        for one in said.annotations[:50]
    )
    title = f"<h1>Mergegate</h1><p>{escape(said.headline)}</p>"
    return _document(
        _GITHUB, f"<main>{title}<div class=md>{_markdown(said.details)}</div>{notes}</main>"
    )


_GITLAB = """body{font:14px/1.4 "GitLab Sans",Helvetica,sans-serif;color:#333238;
max-width:990px;margin:16px auto;padding:0 16px}section{border:1px solid #dcdcde;border-radius:8px}
h2{font-size:14px;margin:0;padding:14px 16px;border-bottom:1px solid #dcdcde}
ul{list-style:none;margin:0;padding:8px 16px;height:290px;overflow:auto}li{padding:6px 0}"""


def _widget(head: Sequence[Any], base: Sequence[Any]) -> str:
    """The merge request's widget: what is only in one of the reports, by fingerprint."""
    before, after = ({one["fingerprint"] for one in side} for side in (base, head))
    new = [one for one in head if one["fingerprint"] not in before]
    fixed = [one for one in base if one["fingerprint"] not in after]
    rows = "".join(
        f"<li><b>{one['severity'].capitalize()}</b> - {escape(one['description'])} in "
        f"<code>{escape(one['location']['path'])}:{one['location']['lines']['begin']}</code></li>"
        for one in new
    )
    said = f"Code Quality scans found {len(new):,} new findings and {len(fixed):,} fixed findings."
    if not new and not fixed:
        said = "Code Quality hasn’t changed."
    return _document(_GITLAB, f"<section><h2>{said}</h2><ul>{rows}</ul></section>")


def taken(browser: Browser, one: Surface, page: Path, picture: Path) -> dict[str, object]:
    """The picture of its first screen, and what was measured."""
    wide, high = one.screen
    context = browser.new_context(
        viewport={"width": wide, "height": high},
        color_scheme="dark" if one.dark else "light",
        device_scale_factor=1,
    )
    shown = context.new_page()
    started = time.monotonic()
    shown.goto(page.as_uri(), wait_until="load")
    if one.paper:
        shown.emulate_media(media="print")
    size = shown.evaluate("[document.body.scrollHeight, document.documentElement.scrollWidth]")
    seconds = time.monotonic() - started
    shown.screenshot(path=picture)
    measured = {
        "seconds": round(seconds, 2),
        "height": size[0],
        "is wider": size[1] > wide,
        "first finding": _first(shown),
    }
    context.close()
    return measured


def _first(page: Page) -> int | None:
    """Where the first finding begins; None where there is none, or none can be told."""
    row = page.locator(".group .finding, .group .row, .md li:has-text('shop/'), .md details")
    box = row.first.bounding_box() if row.count() else None
    return round(box["y"]) if box else None


def measured(
    folder: Path, counts: Sequence[int], names: Sequence[str]
) -> Iterator[tuple[str, object]]:
    with sync_playwright() as driver:
        browser = _browser(driver)
        for count in counts:
            with tempfile.TemporaryDirectory() as scratch:
                root = Path(scratch) / "shop"
                repository(root, count)
                report, places = pages(root, folder, count)
            told = report.comparison.new if report.comparison else 0
            figures: dict[str, object] = {"findings told": told}
            for one in SURFACES:
                if not names or one.name in names:
                    picture = folder / f"{count}.{one.name}.png"
                    figures[one.name] = taken(browser, one, places[one.page], picture)
            yield f"{count} findings", figures
        browser.close()


DOCS = Path(__file__).parents[1] / "docs" / "images"
_UNPICKLES = '''import pickle

from flask import Flask, request

app = Flask(__name__)
basket = {}


@app.post("/basket")
def restore():
    """What the browser kept of an earlier visit."""
    basket.update(pickle.loads(request.data))
    return "", 204
'''
_CLOSER = "main{max-width:none;margin:16px;padding:0;font-size:16px}.by{font-size:14px}"


def write_docs() -> None:
    """The pictures of a comment, and of a host's page, which draws a result as it is sent."""
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as driver:
        root, result, page = (Path(scratch) / name for name in ("shop", "json", "host.html"))
        root.mkdir()
        (root / "app.py").write_text(_UNPICKLES)
        _git(root, "init", "-q", "-b", "main")
        _git(root, "remote", "add", "origin", "https://github.com/octo/shop.git")
        _commit(root, "shop")
        _scanned(root, "--format", f"json={result}")
        page.write_text(html.render(read(result.read_bytes())), encoding="utf-8")
        said = _publication(decided(changes.failing(), FailOn.NEW, REPOSITORY)).comment(None)
        comment = Path(scratch) / "comment.html"
        comment.write_text(_comment(said, _GITHUB + _CLOSER), encoding="utf-8")
        browser = _browser(driver)
        for source, wide, high, scale, name in (
            (page, 1000, 620, 1.25, "host-report.png"),
            (comment, 900, 600, 1, "comment.png"),
        ):
            shown = browser.new_page(
                viewport={"width": wide, "height": high}, device_scale_factor=scale
            )
            shown.goto(source.as_uri())
            shown.screenshot(path=DOCS / name, full_page=source == comment)
        browser.close()


def _browser(driver: Playwright) -> Browser:
    return driver.chromium.launch(
        executable_path=executable(), args=["--no-sandbox", "--disable-dev-shm-usage"]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--docs", action="store_true")
    parser.add_argument("--findings", default="0,1,30,3000")
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    if asked.docs:
        write_docs()
    if asked.folder is None:
        return
    asked.folder.mkdir(parents=True, exist_ok=True)
    counts = [int(one) for one in asked.findings.split(",")]
    names = [one for one in asked.only.split(",") if one]
    print(json.dumps(dict(measured(asked.folder.resolve(), counts, names)), indent=2))


if __name__ == "__main__":
    main()
