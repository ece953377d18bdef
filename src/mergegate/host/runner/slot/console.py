"""Search Console, asked by a child that has the key and sees no page."""

import datetime as dt
import json
from dataclasses import asdict

from mergegate.host.order import ConsoleQuestion
from mergegate.host.scan import Done
from mergegate.site.seo.gather.console import Console, read_access


def answered(question: ConsoleQuestion) -> Done:
    """What Google says, or why it says nothing; raises UsageError for a key that is none."""
    console = Console(
        read_access(question.key),
        question.proxy,
        google=question.google,
        tokens=question.tokens,
    )
    return Done(json.dumps(asdict(console.look(question.url, dt.datetime.now(dt.UTC)))))
