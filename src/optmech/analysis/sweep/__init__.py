"""Many designs at once: a grid of questions, run side by side, its answers in one Parquet file."""
