"""Chat completions: the API of OpenAI, and of most gateways and servers of one's own."""

from collections.abc import Mapping

from mergegate.model.dialect import Dialect, Vendor
from mergegate.model.protocol import Answer, Fault, Question
from mergegate.model.refusal import interrupted, refuse
from mergegate.model.reply import Reply, Said, compact, documents, letters, number, part


def request(question: Question, model: str, vendor: Vendor) -> bytes:
    """The body of one question.

    It is streamed, so that no proxy takes a slow model for a dead one. The schema is not *strict*:
    "the service will error out if the provided JSON schema contains keywords not supported by the
    AI model. An example of such keyword may be maxLength" (Azure AI inference, version 1.0).
    """
    schema = {"name": "answer", "schema": question.schema, "strict": False}
    return compact(
        {
            "model": model,
            "messages": [
                {"role": "system", "content": question.system},
                {"role": "user", "content": question.text},
            ],
            "response_format": {"type": "json_schema", "json_schema": schema},
            vendor.limit: question.most_tokens,
            **({"temperature": 0} if vendor.temperature else {}),
            "stream": True,
            "stream_options": {"include_usage": True},
        }
    )


def answer(reply: Reply, question: Question) -> Answer:
    """What ``reply`` says, streamed or not; raises NoAnswer."""
    refuse(reply)
    said = Said()
    for one in documents(reply.content):
        if "error" in one:
            raise interrupted(part(one, "error", "type"))
        _take(said, one)
    if said.declined or said.end == "content_filter":
        raise said.no_answer(Fault.DECLINED, "the model declined to answer")
    if said.end in {"length", ""}:
        raise said.no_answer(Fault.TRUNCATED, "the model's answer is cut off")
    if said.end != "stop":
        raise said.no_answer(Fault.MALFORMED, "the model did something else than answer")
    return said.answer(question)


def _take(said: Said, one: Mapping[str, object]) -> None:
    """One event, or the whole reply, which is told apart by ``message``."""
    first = part(one, "choices", 0)
    new = part(first, "delta") or part(first, "message")
    said.text += letters(part(new, "content"))
    said.declined |= bool(part(new, "refusal"))
    said.end = letters(part(first, "finish_reason")) or said.end
    said.model = letters(one.get("model")) or said.model
    said.tokens_in = number(part(one, "usage", "prompt_tokens")) or said.tokens_in
    said.tokens_out = number(part(one, "usage", "completion_tokens")) or said.tokens_out


def _headers(key: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {key}"} if key else {}


OPENAI = Dialect(
    name="openai",
    path="/chat/completions",
    models="/models",
    usual_base="https://api.openai.com/v1",
    headers=_headers,
    request=request,
    answer=answer,
    last=b"data: [DONE]",
)
