// A slider as the browser has it: a label that a screen reader says, the arrow keys, Home and End. A stepper has three
// buttons beside it, which move the same value, so that whatever is pressed reaches Python in the order of pressing.

// JupyterLab takes these for its own, to go to another cell or to fold a heading, unless they end here.
const KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"];

function render({ model, el }) {
  const label = document.createElement("label");
  label.className = "tpmlp-slider";
  const name = document.createElement("span");
  const input = document.createElement("input");
  input.type = "range";
  const readout = document.createElement("span");
  readout.className = "tpmlp-readout";
  label.append(name, input, readout);
  el.append(label);

  const note = () => model.get("note");
  const said = (value) => (note() ? `${value}: ${note()}` : String(value));
  const move = (value) => {
    if (value < model.get("min") || value > model.get("max")) return;
    model.set("value", value);
    model.save_changes();
  };

  input.addEventListener("keydown", (event) => KEYS.includes(event.key) && event.stopPropagation());
  // While the handle is being dragged only the number follows; the value is sent when it is let go.
  input.addEventListener("input", () => {
    readout.textContent = input.value;
  });
  input.addEventListener("change", () => move(Number(input.value)));

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
  const stop = model.get("interval") ? addButtons(model, el, move) : () => {};
  return () => {
    stop();
    watched.forEach((change) => model.off(change, update));
  };
}

function addButtons(model, el, move) {
  const add = (text, act) => {
    const button = document.createElement("button");
    button.className = "jupyter-button tpmlp-button";
    button.textContent = text;
    button.addEventListener("click", act);
    el.append(button);
    return button;
  };
  const value = () => model.get("value");
  let timer = null;
  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  };
  const tick = () => {
    move(value() + 1);
    if (value() >= model.get("max")) stop();
  };
  add("Previous", () => move(value() - 1));
  add("Next", () => move(value() + 1));
  const play = add("Play", () => {
    if (timer) return stop();
    if (value() >= model.get("max")) move(model.get("min"));
    play.textContent = "Pause";
    timer = setInterval(tick, model.get("interval"));
  });
  return stop;
}

export default { render };
