"""Facts of a mechanism shown: card, page, charts, notebook views, studio."""
