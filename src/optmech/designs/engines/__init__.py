"""The engines, one a file; `choice` lists them in the order in which they are asked."""
