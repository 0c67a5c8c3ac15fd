"""Optimal differentially private mechanisms, by linear and mixed-integer programs.

>>> import optmech as om
>>> problem = om.croft(om.count(5), epsilon="0.5", variant=2)
>>> design = om.design(problem)
>>> bool(om.verify(design.mechanism, problem)), design.certificate.relative_gap < 1e-9
(True, True)
"""

from lazy_loader import attach_stub

from optmech.base.rendering import register

# The public names stand in __init__.pyi, once: each is loaded when it is first used, and with it its own part
# of the package only. `om.question` and `om.verify` are functions whatever was imported before: Python would
# set a package of the same name in their place when anything in it is imported, and lazy_loader lets it not.
__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)

register(
    certificate_text="optmech.mechanisms.certificates.certificate_text:certificate_text",
    html="optmech.reports.display:html_of",
    mechanism="optmech.mechanisms.source:mechanism_of",
    picture="optmech.reports.charts.picture:content",
    plot_error="optmech.reports.plots:plot_error",
    plot_matrix="optmech.reports.plots:plot_matrix",
    plot_privacy_curve="optmech.reports.plots:plot_privacy_curve",
    plot_released="optmech.reports.plots:plot_released",
    svg="optmech.reports.charts.picture:svg_of",
)
