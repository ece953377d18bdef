"""A change that a webhook told of, answered as ``mergegate ci`` answers it."""

import datetime as dt
import json
from collections.abc import Mapping
from pathlib import Path

from mergegate import wiring
from mergegate.cli.ci import orders
from mergegate.cli.ci.job import answered
from mergegate.cli.ci.options import SETTINGS, Job, job
from mergegate.cli.ci.scanning import Place
from mergegate.cli.exits import code_of
from mergegate.cli.slot.warm import Warm
from mergegate.errors import ForgeError, TargetError
from mergegate.forges.environment import Surroundings
from mergegate.forges.hooks import Errand, Heard
from mergegate.forges.orders import Order, Rescan, Ruling, decide, parse
from mergegate.forges.ports import Standing
from mergegate.model.change import Change, Provider
from mergegate.model.report import Report
from mergegate.model.service.order import Answering, Ground, ScanOrder
from mergegate.model.service.scan import Done, Outcome
from mergegate.wire import read
from mergegate.world.conceal import conceal
from mergegate.world.git import Repository

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


def carry_out(order: ScanOrder, _: Warm) -> Outcome:
    """Publish, and say how the gate stands; before anything is fetched, check the author.

    The scan was made by a child that has no token; its report is data here, and judged anew.
    Raises MergegateError, of it Unheard for an author who gets no answer, and Unpublished when the
    forge does not know the answer in the end.
    """
    conceal()
    heard = Errand.model_validate(order.request).heard
    if order.answering is None:
        raise TargetError("nobody says where the answer goes")
    around = _around(heard.change, order.answering, order.ground)
    environment = _credentials(heard.change.provider, order.answering.token)
    try:
        if order.report is None:
            return _checked(heard, around, environment)
        found = read(order.report.encode())
        return Done(json.dumps({"exitCode": _answered(heard, around, environment, found)}))
    except ForgeError as error:
        raise error if error.code else Unpublished(error.what, remedy=error.remedy) from error


def _around(change: Change, answering: Answering, ground: Ground | None) -> Surroundings:
    return Surroundings(
        change=answering.change(change),
        api_url=answering.api_url,
        server_url=answering.server_url,
        token_names=(_TOKEN,),
        workspace=ground.tree if ground else Path.cwd(),
    )


def _checked(heard: Heard, around: Surroundings, environment: Mapping[str, str]) -> Outcome:
    """Done when the author of an order is one who gets an answer, be it a refusal."""
    asked = heard.asked
    if asked is None:
        raise TargetError("the repository was not fetched")
    forge = wiring.forge(around, around.change, environment)
    order = parse(asked.body, dt.datetime.now(dt.UTC).date())
    standing = forge.people.standing(asked.account) if forge and forge.people else Standing.NONE
    judged = order if isinstance(order, Order) else Rescan()
    if decide(judged, standing, insider=asked.insider) is Ruling.UNHEARD:
        raise Unheard("the author of the comment does not belong to the project")
    return Done("")


def _answered(
    heard: Heard, around: Surroundings, environment: Mapping[str, str], found: Report
) -> int:
    if heard.asked is not None:
        return orders.heed(heard.asked, _job(), around, environment, _answer, found=found)
    root = around.workspace
    here = Place(around, around.change, root, Repository(root), found)
    return _answer(_job(), here, environment)


def _credentials(provider: Provider | None, token: str) -> Mapping[str, str]:
    """As a job has them; Bitbucket's API tokens come with their account's address before them."""
    if provider is not Provider.BITBUCKET:
        return {_TOKEN: token}
    user, _, word = token.rpartition(":")
    return {_TOKEN: word, _USER: user}


def _answer(job: Job, here: Place, environment: Mapping[str, str]) -> int:
    """A job's log would tell what was not published; nobody reads ours."""
    done = answered(job, here, environment)
    if done.published.problems:
        raise Unpublished("; ".join(done.published.problems))
    return code_of(done.gate)


def _job() -> Job:
    usual = {one.name.replace("-", "_"): one.default for one in SETTINGS}
    room = Path.cwd()
    return job(usual | _CHOSEN | {name: str(room / name) for name in _FOLDERS})
