"""Polls: a quiz whose items its instructor opens one at a time for votes. The desk says which step comes when."""
