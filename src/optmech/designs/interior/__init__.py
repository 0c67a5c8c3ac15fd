"""An interior-point method whose blocks are the rows of a mechanism."""
