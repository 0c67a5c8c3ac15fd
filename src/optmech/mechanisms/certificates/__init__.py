"""Read and write certificates as text and files; reading proves every claim again."""
