"""Graded quizzes for classes on JupyterHub: the desk, a service that alone knows the keys, and its client in kernels.

`client` imports neither a database nor a web framework; `desk` imports neither demos nor any course.
"""
