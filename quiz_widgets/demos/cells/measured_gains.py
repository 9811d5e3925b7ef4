from quiz_widgets.demos import recorded, views
from quiz_widgets.demos.words import words

say = words("{locale}")
saved = recorded.result("activations", say)  # without torch: the recorded result, and how to install it
for batch in (16, 64, 256, 1024, 4096):
    kept = saved.data[str(batch)]
    print(say.say("measured_gains.row", batch=batch, ratio=say.number(kept["autocast"] / kept["fp32"])))
speeds = recorded.result("speeds", say)
for setting, speed in speeds.data.items():
    print(say.say("measured_gains.speed_row", setting=setting, ratio=say.number(speed["bf16"], 2)))
print(speeds.note(say))

views.measured_gains(say)
