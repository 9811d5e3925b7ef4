"""What quiz_widgets costs next to its peers, measured side by side in one run: see docs/benchmarks.md."""
