"""A worker that hangs, dies or is told nonsense costs one run, and nothing stays behind."""

import json
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psutil
import pytest

from mergegate.core.errors import (
    EngineExhausted,
    EngineFailed,
    EngineKilled,
    EngineTimeout,
    TargetNotAnalysable,
)
from mergegate.sandbox.browser import Chromium, chromium
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process import node
from mergegate.sandbox.process.run import run
from mergegate.sandbox.visit import Visit
from mergegate.site.audit import lighthouse
from mergegate.site.audit.lighthouse import Lighthouse, Probe
from mergegate.site.audit.lighthouse.answer import GONE, Failure, read
from mergegate.site.audit.lighthouse.engine import worker
from tests.site.audit.lighthouse.conftest import Audit
from tests.sites import Sites

PROBE = Path(lighthouse.__file__).with_name("probe.mjs")
PROBING = Path(__file__).with_name("probing.mjs")


def open_pages(browser: Chromium) -> list[str]:
    where = urlsplit(browser.endpoint).netloc
    answer = httpx.get(f"http://{where}/json/list", trust_env=False)
    return [one["url"] for one in answer.json()]


def workers() -> list[psutil.Process]:
    return [one for one in psutil.Process().children(recursive=True) if _is_worker(one)]


def _is_worker(process: psutil.Process) -> bool:
    try:
        return any("worker.mjs" in part for part in process.cmdline())
    except psutil.Error:  # it has ended
        return False


def is_first(process: psutil.Process) -> bool:
    """Of a browser's processes."""
    return any("--remote-debugging-port" in part for part in process.cmdline())


def question_of(url: str, browser: Chromium) -> bytes:
    with Lighthouse(patience_s=300) as asking:
        return asking._question(Visit(url=url), browser, None, 300)


def test_a_worker_that_was_killed_is_replaced(audit: Audit) -> None:
    killed = workers()
    assert killed
    for one in killed:
        os.kill(one.pid, signal.SIGKILL)
        one.wait()
    with pytest.raises(TargetNotAnalysable, match="answered 403"):
        audit("forbidden")


@pytest.mark.slow
def test_a_run_that_takes_too_long_ends_and_the_next_one_works_though_its_probe_fails(
    audit: Audit, sites: Sites, browser: Chromium
) -> None:
    with pytest.raises(EngineTimeout):
        audit("endless", timeout_s=7)
    assert not [url for url in open_pages(browser) if url == sites.url("endless")]
    loaded = audit("fast", Probe("() => { throw new Error('no') }", None))
    assert (loaded.probed, loaded.run.scores.seo) == (None, 100)


def test_a_browser_that_is_gone_is_said_to_be_gone(warm: Lighthouse, sites: Sites) -> None:
    class Gone:
        endpoint = "ws://127.0.0.1:9/devtools/browser/none"
        alive = False
        fault = "it used more than 1 MiB of memory"
        failure = EngineExhausted

        def ends_within(self, seconds: float) -> bool:
            return True

    with pytest.raises(EngineExhausted, match="more than 1 MiB"):
        warm.measure(Visit(url=sites.url("fast")), Gone())


def test_a_run_ends_with_its_browser(sites: Sites) -> None:
    """Lighthouse would go on until its own patience ends."""
    with (
        ThreadPoolExecutor() as beside,
        Stage() as stage,
        egress(sites.policy, lookup=sites.lookup) as way,
        chromium(way.url, stage.room("browser"), extra=sites.chromium_flags) as browser,
        closing(worker(node.packages("lighthouse"), stage.room("lighthouse"))) as one,
    ):
        question = question_of(sites.url("endless"), browser)
        asked = beside.submit(one.ask, question, 300)
        while sites.url("endless") not in open_pages(browser):
            assert not asked.done()
            time.sleep(0.1)
        leader = psutil.Process(browser.process.pid)
        next(one for one in leader.children() if is_first(one)).kill()
        said = read(asked.result())
        assert isinstance(said, Failure)
        assert said.code == GONE
        assert browser.ends_within(60)
        assert isinstance(browser.failure(""), EngineKilled)


PROBES = [
    ("() => 'half a pair \\ud83d'", "half a pair \ufffd"),
    ("() => '\\\\ud83d'", "\\ud83d"),
    ("() => { throw new Error('no') }", None),
    ("() => { for (;;); }", None),
    ("() => new Promise(() => {})", None),
    ("() => 'x'.repeat(5_000_000)", None),
    ("async () => ({late: true})", {"late": True}),
]


def test_a_probe_that_fails_hangs_or_says_too_much_has_no_answer_and_the_next_one_has(
    browser: Chromium, tmp_path: Path
) -> None:
    puppeteer = node.packaged("puppeteer-core", "lib/puppeteer/puppeteer-core.js")
    argv = (node.node(), PROBING, browser.endpoint, puppeteer, PROBE, "1000")
    done = run([*argv, *(source for source, _ in PROBES)], cwd=tmp_path, network=True)
    assert done.exit_code == 0, done.stderr.decode()
    answers = [said and json.loads(said) for said in json.loads(done.stdout)]
    assert answers == [said for _, said in PROBES]


def test_the_worker_can_neither_write_nor_start_anything(tmp_path: Path) -> None:
    powers = "['child', 'worker', 'addons', 'fs.write']"
    asked = f"{powers}.filter(power => process.permission.has(power)).length"
    assert run([*node.confined(tmp_path), "-p", asked], cwd=tmp_path).stdout == b"0\n"


def test_the_machine_is_measured_for_nobody_but_the_command_line_of_lighthouse() -> None:
    source = node.packaged("lighthouse", "core/gather/driver/environment.js").read_text()
    measured, warned = source.split("function getSlowHostCpuWarning")
    assert measured.count("evaluate(pageFunctions.computeBenchmarkIndex") == 1, "we replace it"
    assert "if (settings.channel !== 'cli') return;" in warned.partition("BenchmarkIndex >")[0]


def test_sentences_are_made_with_what_the_worker_remembers() -> None:
    source = node.packaged("intl-messageformat", "src/core.js").read_text()
    for one in ("resolveLocale", "__parse"):
        assert source.count(f"IntlMessageFormat.{one} = ") == 1, "we replace it"
        assert f" = IntlMessageFormat.{one}(" in source


def test_nothing_is_left_of_a_worker_that_was_closed() -> None:
    with Stage() as stage:
        before = workers()
        one = worker(node.packages("lighthouse"), stage.room("lighthouse"))
        assert len(workers()) > len(before), "and the one who watches over it"
        one.close()
        assert not one.alive
        assert workers() == before


def test_nonsense_ends_the_worker_and_is_an_engine_failure() -> None:
    with Stage() as stage:
        one = worker(node.packages("lighthouse"), stage.room("lighthouse"))
        with pytest.raises(EngineFailed, match="ended"):
            one.ask(b"this is no JSON", 30)
        one.close()
