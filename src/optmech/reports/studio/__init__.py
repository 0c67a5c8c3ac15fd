"""A local page on which a person designs a mechanism with sliders and sees what it does.

    inputs          what can be set, and its bounds, by `input_checks`: no request can exhaust the machine
    theorem_design  designs that a theorem writes down, at once
    worker          the process in which everything longer is solved; `workers` keeps them, few and killable
    reading         a certificate that is opened, proved again
    session         one visitor's designs: the latest wins; `state` is what the page shows of them
    view            the charts of a design, of a large one a part
    design_summary  what the page says of a design, as data; `verdict` is the sentence above it
    downloads       the files of a design, in memory
    guard           who may speak to the server: this machine, this run's address, by the secret in `tokens`
    opener          how a certificate comes from the visitor's disk
    page            the page: `controls`, `results`, `truth_panel`, `drawer`, drawn with `native`
    server          starts it

Only the last three lines know NiceGUI; what comes before is tested without a browser.
"""
