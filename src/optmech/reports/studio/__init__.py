"""A local page on which a person designs a mechanism with sliders and sees what it does.

    inputs      what can be set, and its bounds: no request can exhaust the machine
    address     the question as the page's address states it
    scales      the steps of the logarithmic sliders
    quick       designs that a theorem writes down, at once
    worker      the process in which everything longer is solved; `workers` keeps them, few and killable
    session     one visitor's designs: the latest wins
    view        what is drawn of a design, of a large one a part
    shown       what the page says of a design, as data
    downloads   the files of a design, in memory
    guard       who may speak to the server: this machine, this run's address
    page        the page: `controls`, `results`, `drawer`, drawn with `native` and `chart`
    server      starts it

Only the last two lines know NiceGUI; what comes before is tested without a browser.
"""
