"""Grades on their way out: CSV for people and for other systems, and a gradebook that is frozen. Reads only."""
