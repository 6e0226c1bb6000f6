// A drop-down list as the browser has it, with its label.

// JupyterLab takes these for its own, to go to another cell, unless they end here.
const KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown", "Enter"];

function render({ model, el }) {
  const label = document.createElement("label");
  label.className = "tpmlp-choice";
  const name = document.createElement("span");
  const select = document.createElement("select");
  label.append(name, select);
  el.append(label);

  select.addEventListener("keydown", (event) => KEYS.includes(event.key) && event.stopPropagation());
  select.addEventListener("change", () => {
    model.set("index", select.selectedIndex);
    model.save_changes();
  });

  const update = () => {
    name.textContent = model.get("description");
    select.setAttribute("aria-label", model.get("description"));
    select.replaceChildren(...model.get("_options_labels").map((option) => new Option(option)));
    select.selectedIndex = model.get("index") ?? -1;
    select.disabled = model.get("disabled");
  };
  const watched = ["description", "_options_labels", "index", "disabled"].map((trait) => `change:${trait}`);
  for (const change of watched) model.on(change, update);
  update();
  return () => watched.forEach((change) => model.off(change, update));
}

export default { render };
