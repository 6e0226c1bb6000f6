// A slider as the browser has it: a label that a screen reader says, the arrow keys, Home and End.

function render({ model, el }) {
  const label = document.createElement("label");
  label.className = "tpmlp-slider";
  const name = document.createElement("span");
  const input = document.createElement("input");
  input.type = "range";
  const readout = document.createElement("output");
  label.append(name, input, readout);
  el.append(label);

  const note = () => model.get("note");
  const said = (value) => (note() ? `${value}: ${note()}` : String(value));

  // While the handle is being dragged only the number follows; the value is sent when it is let go.
  input.addEventListener("input", () => {
    readout.textContent = input.value;
  });
  input.addEventListener("change", () => {
    model.set("value", Number(input.value));
    model.save_changes();
  });

  const update = () => {
    name.textContent = model.get("description");
    input.setAttribute("aria-label", model.get("description"));
    for (const bound of ["min", "max", "step"]) input[bound] = model.get(bound);
    input.value = model.get("value");
    input.disabled = model.get("disabled");
    input.setAttribute("aria-valuetext", said(model.get("value")));
    readout.textContent = said(model.get("value"));
  };
  const watched = ["description", "min", "max", "step", "value", "disabled", "note"].map((trait) => `change:${trait}`);
  for (const change of watched) model.on(change, update);
  update();
  return () => watched.forEach((change) => model.off(change, update));
}

export default { render };
