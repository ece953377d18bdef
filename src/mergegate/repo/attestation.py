"""An attestation states the verdict on one commit: an in-toto statement, to be signed by a forge.

Its predicate is SLSA's verification summary, version 1: who verified what against which policy,
resting on which bundle, and with what result.
"""

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mergegate import __version__
from mergegate.core.errors import UsageError
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import Gate, Report
from mergegate.core.score import FailOn, decide
from mergegate.core.severity import Aspect
from mergegate.core.strict_json import strict_json
from mergegate.repo import bundle
from mergegate.repo.settings import POLICY_FILE, Policy
from mergegate.sandbox.files.stage import read_regular

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://slsa.dev/verification_summary/v1"
VERIFIER = "pkg:pypi/mergegate"
REPOSITORY_GATE, CHANGE_GATE = "MERGEGATE_REPOSITORY_GATE", "MERGEGATE_CHANGE_GATE"
"""What passed: levels of ours, beside those of SLSA."""
_PART = "MERGEGATE_ONLY_"
"""Begins a level for each part that was scanned, where not all were."""
_LARGEST_BYTES = 16 << 20


def render(report: Report) -> str:
    """The statement about the commit of ``report``; raises UsageError where there is none."""
    target = report.target
    if target.commit is None:
        raise UsageError(
            "an attestation is of a commit, and this folder is in no Git repository",
            remedy="Scan a clone.",
        )
    if target.altered:
        raise UsageError(
            f"an attestation is of a commit, and {target.altered[0]} is here not as it has it",
            remedy="Scan a clean work tree, before anything is built in it.",
        )
    rests_on = bundle.render(report)
    verdict = decide(report, FailOn.GATE, REPOSITORY)
    name = "/".join(filter(None, (target.provider, target.owner, target.repo)))
    predicate = {
        "verifier": {"id": VERIFIER, "version": {"mergegate": __version__}},
        "timeVerified": report.completed_at,
        "resourceUri": f"git+{name}@{target.commit}",
        "policy": {
            "uri": report.basis.in_force.file or POLICY_FILE,
            "digest": {"sha256": _policy_digest(report)},
        },
        "inputAttestations": [
            {"uri": "mergegate.bundle.json", "digest": {"sha256": bundle.digest(rests_on)}}
        ],
        "verificationResult": "PASSED" if verdict.gate is Gate.PASSED else "FAILED",
        "verifiedLevels": [*_passed(report), *_parts(report)],
        "slsaVersion": "1.0",
    }
    statement = {
        "_type": STATEMENT,
        "subject": [{"name": name, "digest": {"gitCommit": target.head or target.commit}}],
        "predicateType": PREDICATE,
        "predicate": predicate,
    }
    return json.dumps(statement, indent=2) + "\n"


def _policy_digest(report: Report) -> str:
    policy: Policy = report.basis.policy
    return bundle.digest(policy.model_dump_json(by_alias=True))


def _passed(report: Report) -> list[str]:
    change = report.comparison
    gates = {
        REPOSITORY_GATE: report.verdict.gate,
        CHANGE_GATE: change.verdict.gate if change else None,
    }
    return [level for level, gate in gates.items() if gate is Gate.PASSED]


def _parts(report: Report) -> list[str]:
    scanned: frozenset[Aspect] = report.basis.aspects
    return [] if scanned == frozenset(Aspect) else sorted(_PART + one.upper() for one in scanned)


@dataclass(frozen=True, slots=True)
class Statement:
    """What an attestation says."""

    commits: frozenset[str]
    passed: bool
    levels: frozenset[str]
    parts: frozenset[Aspect]
    """What alone was scanned, or all."""
    policy: str
    """SHA-256 of the policy in force."""
    bundles: frozenset[str]
    """SHA-256 of each bundle that the verdict rests on."""


def read(file: Path) -> Statement:
    """The statement in ``file``: plain, in a DSSE envelope, or in a bundle of Sigstore.

    Signatures are not looked at. Raises UsageError for anything else than a verdict of Mergegate.
    """
    try:
        statement = _opened(strict_json(read_regular(file, _LARGEST_BYTES)))
        return _statement(statement)
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}", remedy="Name a file that you may read."
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError, binascii.Error) as error:
        raise UsageError(
            f"{file} is no attestation of a verdict of Mergegate",
            remedy="`mergegate scan --format attestation=FILE` writes one.",
        ) from error


def of(report: Report) -> Statement:
    """What :func:`render` states of ``report``."""
    return _statement(strict_json(render(report).encode()))


def _opened(document: Mapping[str, Any]) -> Mapping[str, Any]:
    envelope = document.get("dsseEnvelope", document)
    if "payload" not in envelope:
        return document
    opened: Mapping[str, Any] = strict_json(base64.b64decode(envelope["payload"], validate=True))
    return opened


def _statement(said: Mapping[str, Any]) -> Statement:
    predicate = said["predicate"]
    ours = (said["_type"], said["predicateType"], predicate["verifier"]["id"])
    if ours != (STATEMENT, PREDICATE, VERIFIER):
        raise ValueError("another kind of statement")
    levels = frozenset(map(str, predicate["verifiedLevels"]))
    parts = frozenset(one for one in levels if one.startswith(_PART))
    named = frozenset(Aspect(one.removeprefix(_PART).lower()) for one in parts)
    return Statement(
        commits=frozenset(str(one["digest"]["gitCommit"]) for one in said["subject"]),
        passed=predicate["verificationResult"] == "PASSED",
        levels=levels - parts,
        parts=named or frozenset(Aspect),
        policy=str(predicate["policy"]["digest"]["sha256"]),
        bundles=frozenset(str(one["digest"]["sha256"]) for one in predicate["inputAttestations"]),
    )
