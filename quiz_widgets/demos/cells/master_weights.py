from quiz_widgets.demos import master, measure, views
from quiz_widgets.demos.words import words

say = words("{locale}")
runs = master.train(steps=1000)
for storage in master.STORAGES:
    run = runs[storage, 3e-4]  # Adam with learning rate 3e-4, weights near 1
    texts = {"loss": say.number(run.loss, 2), "lost": say.percent(run.lost)}
    print(say.say("master_weights.row", name=say[f"master_weights.{storage}"], **texts))

views.master_weights(say)
here = measure("master_weights")  # this machine's own figures, for the question
