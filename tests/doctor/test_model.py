"""What the doctor says of a language model, and that it says nothing where nobody wants one."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from mergegate.cli import doctor as command
from mergegate.cli.doctor import doctor
from mergegate.doctor.machine import Sign
from mergegate.doctor.model import model_signs
from mergegate.model import settings
from mergegate.repo.settings import MODEL_PROVIDER, ModelPolicy
from tests.model import stub, weights
from tests.model.stub import Stub, Turn

NONE = Path("/nowhere")


def looked(environment: dict[str, str], models: Path = NONE) -> Sign:
    (sign,) = model_signs(ModelPolicy(), environment, models)
    assert not sign.alarming  # a scan does without
    return sign


def local(file: Path) -> dict[str, str]:
    return {settings.PROVIDER: "local", settings.FILE: str(file)}


def remote(held: Stub) -> dict[str, str]:
    url = f"http://127.0.0.1:{held.port}/v1"
    return {settings.PROVIDER: "openai", settings.URL: url, settings.NAME: "m-1"}


def test_nobody_wants_one() -> None:
    assert model_signs(ModelPolicy(), {}, NONE) == ()


def test_a_model_that_fits(tmp_path: Path) -> None:
    sign = looked(local(weights.junk(tmp_path / "m.gguf")))
    assert sign.healthy and sign.state.startswith("m.gguf: it needs 0.8 GiB, ")


def test_a_model_that_does_not_fit(tmp_path: Path) -> None:
    file = weights.junk(tmp_path / "m.gguf")
    os.truncate(file, 1 << 42)  # a sparse file takes no room
    sign = looked(local(file))
    assert (sign.healthy, sign.remedy) == (False, "Name a smaller model.")
    assert sign.state.startswith("m.gguf: it needs 4301.")


def test_a_file_that_is_none(tmp_path: Path) -> None:
    assert looked(local(tmp_path / "m.gguf")).state.startswith("the model's file cannot be read")
    (tmp_path / "m.gguf").write_bytes(b"PK\x03\x04")
    assert looked(local(tmp_path / "m.gguf")).state == "the model's file is no GGUF"


def test_a_provider_that_answers() -> None:
    with stub.stub(Turn()) as held:
        sign = looked(remote(held))
    assert (sign.healthy, sign.state) == (True, "m-1, 127.0.0.1 answers")
    assert held.posts == 0


def test_a_provider_that_refuses() -> None:
    with stub.stub(Turn(status=401)) as held:
        sign = looked(remote(held))
    assert sign.remedy == "Check MERGEGATE_MODEL_KEY."


def test_a_provider_that_is_not_there() -> None:
    with stub.stub(Turn()) as held:
        gone = remote(held)
    assert looked(gone).remedy == "Check MERGEGATE_MODEL_URL."


def test_settings_that_do_not_suffice() -> None:
    sign = looked({settings.PROVIDER: "openai"})
    assert (sign.state, sign.healthy) == ("not asked", False)
    assert "no model is named" in sign.remedy
    assert "Did you mean openai" in looked({settings.PROVIDER: "opneai"}).remedy


def test_the_command_reads_the_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "signs", lambda *_: ())
    monkeypatch.setenv("MERGEGATE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv(MODEL_PROVIDER, raising=False)
    assert "language model" not in CliRunner().invoke(doctor, [str(tmp_path)]).output
    (tmp_path / ".mergegate.yml").write_text("model: {provider: local, file: m.gguf}\n")
    done = CliRunner().invoke(doctor, [str(tmp_path)])
    assert done.exit_code == 0
    assert "language model" in done.output and "cannot be read" in done.output


def test_both_ends_call_the_variable_alike() -> None:
    assert MODEL_PROVIDER == settings.PROVIDER
