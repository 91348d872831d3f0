// The keyboard, with the habits of MuJoCo's viewer.

import { EFFECTS, FLAGS, FRAMES, LABELS, SPEEDS } from "./ui/names";
import type { Command } from "./connection";
import type { Frame, Model } from "./protocol";

/** What keys do to the page itself. */
export interface PageActions {
  leftPanel(): void; rightPanel(): void; help(): void; numbers(): void; plots(): void; sensors(): void; fullScreen(): void;
  picture(): void; film(): void;
}

/** GLFW's numbers of keys that are not letters, for programs that listen to keys. */
const GLFW: Record<string, number> = { " ": 32, Escape: 256, Enter: 257, Tab: 258, Backspace: 259, Insert: 260, Delete: 261,
  ArrowRight: 262, ArrowLeft: 263, ArrowDown: 264, ArrowUp: 265, PageUp: 266, PageDown: 267, Home: 268, End: 269 };

function glfw(key: string): number | null {
  if (GLFW[key]) return GLFW[key];
  const f = /^F(\d+)$/.exec(key);
  if (f) return 289 + Number(f[1]);
  return key.length === 1 ? key.toUpperCase().charCodeAt(0) : null;
}

export class Keys {
  frame: Frame | null = null;
  model: Model | null = null;

  constructor(private readonly send: (command: Command) => void, private readonly page: PageActions) {
    addEventListener("keydown", (event) => this.down(event));
  }

  private down(event: KeyboardEvent) {
    const target = event.target as HTMLElement;
    if (target instanceof HTMLInputElement && target.type === "search") return;
    if (target instanceof HTMLSelectElement) return;
    const code = glfw(event.key);
    if (code !== null && !event.repeat && this.model?.passive) this.send({ do: "key_press", code });
    const handled = event.ctrlKey || event.metaKey ? this.withControl(event) : this.plain(event);
    if (handled) event.preventDefault();
  }

  private withControl(event: KeyboardEvent): boolean {
    switch (event.key.toLowerCase()) {
      case "a": this.send({ do: "align" }); return true;
      case "q": this.send({ do: "quit" }); return true;
      case "l": this.send({ do: "reload" }); return true;
      case "c": if (getSelection()?.toString()) return false; this.send({ do: "copy_state" }); return true;
      case "p": event.shiftKey ? this.page.film() : this.page.picture(); return true;
      default: return false;
    }
  }

  private plain(event: KeyboardEvent): boolean {
    const { frame, model } = this;
    switch (event.key) {
      case "F1": this.page.help(); return true;
      case "F2": this.page.numbers(); return true;
      case "F3": this.page.plots(); return true;
      case "F4": this.page.sensors(); return true;
      case "F5": this.page.fullScreen(); return true;
      case "Tab": event.shiftKey ? this.page.rightPanel() : this.page.leftPanel(); return true;
    }
    if (!frame || !model) return false;
    switch (event.key) {
      case " ": this.send({ do: "run", on: !frame.running }); return true;
      case "ArrowRight": this.send({ do: "step", count: event.shiftKey ? 50 : 1 }); return true;
      case "ArrowLeft": this.send({ do: "rewind", count: event.shiftKey ? 50 : 1 }); return true;
      case "F6": this.send({ do: "frame", index: (frame.option.frame + 1) % FRAMES.length }); return true;
      case "F7": this.send({ do: "label", index: (frame.option.label + 1) % LABELS.length }); return true;
      case "Backspace": this.send({ do: "reset" }); return true;
      case "Escape": this.send({ do: "shot", kind: "free" }); return true;
      case "+": case "=": this.speed(1); return true;
      case "-": this.speed(-1); return true;
      case "[": this.camera(-1); return true;
      case "]": this.camera(1); return true;
      case "PageUp": this.send({ do: "select_body", body: model.bodies[Math.max(0, frame.select.body)].parent }); return true;
    }
    const digit = /^Digit([0-5])$/.exec(event.code);
    if (digit) return this.group(event.shiftKey ? "site" : "geom", Number(digit[1]));
    return this.toggle(event.key.toUpperCase());
  }

  private speed(by: number) {
    const now = SPEEDS.reduce((best, s, i) => (Math.abs(Math.log(s / this.frame!.speed)) < Math.abs(Math.log(SPEEDS[best] / this.frame!.speed)) ? i : best), 0);
    this.send({ do: "speed", factor: SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, now + by))] });
  }

  private camera(by: number) {
    const { camera } = this.frame!;
    const count = this.model!.cameras.length + 1;
    const now = camera.type === 2 ? camera.fixed + 1 : 0;
    const next = (now + by + count) % count;
    this.send(next === 0 ? { do: "shot", kind: "free" } : { do: "shot", kind: "fixed", id: next - 1 });
  }

  private group(of: string, index: number): boolean {
    const shown = this.frame!.option[of] as number[];
    this.send({ do: "group", of, index, on: !shown[index] });
    return true;
  }

  private toggle(key: string): boolean {
    const index = FLAGS.findIndex(([, k]) => k === key);
    if (index >= 0) {
      this.send({ do: "flag", index, on: !this.frame!.option.flags[index] });
      return true;
    }
    const effect = EFFECTS.find(([, k]) => k === key);
    if (effect) this.send({ do: "effect", index: effect[2], on: !this.frame!.effects[effect[2]] });
    return !!effect;
  }
}
