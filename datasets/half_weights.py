"""Model files of half the size: weights as float16, computed with as float32."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

if TYPE_CHECKING:
    from pathlib import Path

LEAST_VALUES = 64
"""Smaller tensors are left as they are: they weigh nothing and may be shapes."""
MOST_VALUE = float(np.finfo(np.float16).max)


def halve_weights(source: Path, target: Path) -> int:
    """Write an ONNX file anew with its float32 weights stored as float16.

    A cast behind each of them gives the network back what it expects, so every runtime
    computes as before, from weights rounded to 11 bits. The weights keep their names.

    Args:
        source: ONNX file.
        target: where to write; may be the same.

    Returns:
        How many tensors were halved. Those that float16 cannot hold are left.
    """
    model = onnx.load(source)
    casts, wide = [], {}
    for tensor in model.graph.initializer:
        if tensor.data_type != TensorProto.FLOAT:
            continue
        values = numpy_helper.to_array(tensor)
        if (
            values.size < LEAST_VALUES
            or np.abs(values).max() > np.finfo(np.float16).max
        ):
            continue
        name = wide[tensor.name] = f"{tensor.name}/float32"
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), tensor.name))
        casts.append(
            helper.make_node("Cast", [tensor.name], [name], name, to=TensorProto.FLOAT)
        )
    nodes = list(model.graph.node)
    for node in nodes:
        for place, given in enumerate(node.input):
            node.input[place] = wide.get(given, given)
    del model.graph.node[:]
    model.graph.node.extend([*casts, *nodes])
    onnx.checker.check_model(model)
    onnx.save(model, target)
    return len(casts)
