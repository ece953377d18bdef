"""Third parties: whose a request is, what they cost together, and what stands in for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from mergegate.core.data_table import read_table
from mergegate.site.audit.facts import LighthouseRun, Vendor


@dataclass(frozen=True, slots=True)
class Facade:
    """A light stand-in that loads the real thing when somebody wants it."""

    vendor: str
    """As third-party-web names the entity."""
    replacement: str
    """What to use instead; an npm package, or a technique in words."""
    framed: bool = False
    """Whether it comes as a frame: its scripts are not the page's to load later."""


_FACADES = {
    name.lower(): one
    for name, one in read_table(
        Path(__file__).with_name("facades.toml"), Facade, key="vendor"
    ).items()
}


def facade(vendor: Vendor) -> Facade | None:
    """What can stand in for ``vendor``; None when nothing is known."""
    return _FACADES.get(vendor.name.lower())


def costliest(run: LighthouseRun) -> tuple[Vendor, ...]:
    """The third parties of ``run``, by main thread time, then by weight, then by name."""
    return tuple(
        sorted(run.vendors, key=lambda one: (-one.main_thread_ms, -one.transfer_bytes, one.name))
    )


def owners(run: LighthouseRun) -> Mapping[str, str]:
    """The vendor of each address that a third party served."""
    loads = ((one.url, one.vendor) for one in run.waterfall)
    requests = ((one.url, one.vendor) for one in run.measured.requests)
    return MappingProxyType({url: name for url, name in (*loads, *requests) if name})
