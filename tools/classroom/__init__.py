"""A whole classroom on this machine: a JupyterHub, the desk, and accounts that are kept apart."""
