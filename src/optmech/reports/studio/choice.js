// A native list to choose from.
export default {
  template: `
    <div class="choice">
      <span aria-hidden="true">{{ label }}</span>
      <select :aria-label="label" :value="modelValue" @change="tell">
        <option v-for="(words, name) in options" :key="name" :value="name">{{ words }}</option>
      </select>
    </div>`,
  props: { modelValue: String, label: String, options: Object },
  emits: ["update:model-value"],
  methods: {
    tell(event) {
      this.$emit("update:model-value", event.target.value);
    },
  },
};
