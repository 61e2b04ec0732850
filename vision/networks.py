"""Opening a model on a runtime, and checking that it takes what its card says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.errors import ModelError

if TYPE_CHECKING:
    from vision.model_files import ModelCard
    from vision.ports import Network

RUNTIMES = ("openvino", "openvino-f32", "openvino-bf16", "onnxruntime-f32")
"""Runtime and precision; the first is in use: OpenVINO in the precision of the card."""


def open_network(
    card: ModelCard,
    threads: int = 0,
    runtime: str = RUNTIMES[0],
    input_px: tuple[int, int] | None = None,
) -> Network:
    """Open a model.

    Args:
        card: which.
        threads: CPU threads; 0 lets the runtime choose.
        runtime: one of `RUNTIMES`.
        input_px: height and width to run it at; None: as the card says. A file that
            leaves them open is compiled for these.

    Raises:
        ModelError: the runtime is not installed or cannot load the file, or the network
            takes another input than its card says.
        ValueError: there is no such runtime.
    """
    size_px = card.input_px if input_px is None else input_px
    network = _opened(card, threads, runtime, size_px)
    wanted = (None, 3, *size_px)
    shape = network.input_shape
    if len(shape) != len(wanted) or any(
        None not in (given, size) and given != size
        for given, size in zip(shape, wanted, strict=True)
    ):
        raise ModelError(
            f"{card.path}: takes input of shape {shape}, its card says"
            f" (N, 3, {size_px[0]}, {size_px[1]})"
        )
    return network


def _opened(
    card: ModelCard, threads: int, runtime: str, size_px: tuple[int, int]
) -> Network:
    # the runtimes take a moment to import, and the second need not be installed
    if runtime not in RUNTIMES:
        raise ValueError(f"runtime must be one of {RUNTIMES}, not {runtime!r}")
    if runtime == "onnxruntime-f32":
        from vision.onnx_runtime import OnnxRuntimeNetwork

        return OnnxRuntimeNetwork(card.path, threads)
    from vision.openvino_runtime import OpenVinoNetwork

    _, _, precision = runtime.partition("-")
    return OpenVinoNetwork(card.path, threads, precision or card.precision, size_px)
