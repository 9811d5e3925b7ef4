"""Which questions of a published quiz worked: what each says about those who answered it. Reads only."""
