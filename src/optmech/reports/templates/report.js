"use strict";
// Says what is pointed at in a chart, and follows the chosen true answer. All words and numbers are in the page.
(() => {
  const content = JSON.parse(document.getElementById("content").textContent);

  // What a point says: its title, which would otherwise be shown late, and not by touch.
  for (const title of document.querySelectorAll(".plot title")) {
    title.parentNode.dataset.tip = title.textContent;
    title.remove();
  }
  const tip = document.createElement("div");
  tip.className = "tip";
  const hide = () => tip.remove();
  const show = (text, chart, event) => {
    const box = chart.getBoundingClientRect();
    tip.textContent = text;
    chart.append(tip);
    const [left, top] = [event.clientX - box.left, event.clientY - box.top];
    tip.style.left = `${Math.max(0, Math.min(left + 12, box.width - tip.offsetWidth))}px`;
    tip.style.top = `${top + 16}px`;
  };

  const map = document.querySelector("#chart-matrix .plot .cells");
  const titles = [...document.querySelectorAll("#chart-matrix .across, #chart-matrix .upwards")];
  const here = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  here.setAttribute("class", "here");
  here.setAttribute("width", 1);
  here.setAttribute("height", 1);
  const cell = (event) => {
    const box = document.querySelector("#chart-matrix .ground").getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * content.truths.length);
    const row = Math.floor(((event.clientY - box.top) / box.height) * content.responses.length);
    if (content.exactly[row]?.[column] === undefined) return "";
    here.setAttribute("x", column);
    here.setAttribute("y", row);
    map.append(here);
    return [
      `${titles[0].textContent} ${content.truths[column]}`,
      `${titles[1].textContent} ${content.responses[row]}`,
      `probability: ${content.probabilities[row][column]}`,
      `${content.unit}: ${content.exactly[row][column]}`,
    ].join("\n");
  };
  for (const chart of document.querySelectorAll(".chart")) {
    const point = (event) => {
      if (tip.contains(event.target)) return; // it can be read, and copied from
      here.remove();
      const place = event.target.closest("[data-tip]");
      const text = place?.dataset.tip ?? (chart.contains(map) ? cell(event) : "");
      if (text) show(text, chart, event);
      else hide();
    };
    chart.addEventListener("pointermove", point);
    chart.addEventListener("pointerdown", point);
    chart.addEventListener("pointerleave", () => {
      here.remove();
      hide();
    });
  }
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());

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
