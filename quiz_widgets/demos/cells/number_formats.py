from quiz_widgets.demos import formats, measure, views
from quiz_widgets.demos.words import words

say = words("{locale}")
for name, kept in formats.FORMATS.items():
    limits = {"largest": kept.largest, "normal": kept.smallest_normal, "epsilon": kept.epsilon}
    texts = {limit: say.number(value) for limit, value in limits.items()}
    print(say.say("number_formats.row", name=say[f"number_formats.{name}"], bits=kept.bits, **texts))

views.number_formats(say)
here = measure("bfloat16_advantage")  # this machine's own figures, for the question
