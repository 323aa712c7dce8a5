"""hippocore beside what one would use instead: `python -m bench --help`, and README.md on how to read it."""
