"""The line detector for pictures that are less high: the same file with other bytes at a few places."""

import numpy as np
from tensorflow.lite.python import schema_py_generated as schema

from ..photograph import scenes


def lowered(content: bytes, height: int) -> bytes:
    """The bytes of a file of the line detector for pictures of that height, a multiple of 32.

    Weights and ranges are the same, and lie at the same places. Its enlargements name their sizes, so that the runtime cannot resize them itself.
    """
    changed = bytearray(content)
    model = schema.Model.GetRootAsModel(changed, 0)
    graph, views = model.Subgraphs(0), {}

    def shorten(view: np.ndarray, rows: int) -> None:
        """A view of the file's own bytes; several tensors may share it."""
        views[view.__array_interface__["data"][0]] = view[rows:]

    for tensor in map(graph.Tensors, range(graph.TensorsLength())):
        if not model.Buffers(tensor.Buffer()).DataLength() and tensor.ShapeLength() == 4:
            shorten(tensor.ShapeAsNumpy(), 1)
    for operator in map(graph.Operators, range(graph.OperatorsLength())):
        if model.OperatorCodes(operator.OpcodeIndex()).BuiltinCode() == schema.BuiltinOperator.RESIZE_BILINEAR:
            shorten(model.Buffers(graph.Tensors(operator.Inputs(1)).Buffer()).DataAsNumpy().view(np.int32), 0)
    for view in views.values():
        view[0] = int(view[0]) * height // scenes.SIDE
    return bytes(changed)
