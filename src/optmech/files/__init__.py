"""What leaves the house and what comes in: files, written whole or not at all."""
