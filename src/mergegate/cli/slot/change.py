"""A change that a webhook told of, answered as ``mergegate ci`` answers it."""

import json
from collections.abc import Mapping
from pathlib import Path

from mergegate.cli.ci import orders
from mergegate.cli.ci.job import answered
from mergegate.cli.ci.options import SETTINGS, Job, job
from mergegate.cli.ci.scanning import Place
from mergegate.cli.exits import code_of
from mergegate.cli.slot.warm import Warm
from mergegate.errors import ForgeError, TargetError
from mergegate.forges.environment import Surroundings
from mergegate.forges.hooks import Errand
from mergegate.model.change import Provider
from mergegate.model.service.order import Answering, Ground, ScanOrder
from mergegate.model.service.scan import Done, Outcome
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


def carry_out(order: ScanOrder, _: Warm) -> Outcome:
    """Scan, publish, and say how the gate stands.

    The token is in this process alone: engines get an empty environment, and cannot look in here.
    Raises MergegateError, of it Unpublished when the forge does not know the answer in the end.
    """
    conceal()
    if order.ground is None or order.answering is None:
        raise TargetError("the repository was not fetched")
    try:
        code = _answered(order, order.ground, order.answering)
    except ForgeError as error:
        raise error if error.code else Unpublished(error.what, remedy=error.remedy) from error
    return Done(json.dumps({"exitCode": code}))


def _answered(order: ScanOrder, ground: Ground, answering: Answering) -> int:
    heard = Errand.model_validate(order.request).heard
    around = Surroundings(
        change=answering.change(heard.change),
        api_url=answering.api_url,
        server_url=answering.server_url,
        token_names=(_TOKEN,),
        workspace=ground.tree,
    )
    environment = _credentials(heard.change.provider, answering.token)
    if heard.asked is not None:
        return orders.heed(heard.asked, _job(), around, environment, _answer)
    here = Place(around, around.change, ground.tree, Repository(ground.tree))
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
