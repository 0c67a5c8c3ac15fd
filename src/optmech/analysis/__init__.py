"""What to choose: composition, smallest epsilon, frontiers, comparison, baselines, utility."""
