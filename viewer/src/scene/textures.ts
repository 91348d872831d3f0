// Textures of a model as the graphics card takes them.

import * as THREE from "three";
import type { Message, TextureInfo } from "../protocol";

const TWO_DIMENSIONAL = 0;
const SKYBOX = 2;

/** Textures marked as sRGB are decoded, as MuJoCo does; colours are then shown as they are. */
const linear = Uint8Array.from({ length: 256 }, (_, byte) => {
  const c = byte / 255;
  return Math.round(255 * (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
});

function rgba(data: Uint8Array, channels: number, start: number, pixels: number, srgb: boolean): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(4 * pixels);
  for (let i = 0; i < pixels; i++) {
    for (let k = 0; k < 3; k++) {
      const byte = data[start + channels * i + Math.min(k, channels - 1)];
      result[4 * i + k] = srgb ? linear[byte] : byte;
    }
    result[4 * i + 3] = channels === 4 ? data[start + 4 * i + 3] : 255;
  }
  return result;
}

function finish<T extends THREE.Texture>(texture: T): T {
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.magFilter = THREE.LinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}

/** A texture, flat or around a cube. */
export class ModelTexture {
  readonly skybox: boolean;
  readonly flat: THREE.DataTexture | null = null;
  readonly cube: THREE.CubeTexture | null = null;

  constructor(info: TextureInfo, message: Message) {
    const data = message.bytes(info.data);
    this.skybox = info.type === SKYBOX;
    if (info.type === TWO_DIMENSIONAL) {
      const pixels = rgba(data, info.channels, 0, info.width * info.height, info.srgb);
      const texture = new THREE.DataTexture(pixels, info.width, info.height);
      texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
      texture.anisotropy = 8;
      this.flat = finish(texture);
      return;
    }
    const side = info.width;
    const step = info.width === info.height ? 0 : side * side * info.channels;
    const faces = [0, 1, 2, 3, 4, 5].map((face) => {
      return new THREE.DataTexture(rgba(data, info.channels, face * step, side * side, false), side, side);
    });
    this.cube = finish(new THREE.CubeTexture(faces));
  }

  dispose() {
    this.flat?.dispose();
    this.cube?.dispose();
  }
}
