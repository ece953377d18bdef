"""The process of a local model: ``python -m mergegate.model.llama ORDER``, ended from outside."""

import json
import signal
import sys
from pathlib import Path

_SEED = 1


def main(order: str) -> None:
    """Serve the model that ``order`` names, at its socket."""
    import xllamacpp  # noqa: PLC0415 - an extra, and here alone

    wanted = json.loads(order)
    params = xllamacpp.CommonParams()
    params.model.path = wanted["file"]
    params.model_alias = {Path(wanted["file"]).name}
    params.hostnames = [wanted["socket"]]
    params.n_ctx = wanted["context"]
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = wanted["threads"]
    params.sampling.seed = _SEED
    params.offline = params.use_jinja = True
    params.warmup = params.ui = params.endpoint_slots = False
    server = xllamacpp.Server(params)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    del server


if __name__ == "__main__":
    main(sys.argv[1])
