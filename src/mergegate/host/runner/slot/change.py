"""A change that a webhook told of, answered as ``mergegate ci`` answers it, scanned or not.

The child that has the token is asked up to twice for a change: when its scan begins, and when that
is over, whichever way.
"""

import datetime as dt
import json
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from mergegate.ci import orders, replies
from mergegate.ci.checkout import Checkout
from mergegate.ci.forging import forge_for
from mergegate.ci.job import answered
from mergegate.ci.options import Job, job, usual
from mergegate.ci.publication import unscanned
from mergegate.core.change import Change, Provider, Trigger
from mergegate.core.errors import Failed, ForgeError, TargetError
from mergegate.core.render.failures import CANCELLED, next_step
from mergegate.core.report import Gate, Report, Verdict
from mergegate.forges.context import CiContext
from mergegate.forges.deliveries import Heard, ScanRequest
from mergegate.forges.orders import Asked, Explain, Misread, NotAnOrder, Order, Rescan, parse
from mergegate.forges.ports import Forge
from mergegate.forges.publication import DIALECTS, GITHUB, Framing
from mergegate.forges.publish import publish
from mergegate.host.order import AnswerTarget, LocalRepository, ScanOrder
from mergegate.host.scan import Done, Outcome
from mergegate.repo.wire import read
from mergegate.sandbox.git.repository import Repository
from mergegate.sandbox.process.deny_ptrace import deny_ptrace
from mergegate.site.deployment.reading import read_section
from mergegate.terminal.exits import PASSED, code_of


def refuse(
    failed: Failed, heard: Heard, job: Job, around: CiContext, environment: Mapping[str, str]
) -> list[str]:
    """Publish why there is no scan of the change's head; returns what the forge did not take.

    Nothing is said of a commit that is the head no longer, but that its scan is over. Raises
    ForgeError.
    """
    forge = forge_for(around, around.change, environment)
    head = around.change.head or (forge.head if forge else None)
    if forge is None or head is None:
        return ["the commit to answer is not known"]
    change = replace(around.change, head=head)
    moved = forge.head not in (None, head) and change.trigger is not Trigger.QUEUE
    order = _order(heard)
    if moved or failed.code == CANCELLED:
        return _stopped(forge, head, order)
    told = _replied(failed, heard.asked, forge) if heard.asked else []
    return told if isinstance(order, Explain) else told + _published(failed, change, forge, job)


def _order(heard: Heard) -> Order | Misread | NotAnOrder:
    """What a delivery about a change asks for too."""
    if heard.asked is None:
        return Rescan()
    return parse(heard.asked.body, dt.datetime.now(dt.UTC).date())


def _stopped(forge: Forge, head: str, order: Order | Misread | NotAnOrder) -> list[str]:
    """Only a rescan is announced while it runs; other orders are not."""
    if forge.progress and isinstance(order, Rescan):
        forge.progress.stop(head)
    return []


def _published(failed: Failed, change: Change, forge: Forge, job: Job) -> list[str]:
    framing = Framing(
        verdict=Verdict(Gate.INCOMPLETE, ()),
        fail_on=job.fail_on,
        dialect=DIALECTS[change.provider] if change.provider else GITHUB,
        head=change.head or "",
        sequence=change.sequence,
        at=dt.datetime.now(dt.UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        commands=job.commands,
    )
    return publish(unscanned(failed, framing), forge, change.sequence).problems


def _replied(failed: Failed, asked: Asked, forge: Forge) -> list[str]:
    if forge.replies is None:
        return []
    body = replies.failed(reason=failed.detail.rstrip("."), remedy=next_step(failed.code))
    try:
        forge.replies.acknowledge(asked.comment_id, done=False)
        forge.replies.reply(asked.comment_id, body)
    except ForgeError as error:
        return [f"could not answer the comment: {error}"]
    return []


_TOKEN, _USER = "MERGEGATE_TOKEN", "MERGEGATE_USER"
_CHOSEN = {"offline": "true", "formats": "", "site_url": "none", "commands": "true"}
"""Where a host differs from a job: it fetches no advisories, and leaves no files."""
_FOLDERS = ("report", "cache")
"""Folders that are this child's own, and end with it: the tree belongs to somebody else, and so may
the next scan."""


class Unpublished(ForgeError):
    """The forge did not take the answer, or not all of it."""

    code = "PUBLISHING_FAILED"


class Unheard(ForgeError):
    """The author of a comment may not give orders."""

    code = "ORDER_NOT_HEARD"


def carry_out(order: ScanOrder, _: ExitStack) -> Outcome:
    """Say on the forge how far the change is: that its scan begins, what it found, or why not.

    The scan was made by a child that has no token; its report is data here, and judged anew. An
    empty result bids the host go on. Raises MergegateError, of it Unheard for an author who gets no
    answer, and Unpublished when the forge does not know the answer in the end.
    """
    deny_ptrace()
    heard = ScanRequest.model_validate(order.request).heard
    if order.answering is None:
        raise TargetError("nobody says where the answer goes")
    around = _around(heard.change, order.answering, order.repository)
    environment = _credentials(heard.change.provider, order.answering.token)
    try:
        return _said(order, heard, around, environment)
    except ForgeError as error:
        raise error if error.code else Unpublished(error.what, remedy=error.remedy) from error


def _said(
    order: ScanOrder, heard: Heard, around: CiContext, environment: Mapping[str, str]
) -> Outcome:
    if order.report is not None:
        found = read(order.report.encode(), read_section)
        return _over(_answered(heard, around, environment, found))
    if order.failed is not None:
        problems = refuse(order.failed, heard, _job(), around, environment)
        _check(problems)
        return Done("")
    return _begun(heard, around, environment)


def _over(exit_code: int) -> Done:
    return Done(json.dumps({"exitCode": exit_code}))


def _around(
    change: Change, answering: AnswerTarget, repository: LocalRepository | None
) -> CiContext:
    return CiContext(
        change=answering.change(change),
        api_url=answering.api_url,
        server_url=answering.server_url,
        token_names=(_TOKEN,),
        workspace=repository.tree if repository else Path.cwd(),
    )


def _begun(heard: Heard, around: CiContext, environment: Mapping[str, str]) -> Outcome:
    """Show that the commit is being scanned, or answer at once a comment that needs no scan."""
    order: Order | None = Rescan()
    if heard.asked is not None:
        problems: list[str] = []
        try:
            order = orders.forestalled(heard.asked, _job(), around, environment, problems.append)
        except orders.Leave as reason:
            raise Unheard(str(reason)) from reason
        _check(problems)
    if order is None:
        return _over(PASSED)
    if isinstance(order, Rescan):  # of the others not all end in a new verdict
        _begin(around, environment)
    return Done("")


def _begin(around: CiContext, environment: Mapping[str, str]) -> None:
    """A forge that does not take this may still take the answer."""
    if around.change.head is None:
        return
    try:
        forge = forge_for(around, around.change, environment)
        if forge and forge.progress:
            forge.progress.begin(around.change.head)
    except ForgeError as error:
        print(f"the forge does not show that the scan begins: {error}", file=sys.stderr)


def _answered(
    heard: Heard, around: CiContext, environment: Mapping[str, str], found: Report
) -> int:
    if heard.asked is not None:
        problems: list[str] = []
        code = orders.heed(
            heard.asked, _job(), around, environment, _answer, found=found, tell=problems.append
        )
        _check(problems)
        return code
    root = around.workspace
    here = Checkout(around, around.change, root, Repository(root), found)
    return _answer(_job(), here, environment)


def _credentials(provider: Provider | None, token: str) -> Mapping[str, str]:
    """As a job has them; Bitbucket's API tokens come with their account's address before them."""
    if provider is not Provider.BITBUCKET:
        return {_TOKEN: token}
    user, _, word = token.rpartition(":")
    return {_TOKEN: word, _USER: user}


def _answer(job: Job, here: Checkout, environment: Mapping[str, str]) -> int:
    done = answered(job, here, environment)
    _check(done.published.problems)
    return code_of(done.gate)


def _check(problems: list[str]) -> None:
    """A job's log would tell what was not published; nobody reads ours."""
    if problems:
        raise Unpublished("; ".join(problems))


def _job() -> Job:
    room = Path.cwd()
    return job(usual() | _CHOSEN | {name: str(room / name) for name in _FOLDERS})
