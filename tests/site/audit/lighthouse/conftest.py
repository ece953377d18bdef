"""One Chromium, one way out and one warm worker for all audits of these tests.

A worker's first audit costs as much as two of its later ones.
"""

import functools
from collections.abc import Callable, Iterator

import pytest

from mergegate.sandbox.browser import Chromium, chromium
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.visit import NONE, Credentials, Device, Throttling, Visit
from mergegate.site.audit.lighthouse import Lighthouse, Loaded, Probe
from tests.sites import Sites, serve

Audit = Callable[..., Loaded]
Once = Callable[[str], Loaded]
PATIENCE_S = 6.0
WORDS = Probe(
    "(given) => [given.is, document.title, document.querySelector('h2')?.textContent]",
    {"is": "ours"},
)
"""What each page is asked that is audited once."""


@pytest.fixture(scope="package")
def sites() -> Iterator[Sites]:
    with serve() as running:
        yield running


@pytest.fixture(scope="package")
def browser(sites: Sites) -> Iterator[Chromium]:
    with (
        egress(sites.policy, lookup=sites.lookup) as way,
        Stage() as stage,
        chromium(way.url, stage.room("browser"), extra=sites.chromium_flags) as running,
    ):
        yield running


@pytest.fixture(scope="package")
def warm() -> Iterator[Lighthouse]:
    with Lighthouse(patience_s=PATIENCE_S) as lighthouse:
        yield lighthouse


@pytest.fixture(scope="package")
def audit(sites: Sites, browser: Chromium, warm: Lighthouse) -> Audit:
    def load(
        site: str,
        probe: Probe | None = None,
        *,
        device: Device = Device.MOBILE,
        throttling: Throttling = Throttling.SIMULATE,
        credentials: Credentials = NONE,
        timeout_s: float = 90,
    ) -> Loaded:
        visit = Visit(
            url=sites.url(site), device=device, throttling=throttling, credentials=credentials
        )
        return warm.measure(visit, browser, probe, timeout_s=timeout_s)

    return load


@pytest.fixture(scope="package")
def once(audit: Audit) -> Once:
    """A site as a visit finds it that asks for nothing special, audited for whoever asks first."""
    return functools.cache(lambda site: audit(site, WORDS))
