// Keys and mouse, on F1.

import { h } from "./dom";
import { EFFECTS, FLAGS } from "./names";

const MOUSE: [string, string][] = [
  ["Left drag", "turn the camera"], ["Right drag", "move the camera (with Shift: along the floor)"], ["Wheel, middle drag", "zoom"],
  ["Double click", "select a body"], ["Right double click", "look at a point"], ["Ctrl + right double click", "follow a body"],
  ["Ctrl + left drag", "turn the selected body"], ["Ctrl + right drag", "push it; while paused: move it"],
];
const KEYS: [string, string][] = [
  ["Space", "run, pause"], ["→", "one step (Shift: 50)"], ["←", "back by a frame (Shift: by 50)"], ["+  −", "faster, slower"], ["Backspace", "reset"],
  ["[  ]", "previous, next camera"], ["Esc", "free camera"], ["Page Up", "select the parent"], ["Ctrl A", "align the camera"],
  ["Ctrl L", "load the model again"], ["Ctrl C", "copy the state as a keyframe"], ["Ctrl P", "save a picture"], ["Ctrl Shift P", "start, end a film"],
  ["Tab", "left panel"], ["Shift Tab", "right panel"], ["0 – 5", "groups of geoms (Shift: of sites)"], ["F1", "this page"], ["F2", "numbers"], ["F3", "plots"], ["F4", "sensors"], ["F5", "whole screen"], ["F6", "next kind of frames"],
  ["F7", "next kind of labels"], ["Ctrl Q", "end the viewer"],
];

const table = (title: string, rows: [string, string][]) =>
  h("section", {}, h("h3", {}, title), h("dl", {}, ...rows.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)])));

export function makeHelp(): HTMLDialogElement {
  const flags = [...FLAGS, ...EFFECTS].filter(([, key]) => key).map(([name, key]): [string, string] => [key, name.toLowerCase()]);
  const dialog = h("dialog", { className: "help" },
    h("header", {}, h("h2", {}, "Keys and mouse"), h("button", { type: "button", onclick: () => dialog.close(), "aria-label": "Close" }, "×")),
    h("div", { className: "columns" }, table("Mouse", MOUSE), table("Keys", KEYS), table("Show", flags)),
    h("p", {}, "Drop a model, or a folder with its meshes, on the page to open it. Files reload when they are saved."));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
}
