"""Measuring recall on a data set: what `hippocore eval` and `hippocore tune` do, from Python.

`files.read_file` reads a data set, `asking.evaluate` writes it into temporary stores and asks its questions,
`report.report` makes figures of the answers, `tuning.tune` fits weights to them. README.md beside this file says what
each figure means. Importing this package imports no other module.
"""
