"""The desk's client in a learner's kernel: it asks, sends, and keeps on disk what has not arrived.

The standard library alone. Tokens and tickets stay in memory and go into a request's header, nowhere else.
"""
