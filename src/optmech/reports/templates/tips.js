"use strict";
// Says what is pointed at in a chart: in a heat map by its numbers, elsewhere by the title of a point, which a
// browser would show late, and not by touch.
function chartTips(chart, content) {
  for (const title of chart.querySelectorAll(".plot title")) {
    title.parentNode.dataset.tip = title.textContent;
    title.remove();
  }
  const tip = document.createElement("div");
  tip.className = "tip";
  const show = (text, event) => {
    const box = chart.getBoundingClientRect();
    tip.textContent = text;
    chart.append(tip);
    const [left, top] = [event.clientX - box.left, event.clientY - box.top];
    tip.style.left = `${Math.max(0, Math.min(left + 12, box.width - tip.offsetWidth))}px`;
    tip.style.top = `${top + 16}px`;
  };

  const map = content && chart.querySelector(".plot .cells");
  const here = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  here.setAttribute("class", "here");
  here.setAttribute("width", 1);
  here.setAttribute("height", 1);
  const cell = (event) => {
    const box = chart.querySelector(".ground").getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * content.truths.length);
    const row = Math.floor(((event.clientY - box.top) / box.height) * content.responses.length);
    if (content.exactly[row]?.[column] === undefined) return "";
    here.setAttribute("x", column);
    here.setAttribute("y", row);
    map.append(here);
    return [
      `${chart.querySelector(".across").textContent} ${content.truths[column]}`,
      `${chart.querySelector(".upwards").textContent} ${content.responses[row]}`,
      `probability: ${content.probabilities[row][column]}`,
      `${content.unit}: ${content.exactly[row][column]}`,
    ].join("\n");
  };
  const point = (event) => {
    if (tip.contains(event.target)) return; // it can be read, and copied from
    here.remove();
    const text = event.target.closest("[data-tip]")?.dataset.tip ?? (map ? cell(event) : "");
    if (text) show(text, event);
    else tip.remove();
  };
  chart.addEventListener("pointermove", point);
  chart.addEventListener("pointerdown", point);
  chart.addEventListener("pointerleave", () => {
    here.remove();
    tip.remove();
  });
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") for (const tip of document.querySelectorAll(".tip")) tip.remove();
});
