// One button that moves a value on by one at a time, until its maximum or until it is pressed again.

function render({ model, el }) {
  const button = document.createElement("button");
  button.className = "jupyter-button tpmlp-play";
  el.append(button);
  let timer = null;

  const stop = () => {
    clearInterval(timer);
    timer = null;
    button.textContent = "Play";
  };
  const move = (value) => {
    model.set("value", value);
    model.save_changes();
  };
  const tick = () => {
    if (model.get("value") < model.get("max")) move(model.get("value") + 1);
    if (model.get("value") >= model.get("max")) stop();
  };
  button.addEventListener("click", () => {
    if (timer) return stop();
    if (model.get("value") >= model.get("max")) move(model.get("min"));
    button.textContent = "Pause";
    timer = setInterval(tick, model.get("interval"));
  });
  stop();
  return stop;
}

export default { render };
