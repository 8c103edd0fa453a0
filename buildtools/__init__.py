"""What build.py is made of: one module a job, standard library only, nothing of the product imported."""
