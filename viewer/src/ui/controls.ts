// Sliders for controls and joints.

import type { Command } from "../connection";
import type { Model } from "../protocol";
import { digits, fillTrack, h } from "./dom";
import { named } from "./names";

/** A named slider that follows a number unless the user holds it. */
class Slider {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly value: HTMLElement;
  private held = false;
  private shown = NaN;

  constructor(readonly name: string, range: [number, number], private readonly show: (x: number) => string, set: (x: number) => void) {
    this.value = h("output", {});
    this.input = h("input", { type: "range", min: String(range[0]), max: String(range[1]), step: "any", "aria-label": name,
      onpointerdown: () => (this.held = true),
      onpointerup: () => (this.held = false),
      onlostpointercapture: () => (this.held = false),
      oninput: () => {
        this.shown = NaN;
        this.print(Number(this.input.value));
        set(Number(this.input.value));
      },
      // arrows move the slider; all other keys are the viewer's
      onkeydown: (event: KeyboardEvent) => event.key.startsWith("Arrow") && event.stopPropagation(),
    });
    this.element = h("label", { className: "slider" }, h("span", { title: name }, name), this.value, this.input);
  }

  private print(x: number) {
    this.value.textContent = this.show(x);
    fillTrack(this.input);
  }

  follow(x: number) {
    if (this.held || x === this.shown) return;
    this.shown = x;
    this.input.value = String(x);
    this.print(x);
  }
}

export class Controls {
  readonly controls = h("div", { className: "sliders" });
  readonly joints = h("div", { className: "sliders" });
  private actuatorSliders: Slider[] = [];
  private jointSliders: { slider: Slider; qpos: number }[] = [];

  private readonly seen = new WeakSet<Element>();
  /** Only sliders that are seen follow their numbers. */
  private readonly watch = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) isIntersecting ? this.seen.add(target) : this.seen.delete(target);
  });

  constructor(private readonly send: (command: Command) => void) {}

  setModel(model: Model) {
    this.watch.disconnect();
    this.actuatorSliders = model.actuators.map((actuator, index) => {
      const name = named(actuator.name, "actuator", index);
      return new Slider(name, actuator.range ?? [-1, 1], (x) => digits(x), (value) => this.send({ do: "control", index, value }));
    });
    this.jointSliders = model.joints.flatMap((joint, index) => {
      if (!joint.slider) return [];
      const range = joint.range ?? (joint.angle ? [-Math.PI, Math.PI] : [-1, 1]);
      const show = (x: number) => (joint.angle ? `${((x * 180) / Math.PI).toFixed(1)}°` : digits(x));
      const set = (value: number) => this.send({ do: "position", index: joint.qpos, value });
      return [{ slider: new Slider(named(joint.name, "joint", index), range as [number, number], show, set), qpos: joint.qpos }];
    });
    const clear = h("button", { type: "button", className: "wide", onclick: () => this.send({ do: "clear_controls" }) }, "Clear all");
    this.fill(this.controls, this.actuatorSliders, "This model has no actuators.", clear);
    this.fill(this.joints, this.jointSliders.map((j) => j.slider), "This model has no hinges or slides.");
  }

  private fill(target: HTMLElement, sliders: Slider[], nothing: string, ...more: HTMLElement[]) {
    const content = sliders.length ? [...sliders.map((s) => s.element), ...more] : [h("p", { className: "empty" }, nothing)];
    target.replaceChildren(...content);
    for (const { element } of sliders) this.watch.observe(element);
  }

  follow(ctrl: Float32Array, qpos: Float32Array) {
    this.actuatorSliders.forEach((slider, i) => this.seen.has(slider.element) && slider.follow(ctrl[i]));
    this.jointSliders.forEach(({ slider, qpos: at }) => this.seen.has(slider.element) && slider.follow(qpos[at]));
  }
}
