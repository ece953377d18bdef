"""A repository scan, as ``mergegate scan`` makes it, of what was fetched before."""

from contextlib import ExitStack
from dataclasses import replace

from mergegate.core.errors import Failed, TargetError
from mergegate.core.report import Gate, Report, Target
from mergegate.host.order import LocalRepository, ScanOrder
from mergegate.host.scan import Done, Outcome
from mergegate.repo.scan import Request, scan
from mergegate.repo.toolbox import scan_toolbox
from mergegate.repo.wire import to_json


def carry_out(order: ScanOrder, _: ExitStack) -> Outcome:
    """One without all essential engines is failed, and keeps its result.

    Nothing is remembered for the next scan: it may be of another account. Raises as
    :func:`mergegate.repo.scan.scan`.
    """
    repository = order.repository
    if repository is None:
        raise TargetError("the repository was not fetched")
    request = Request(root=repository.tree, base=repository.base)
    toolbox = scan_toolbox(fetch=False, cached=False, owner=_owner_at_github(repository.target))
    found = scan(request, toolbox)
    named = replace(
        found, id=order.id, created_at=order.created_at, target=_target(found, repository)
    )
    return _outcome(named)


def _owner_at_github(target: Target) -> str:
    return (target.owner or "") if target.web.startswith("https://github.com/") else ""


def _target(found: Report, repository: LocalRepository) -> Target:
    """As the provider names it; where the change left its base is for the history to say."""
    return replace(repository.target, base=found.target.base)


def _outcome(report: Report) -> Outcome:
    result = to_json(report)
    if report.verdict.gate is not Gate.INCOMPLETE:
        return Done(result)
    return Failed("INCOMPLETE", f"{'. '.join(report.verdict.reasons)}.", result)
