"use strict";
// Follows the chosen true answer. All words and numbers are in the page.
(() => {
  const content = JSON.parse(document.getElementById("content").textContent);

  for (const chart of document.querySelectorAll(".chart")) {
    chartTips(chart, chart.id === "chart-matrix" ? content : null);
  }

  const slider = document.getElementById("slider");
  if (slider !== null) {
    const box = document.getElementById("box");
    const pick = document.getElementById("pick");
    const told = document.getElementById("told");
    const rows = document.querySelectorAll("#column tbody tr");
    const chart = document.getElementById("chart-released");
    const plot = chart.querySelector(".plot");
    const bars = chart.querySelectorAll(".bar");
    const axis = chart.querySelector(".across");
    const mark = chart.querySelector(".mark");
    const top = Number(chart.dataset.top);

    const choose = (place) => {
      const name = content.truths[place];
      content.responses.forEach((response, row) => {
        const [value, text] = [content.probabilities[row][place], content.exactly[row][place]];
        const height = (100 * value) / top;
        bars[row].setAttribute("y", `${100 - height}%`);
        bars[row].setAttribute("height", `${height}%`);
        bars[row].dataset.tip = `released answer ${response}\nprobability: ${value}\n${content.unit}: ${text}`;
        const [probability, exactly] = rows[row].querySelectorAll("td");
        probability.textContent = String(Number(value.toPrecision(6)));
        exactly.textContent = text;
      });
      const at = content.marks[place];
      mark?.setAttribute("visibility", at === null ? "hidden" : "visible");
      if (at !== null) mark?.setAttribute("x", `${(100 * (at + 0.5)) / content.responses.length}%`);
      axis.textContent = content.axes[place];
      plot.setAttribute("aria-label", content.told[place]);
      told.textContent = content.told[place];
      slider.value = place;
      slider.setAttribute("aria-valuetext", name);
      if (box !== null && document.activeElement !== box) box.value = name;
      if (pick !== null) pick.value = place;
    };

    // A browser that opens the page again may remember where the slider was.
    if (slider.value !== slider.defaultValue) choose(Number(slider.value));
    slider.addEventListener("input", () => choose(Number(slider.value)));
    if (pick !== null) pick.addEventListener("change", () => choose(Number(pick.value)));
    if (box !== null) {
      // The nearest true answer to what is typed.
      const nearest = () => {
        const typed = box.valueAsNumber;
        if (Number.isNaN(typed)) return;
        const far = content.values.map((value) => Math.abs(value - typed));
        choose(far.indexOf(Math.min(...far)));
      };
      box.addEventListener("input", nearest);
      box.addEventListener("change", () => { box.value = content.truths[slider.value]; });
    }
  }
  document.documentElement.dataset.drawn = "yes";
})();
