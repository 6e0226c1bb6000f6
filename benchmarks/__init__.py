"""What the course costs, as ratios: `make bench`, or `python -m benchmarks NAME...` for some of the files here.

A benchmark file is any module of this package with a function `benchmarks()` that yields `Pair`s and `Limit`s.
"""
