"""How a secret may be written so that no line holds it whole: in pieces, escapes and encodings.

Nothing of the text is run; of names only those count to which the text itself gives a literal.
"""

from collections.abc import Iterator

from mergegate.secrets.source import REACH, Source
from mergegate.secrets.spellings import constants, encodings, escapes, pieces
from mergegate.secrets.spellings.marks import marks
from mergegate.secrets.spellings.view import Change


def changes(source: Source) -> Iterator[Change]:
    """All that is spelled otherwise in ``source``, and what stands for it.

    Of a word beside a joint only the joint is told: it is opened once it is whole.
    """
    announced = marks(source)
    joined = list(pieces.joints(source, announced))
    for joint in joined:
        yield joint
        quote = source.text.rfind(source.text[joint.start], joint.start - REACH, joint.start)
        yield from pieces.unwrapped(source.text, quote)
    yield from escapes.read(source)
    yield from constants.named(source)
    yield from pieces.blocks(source)
    beside = {place for joint in joined for place in (joint.start, joint.end)}
    for find in encodings.WAYS:
        for opened in find(source, announced):
            if beside.isdisjoint((opened.start, opened.end)):
                yield opened
                yield from pieces.unwrapped(source.text, opened.start - 1)
