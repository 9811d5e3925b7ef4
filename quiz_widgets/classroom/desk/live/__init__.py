"""A class at work, as its instructors watch it: who has opened, answered and finished a quiz, question by question."""
