"""Tell the forge that a change could not be scanned, in place of whatever it told before."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace

from mergegate.ci import replies
from mergegate.ci.forging import forge_for
from mergegate.ci.options import Job
from mergegate.ci.unscanned import unscanned
from mergegate.core.change import Change, Trigger
from mergegate.core.errors import ForgeError
from mergegate.core.failure import Failed
from mergegate.core.render.failures import CANCELLED, next_step
from mergegate.core.report import Gate
from mergegate.forges.environment import CiContext
from mergegate.forges.framing import DIALECTS, GITHUB, Framing
from mergegate.forges.hooks import Heard
from mergegate.forges.orders import Explain, Misread, NotAnOrder, Order, Rescan, parse
from mergegate.forges.orders.parse import Asked
from mergegate.forges.ports import Forge
from mergegate.forges.publish import publish


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
    """Of other orders nothing says that they are being carried out."""
    if forge.progress and isinstance(order, Rescan):
        forge.progress.stop(head)
    return []


def _published(failed: Failed, change: Change, forge: Forge, job: Job) -> list[str]:
    framing = Framing(
        gate=Gate.INCOMPLETE,
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
