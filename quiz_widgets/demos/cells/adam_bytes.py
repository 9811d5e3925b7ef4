from quiz_widgets.demos import adam, device, measure, views
from quiz_widgets.demos.words import words

say = words("{locale}")
for name in ("fp32_adam", "mixed_adam", "mixed_adam_fp32_gradients", "mixed_adam_both_gradients", "fp32_adam_8bit"):
    recipe = adam.RECIPES[name]
    total, state = (say.number(float(part), 4) for part in (recipe.total, recipe.state))
    print(say.say("adam_bytes.row", name=say[f"adam_bytes.{name}"], total=total, state=state))
print(device.adam_state(say))  # measured, on a GPU where there is one

views.adam_bytes(say)
here = measure("adam_state_bytes")  # this machine's own figures, for the question
