"""Networks on OpenVINO: the default runtime, and the only file that imports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import openvino as ov
from openvino.preprocess import ColorFormat, PrePostProcessor

from vision.errors import ModelError
from vision.model_files import PRECISIONS

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


def computes_in_bf16() -> bool:
    """Whether this processor has units for `bf16`; without them it means `f32`."""
    return "BF16" in ov.Core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")


class OpenVinoNetwork:
    """A network on the CPU, tuned for the least time per call.

    Args:
        path: ONNX file.
        threads: CPU threads; 0 leaves the choice to OpenVINO.
        precision: one of `PRECISIONS`. With `f32` a picture reads alike on all
            machines.
        size_px: height and width of the input, where the file leaves them open.

    Raises:
        ModelError: the file is no network, or not one of one input and one output.
        ValueError: another precision.
    """

    def __init__(
        self,
        path: Path,
        threads: int = 0,
        precision: str = "f32",
        size_px: tuple[int, int] | None = None,
    ) -> None:
        if precision not in PRECISIONS:
            raise ValueError(f"precision must be one of {PRECISIONS}, not {precision}")
        settings: dict[str, object] = {
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_PRECISION_HINT": precision,
        }
        if threads:
            settings["INFERENCE_NUM_THREADS"] = threads
        try:
            core = ov.Core()
            model = core.read_model(path)
            if len(model.inputs) != 1 or len(model.outputs) != 1:
                raise ModelError(
                    f"{path}: {len(model.inputs)} inputs and {len(model.outputs)}"
                    " outputs, a network with one of each was expected"
                )
            if size_px is not None:
                _fix_size(model, size_px)
            self.input_shape = tuple(
                None if size.is_dynamic else size.get_length()
                for size in model.inputs[0].partial_shape
            )
            network = core.compile_model(_taking_pictures(model), "CPU", settings)
        except RuntimeError as error:
            reason = str(error).strip().splitlines()[-1]
            raise ModelError(f"{path}: OpenVINO cannot load it: {reason}") from error
        self._request = network.create_infer_request()

    def run(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Run one batch; see `vision.ports.Network`."""
        given = np.ascontiguousarray(pictures)
        result = self._request.infer(given, share_inputs=True, share_outputs=True)
        # a copy: the next call writes over what is shared
        return np.array(result[0], np.float32)


def _fix_size(model: ov.Model, size_px: tuple[int, int]) -> None:
    """Decide open sides of the input: a network of one size is the faster one."""
    shape = model.inputs[0].partial_shape
    if shape.rank.is_static and len(shape) == 4:
        sides = [
            have if have.is_static else ov.Dimension(want)
            for have, want in zip(list(shape)[2:], size_px, strict=True)
        ]
        model.reshape(ov.PartialShape([*list(shape)[:2], *sides]))


def _taking_pictures(model: ov.Model) -> ov.Model:
    """The same network for pictures as OpenCV has them instead of RGB planes 0..1."""
    steps = PrePostProcessor(model)
    outer = steps.input().tensor()
    outer.set_element_type(ov.Type.u8)
    outer.set_layout(ov.Layout("NHWC"))
    outer.set_color_format(ColorFormat.BGR)
    steps.input().model().set_layout(ov.Layout("NCHW"))
    inner = steps.input().preprocess()
    inner.convert_element_type(ov.Type.f32)
    inner.convert_color(ColorFormat.RGB)
    inner.scale([255.0, 255.0, 255.0])
    return steps.build()
