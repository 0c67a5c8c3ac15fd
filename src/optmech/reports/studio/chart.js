// A chart of ECharts. Its option comes as text: Vue would wrap each of thousands of cells for nothing.
import { echarts } from "nicegui-echart";

export default {
  template: "<div></div>",
  props: { option: String, light: String, dark: String },
  watch: {
    option() {
      this.draw();
    },
  },
  mounted() {
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.scheme.addEventListener("change", this.begin);
    this.sizes = new ResizeObserver(() => this.chart?.resize());
    this.sizes.observe(this.$el);
    this.begin();
  },
  beforeUnmount() {
    this.scheme.removeEventListener("change", this.begin);
    this.sizes.disconnect();
    this.chart.dispose();
  },
  methods: {
    begin() {
      this.chart?.dispose();
      const theme = JSON.parse(this.scheme.matches ? this.dark : this.light);
      this.chart = Vue.markRaw(echarts.init(this.$el, theme));
      this.draw();
    },
    draw() {
      if (!this.option) return;
      const option = JSON.parse(this.option);
      // Nobody counts the zeros of a small power of ten. An option from the server holds no functions.
      const power = (value) => (value < 0.001 ? value.toExponential(0) : String(value));
      if (option.yAxis?.type === "log") option.yAxis.axisLabel = { formatter: power };
      this.chart.setOption(option, { notMerge: true });
    },
  },
};
