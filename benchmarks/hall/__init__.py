"""A lecture hall that answers in the same minute: learners, the desk in processes of its own, and what is measured."""
