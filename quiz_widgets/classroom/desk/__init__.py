"""The desk: the service that shows graded quizzes, keeps every submission exactly once, and grades."""
