// What is shown: cameras, flags, groups, labels, frames, effects.

import type { Command } from "../connection";
import type { Frame, Model } from "../protocol";
import { h, section } from "./dom";
import { EFFECTS, FLAGS, FRAMES, GROUPS, LABELS, named } from "./names";

interface Toggle { element: HTMLElement; set(on: boolean): void }

function toggle(name: string, key: string, action: (on: boolean) => void): Toggle {
  const input = h("input", { type: "checkbox", onchange: () => action(input.checked), onkeydown: (e: KeyboardEvent) => e.key === " " && e.stopPropagation() });
  const element = h("label", { className: "toggle" }, input, h("span", {}, name), key ? h("kbd", {}, key) : null);
  return { element, set: (on) => (input.checked = on) };
}

function choice(name: string, options: string[], action: (index: number) => void) {
  const select = h("select", { onchange: () => action(Number(select.value)), "aria-label": name },
    ...options.map((text, i) => h("option", { value: String(i) }, text)));
  const element = h("label", { className: "choice" }, h("span", {}, name), select);
  return { element, select, set: (index: number) => (select.value = String(index)) };
}

/** From 0 to the last one. */
const numbers = (last: number) => Array.from({ length: last + 1 }, (_, i) => String(i));

export class LookPanel {
  readonly sections: HTMLElement[];
  private readonly cameras = choice("Camera", [], (index) => this.chooseCamera(index));
  private readonly keys = h("div", { className: "keys" });
  private readonly flags: Toggle[];
  private readonly effects: { toggle: Toggle; place: number }[];
  private readonly label = choice("Label", LABELS, (index) => this.send({ do: "label", index }));
  private readonly frame = choice("Frame", FRAMES, (index) => this.send({ do: "frame", index }));
  private readonly depth = choice("Tree depth", numbers(20), (bvh) => this.send({ do: "depths", bvh, layer: Number(this.layer.select.value) }));
  private readonly layer = choice("Flex layer", numbers(10), (layer) => this.send({ do: "depths", bvh: Number(this.depth.select.value), layer }));
  private readonly groups: { of: string; buttons: HTMLButtonElement[] }[];
  readonly simulation: HTMLElement;
  private shown = "";

  constructor(private readonly send: (command: Command) => void) {
    this.flags = FLAGS.map(([name, key], index) => toggle(name, key, (on) => send({ do: "flag", index, on })));
    this.effects = EFFECTS.map(([name, key, place]) => ({ toggle: toggle(name, key, (on) => send({ do: "effect", index: place, on })), place }));
    this.groups = GROUPS.map((of) => ({ of, buttons: [0, 1, 2, 3, 4, 5].map((index) => {
      const button = h("button", { type: "button", className: "group", "aria-pressed": "false", "aria-label": `${of} group ${index}`,
        onclick: () => send({ do: "group", of, index, on: button.getAttribute("aria-pressed") !== "true" }) }, String(index));
      return button;
    }) }));
    this.simulation = section("Keyframes", true, this.keys);
    this.sections = [
      section("Camera", true, this.cameras.element,
        h("div", { className: "row" },
          h("button", { type: "button", onclick: () => send({ do: "align" }) }, "Align"),
          h("button", { type: "button", onclick: () => send({ do: "shot", kind: "free" }) }, "Free"))),
      this.simulation,
      section("Labels and frames", true, this.label.element, this.frame.element),
      section("Show", true, h("div", { className: "toggles" }, ...this.flags.map((f) => f.element)), this.depth.element, this.layer.element),
      section("Groups", false, ...this.groups.map(({ of, buttons }) =>
        h("div", { className: "groups" }, h("span", {}, of), ...buttons))),
      section("Effects", false, h("div", { className: "toggles" }, ...this.effects.map((e) => e.toggle.element))),
    ];
  }

  private chooseCamera(index: number) {
    if (index === 0) this.send({ do: "shot", kind: "free" });
    else if (index === 1) this.send({ do: "shot", kind: "tracking", body: 1 });
    else this.send({ do: "shot", kind: "fixed", id: index - 2 });
  }

  setModel(model: Model) {
    this.shown = "";
    const names = ["Free", "Tracking", ...model.cameras.map((name, i) => named(name, "camera", i))];
    this.cameras.select.replaceChildren(...names.map((text, i) => h("option", { value: String(i) }, text)));
    this.simulation.hidden = model.keys.length === 0;
    this.keys.replaceChildren(...model.keys.map((name, index) =>
      h("button", { type: "button", onclick: () => this.send({ do: "key", index }) }, named(name, "key", index))));
  }

  update(frame: Frame) {
    const { option, camera } = frame;
    const now = JSON.stringify([option, camera.type, camera.fixed, frame.effects]);
    if (now === this.shown) return;
    this.shown = now;
    const focus = document.activeElement;
    if (focus !== this.cameras.select) this.cameras.set(camera.type === 2 ? camera.fixed + 2 : camera.type === 1 ? 1 : 0);
    if (focus !== this.label.select) this.label.set(option.label);
    if (focus !== this.frame.select) this.frame.set(option.frame);
    if (focus !== this.depth.select) this.depth.set(option.bvh);
    if (focus !== this.layer.select) this.layer.set(option.layer);
    this.flags.forEach((f, i) => f.set(option.flags[i] !== 0));
    this.effects.forEach(({ toggle: t, place }) => t.set(frame.effects[place] !== 0));
    for (const { of, buttons } of this.groups) {
      const shown = option[of] as number[];
      buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(shown[i] !== 0)));
    }
  }
}
