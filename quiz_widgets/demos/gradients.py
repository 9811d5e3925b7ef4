"""Real gradients of a small network in numpy: one hidden layer that learns the next letter of a short text.

What matters is their spread over powers of two. A mean loss divides every gradient by the number of
predictions, and a well-trained network is nearly sure of each, so most gradients are tiny.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]

TEXT = (
    "a network learns by taking many small steps. each step asks every weight how the loss would change if that "
    "weight moved a little, and the reply is a gradient. early on the replies are loud: the network is wrong about "
    "nearly everything, and says so with confidence. later most predictions are right, and the replies become "
    "faint, far fainter than a sixteen bit number can whisper. nothing breaks when a faint reply is rounded to "
    "nothing. the weight simply stays where it is, the step after that is the same, and training ends before "
    "anybody notices. multiply the loss by a large number first and every reply grows with it; divide again before "
    "the step, in a format with more room, and the weight hears what it was told. that is all that loss scaling is."
)

CONTEXT = 8
EMBEDDING = 16
HIDDEN = 96


@dataclass(frozen=True, slots=True)
class Gradients:
    """Gradients after `step` training steps, one flat array per place in the network, and the loss there."""

    step: int
    loss: float
    weights: Array
    hidden: Array
    logits: Array


def train(steps: int = 150) -> Gradients:
    """Train in FP32 for `steps` full-batch Adam steps and return the gradients of the last one.

    It takes about 0.5 s, once per process: a cell, its picture and its evidence share the result.
    """
    return _train(steps)


@cache
def _train(steps: int) -> Gradients:
    rng = np.random.default_rng(0)
    letters = sorted(set(TEXT))
    ids = np.array([letters.index(letter) for letter in TEXT])
    windows = np.lib.stride_tricks.sliding_window_view(ids, CONTEXT + 1)
    inputs, targets = windows[:, :-1], windows[:, -1]
    count, vocabulary = len(targets), len(letters)

    def normal(*shape: int) -> Array:
        drawn: Array = (rng.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)
        return drawn

    weights = {
        "embedding": normal(vocabulary, EMBEDDING),
        "first": normal(CONTEXT * EMBEDDING, HIDDEN),
        "second": normal(HIDDEN, vocabulary),
    }
    first_moment = {name: np.zeros_like(value) for name, value in weights.items()}
    second_moment = {name: np.zeros_like(value) for name, value in weights.items()}
    result: Gradients | None = None
    for step in range(1, steps + 1):
        embedded = weights["embedding"][inputs].reshape(count, -1)
        hidden = np.tanh(embedded @ weights["first"])
        logits = hidden @ weights["second"]
        logits -= logits.max(axis=1, keepdims=True)
        chances = np.exp(logits)
        chances /= chances.sum(axis=1, keepdims=True)
        loss = float(-np.log(chances[np.arange(count), targets]).mean())

        to_logits = chances
        to_logits[np.arange(count), targets] -= 1
        to_logits /= np.float32(count)
        to_hidden = (to_logits @ weights["second"].T) * (1 - hidden**2)
        to_embedded = to_hidden @ weights["first"].T
        to_embedding = np.zeros_like(weights["embedding"])
        np.add.at(to_embedding, inputs.ravel(), to_embedded.reshape(-1, EMBEDDING))
        found = {"embedding": to_embedding, "first": embedded.T @ to_hidden, "second": hidden.T @ to_logits}

        for name, gradient in found.items():
            first_moment[name] = 0.9 * first_moment[name] + np.float32(0.1) * gradient
            second_moment[name] = 0.999 * second_moment[name] + np.float32(0.001) * gradient**2
            rate = 0.01 * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
            change = rate * first_moment[name] / (np.sqrt(second_moment[name]) + 1e-8)
            weights[name] = (weights[name] - change).astype(np.float32)
        if step == steps:
            everything = np.concatenate([gradient.ravel() for gradient in found.values()])
            result = Gradients(step, loss, everything, to_hidden.ravel(), to_logits.ravel())
    if result is None:
        raise ValueError(f"steps is {steps}; it has to be at least 1")
    return result


def exponents(values: Array) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Powers of two and the share of the non-zero `values` in each: share i lies in [2^e, 2^(e+1))."""
    magnitudes = np.abs(values[values != 0])
    powers = np.floor(np.log2(magnitudes.astype(np.float64))).astype(np.int64)
    places = np.arange(int(powers.min()), int(powers.max()) + 1)
    counts = np.bincount(powers - places[0], minlength=len(places))
    return places, counts / len(powers)
