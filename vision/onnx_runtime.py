"""Networks on ONNX Runtime: the second runtime, in the `train` extra only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.errors import ModelError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


class OnnxRuntimeNetwork:
    """A network on the CPU.

    Args:
        path: ONNX file.
        threads: CPU threads; 0 leaves the choice to the runtime.

    Raises:
        ModelError: the runtime is not installed, the file is no network, or not one of
            one input and one output.
    """

    def __init__(self, path: Path, threads: int = 0) -> None:
        try:
            import onnxruntime
        except ImportError as error:
            raise ModelError(
                "onnxruntime is not installed: use OpenVINO or install the train extra"
            ) from error
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3  # errors only
        options.intra_op_num_threads = threads
        # its threads would go on spinning after a call and slow down whoever is next
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # its exceptions share no base but this
            reason = str(error).strip().splitlines()[-1]
            raise ModelError(
                f"{path}: ONNX Runtime cannot load it: {reason}"
            ) from error
        inputs, outputs = self._session.get_inputs(), self._session.get_outputs()
        if len(inputs) != 1 or len(outputs) != 1:
            raise ModelError(
                f"{path}: {len(inputs)} inputs and {len(outputs)} outputs,"
                " a network with one of each was expected"
            )
        self._input = inputs[0].name
        self.input_shape = tuple(
            size if isinstance(size, int) else None for size in inputs[0].shape
        )

    def run(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Run one batch; see `vision.ports.Network`."""
        batch = cv2.dnn.blobFromImages(list(pictures), 1 / 255, swapRB=True)
        (result,) = self._session.run(None, {self._input: batch})
        return np.asarray(result, np.float32)
