// A native slider: the browser's own keyboard, focus and words for screen readers.
export default {
  template: `
    <input type="range" :min="low" :max="low + texts.length - 1" step="1" :value="modelValue"
      :aria-valuetext="texts[modelValue - low]" @input="tell" />`,
  props: { modelValue: Number, low: Number, texts: Array },
  emits: ["update:model-value"],
  methods: {
    tell(event) {
      this.$emit("update:model-value", Number(event.target.value));
    },
  },
};
