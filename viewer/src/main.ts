// The page: puts the parts together.

import "./style.css";
import { Film, savePicture } from "./capture";
import { Connection, type Command } from "./connection";
import { acceptFiles } from "./drop";
import { Keys } from "./keys";
import { Mouse } from "./mouse";
import { Overlay } from "./overlay";
import { Player, recording } from "./player";
import type { Frame, Message, Model } from "./protocol";
import { Stage } from "./scene/stage";
import { Controls } from "./ui/controls";
import { digits, h, iconButton, section } from "./ui/dom";
import { makeHelp } from "./ui/help";
import { LookPanel } from "./ui/look";
import { named } from "./ui/names";
import { Plots } from "./ui/plots";
import { Transport } from "./ui/transport";
import { Tree } from "./ui/tree";

class Page {
  private readonly canvas = h("canvas", { className: "picture", tabIndex: 0 });
  private readonly overlay = new Overlay();
  private readonly stage = new Stage(this.canvas);
  private readonly send = (command: Command) => (this.player ? this.player.obey(command) : this.connection?.send(command));
  private readonly look = new LookPanel(this.send);
  private readonly controls = new Controls(this.send);
  private readonly tree = new Tree(this.send);
  private readonly plots = new Plots((on) => this.send({ do: "timers", on }));
  private readonly transport = new Transport(this.send, (place) => this.seek(place));
  private readonly help = makeHelp();
  private readonly film = new Film();
  private readonly error = h("pre", {});
  private readonly errorBox = h("aside", { className: "error panel", role: "alert", hidden: true },
    h("header", {}, h("b", {}, "The last good model is shown"), h("button", { type: "button", "aria-label": "Close", onclick: () => (this.errorBox.hidden = true) }, "×")), this.error);
  private readonly toast = h("div", { className: "toast", role: "status" });
  private readonly title = h("span", { className: "name" });
  private readonly numbers = h("pre", { className: "numbers panel", hidden: true });
  private readonly selection = h("span", { className: "selection" });
  private readonly left = h("aside", { className: "side left panel" }, ...this.look.sections);
  private readonly right: HTMLElement;
  private readonly filmButton = iconButton("film", "Film (Ctrl Shift P)", () => this.toggleFilm());
  private readonly keys: Keys;
  private connection: Connection | null = null;
  private player: Player | null = null;
  private model: Model | null = null;
  private pending: Message | null = null;
  /** Frames that have come and are not answered: the server waits when there are too many. */
  private unanswered = 0;
  private shown: Message | null = null;
  private toldPanels = "true,true";
  /** Pictures and milliseconds of work since a moment; both as measured before. */
  private drawn = { frames: 0, work: 0, since: performance.now() };
  private pace = { rate: 0, work: 0 };

  constructor(app: HTMLElement) {
    const [plots, sensors] = [section("Plots", false, this.plots.element), section("Sensors", false, this.plots.sensors)];
    plots.addEventListener("toggle", () => this.plots.watch(plots.open));
    this.right = h("aside", { className: "side right panel" },
      section("Controls", true, this.controls.controls), section("Joints", false, this.controls.joints),
      plots, sensors, section("Model", false, this.tree.element));
    const bar = h("header", { className: "top" },
      h("div", { className: "brand panel" }, iconButton("left", "Left panel (Tab)", () => this.toggle(this.left)), h("b", {}, "Ligament"), this.title, this.selection),
      h("div", { className: "tools panel" },
        iconButton("target", "Align the camera (Ctrl A)", () => this.send({ do: "align" })),
        iconButton("key", "Copy the state as a keyframe (Ctrl C)", () => this.send({ do: "copy_state" })),
        iconButton("camera", "Picture (Ctrl P)", () => this.picture()), this.filmButton,
        iconButton("help", "Keys and mouse (F1)", () => this.toggleHelp()), iconButton("right", "Right panel (Shift Tab)", () => this.toggle(this.right))));
    app.append(this.canvas, this.overlay.canvas, this.overlay.texts, bar, this.left, this.right, this.numbers, this.transport.element,
      this.errorBox, this.toast, h("div", { className: "dropzone" }, "Drop to open"), this.help);
    new Mouse(this.canvas, this.send, () => (this.keys.frame?.select.body ?? 0) > 0);
    this.keys = new Keys(this.send, {
      leftPanel: () => this.toggle(this.left), rightPanel: () => this.toggle(this.right), help: () => this.toggleHelp(),
      numbers: () => (this.numbers.hidden = !this.numbers.hidden),
      plots: () => this.unfold(plots), sensors: () => this.unfold(sensors),
      fullScreen: () => (document.fullscreenElement ? document.exitFullscreen() : app.requestFullscreen()),
      picture: () => this.picture(), film: () => this.toggleFilm(),
    });
    new ResizeObserver(() => this.resize()).observe(app);
    this.resize();
    if (innerWidth < 900) this.left.hidden = this.right.hidden = true;
    acceptFiles(document.body, (bytes) => this.connection?.sendBytes(bytes));
    requestAnimationFrame((now) => this.tick(now));
  }

  connect() {
    document.body.dataset.link = "lost";
    this.connection = new Connection((message) => this.receive(message), (link) => {
      document.body.dataset.link = link;
      this.unanswered = 0; // a new connection counts from the beginning
      this.say(link === "lost" ? "Connection lost. Trying again…" : "", link === "lost");
      this.tellSize();
    });
  }

  play(bytes: ArrayBuffer) {
    this.player = new Player(bytes);
    document.body.dataset.link = "recording";
    document.body.classList.add("recorded");
    this.left.hidden = this.right.hidden = true;
    this.setModel(this.player.model);
  }

  private receive(message: Message) {
    switch (message.head.kind) {
      case "model": return this.setModel(message);
      case "frame": return this.keep(message);
      case "error": return this.showError(message.head.text);
      case "keyframe": return this.copied(message.head.text);
    }
  }

  /** Keeps a frame until it is drawn or a newer one comes. */
  private keep(frame: Message) {
    this.pending = frame;
    this.unanswered++;
  }

  /** Tells the server once for each frame that came that it is done with: drawn, or overtaken by a newer frame or a model. */
  private answer() {
    for (; this.unanswered > 0; this.unanswered--) this.send({ do: "drawn" });
  }

  private setModel(message: Message) {
    this.pending = null; // it shows the model before
    this.answer();
    const model = (this.model = message.head as Model);
    this.stage.setModel(model, message);
    this.keys.model = model;
    this.keys.frame = this.shown = null;
    for (const part of [this.look, this.controls, this.tree, this.plots]) part.setModel(model);
    this.transport.setModel(model, this.player !== null);
    this.title.textContent = model.name;
    document.title = `${model.name} · Ligament`;
    document.body.dataset.model = model.name;
    this.errorBox.hidden = true;
  }

  private tick(now: number) {
    requestAnimationFrame((next) => this.tick(next));
    const message = this.player ? this.player.at(now) : this.pending;
    if (!message || !this.model) return;
    this.pending = null;
    const start = performance.now();
    try {
      this.show(message);
    } finally {
      this.answer(); // also when it cannot be drawn: the next one may be better
    }
    this.drawn.work += performance.now() - start;
  }

  private show(message: Message) {
    const frame = message.head as Frame;
    this.shown = message;
    this.keys.frame = frame;
    this.stage.update(frame, message, frame.eye);
    this.stage.draw();
    this.overlay.draw(this.stage, frame, message);
    this.openPanels(frame.panels);
    this.transport.update(frame, this.player?.place ?? null);
    this.look.update(frame);
    this.controls.follow(message.floats(frame.ctrl), message.floats(frame.qpos));
    this.plots.update(frame, message);
    this.tree.select(frame.select.body);
    const { body } = frame.select;
    this.selection.textContent = body > 0 ? named(this.model!.bodies[body]?.name ?? "", "body", body) : "";
    this.count(frame, message.size);
  }

  /** Opens the panels that the program asks for; afterwards they are the user's. */
  private openPanels(panels: [boolean, boolean] | undefined) {
    if (!panels || String(panels) === this.toldPanels) return;
    this.toldPanels = String(panels);
    if (!panels[0]) this.left.hidden = true;
    if (!panels[1]) this.right.hidden = true;
  }

  /** Numbers about the simulation, and what tests look at. */
  private count(frame: Frame, bytes: number) {
    const now = performance.now();
    this.drawn.frames++;
    const { frames, work, since } = this.drawn;
    if (now - since > 500) {
      this.pace = { rate: (1000 * frames) / (now - since), work: work / frames };
      this.drawn = { frames: 0, work: 0, since: now };
    }
    Object.assign(document.body.dataset, { time: frame.time, running: frame.running, select: frame.select.body, rate: this.pace.rate.toFixed(1),
      azimuth: frame.camera.azimuth, qpos: "", frames: Number(document.body.dataset.frames ?? 0) + 1 });
    if (this.numbers.hidden) return;
    const rows: [string, string][] = [
      ["time", `${frame.time.toFixed(4)} s`], ["real time", `${frame.factor.toFixed(3)} ×`], ["pictures", `${this.pace.rate.toFixed(0)} / s`],
      ["of the page", `${this.pace.work.toFixed(2)} ms`], ["of the scene", `${(1e3 * frame.making).toFixed(2)} ms`], ["message", `${(1e-3 * bytes).toFixed(1)} kB`],
      ["contacts", String(frame.contacts)], ["rows", String(frame.rows)], ["iterations", String(frame.iterations)],
      ["energy", digits(frame.energy[0] + frame.energy[1])], ["warnings", String(frame.warnings.reduce((a, b) => a + b, 0))],
    ];
    this.numbers.textContent = rows.map(([name, value]) => `${name.padEnd(14)}${value}`).join("\n");
  }

  /** For tests and measurements. */
  get report() {
    const { calls, triangles } = this.stage.renderer.info.render;
    const frame = this.shown?.head as Frame | undefined;
    return { ...this.pace, bytes: this.shown?.size ?? 0, calls, triangles, frame };
  }

  private showError(text: string) {
    this.error.textContent = text;
    this.errorBox.hidden = false;
  }

  private copied(text: string) {
    navigator.clipboard?.writeText(text).then(() => this.say("State copied as a keyframe"), () => this.showError(text));
  }

  private say(text: string, stays = false) {
    this.toast.textContent = text;
    this.toast.classList.toggle("shown", text !== "");
    if (text && !stays) setTimeout(() => this.toast.textContent === text && this.toast.classList.remove("shown"), 2500);
  }

  private toggle(panel: HTMLElement) {
    panel.hidden = !panel.hidden;
  }

  /** Shows a part of the right panel, or folds it when it is seen. */
  private unfold(part: HTMLDetailsElement) {
    part.open = !!this.right.hidden || !part.open;
    this.right.hidden = false;
    if (part.open) part.scrollIntoView({ block: "nearest" });
  }

  /** Goes to a place in the past, from 0 to 1. */
  private seek(place: number) {
    if (this.player) return this.player.seek(place);
    const [, kept] = (this.shown?.head as Frame | undefined)?.history ?? [0, 0];
    this.send({ do: "scrub", back: Math.round((1 - place) * Math.max(0, kept - 1)) });
  }

  private toggleHelp() {
    if (this.help.open) this.help.close();
    else this.help.showModal();
  }

  private picture() {
    savePicture(this.canvas, (this.model?.name ?? "ligament").replace(/\.\w+$/, ""));
  }

  private toggleFilm() {
    if (this.film.running) this.film.stop();
    else this.film.start(this.canvas, (this.model?.name ?? "ligament").replace(/\.\w+$/, ""));
    this.filmButton.classList.toggle("active", this.film.running);
  }

  private resize() {
    const ratio = Math.min(2, devicePixelRatio || 1);
    this.stage.resize(innerWidth, innerHeight, ratio);
    this.overlay.resize(innerWidth, innerHeight, ratio);
    if (this.shown) this.show(this.shown);
    this.tellSize();
  }

  private tellSize() {
    this.connection?.send({ do: "size", width: innerWidth, height: innerHeight });
  }
}

const page = new Page(document.getElementById("app")!);
Object.assign(globalThis, { ligament: page });
const bytes = await recording();
if (bytes) page.play(bytes);
else page.connect();
