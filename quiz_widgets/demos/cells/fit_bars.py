from quiz_widgets.demos import fit, views
from quiz_widgets.demos.words import words

say = words("{locale}")
state = ("master", "moments")
plans = {
    "nothing": {},
    "state": {"offload": state},
    "gradients": {"offload": ("gradients", *state)},
    "checkpoint": {"offload": ("gradients", *state), "keep": "checkpoint"},
}
for name, plan in plans.items():
    batch = fit.largest_batch(fit.LARGE, 24e9, **plan)  # 1.3 billion parameters, 24 GB
    print(say.say("fit_bars.row", name=say[f"fit_bars.{name}"], batch=batch or say["fit_bars.nothing_fits"]))

views.fit_bars(say)
