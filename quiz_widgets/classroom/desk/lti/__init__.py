"""Grades to a learning platform by LTI 1.3 Assignment and Grade Services: queued with the score, sent by a worker.

What is to be sent is a row of the outbox, written in the transaction that changed the score. Each process of the desk
has one worker, which claims a row, sends it, and writes down what became of it.
"""
