// A chart as the server drew it, which says what is pointed at.
export default {
  template: "<div></div>",
  props: { svg: String, cells: String },
  watch: {
    svg() {
      this.draw();
    },
  },
  mounted() {
    this.draw();
  },
  methods: {
    draw() {
      // Not by a template: Vue would look through thousands of cells for nothing.
      this.$el.innerHTML = this.svg;
      const chart = this.$el.firstElementChild;
      if (chart) chartTips(chart, this.cells ? JSON.parse(this.cells) : null);
    },
  },
};
