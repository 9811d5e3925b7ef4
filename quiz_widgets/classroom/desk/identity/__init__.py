"""Whose request it is: the Hub's word on a token, a short ticket of the desk's own, or a token that the desk gave out.

Nothing a learner sends says who they are; only these do.
"""
