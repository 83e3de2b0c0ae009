"""Goes on from a network as it was shipped: the weights of a .tflite file into a network to be trained.

A checkpoint holds more, but it lives outside the repository and is lost with the machine; the file in models/ is not.
Int8 keeps a weight to half a percent of its channel's largest, which the first steps of a training mend.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

if TYPE_CHECKING:
    from tensorflow.lite.python import schema_py_generated as schema

Module = TypeVar("Module", bound=nn.Module)
_CONVOLUTION, _DEPTHWISE = "CONV_2D", "DEPTHWISE_CONV_2D"


def operators(path: str) -> tuple[schema.ModelT, list[tuple[str, schema.OperatorT]]]:
    """The model of a .tflite file and its operators in the order of its graph, each with its name."""
    from tensorflow.lite.python import schema_py_generated as schema
    from tensorflow.lite.tools import flatbuffer_utils

    model = flatbuffer_utils.read_model(path)
    names = {code: name for name, code in vars(schema.BuiltinOperator).items() if isinstance(code, int)}
    codes = [names[max(code.builtinCode, code.deprecatedBuiltinCode)] for code in model.operatorCodes]
    return model, [(codes[operator.opcodeIndex], operator) for operator in model.subgraphs[0].operators]


def kernels(path: str) -> Iterator[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]:
    """The convolutions of a .tflite file in the order of its graph: kernels (out x in x height x width) and biases."""
    from tensorflow.lite.python import schema_py_generated as schema

    model, steps = operators(path)
    graph = model.subgraphs[0]

    def values(index: int) -> npt.NDArray[np.float32]:
        tensor = graph.tensors[index]
        kind = {schema.TensorType.INT8: np.int8, schema.TensorType.INT32: np.int32}[tensor.type]
        raw = np.frombuffer(bytes(model.buffers[tensor.buffer].data), kind).reshape(tensor.shape)
        shape = [1] * raw.ndim
        shape[tensor.quantization.quantizedDimension] = -1
        return raw.astype(np.float32) * np.asarray(tensor.quantization.scale, np.float32).reshape(shape)

    for name, operator in steps:
        if name in (_CONVOLUTION, _DEPTHWISE):
            kernel, bias = values(operator.inputs[1]), values(operator.inputs[2])
            yield kernel.transpose((3, 0, 1, 2) if name == _DEPTHWISE else (0, 3, 1, 2)), bias


def begin(
    network: Module, found: Iterable[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]], pictures: torch.Tensor,
    added: Sequence[nn.Module] = (),
) -> Module:
    """Give network, still untrained, the convolutions found in a file; pictures are inputs of the training distribution.

    added are finder.Blocks that the file lacks: they begin as the shortcut that they have, so that the function stays the same.

    In the order in which network computes them, each of its convolutions takes the first one left that has its shape. The file has batch
    norm folded into them: here each norm gets the mean and spread that pictures show, and what undoes them, so that training goes on
    from the same function.
    """
    for block in added:
        nn.init.zeros_(block.second.norm.weight)
    new = {m for block in added for m in block.modules()}
    blocks, order = {m.convolution: m for m in network.modules() if hasattr(m, "norm") and m not in new}, []
    hooks = [m.register_forward_hook(lambda m, *_: order.append(m)) for m in network.modules() if isinstance(m, nn.Conv2d)]
    network.eval()
    with torch.no_grad():
        network(pictures[:1])
        for hook in hooks:
            hook.remove()
        left = list(found)
        for convolution in (m for m in order if m not in new):
            index = next((k for k, (kernel, _) in enumerate(left) if kernel.shape == convolution.weight.shape), None)
            if index is None:
                raise ValueError(f"begin: the file has no kernel of shape {tuple(convolution.weight.shape)} left")
            kernel, bias = left.pop(index)
            convolution.weight.copy_(torch.from_numpy(kernel.copy()))
            _place(blocks.get(convolution), convolution, torch.from_numpy(bias.copy()))
        if left:
            raise ValueError(f"begin: the file has {len(left)} kernels that the network lacks")
        _measure(network, list(blocks.values()), pictures)
    return network.train()


def _place(block: nn.Module | None, convolution: nn.Conv2d, bias: torch.Tensor) -> None:
    """Put a bias where it belongs: behind a norm that does nothing else yet, or into the convolution."""
    if block is None:
        convolution.bias.copy_(bias)
        return
    block.norm.running_mean.zero_()
    block.norm.running_var.fill_(1 - block.norm.eps)
    block.norm.weight.fill_(1)
    block.norm.bias.copy_(bias)


def _measure(network: nn.Module, blocks: Sequence[nn.Module], pictures: torch.Tensor) -> None:
    """Let each norm normalise by what pictures show, and undo it."""
    seen: dict[nn.Module, list[tuple[torch.Tensor, torch.Tensor]]] = {block: [] for block in blocks}

    def keep(block: nn.Module) -> Callable[..., None]:
        return lambda _, __, answer: seen[block].append(torch.var_mean(answer.float(), (0, 2, 3), correction=0))

    hooks = [block.convolution.register_forward_hook(keep(block)) for block in blocks]
    for part in pictures.split(32):
        network(part)
    for hook in hooks:
        hook.remove()
    for block, parts in seen.items():
        spread, middle = (torch.stack(column) for column in zip(*parts))
        mean = middle.mean(0)
        variance = (spread + (middle - mean) ** 2).mean(0)
        block.norm.running_mean.copy_(mean)
        block.norm.running_var.copy_(variance)
        block.norm.bias.add_(mean)
        block.norm.weight.copy_((variance + block.norm.eps).sqrt())
