from quiz_widgets.demos import gradients, measure, scaling, views
from quiz_widgets.demos.words import power_of_two, words

say = words("{locale}")
found = gradients.train(steps=150)  # a small network; its gradients at the output
for power, share in scaling.shares_by_scale(found.logits, (0, 8, 16, 24, 28)).items():
    texts = {part: say.percent(getattr(share, part)) for part in ("zero", "subnormal", "infinite")}
    print(say.say("loss_scale.row", scale=power_of_two(power), **texts))

views.loss_scale(say)
here = measure("loss_scaling")  # this machine's own figures, for the question
