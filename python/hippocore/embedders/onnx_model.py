"""One ONNX file that turns token ids into token states, and the mean of these states."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hippocore.embedders.protocol import Vectors
from hippocore.errors import EmbedderError

_INTEGER_TYPES: dict[str, type[np.int64] | type[np.int32]] = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
_KNOWN_INPUTS = {"input_ids", "attention_mask", "token_type_ids"}
_ERRORS_ONLY = 3


class OnnxModel:
    """A transformer encoder with inputs `input_ids`, `attention_mask` and maybe `token_type_ids`.

    Runs on the CPU with `threads` threads; with one there is no thread pool. `mean_states` may be called from
    any thread. Raises EmbedderError when onnxruntime cannot load the file, or when the file's inputs or
    outputs are not an encoder's.
    """

    def __init__(self, path: Path, *, threads: int) -> None:
        self._path = path
        self._session = _open_session(path, threads)
        self._inputs = {value.name: self._input_type(value) for value in self._session.get_inputs()}
        self._output = self._state_output()
        self.dim = self._dim()

    def mean_states(self, ids: Sequence[Sequence[int]]) -> Vectors:
        """Return the mean state of each text's tokens, shape (len(ids), dim); zero for a text without tokens."""
        width = max(1, *map(len, ids)) if ids else 1
        tokens, mask = np.zeros((2, len(ids), width), np.int64)
        for row, text in enumerate(ids):
            tokens[row, : len(text)] = text
            mask[row, : len(text)] = 1
        states = self._states(tokens, mask)
        weights = mask[:, :, None].astype(np.float32)
        sums: Vectors = (states * weights).sum(axis=1, dtype=np.float32)
        sums /= np.maximum(weights.sum(axis=1), 1)
        return sums

    def _states(self, tokens: np.ndarray[Any, Any], mask: np.ndarray[Any, Any]) -> Vectors:
        values = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        feed = {name: values[name].astype(kind, copy=False) for name, kind in self._inputs.items()}
        try:
            states: Vectors = self._session.run([self._output], feed)[0]
        except Exception as error:  # onnxruntime's classes share no base but Exception
            raise EmbedderError(f"onnxruntime could not run {self._path}: {type(error).__name__}") from None
        return states

    def _input_type(self, value: Any) -> type[np.int64] | type[np.int32]:
        if value.name not in _KNOWN_INPUTS or value.type not in _INTEGER_TYPES:
            raise self._wrong(f"its input {value.name} of {value.type} is not a text encoder's")
        return _INTEGER_TYPES[value.type]

    def _state_output(self) -> str:
        if "input_ids" not in self._inputs:
            raise self._wrong("it has no input input_ids")
        outputs: list[str] = [value.name for value in self._session.get_outputs() if len(value.shape or ()) == 3]
        if not outputs:
            raise self._wrong("it has no output of shape (batch, tokens, dim)")
        return next((name for name in outputs if name == "last_hidden_state"), outputs[0])

    def _dim(self) -> int:
        shapes = {value.name: value.shape for value in self._session.get_outputs()}
        declared = shapes[self._output][2]
        return declared if isinstance(declared, int) else self.mean_states([[0]]).shape[1]

    def _wrong(self, reason: str) -> EmbedderError:
        return EmbedderError(f"{self._path} is no sentence-transformer that hippocore can run: {reason}")


def _open_session(path: Path, threads: int) -> Any:
    try:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        options.log_severity_level = _ERRORS_ONLY
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's classes share no base but Exception
        raise EmbedderError(f"onnxruntime could not load {path}: {type(error).__name__}") from error
