"""The desk's pages for those who teach, one module a topic: courses and people, times and keys, grades, live classes.

Plain HTML from templates, which works without a script; a few pages add one of their own. Whatever runs in another page
of the same Hub finds nothing here to call: what changes something, and what a script asks for, shows a word that only a
page of this session has.
"""
