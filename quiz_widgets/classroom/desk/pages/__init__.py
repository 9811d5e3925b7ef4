"""The desk's pages for instructors: their courses, quizzes and times, publishing a bundle, showing the keys.

Plain HTML from templates, without a script: whatever runs in another page of the same Hub finds nothing here to call.
"""
