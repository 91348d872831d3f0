// Plots over time: sensors, energy, contacts, times of stages.

import type { Frame, Message, Model } from "../protocol";
import { digits, h } from "./dom";
import { named, STAGES } from "./names";

const POINTS = 400;
const COLORS = ["#ff8a5c", "#5cc8ff", "#9be564", "#ffd166", "#c792ea", "#4de1c1", "#ff6b9d", "#a0a8ff"];

interface Line { name: string; values: Float32Array }

/** Lines that grow to the right and move out on the left. */
class Plot {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", {});
  private readonly legend = h("div", { className: "legend" });
  private count = 0;
  private readonly lines: Line[];

  constructor(title: string, names: string[], private readonly unit: string) {
    this.lines = names.map((name) => ({ name, values: new Float32Array(POINTS) }));
    this.element = h("figure", { className: "plot" }, h("figcaption", {}, title), this.canvas, this.legend);
    this.legend.replaceChildren(...names.map((name, i) =>
      h("span", { style: `--color: ${COLORS[i % COLORS.length]}` }, name, h("b", {}))));
  }

  add(values: ArrayLike<number>) {
    this.lines.forEach((line, i) => {
      if (this.count === POINTS) line.values.copyWithin(0, 1);
      line.values[Math.min(this.count, POINTS - 1)] = values[i];
    });
    this.count = Math.min(this.count + 1, POINTS);
  }

  clear() {
    this.count = 0;
  }

  draw() {
    const ratio = devicePixelRatio || 1;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (!width || !this.count) return;
    if (this.canvas.width !== Math.round(width * ratio)) {
      [this.canvas.width, this.canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    }
    const context = this.canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    let [low, high] = [Infinity, -Infinity];
    for (const { values } of this.lines) {
      for (let i = 0; i < this.count; i++) {
        low = Math.min(low, values[i]);
        high = Math.max(high, values[i]);
      }
    }
    const room = high - low > 1e-12 ? 0.06 * (high - low) : Math.max(1e-3, 0.1 * Math.abs(high));
    [low, high] = [low - room, high + room];
    const y = (v: number) => height - ((v - low) / (high - low)) * height;
    if (low < 0 && high > 0) {
      context.strokeStyle = "rgba(255,255,255,.18)";
      context.beginPath();
      context.moveTo(0, y(0));
      context.lineTo(width, y(0));
      context.stroke();
    }
    this.lines.forEach(({ values }, line) => {
      context.strokeStyle = COLORS[line % COLORS.length];
      context.lineWidth = 1.5;
      context.beginPath();
      for (let i = 0; i < this.count; i++) context.lineTo((i / (POINTS - 1)) * width, y(values[i]));
      context.stroke();
      const last = values[this.count - 1];
      (this.legend.children[line] as HTMLElement).lastElementChild!.textContent = ` ${digits(last)}${this.unit}`;
    });
    context.fillStyle = "rgba(255,255,255,.45)";
    context.font = "10px system-ui, sans-serif";
    context.fillText(digits(high - room), 4, 11);
    context.fillText(digits(low + room), 4, height - 4);
  }
}

const MAIN_STAGES = [3, 4, 5, 6, 7];

export class Plots {
  readonly element: HTMLElement;
  readonly sensors: HTMLElement;
  private readonly sensorChoice = h("select", { "aria-label": "Sensor" });
  private readonly sensorPlace = h("div", {});
  private readonly nothing = h("p", { className: "empty" }, "This model has no sensors.");
  private energy = new Plot("Energy", ["potential", "kinetic"], " J");
  private contacts = new Plot("Constraints", ["contacts", "rows", "iterations"], "");
  private stages = new Plot("Time of a step", MAIN_STAGES.map((i) => STAGES[i]), " µs");
  private sensor: { plot: Plot; adr: number; dim: number } | null = null;
  private model: Model | null = null;
  private last = -1;
  private readonly seen = new Set<Element>();

  constructor(private readonly setTimers: (on: boolean) => void) {
    this.sensorChoice.addEventListener("change", () => this.chooseSensor());
    this.element = h("div", {}, this.energy.element, this.contacts.element, this.stages.element);
    this.sensors = h("div", {}, this.nothing, this.sensorChoice, this.sensorPlace);
    const watch = new IntersectionObserver((changes) => {
      for (const { target, isIntersecting } of changes) isIntersecting ? this.seen.add(target) : this.seen.delete(target);
    });
    for (const part of [this.element, this.sensors]) watch.observe(part);
  }

  setModel(model: Model) {
    this.model = model;
    this.last = -1;
    const options = model.sensors.map((s, i) => h("option", { value: String(i) }, named(s.name, "sensor", i)));
    this.sensorChoice.replaceChildren(...options);
    this.sensorChoice.hidden = options.length === 0;
    this.nothing.hidden = options.length > 0;
    [this.energy, this.contacts, this.stages].forEach((plot) => plot.clear());
    this.chooseSensor();
  }

  private chooseSensor() {
    const index = Number(this.sensorChoice.value);
    const sensor = this.model?.sensors[index];
    this.sensor = null;
    this.sensorPlace.replaceChildren();
    if (!sensor) return;
    const dim = Math.min(sensor.dim, COLORS.length);
    const names = dim === 1 ? ["value"] : dim === 3 ? ["x", "y", "z"] : Array.from({ length: dim }, (_, i) => String(i));
    this.sensor = { plot: new Plot(named(sensor.name, "sensor", index), names, ""), adr: sensor.adr, dim };
    this.sensorPlace.replaceChildren(this.sensor.plot.element);
  }

  /** Stages are measured while someone looks. */
  watch(open: boolean) {
    this.setTimers(open);
  }

  update(frame: Frame, message: Message) {
    if (frame.time === this.last) return;
    if (frame.time < this.last) [this.energy, this.contacts, this.stages, ...(this.sensor ? [this.sensor.plot] : [])].forEach((p) => p.clear());
    this.last = frame.time;
    this.energy.add(frame.energy);
    this.contacts.add([frame.contacts, frame.rows, frame.iterations]);
    if (frame.stages) this.stages.add(MAIN_STAGES.map((i) => 1e6 * frame.stages![i]));
    if (this.sensor) this.sensor.plot.add(message.floats(frame.sensors).subarray(this.sensor.adr, this.sensor.adr + this.sensor.dim));
    if (this.seen.has(this.element)) [this.energy, this.contacts, this.stages].forEach((plot) => plot.draw());
    if (this.seen.has(this.sensors)) this.sensor?.plot.draw();
  }
}
