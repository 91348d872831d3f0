// The mouse, with the habits of MuJoCo's viewer.

import type { Command } from "./connection";

/** Movements (mjtMouse). */
export const MOUSE = { ROTATE_V: 1, ROTATE_H: 2, MOVE_V: 3, MOVE_H: 4, ZOOM: 5 } as const;
const PERTURB = { TRANSLATE: 1, ROTATE: 2 } as const;
const LEFT = 0, MIDDLE = 1, RIGHT = 2;
const DOUBLE_CLICK_MS = 350;

export class Mouse {
  private button: number | null = null;
  private pulling = false;
  private last: [number, number] = [0, 0];
  private click = { time: 0, button: -1, x: 0, y: 0 };

  constructor(private readonly canvas: HTMLElement, private readonly send: (command: Command) => void, private readonly selected: () => boolean) {
    canvas.addEventListener("pointerdown", (e) => this.down(e));
    canvas.addEventListener("pointermove", (e) => this.move(e));
    canvas.addEventListener("pointerup", (e) => this.up(e));
    canvas.addEventListener("pointercancel", (e) => this.up(e));
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
    canvas.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
  }

  private down(e: PointerEvent) {
    (document.activeElement as HTMLElement | null)?.blur();
    e.preventDefault();
    const now = performance.now();
    const again = now - this.click.time < DOUBLE_CLICK_MS && this.click.button === e.button
      && Math.hypot(e.clientX - this.click.x, e.clientY - this.click.y) < 6;
    this.click = { time: again ? 0 : now, button: e.button, x: e.clientX, y: e.clientY };
    if (again) return this.pick(e);
    this.canvas.setPointerCapture(e.pointerId);
    this.button = e.button;
    this.last = [e.clientX, e.clientY];
    this.pulling = (e.ctrlKey || e.metaKey) && this.selected() && e.button !== MIDDLE;
    if (this.pulling) this.send({ do: "grasp", bits: e.button === RIGHT ? PERTURB.TRANSLATE : PERTURB.ROTATE });
  }

  private pick(e: PointerEvent) {
    const box = this.canvas.getBoundingClientRect();
    const pick = e.button === RIGHT ? (e.ctrlKey || e.metaKey ? "track" : "look_at") : "select";
    const x = (e.clientX - box.left) / box.width;
    const y = 1 - (e.clientY - box.top) / box.height;
    this.send({ do: "pick", pick, x, y, aspect: box.width / box.height });
  }

  private move(e: PointerEvent) {
    if (this.button === null) return;
    const height = this.canvas.clientHeight;
    const [dx, dy] = [(e.clientX - this.last[0]) / height, (e.clientY - this.last[1]) / height];
    if (!dx && !dy) return;
    this.last = [e.clientX, e.clientY];
    const action = this.button === LEFT ? (e.shiftKey ? MOUSE.ROTATE_H : MOUSE.ROTATE_V)
      : this.button === RIGHT ? (e.shiftKey ? MOUSE.MOVE_H : MOUSE.MOVE_V) : MOUSE.ZOOM;
    this.send({ do: this.pulling ? "pull" : "move", action, dx, dy });
  }

  private up(e: PointerEvent) {
    if (this.button !== e.button && e.type === "pointerup") return;
    this.button = null;
    if (this.pulling) this.send({ do: "release" });
    this.pulling = false;
  }

  private wheel(e: WheelEvent) {
    e.preventDefault();
    const lines = e.deltaMode === WheelEvent.DOM_DELTA_LINE ? e.deltaY : e.deltaY / 100;
    this.send({ do: "move", action: MOUSE.ZOOM, dx: 0, dy: -0.05 * lines });
  }
}
