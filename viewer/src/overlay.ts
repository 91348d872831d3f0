// Labels in the picture and texts over it.

import * as THREE from "three";
import type { Frame, Message } from "./protocol";
import type { Stage } from "./scene/stage";
import { h } from "./ui/dom";

/** Places of texts (mjtGridPos) as places on the page. */
const PLACES = ["top left", "top right", "bottom left", "bottom right", "top", "bottom", "left", "right"];

export class Overlay {
  readonly canvas = h("canvas", { className: "overlay" });
  readonly texts = h("div", { className: "texts" });
  private shown = "[]";

  resize(width: number, height: number, ratio: number) {
    [this.canvas.width, this.canvas.height] = [width * ratio, height * ratio];
    this.canvas.getContext("2d")!.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  draw(stage: Stage, frame: Frame, message: Message) {
    const context = this.canvas.getContext("2d")!;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    context.clearRect(0, 0, width, height);
    for (const [left, bottom, columns, pixels] of frame.images ?? []) {
      const image = picture(columns, message.bytes(pixels));
      if (image) context.drawImage(image, left, height - bottom - image.height);
    }
    context.font = "600 12px system-ui, sans-serif";
    context.textAlign = "center";
    const place = new THREE.Vector3();
    for (const { text, position } of stage.labels) {
      place.copy(position).project(stage.camera);
      if (place.z < -1 || place.z > 1) continue;
      const [x, y] = [(0.5 + 0.5 * place.x) * width, (0.5 - 0.5 * place.y) * height];
      context.strokeStyle = "rgba(8,10,16,.85)";
      context.lineWidth = 3;
      context.strokeText(text, x, y);
      context.fillStyle = "#fff";
      context.fillText(text, x, y);
    }
    this.setTexts(frame.texts);
  }

  private setTexts(texts: Frame["texts"]) {
    const now = JSON.stringify(texts);
    if (now === this.shown) return;
    this.shown = now;
    this.texts.replaceChildren(...texts.map(([percent, place, left, right]) =>
      h("div", { className: `text ${PLACES[place] ?? PLACES[0]}`, style: `--percent: ${percent}` }, h("pre", {}, left), h("pre", {}, right))));
  }
}

/** Rows of red, green and blue as something that can be drawn. */
function picture(width: number, bytes: Uint8Array): OffscreenCanvas | null {
  const height = width > 0 ? bytes.length / 3 / width : 0;
  if (height < 1) return null;
  const image = new ImageData(width, height);
  for (let i = 0; i < width * height; i++) {
    image.data.set(bytes.subarray(3 * i, 3 * i + 3), 4 * i);
    image.data[4 * i + 3] = 255;
  }
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")!.putImageData(image, 0, 0);
  return canvas;
}
