"""How often a small model's words for a summary are taken, and why the others are refused.

    python -m bench.summaries MODEL.gguf FOLDER...

Scans each FOLDER, asks the model (run here by llama.cpp, without a network) to say the summary in
a reviewer's words, whole and in parts of it, and prints what came of it as JSON: ``taken`` is to be
read by a person, for a rule of ``repo/rephrase.py`` knows names and numbers, not sense.
"""

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from mergegate.model.local import ADDRESS, running
from mergegate.model.protocol import Answer, NoAnswer, Question
from mergegate.model.provider import Spoken
from mergegate.repo import rephrase

_PATIENCE_S = 120


def facts_of(folder: Path) -> Iterator[str]:
    """The summary of a scan, then without its last sentence, and without all but the verdict."""
    done = subprocess.run(
        [
            Path(sys.executable).with_name("mergegate"),
            *("scan", folder, "--offline", "--format", "json"),
        ],
        stdout=subprocess.PIPE,
        check=False,
    )
    sentences = re.split(r"(?<=\.) ", json.loads(done.stdout)["aiSummary"])
    for length in sorted({len(sentences), len(sentences) - 1, 1} - {0}, reverse=True):
        yield " ".join(sentences[:length])


def outcome(model: Spoken, facts: str) -> tuple[str, str]:
    """Why the model's words were refused, empty where they were not, and the words."""
    said: list[str] = []

    def ask(question: Question) -> Answer:
        answer = model.ask(question, _PATIENCE_S)
        said.append(str(answer.value["summary"]))
        return answer

    taken = rephrase.rephrased(facts, ask)
    if not said:
        return "no well-formed answer", ""
    text = " ".join(said[0].split())
    if text == facts:
        return "it says the facts over", text
    return ("" if taken.source == "model" else rephrase.refusal(text, facts)), text


def measured(model: Spoken, every: Sequence[str]) -> dict[str, object]:
    """Counts by reason, names and numbers left out, and all that was taken beside its facts."""
    reasons = Counter[str]()
    taken = []
    for facts in every:
        try:
            why, text = outcome(model, facts)
        except NoAnswer as error:
            why, text = str(error.fault), ""
        reasons[" ".join(why.split()[:4]) or "taken"] += 1
        if not why:
            taken.append({"facts": facts, "said": text})
    return {"asked": len(every), "outcomes": dict(reasons.most_common()), "taken": taken}


def main() -> None:
    """Scan, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    asked = parser.parse_args()
    every = [facts for folder in asked.folders for facts in facts_of(folder)]
    with running(asked.model, threads=2) as wire:
        print(json.dumps(measured(Spoken(ADDRESS, asked.model.name, wire), every), indent=2))


if __name__ == "__main__":
    main()
