from quiz_widgets.demos import device, overlap, views
from quiz_widgets.demos.words import words

say = words("{locale}")
for name in ("serial", "overlapped"):
    step = overlap.run_once(8e6, 0.6e6, chunks=8, overlap=name == "overlapped")  # throttled to bytes/s, parameters/s
    texts = {part: say.number(getattr(step, part), 2) for part in ("wall", "read", "compute", "write")}
    print(say.say("disk_adam.row", name=say[f"disk_adam.case_{name}"], **texts))
print(say.say("disk_adam.identical", difference=say.number(overlap.streamed_difference())))
print(device.transfer(say))  # to a GPU, where there is one

views.disk_adam(say)
