// What an explorer shows: a sentence that a screen reader says when it changes, the picture, and the same in words.
// All of it is changed in place: the old picture stays until the new one is decoded, so nothing flickers.

function element(tag, className, attributes = {}) {
  const made = document.createElement(tag);
  made.className = className;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function render({ model, el }) {
  const sentence = element("p", "tpmlp-sentence", { role: "status" });
  const error = element("p", "tpmlp-error", { role: "alert" });
  const image = element("img", "tpmlp-picture");
  // On a narrow page a picture shrinks until its numbers could hardly be read; from there on it scrolls, by key as well.
  const frame = element("div", "tpmlp-frame", { tabindex: 0, role: "group", "aria-label": "Picture" });
  frame.append(image);
  frame.addEventListener("keydown", (event) => event.key.startsWith("Arrow") && event.stopPropagation());
  const details = element("details", "tpmlp-words");
  const summary = element("summary", "");
  summary.textContent = "The picture in words";
  const words = element("pre", "");
  details.append(summary, words);
  el.append(sentence, error, frame, details);
  let url = "";

  const show = () => {
    const old = url;
    url = URL.createObjectURL(new Blob([model.get("png")], { type: "image/png" }));
    image.src = url;
    URL.revokeObjectURL(old);
  };
  const say = () => {
    const failed = model.get("error");
    sentence.textContent = model.get("sentence");
    error.textContent = failed;
    error.hidden = !failed;
    image.hidden = frame.hidden = details.hidden = sentence.hidden = Boolean(failed);
    image.alt = model.get("alt");
    words.textContent = model.get("text");
  };
  const said = ["sentence", "alt", "text", "error"].map((trait) => `change:${trait}`);
  model.on("change:png", show);
  for (const change of said) model.on(change, say);
  show();
  say();
  return () => {
    model.off("change:png", show);
    for (const change of said) model.off(change, say);
    URL.revokeObjectURL(url);
  };
}

export default { render };
