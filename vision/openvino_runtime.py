"""Networks on OpenVINO: the default runtime, and the only file that imports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import openvino as ov

from vision.errors import ModelError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


class OpenVinoNetwork:
    """A network on the CPU, tuned for the least time per call.

    Args:
        path: ONNX file.
        threads: CPU threads; 0 leaves the choice to OpenVINO.

    Raises:
        ModelError: the file is no network, or not one of one input and one output.
    """

    def __init__(self, path: Path, threads: int = 0) -> None:
        settings: dict[str, object] = {
            "PERFORMANCE_HINT": "LATENCY",
            # bfloat16 units would otherwise make the same picture read differently
            # from machine to machine
            "INFERENCE_PRECISION_HINT": "f32",
        }
        if threads:
            settings["INFERENCE_NUM_THREADS"] = threads
        try:
            core = ov.Core()
            model = core.read_model(path)
            self._network = core.compile_model(model, "CPU", settings)
        except RuntimeError as error:
            reason = str(error).strip().splitlines()[-1]
            raise ModelError(f"{path}: OpenVINO cannot load it: {reason}") from error
        if len(model.inputs) != 1 or len(model.outputs) != 1:
            raise ModelError(
                f"{path}: {len(model.inputs)} inputs and {len(model.outputs)} outputs,"
                " a network with one of each was expected"
            )
        self._request = self._network.create_infer_request()
        self.input_shape = tuple(
            None if size.is_dynamic else size.get_length()
            for size in model.inputs[0].partial_shape
        )

    def run(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        """Run one batch; see `vision.ports.Network`."""
        result = self._request.infer({0: batch})
        return np.array(result[self._network.output(0)], np.float32)
