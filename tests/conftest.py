"""What all tests share: examples that are the same in every run, and no clock."""

from hypothesis import settings

# Solves take as long as the machine lets them; a failure must come back in the next run.
settings.register_profile("optmech", deadline=None, derandomize=True)
settings.load_profile("optmech")
