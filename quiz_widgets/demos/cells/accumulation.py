from quiz_widgets.demos import accumulation, measure, views
from quiz_widgets.demos.words import words

say = words("{locale}")
sums = accumulation.measure()
for name in ("bf16", "fp16", "fp32"):
    ones = say.number(accumulation.count_ones(4096, name), 4)
    error = say["percent"].format(number=say.number(100 * sums.errors[name][-1], 2))
    print(say.say("accumulation.row", name=say[f"accumulation.name_{name}"], ones=ones, error=error))

views.accumulation(say)
here = measure("tensor_core_accumulation")  # this machine's own figures, for the question
