"""The answer to a change of which nothing is known: it could not be scanned, and why."""

from functools import partial

from mergegate import __version__
from mergegate.ci.comment import remembered
from mergegate.ci.publication import HEADLINE
from mergegate.core.errors import Failed
from mergegate.core.render import templates, wording
from mergegate.core.render.failures import next_step
from mergegate.core.render.templates import clip
from mergegate.core.report import Gate
from mergegate.forges.marker import State
from mergegate.forges.publication import Framing, Publication


def unscanned(failed: Failed, framing: Framing) -> Publication:
    """What is to be published about ``framing.head``; it passes no gate and settles no finding."""
    return Publication(
        head=framing.head,
        gate=Gate.INCOMPLETE,
        headline=clip(f"Incomplete: could not be scanned. {_plain(failed.detail)}", HEADLINE),
        comment=partial(_comment, failed, framing),
        details=_details(failed, framing),
        complete=False,
        score=100,  # "at most", as of every incomplete scan
    )


def _comment(failed: Failed, framing: Framing, previous: State | None) -> str:
    """With the earlier pushes and the dismissals, for the scan that succeeds."""
    known = previous.pushes if previous else ()
    state = State(
        head=framing.head,
        sequence=framing.sequence,
        pushes=tuple(one for one in known if one.head != framing.head),
        waivers=previous.waivers if previous else (),
    )
    marker, kept = remembered(state, framing.dialect)
    parts = (
        _part("unscanned", framing, reason=failed.detail, next=next_step(failed.code)),
        _part("history", framing, earlier=kept.pushes[::-1]),
        _part("footer", framing, links=wording.plain_links([framing.run_url])),
    )
    return f"{''.join(parts)}{marker}\n"


def _details(failed: Failed, framing: Framing) -> str:
    if framing.dialect.html:
        return _part("unscanned", framing, reason=failed.detail, next=next_step(failed.code))
    return _plain(f"{failed.detail} {next_step(failed.code)}")


def _plain(text: str) -> str:
    return text.replace("`", "")


def _part(name: str, framing: Framing, **more: object) -> str:
    text = (
        templates.markdown()
        .get_template(f"comment/{name}.md.j2")
        .render(
            report={"tool_version": __version__},
            framing=framing,
            html=framing.dialect.html,
            **more,
        )
    )
    return f"{text.strip()}\n\n" if text.strip() else ""
