"""Quizzes from and for other systems: one file per format, all of them on drafts.

An importer makes drafts (`draft`) of a file, `folder` writes them as a quiz.yaml that passes `check`, and `from_model`
makes drafts of a quiz for the exporters. Files come from strangers: every reader here is bounded, and fetches nothing.
"""
