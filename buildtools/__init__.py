"""The parts of build.py: one job per module, standard library only, independent of the product's code."""
