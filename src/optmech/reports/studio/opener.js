// A file to choose, or to drop anywhere on the page. It goes to the server, which reads it as text and proves it.
export default {
  template: `
    <label class="opener">
      <span>{{ label }}</span>
      <input type="file" accept=".json,application/json" @change="choose" />
    </label>`,
  props: { label: String, page: String, most: Number },
  emits: ["refused"],
  mounted() {
    addEventListener("dragover", this.allow);
    addEventListener("drop", this.drop);
  },
  beforeUnmount() {
    removeEventListener("dragover", this.allow);
    removeEventListener("drop", this.drop);
  },
  methods: {
    choose(event) {
      this.send(event.target.files[0]);
      event.target.value = ""; // the same file may be chosen again
    },
    allow(event) {
      if (event.dataTransfer.types.includes("Files")) event.preventDefault();
    },
    drop(event) {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault(); // a browser would leave the page for the file
      this.send(event.dataTransfer.files[0]);
    },
    async send(file) {
      if (!file) return;
      const { name, size } = file;
      if (size > this.most) return this.$emit("refused", { name, size });
      const to = `certificate/${this.page}?name=${encodeURIComponent(name)}`;
      try {
        const answer = await fetch(to, { method: "POST", body: file });
        if (!answer.ok) this.$emit("refused", { name, size });
      } catch {
        this.$emit("refused", { name, size: -1 }); // a folder, or a file that may not be read
      }
    },
  },
};
