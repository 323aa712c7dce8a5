"""libFuzzer on what reads a store's files: `python -m tests.fuzz --seconds 300`; the corpus is in tests/fuzz/corpus."""
