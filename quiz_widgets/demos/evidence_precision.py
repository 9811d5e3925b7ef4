"""Evidence on number formats, loss scaling, master weights and accumulation: numpy is all it needs."""

from __future__ import annotations

from quiz_widgets.demos.registry import Fact, Facts, evidence


@evidence("master_weights", seconds=2)
def master_weights() -> Facts:
    """Small updates in 16 bits and in an FP32 copy: added to 1, and over a whole training."""
    from quiz_widgets.demos.formats import FORMATS
    from quiz_widgets.demos.master import add_repeatedly, train

    rate = 3e-4
    runs = {storage: run for (storage, value), run in train().items() if value == rate}
    sums = {name: add_repeatedly(2.0**-12, 4096, name) for name in FORMATS}
    start = runs["fp32"].losses[0]
    facts = {
        **{f"{name}_sum": Fact(total) for name, total in sums.items()},
        "start_loss": Fact(start),
        **{f"{storage}_loss": Fact(run.loss) for storage, run in runs.items()},
        **{f"{storage}_lost": Fact(run.lost) for storage, run in runs.items()},
        "weight_bytes": Fact(2, "bytes per parameter"),
        "weight_bytes_with_copy": Fact(2 + 4, "bytes per parameter"),
    }
    return Facts(
        facts,
        f"4096 updates of 2^-12 move a weight of 1 to {sums['fp16']:g} in FP16 and to {sums['fp32']:g} in FP32; at "
        f"learning rate {rate:g} bfloat16 loses {runs['bf16'].lost:.0%} of its updates and ends at loss "
        f"{runs['bf16'].loss:.2g}, with a master copy at {runs['bf16_master'].loss:.2g}",
    )


@evidence("loss_scaling", seconds=5)
def loss_scaling() -> Facts:
    """Real gradients and a stalled training in FP16, without a loss scale and with one."""
    import numpy as np

    from quiz_widgets.demos import stall
    from quiz_widgets.demos.formats import shares
    from quiz_widgets.demos.gradients import train

    found = train().logits
    plain, scaled = shares(found, "fp16"), shares(found, "fp16", 2.0**20)
    stuck, moving = stall.train("fp16"), stall.train("fp16", scale=2.0**16)
    # What scaling does to a gradient that has room enough: nothing, since a power of two is undone exactly.
    change = float(np.max(np.abs(found * np.float32(2.0**20) / np.float32(2.0**20) - found)))
    facts = {
        "zero_share": Fact(plain.zero),
        "zero_share_scaled": Fact(scaled.zero),
        "overflow_share_scaled": Fact(scaled.infinite),
        "stalled_zero_share": Fact(stuck.zero_share),
        "stalled_loss": Fact(stuck.loss),
        "scaled_loss": Fact(moving.loss),
        "loss_ratio": Fact(stuck.loss / moving.loss),
        "change_of_gradients_in_fp32": Fact(change),
    }
    return Facts(
        facts,
        f"FP16 turns {plain.zero:.0%} of these gradients into zero, and {scaled.zero:.1%} with loss scale 2^20; a "
        f"training whose output gradients were all zero stopped at a loss of {stuck.loss:.1e}, and a scaled one at "
        f"{moving.loss:.1e}",
    )


@evidence("bfloat16_advantage", seconds=0.5)
def bfloat16_advantage() -> Facts:
    """Bits and limits of the formats."""
    from quiz_widgets.demos.formats import FORMATS

    half, brain, single = FORMATS["fp16"], FORMATS["bf16"], FORMATS["fp32"]
    facts = {
        "bits": Fact(brain.bits, "bits"),
        "fp16_bits": Fact(half.bits, "bits"),
        "exponent_bits": Fact(brain.exponent_bits, "bits"),
        "fp16_exponent_bits": Fact(half.exponent_bits, "bits"),
        "fp32_exponent_bits": Fact(single.exponent_bits, "bits"),
        "smallest_normal_over_fp32": Fact(brain.smallest_normal / single.smallest_normal),
        "largest_over_fp32": Fact(brain.largest / single.largest),
        "decades": Fact(brain.decades, "decades"),
        "fp16_decades": Fact(half.decades, "decades"),
        "spacing_over_fp16": Fact(brain.epsilon / half.epsilon),
    }
    return Facts(
        facts,
        f"normal numbers span {brain.decades:.0f} decades in bfloat16, {single.decades:.0f} in FP32 and "
        f"{half.decades:.0f} in FP16; bfloat16's lie {brain.epsilon / half.epsilon:.0f} times as far apart as FP16's",
    )


@evidence("tensor_core_accumulation", seconds=1.5)
def tensor_core_accumulation() -> Facts:
    """Errors of long sums, rounded after every addition."""
    import numpy as np

    from quiz_widgets.demos.accumulation import count_ones, measure

    sums = measure()
    errors = {name: values[-1] for name, values in sums.errors.items()}
    products = np.random.default_rng(2).uniform(0, 1, 1000) * np.random.default_rng(3).uniform(0, 1, 1000)
    facts = {
        "products": Fact(sums.lengths[-1]),
        **{f"{name}_error": Fact(error) for name, error in errors.items()},
        "fp16_ones": Fact(count_ones(4096, "fp16")),
        "fp32_ones": Fact(count_ones(4096, "fp32")),
        "integer_error": Fact(float(abs(np.trunc(products).sum() - products.sum()) / products.sum())),
    }
    return Facts(
        facts,
        f"after {sums.lengths[-1]} products a sum kept in FP16 is {errors['fp16']:.0%} off; kept in FP32 and rounded "
        f"to FP16 at the end it is {errors['fp32_fp16_out']:.2%} off",
    )


@evidence("bfloat16_loss_scaling", seconds=1.5)
def bfloat16_loss_scaling() -> Facts:
    """The same gradients stored in FP16 and in bfloat16, without any loss scale."""
    import numpy as np

    from quiz_widgets.demos.formats import FORMATS, shares, to_bf16
    from quiz_widgets.demos.gradients import train

    found = train().logits
    half, brain = shares(found, "fp16"), shares(found, "bf16")
    facts = {
        "fp16_zero_share": Fact(half.zero),
        "bf16_zero_share": Fact(brain.zero),
        "bf16_exponent_bits": Fact(FORMATS["bf16"].exponent_bits, "bits"),
        "fp32_exponent_bits": Fact(FORMATS["fp32"].exponent_bits, "bits"),
        "bf16_mantissa_bits": Fact(FORMATS["bf16"].mantissa_bits, "bits"),
        "fp32_mantissa_bits": Fact(FORMATS["fp32"].mantissa_bits, "bits"),
        "whole_share": Fact(float(np.mean(found == np.round(found)))),
        "rounded_share": Fact(float(np.mean(to_bf16(found) != found))),
    }
    return Facts(
        facts,
        f"without a loss scale FP16 turns {half.zero:.0%} of these gradients into zero and bfloat16 {brain.zero:.0%}; "
        f"bfloat16 rounds {np.mean(to_bf16(found) != found):.0%} of them",
    )
