// The bar at the bottom: run, pause, step, reset, speed, time.

import type { Command } from "../connection";
import type { Frame, Model } from "../protocol";
import { fillTrack, h, icon, iconButton } from "./dom";
import { SPEEDS } from "./names";

export class Transport {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly speed: HTMLSelectElement;
  private readonly time = h("output", { className: "time", title: "Simulated time" });
  private readonly factor = h("output", { className: "factor", title: "Simulated time over time, measured" });
  private readonly trouble = h("output", { className: "trouble panel", hidden: true,
    title: "The simulation has become unstable. A smaller time step or softer springs may help. Shown until you reset." });
  private readonly scrubber: HTMLInputElement;
  private readonly stepping: HTMLElement[];
  private running = true;
  private icon = "";

  constructor(send: (command: Command) => void, seek: (place: number) => void) {
    this.play = h("button", { className: "play", type: "button", title: "Run, pause (Space)", "aria-label": "Run or pause",
      onclick: () => send({ do: "run", on: !this.running }) });
    this.speed = h("select", { title: "Speed (+ −)", "aria-label": "Speed", onchange: () => send({ do: "speed", factor: Number(this.speed.value) }) },
      ...SPEEDS.map((s) => h("option", { value: String(s) }, s >= 1 ? `${s}×` : `${s * 100}%`)));
    this.scrubber = h("input", { type: "range", min: "0", max: "1", step: "any", className: "scrubber", hidden: true, "aria-label": "Place in the past",
      oninput: () => {
        fillTrack(this.scrubber);
        seek(Number(this.scrubber.value));
      },
      onkeydown: (event: KeyboardEvent) => event.key.startsWith("Arrow") && event.stopPropagation() });
    const back = iconButton("back", "Back by a frame (←)", () => send({ do: "rewind", count: 1 }));
    const step = iconButton("step", "One step (→)", () => send({ do: "step", count: 1 }));
    this.stepping = [this.play, back, step, this.speed];
    this.element = h("nav", { className: "transport panel" },
      iconButton("reset", "Reset (Backspace)", () => send({ do: "reset" })), back, this.play, step, this.scrubber, this.time, this.speed, this.factor,
      this.trouble);
  }

  setModel(model: Model, recorded: boolean) {
    this.stepping.forEach((element) => (element.hidden = model.passive));
    this.scrubber.hidden = !recorded && model.passive;
  }

  update(frame: Frame, place: number | null) {
    this.running = frame.running;
    const wanted = frame.running ? "pause" : "play";
    if (wanted !== this.icon) this.play.replaceChildren(icon(wanted));
    this.icon = wanted;
    this.play.classList.toggle("running", frame.running);
    this.time.textContent = `${frame.time.toFixed(2)} s`;
    const behind = frame.running && frame.factor > 0 && frame.factor < 0.9 * frame.speed;
    this.factor.textContent = frame.running && frame.factor > 0 ? `${frame.factor.toFixed(frame.factor < 0.1 ? 3 : 2)}×` : "—";
    this.factor.classList.toggle("behind", behind);
    if (document.activeElement !== this.speed) this.speed.value = String(SPEEDS.reduce((a, b) => (Math.abs(b - frame.speed) < Math.abs(a - frame.speed) ? b : a)));
    if (!this.scrubber.matches(":active")) {
      this.scrubber.value = String(place ?? past(frame.history));
      fillTrack(this.scrubber);
    }
    this.warn(frame.trouble ?? "");
  }

  /** Says that the simulation is unstable, once for each new text: readers of screens speak it. */
  private warn(text: string) {
    if (text === this.trouble.textContent) return;
    this.trouble.textContent = text;
    this.trouble.hidden = text === "";
  }
}

/** Where the present state stands among those that are kept, from 0 to 1. */
function past([back, kept]: [number, number]): number {
  return kept > 1 ? 1 - back / (kept - 1) : 1;
}
