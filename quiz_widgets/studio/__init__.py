"""For authors while they write: a quiz in a notebook cell (`magic`), and a page that follows their files (`server`)."""
