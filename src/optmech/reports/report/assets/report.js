"use strict";
// Draws the charts of a report and follows the chosen true answer. All words and numbers are in the page's data.
(() => {
  const content = JSON.parse(document.getElementById("content").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const print = window.matchMedia("print");
  const charts = new Map();

  const theme = () => content.themes[dark.matches && !print.matches ? "dark" : "light"];

  for (const [id, option] of Object.entries(content.charts)) {
    const place = document.getElementById(id);
    // Thousands of cells are drawn faster on a canvas; everything else stays sharp on paper as SVG.
    const renderer = option.series[0].type === "heatmap" ? "canvas" : "svg";
    const settings = { renderer, devicePixelRatio: Math.max(2, window.devicePixelRatio) };
    const chart = echarts.init(place, theme(), settings);
    chart.setOption(option);
    charts.set(id, chart);
  }

  // Paper is laid out after `beforeprint`, and printed before anything is drawn again: sizes are those of the style.
  const PAPER = { wide: { width: 670, height: 290 }, square: { width: 500, height: 460 } };
  let printing = false;

  const resize = () => printing || charts.forEach((chart) => chart.resize());
  const repaint = () => {
    if (printing) return;
    charts.forEach((chart) => chart.setTheme(theme()));
    resize();
  };
  dark.addEventListener("change", repaint);
  print.addEventListener("change", repaint);
  window.addEventListener("beforeprint", () => {
    printing = true;
    charts.forEach((chart) => {
      chart.setTheme(content.themes.light);
      const place = chart.getDom();
      chart.resize(PAPER[place.classList.contains("square") ? "square" : "wide"]);
      chart.getZr().flush();
      if (place.querySelector("canvas") !== null) {
        // A heat map has several canvases one above the other, of which paper gets the topmost.
        const sheet = chart.renderToCanvas({ pixelRatio: 3, backgroundColor: "#fff" });
        sheet.className = "printed";
        place.append(sheet);
      }
    });
  });
  window.addEventListener("afterprint", () => {
    printing = false;
    document.querySelectorAll(".printed").forEach((sheet) => sheet.remove());
    repaint();
  });
  new ResizeObserver(resize).observe(document.getElementById("report"));

  // The column of a true answer is every n-th cell of the heat map, whose rows are responses.
  const slider = document.getElementById("slider");
  if (slider !== null) {
    const box = document.getElementById("box");
    const pick = document.getElementById("pick");
    const told = document.getElementById("told");
    const rows = document.querySelectorAll("#column tbody tr");
    const cells = content.charts["chart-matrix"].series[0].data;
    const count = content.truths.length;

    const choose = (place) => {
      const column = cells.filter((_, number) => number % count === place);
      const name = content.truths[place];
      const option = content.charts["chart-released"];
      const [bars] = option.series;
      charts.get("chart-released").setOption({
        aria: { label: { description: content.told[place] } },
        xAxis: { name: content.axes[place] },
        series: [{
          data: column.map((cell) => [cell[1], cell[2], cell[3]]),
          markLine: bars.markLine && { data: content.marks[place] ? [{ xAxis: content.marks[place] }] : [] },
        }],
      });
      column.forEach((cell, row) => {
        const [probability, exactly] = rows[row].querySelectorAll("td");
        probability.textContent = String(Number(cell[2].toPrecision(6)));
        exactly.textContent = cell[3];
      });
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
