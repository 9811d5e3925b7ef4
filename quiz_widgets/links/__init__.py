"""What ties a page to its kernel: the link, which is never displayed, and the widget for layouts.

The only package that knows anywidget. Its modules are imported when the first link is opened, after the quiz is on the
page: `practice` for a quiz that the kernel grades, `graded` for one that a desk grades, `registry` for both.
"""
