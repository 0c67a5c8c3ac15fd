"""The controls of a question. Their values go to the session unchanged; the session judges them."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import asdict
from html import escape
from typing import TYPE_CHECKING, Any

from nicegui import ui

from optmech.question.properties import PROPERTIES
from optmech.reports.studio.input_checks import BOUNDS, DELTA_STEPS, EPSILON_STEPS, nearest_step
from optmech.reports.studio.inputs import (
    JUDGED,
    LOSSES,
    MOST_TRUTHS,
    VARIANT_2_NAMES,
    Inputs,
)
from optmech.reports.studio.native import ChoiceElement, Slider, TextBox, button, html
from optmech.reports.studio.queries import CHANGES, QUERIES, inputs_of_query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from nicegui.elements.mixins.value_element import ValueElement
    from nicegui.events import ValueChangeEventArguments

_LONGEST = 40  # letters of a number that are read
_LARGEST = 10**7  # what is larger moves no slider


class ControlsFold:
    """A button that shows and hides the controls, on a page too narrow for results beside them."""

    def __init__(self, controls: ui.element) -> None:
        self._controls, self._is_open = controls, False
        self._button = button("Change the question", self._turn, "plain fold")
        self._button.props('aria-expanded="false"')

    def _turn(self) -> None:
        self._is_open = not self._is_open
        self._controls.classes(**{"remove" if self._is_open else "add": "folded"})
        self._button.set_text("Hide the controls" if self._is_open else "Change the question")
        self._button.props(f'aria-expanded="{str(self._is_open).lower()}"')


class Controls:
    """All controls of the page, and what they hold: `inputs` at first; each move goes to `on_change`."""

    def __init__(self, on_change: Callable[[Mapping[str, object]], None], inputs: Inputs) -> None:
        self._on_change = on_change
        self._values: dict[str, Any] = _values(inputs)
        self._is_told = True  # whether a change comes from a visitor
        self._elements: dict[str, Any] = {}
        self._boxes: dict[str, ui.checkbox] = {}
        self._draw()
        self._adapt()

    def show(self, inputs: Inputs) -> None:
        """Show these inputs, as if they had been there from the first."""
        self._values = _values(inputs)
        self._show_all()

    def _draw(self) -> None:
        with _group("Question"):
            self._choice("query", "Question", QUERIES)
            with ui.row().classes("pair") as self._ends:
                self._whole("smallest", "Smallest value")
                self._whole("largest", "Largest value")
            largest = Slider("Largest value, slider", ["1"], self._values["largest"], low=1)
            self._hold("largest", largest, "slider")
            self._whole("records", "Records in all")
            self._whole("per_person", "Records of one person, at most")
            self._choice("adjacency", "One person", CHANGES)
            self._text("categories", "Names of the categories, with commas between", longest=1000)
        with _group("Privacy"):
            self._text("epsilon", "Epsilon: 0.5, 1/3 or ln 2")
            self._steps("epsilon", "Epsilon, logarithmic slider", EPSILON_STEPS)
            self._text("delta", "Delta: 0, or such as 1e-6")
            self._steps("delta", "Delta, logarithmic slider", DELTA_STEPS)
        with _group("Objective"):
            self._choice("loss", "Error", LOSSES)
            self._whole("beyond", "An error is small up to")
            self._choice("judged", "Judged", JUDGED)
        with _group("Properties to keep"), ui.element("details"):
            self._summary = html(tag="summary")
            with ui.element("div").classes("boxes"):
                for each in PROPERTIES:
                    box = ui.checkbox(f"{each.phrase} ({each})", on_change=self._tick)
                    self._boxes[each] = box.props("dense")
                button("The four of variant 2", self._toggle_variant_2).props("dense")
        with _group("Solver"):
            self._whole("seconds", "Longest solve, in seconds")

    def _choice(self, name: str, label: str, options: dict[str, str]) -> None:
        self._hold(name, ChoiceElement(label, options, self._values[name]))

    def _whole(self, name: str, label: str) -> None:
        low, high = BOUNDS[name]
        element = ui.number(label, value=self._values[name], step=1, min=low, max=high)
        self._hold(name, element.props('outlined dense inputmode="numeric"'))

    def _text(self, name: str, label: str, longest: int = 40) -> None:
        looks = f'outlined dense maxlength={longest} autocomplete="off" spellcheck="false"'
        self._hold(name, TextBox(label, self._values[name]).props(looks))

    def _steps(self, name: str, label: str, steps: Sequence[str]) -> None:
        at = nearest_step(steps, self._values[name])
        self._hold(name, Slider(label, steps, at or 0), "steps", steps)

    def _hold(
        self, name: str, element: ValueElement[Any], kind: str = "", steps: Sequence[str] | None = None
    ) -> None:
        """Keep an element that shows `name`, by a further kind of it; of one with steps each is a value."""
        key = f"{name} {kind}".strip()

        def take(event: ValueChangeEventArguments[Any]) -> None:
            value = event.value
            if not self._is_told:
                return
            if steps is None:
                self._take(name, value, by=key)
            elif isinstance(value, int) and 0 <= value < len(steps):
                self._take(name, steps[value], by=key)

        element.on_value_change(take)
        self._elements[key] = element

    def _tick(self, _: object) -> None:
        if self._is_told:
            names_ticked = [str(name) for name, box in self._boxes.items() if box.value is True]
            self._take("properties", names_ticked, by="boxes")

    def _toggle_variant_2(self) -> None:
        names = set(self._values["properties"])
        four = set(VARIANT_2_NAMES)
        self._take("properties", sorted(names - four if four <= names else names | four), by="button")

    def _take(self, name: str, value: object, by: str) -> None:
        """Hold a new value, which came from one of the controls."""
        if self._values[name] == value:
            return
        self._values[name] = value
        self._show_all(but=by)
        self._on_change(self._values)

    def _show_all(self, but: str | None = None) -> None:
        """Let all controls show what is held, but for the one that somebody moves."""
        self._is_told = False
        try:
            for name, value in self._values.items():
                element = self._elements.get(name)
                if name != but and element is not None and element.value != value:
                    element.set_value(value)
            for name, box in self._boxes.items():
                box.set_value(str(name) in self._values["properties"])
            self._adapt()
        finally:
            self._is_told = True

    def _adapt(self) -> None:
        """Show what has a meaning, and let the sliders stand where their boxes are."""
        values, elements = self._values, self._elements
        is_known = values["query"] in tuple(QUERIES)  # a client may send what no set can hold
        taken = inputs_of_query(values["query"]) if is_known else ()
        for name in ("records", "per_person", "adjacency", "categories"):
            elements[name].set_visibility(name in taken)
        for element in (self._ends, elements["largest slider"]):
            element.set_visibility("largest" in taken)
        is_named = "categories" in taken
        elements["loss"].set_visibility(not is_named)
        elements["beyond"].set_visibility(values["loss"] == "beyond" and not is_named)
        self._summary.set_content(escape(", ".join(values["properties"]) or "none; open to choose"))
        for name, steps in (("epsilon", EPSILON_STEPS), ("delta", DELTA_STEPS)):
            index = nearest_step(steps, values[name][:_LONGEST]) if isinstance(values[name], str) else None
            if index is not None and elements[f"{name} steps"].value != index:
                elements[f"{name} steps"].set_value(index)
        numbers = values["smallest"], values["largest"], values["records"]
        if all(isinstance(value, (int, float)) and abs(value) < _LARGEST for value in numbers):
            smallest, largest, records = map(int, numbers)
            steps_left = (MOST_TRUTHS - 1) // (max(1, records) if "records" in taken else 1)
            slider = elements["largest slider"]
            slider.reach(
                [str(smallest + step) for step in range(1, max(2, steps_left + 1))], low=smallest + 1
            )
            if slider.value != largest:
                slider.set_value(largest)


def _values(inputs: Inputs) -> dict[str, Any]:
    return {**asdict(inputs), "properties": list(inputs.properties)}


@contextmanager
def _group(name: str) -> Iterator[None]:
    """Draw a group of controls with its name."""
    with ui.element("fieldset"):
        html(escape(name), "legend")
        yield
