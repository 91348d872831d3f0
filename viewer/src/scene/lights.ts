// Lights of a scene.

import * as THREE from "three";
import { LIGHT } from "../protocol";

const DIRECTIONAL = 1;
const MAX_SHADOWS = 4;
const SHADOW_PIXELS = 2048;

// Spots of OpenGL fade with a power of the cosine. The exponent travels as the cosine of the penumbra, 1 / (1 + exponent).
THREE.ShaderChunk.lights_pars_begin = THREE.ShaderChunk.lights_pars_begin.replace(
  "return smoothstep( coneCosine, penumbraCosine, angleCosine );",
  "return angleCosine > coneCosine ? pow( angleCosine, 1.0 / penumbraCosine - 1.0 ) : 0.0;",
);

type Lamp = THREE.DirectionalLight | THREE.SpotLight | THREE.PointLight;

export class Lights {
  private readonly ambient = new THREE.AmbientLight(0xffffff, 1);
  private lamps: Lamp[] = [];

  constructor(private readonly scene: THREE.Object3D) {
    scene.add(this.ambient);
  }

  /** Sets all lights. `eye` is where the camera is, `focus` what it looks at, `reach` half the width of shadows. */
  update(words: Float32Array, shadows: boolean, eye: THREE.Vector3, focus: THREE.Vector3, reach: number) {
    const kinds = new Int32Array(words.buffer, words.byteOffset, words.length);
    const count = words.length / LIGHT.WORDS;
    let casting = 0;
    const ambient = [0, 0, 0];
    for (let i = 0; i < count; i++) {
      const at = i * LIGHT.WORDS;
      const casts = shadows && kinds[at + LIGHT.SHADOW] !== 0 && kinds[at + LIGHT.HEADLIGHT] === 0 && casting < MAX_SHADOWS;
      casting += casts ? 1 : 0;
      for (let k = 0; k < 3; k++) ambient[k] += words[at + LIGHT.AMBIENT + k];
      const directional = kinds[at + LIGHT.KIND] === DIRECTIONAL || kinds[at + LIGHT.HEADLIGHT] !== 0;
      const cutoff = words[at + LIGHT.CUTOFF];
      const kind = directional ? "DirectionalLight" : cutoff <= 90 ? "SpotLight" : "PointLight";
      const lamp = this.lamp(i, kind, casts);
      lamp.color.setRGB(...triple(words, at + LIGHT.DIFFUSE));
      lamp.intensity = Math.PI; // three.js divides by it
      const pos = new THREE.Vector3(...triple(words, at + LIGHT.POS));
      const dir = new THREE.Vector3(...triple(words, at + LIGHT.DIR));
      this.place(lamp, pos, dir, kinds[at + LIGHT.HEADLIGHT] ? eye : null, focus, reach);
      if (lamp instanceof THREE.SpotLight) {
        lamp.angle = THREE.MathUtils.degToRad(Math.max(cutoff, 0.1));
        lamp.penumbra = 1 - Math.acos(1 / (1 + words[at + LIGHT.EXPONENT])) / lamp.angle;
      }
    }
    for (const lamp of this.lamps.splice(count)) this.remove(lamp);
    this.ambient.color.setRGB(ambient[0], ambient[1], ambient[2]);
    this.ambient.intensity = Math.PI;
  }

  private place(lamp: Lamp, pos: THREE.Vector3, dir: THREE.Vector3, eye: THREE.Vector3 | null, focus: THREE.Vector3, reach: number) {
    if (lamp instanceof THREE.PointLight) {
      lamp.position.copy(pos);
      return;
    }
    if (lamp instanceof THREE.SpotLight) {
      lamp.position.copy(pos);
      lamp.target.position.copy(pos).add(dir);
    } else if (eye) {
      lamp.position.copy(eye);
      lamp.target.position.copy(eye).add(dir);
    } else {
      // only the direction matters; shadows are sharpest when the light is near what it shows
      lamp.target.position.copy(focus);
      lamp.position.copy(focus).addScaledVector(dir, -2 * reach);
      const camera = lamp.shadow.camera;
      if (lamp.castShadow && camera.right !== reach) {
        camera.left = camera.bottom = -reach;
        camera.right = camera.top = reach;
        camera.near = 0.01 * reach;
        camera.far = 6 * reach;
        camera.updateProjectionMatrix();
      }
    }
    lamp.target.updateMatrixWorld();
    if (lamp instanceof THREE.SpotLight && lamp.castShadow) {
      lamp.shadow.camera.near = 0.05 * reach;
      lamp.shadow.camera.far = 20 * reach;
    }
  }

  private lamp(index: number, kind: string, casts: boolean): Lamp {
    const present = this.lamps[index];
    if (present?.type === kind && present.castShadow === casts) return present;
    if (present) this.remove(present);
    const make = { DirectionalLight: THREE.DirectionalLight, SpotLight: THREE.SpotLight, PointLight: THREE.PointLight }[kind]!;
    const lamp = new make() as Lamp;
    if (!(lamp instanceof THREE.DirectionalLight)) lamp.decay = 0;
    lamp.castShadow = casts;
    if (casts) {
      lamp.shadow.mapSize.setScalar(SHADOW_PIXELS);
      lamp.shadow.bias = -0.0004;
      lamp.shadow.radius = 2.5;
    }
    this.scene.add(lamp);
    if ("target" in lamp) this.scene.add(lamp.target);
    this.lamps[index] = lamp;
    return lamp;
  }

  private remove(lamp: Lamp) {
    if ("target" in lamp) this.scene.remove(lamp.target);
    this.scene.remove(lamp);
    lamp.dispose();
  }
}

function triple(words: Float32Array, at: number): [number, number, number] {
  return [words[at], words[at + 1], words[at + 2]];
}
