"""Measures `ra` beside other tools. `bench/README.md` says how to run it; `cli.py` is where it begins."""
