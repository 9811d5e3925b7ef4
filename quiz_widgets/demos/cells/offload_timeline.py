from quiz_widgets.demos import measure, offload, views
from quiz_widgets.demos.words import words

say = words("{locale}")
machine = offload.Machine(gpu_flops=150e12, link=25e9, adam=1e9)  # assumptions: change them
cases = {
    "serial": offload.Job(parameters=7e9, tokens=4096),
    "overlap": offload.Job(parameters=7e9, tokens=4096, overlap=True),
    "delayed": offload.Job(parameters=7e9, tokens=4096, overlap=True, delayed=True),
    "nvme": offload.Job(parameters=7e9, tokens=4096, overlap=True, nvme=True),
}
for name, job in cases.items():
    step = offload.simulate(job, machine)
    texts = {"seconds": say.number(step.seconds), "idle": say.percent(step.gpu_idle)}
    texts["bottleneck"] = say[f"offload_timeline.name_{step.bottleneck}"]
    print(say.say("offload_timeline.row", name=say[f"offload_timeline.case_{name}"], **texts))

views.offload_timeline(say)
here = measure("hiding_latency")  # this machine's own figures, for the question
