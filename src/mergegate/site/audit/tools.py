"""What a website audit works with: the way out, a browser for each load, Lighthouse."""

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field

from mergegate.core.errors import (
    TargetError,
    TargetNotAllowed,
    TargetNotAnalysable,
    TargetUnreachable,
)
from mergegate.core.progress import Progress, silent
from mergegate.core.report import EngineRun
from mergegate.sandbox.browser import chromium
from mergegate.sandbox.egress.destination import Verdict
from mergegate.sandbox.egress.dialer import Lookup, system_lookup
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import Egress, egress
from mergegate.sandbox.egress.traffic import Contact
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.visit import Visit
from mergegate.site.audit.checks import issues, recommendations
from mergegate.site.audit.lighthouse import Lighthouse, Probe
from mergegate.site.audit.run import AuditToolbox, Judgement, Taken
from mergegate.site.audit.summary import summarise_audit
from mergegate.site.plainly import asked
from mergegate.site.remedies.fixes import fixes, with_fixes
from mergegate.site.stack import SOURCE, argument, stack, traces

_OUR_STATUS = re.compile(r"\b(?:403|502|504)\b")
"""What the way out answers to plain http when it refuses, or the site does not answer it."""
JUDGEMENT = Judgement(
    issues=issues,
    recommendations=recommendations,
    fixes=fixes,
    with_fixes=with_fixes,
    summarise=summarise_audit,
)


@contextmanager
def audit_toolbox(
    policy: Policy,
    *,
    progress: Progress = silent,
    lookup: Lookup = system_lookup,
    lighthouse: Lighthouse | None = None,
) -> Iterator[AuditToolbox]:
    """What audits work with while inside: one way out by ``policy``, one warm Lighthouse.

    An open ``lighthouse`` is used and left open; without one it has its own. Raises EngineMissing
    and EngineFailed when they cannot be opened.
    """
    engine = nullcontext(lighthouse) if lighthouse else Lighthouse()
    with egress(policy, lookup=lookup) as way, engine as opened:
        laboratory = _LighthouseRunner(way, opened)
        yield AuditToolbox(
            measure=laboratory.measure,
            judgement=JUDGEMENT,
            engines=laboratory.engines,
            progress=progress,
        )


@dataclass(slots=True)
class _LighthouseRunner:
    way: Egress
    lighthouse: Lighthouse
    browser: EngineRun = field(default_factory=lambda: EngineRun(name="chromium"))
    """The receipt of all browsers so far."""
    lighthouse_ms: int = 0

    def measure(self, visit: Visit) -> Taken:
        """One load in a browser, with a profile, of its own; raises as ``Lighthouse.measure``."""
        before = len(self.way.contacted)
        try:
            return self._loaded(visit)
        except (TargetNotAnalysable, TargetUnreachable) as error:
            told = _explained(error, self.way.contacted[before:])
            plain = asked(visit, self.way.url) if told is error else None
            if plain is not None and plain.refused:
                told = _not_allowed(plain.failure)
            raise told from error

    def engines(self) -> tuple[EngineRun, ...]:
        """The receipt: what took part, and how many hosts were contacted."""
        hosts = {one.host for one in self.way.contacted if one.verdict is not Verdict.REFUSED}
        return (
            EngineRun(
                name=self.lighthouse.name,
                version=self.lighthouse.version(),
                duration_ms=self.lighthouse_ms,
            ),
            self.browser,
            EngineRun(name="egress", reason=f"hosts contacted: {len(hosts)}"),
        )

    def _loaded(self, visit: Visit) -> Taken:
        started = time.monotonic()
        with Stage() as stage, chromium(self.way.url, stage.room("browser")) as browser:
            loaded = self.lighthouse.measure(visit, browser, Probe(SOURCE, argument()))
            version = browser.version.removeprefix("Chromium ")
        run = loaded.run
        took_ms = round((time.monotonic() - started) * 1000)
        self.lighthouse_ms += run.duration_ms
        self.browser = EngineRun(
            name="chromium", version=version, duration_ms=self.browser.duration_ms + took_ms
        )
        requests = [load.url for load in run.waterfall]
        found = stack(traces(run.final_url, loaded.probed, loaded.headers, requests))
        return Taken(run, found)


def _explained(error: TargetError, contacts: Sequence[Contact]) -> TargetError:
    """``error``, or what the way out knows better: its own answers look like the site's.

    They were about the page itself when it did not even get the first one, or when the error
    tells of such an answer and nothing else went on after it: a page that was refused behind a
    redirect asks for nothing more than its icon.
    """
    ends = [(one.host, one.verdict) for one in contacts]
    at = next((at for at, (_, verdict) in enumerate(ends) if verdict is not Verdict.PASSED), None)
    if at is None or len(set(ends[at:])) > 1 or (at > 0 and not _may_be_ours(error)):
        return error
    return _of(contacts[at]) or error


def _may_be_ours(error: TargetError) -> bool:
    return isinstance(error, TargetUnreachable) or bool(_OUR_STATUS.search(error.what))


def _not_allowed(reason: str) -> TargetNotAllowed:
    return TargetNotAllowed(
        f"the page may not be visited: {reason}",
        remedy="Name a host of your own with --allow HOST:PORT.",
    )


def _of(contact: Contact) -> TargetError | None:
    if contact.verdict is Verdict.REFUSED:
        return _not_allowed(contact.reason)
    if contact.verdict is Verdict.FAILED:
        return TargetUnreachable(
            f"the page does not answer: {contact.reason}",
            remedy="Check the address, and that the site is up.",
        )
    return None
