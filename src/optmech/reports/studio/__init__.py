"""A local page on which a person designs a mechanism with sliders and sees what it does.

`server`, `page` and what it draws, `controls`, `results`, `truth_panel`, `drawer`, `opener` and `native`,
know NiceGUI; all else is tested without a browser.
"""
