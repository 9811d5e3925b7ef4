"""What can be asked of the desk: learners' routes, those that teach, and those for whoever runs it."""
