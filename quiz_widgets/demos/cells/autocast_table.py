from quiz_widgets.demos import device, recorded, views
from quiz_widgets.demos.words import words

say = words("{locale}")
tables = recorded.result("autocast", say)  # without torch: the recorded result, and how to install it
for name in ("matmul", "relu", "softmax", "layer_norm", "cross_entropy"):
    cuda, cpu = (tables.data[device][name] for device in ("cuda", "cpu"))
    print(say.say("autocast_table.row", name=name, cuda=cuda, cpu=cpu))
print(tables.note(say))
print(device.autocast(say))

views.autocast_table(say)
