// Plays a recording that is part of the page, without a server.

import type { Command } from "./connection";
import { MOUSE } from "./mouse";
import { decode, split, type Camera, type Eye, type Frame, type Message, type Vec3 } from "./protocol";

/** The recording in the page, if there is one. */
export async function recording(): Promise<ArrayBuffer | null> {
  const element = document.getElementById("recording");
  if (!element) return null;
  const packed = Uint8Array.from(atob(element.textContent!.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The eye of an orbiting camera, with the opening of a recorded one. */
export function orbit(camera: Camera, like: Eye): Eye {
  const [ca, sa] = [Math.cos(radians(camera.azimuth)), Math.sin(radians(camera.azimuth))];
  const [ce, se] = [Math.cos(radians(camera.elevation)), Math.sin(radians(camera.elevation))];
  const forward: Vec3 = [ce * ca, ce * sa, se];
  const pos = camera.lookat.map((x, k) => x - camera.distance * forward[k]) as Vec3;
  return { ...like, pos, forward, up: [-se * ca, -se * sa, ce] };
}

export class Player {
  private readonly messages: Message[];
  readonly frames: Frame[];
  readonly model: Message;
  private index = 0;
  private camera: Camera | null = null;
  private running = true;
  private speed = 1;
  private clock = 0;
  private last: number | null = null;

  constructor(bytes: ArrayBuffer) {
    const [model, ...frames] = split(bytes).map(({ offset }) => decode(bytes, offset));
    this.model = model;
    this.messages = frames;
    this.frames = frames.map((f) => f.head as Frame);
    this.clock = this.frames[0].time;
  }

  private get start() { return this.frames[0].time; }
  private get end() { return this.frames[this.frames.length - 1].time; }

  /** Where the recording is, from 0 to 1. */
  get place() { return this.end > this.start ? (this.clock - this.start) / (this.end - this.start) : 0; }

  seek(place: number) {
    this.clock = this.start + place * (this.end - this.start);
  }

  /** The frame of this moment, as it would come from a server. */
  at(now: number): Message {
    if (this.running && this.last !== null) this.clock += ((now - this.last) / 1000) * this.speed;
    this.last = now;
    if (this.clock > this.end + 0.5) this.clock = this.start; // rests at the end, then begins again
    this.index = this.frames.findLastIndex((f) => f.time <= this.clock + 1e-9);
    const message = this.messages[Math.max(0, this.index)];
    const frame = message.head as Frame;
    const eye = this.camera ? orbit(this.camera, frame.eye) : frame.eye;
    const head: Frame = { ...frame, running: this.running, speed: this.speed, factor: this.running ? this.speed : 0,
      eye, camera: this.camera ?? frame.camera };
    return { ...message, head };
  }

  obey(command: Command) {
    switch (command.do) {
      case "run": this.running = command.on as boolean; break;
      case "speed": this.speed = command.factor as number; break;
      case "reset": this.seek(0); break;
      case "step": this.skip(command.count as number); break;
      case "rewind": this.skip(-(command.count as number)); break;
      case "align": this.camera = null; break;
      case "move": this.move(command.action as number, command.dx as number, command.dy as number); break;
    }
  }

  private skip(count: number) {
    this.running = false;
    this.clock = this.frames[Math.min(this.frames.length - 1, Math.max(0, this.index + count))].time;
  }

  /** Moves the camera as the server would (mjv_moveCamera). */
  private move(action: number, dx: number, dy: number) {
    const frame = this.frames[Math.max(0, this.index)];
    const { extent } = this.model.head;
    const camera = (this.camera ??= { ...frame.camera, type: 0, lookat: [...frame.camera.lookat] as Vec3 });
    if (action === MOUSE.ROTATE_V || action === MOUSE.ROTATE_H) {
      camera.azimuth -= 180 * dx;
      camera.elevation = Math.min(89, Math.max(-89, camera.elevation - 180 * dy));
    } else if (action === MOUSE.ZOOM) {
      camera.distance -= Math.log(1 + camera.distance / extent / 3) * dy * 9 * extent;
      camera.distance = Math.min(100 * extent, Math.max(0.01 * extent, camera.distance));
    } else {
      const eye = orbit(camera, frame.eye);
      const scale = ((eye.top - eye.bottom) / eye.near) * camera.distance;
      const flat = Math.hypot(eye.forward[0], eye.forward[1]) || 1;
      const ahead = [eye.forward[0] / flat, eye.forward[1] / flat];
      const [across, along, up] = action === MOUSE.MOVE_V ? [dx, 0, -dy] : [dx, -dy, 0];
      camera.lookat[0] -= scale * (across * ahead[1] + along * ahead[0]);
      camera.lookat[1] -= scale * (-across * ahead[0] + along * ahead[1]);
      camera.lookat[2] -= scale * up;
    }
  }
}
