// Lights of a scene.

import * as THREE from "three";
import { LIGHT } from "../protocol";

const DIRECTIONAL = 1;
const MAX_SHADOWS = 4;
const SHADOW_PIXELS = 2048;

/** Lamps of one kind that shaders know more about than three.js tells them. */
const MOST_LAMPS = 8;
const KINDS = { DirectionalLight: "directional", SpotLight: "spot", PointLight: "point" } as const;
type Kind = keyof typeof KINDS;
const vectors = () => Array.from({ length: MOST_LAMPS }, () => new THREE.Vector3());

/** Colours of highlights and fading with the distance, for each kind of lamp in the order of three.js. */
export const lampUniforms: Record<string, { value: THREE.Vector3[] }> = Object.fromEntries(
  Object.values(KINDS).flatMap((kind) => [[`${kind}Highlight`, { value: vectors() }], [`${kind}Fading`, { value: vectors() }]]));

function patch(chunk: "lights_pars_begin" | "lights_fragment_begin" | "lights_phong_pars_fragment", changes: [string, string][]) {
  for (const [from, to] of changes) {
    if (!THREE.ShaderChunk[chunk].includes(from)) throw new Error(`another three.js: ${chunk} has no ${from}`);
    THREE.ShaderChunk[chunk] = THREE.ShaderChunk[chunk].replaceAll(from, to);
  }
}

// The light of OpenGL 1.5. Spots fade with a power of the cosine: the exponent travels as the cosine of the penumbra,
// 1 / (1 + exponent). Lamps fade with their own polynomial of the distance, highlights have their own colour, and neither
// the angle of the light nor that of the eye changes their strength.
patch("lights_pars_begin", [
  ["return smoothstep( coneCosine, penumbraCosine, angleCosine );",
    "return angleCosine > coneCosine ? pow( angleCosine, 1.0 / penumbraCosine - 1.0 ) : 0.0;"],
  ["float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );",
    "float distanceFalloff = 1.0 / max( lampFading.x + lightDistance * ( lampFading.y + lightDistance * lampFading.z ), 1e-6 );"],
  ["uniform bool receiveShadow;",
    `uniform bool receiveShadow; vec3 lampHighlight; vec3 lampFading;\n${Object.keys(lampUniforms).map((name) =>
      `uniform vec3 ${name}[ ${MOST_LAMPS} ];`).join("\n")}`],
]);
patch("lights_fragment_begin", Object.values(KINDS).map((kind): [string, string] => [`${kind}Light = ${kind}Lights[ i ];`,
  `${kind}Light = ${kind}Lights[ i ]; lampHighlight = ${kind}Highlight[ i ]; lampFading = ${kind}Fading[ i ];`]));
patch("lights_phong_pars_fragment", [[
  "reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;",
  `vec3 halfway = normalize( directLight.direction + geometryViewDir );
   float shine = dotNL > 0.0 ? pow( saturate( dot( geometryNormal, halfway ) ), material.specularShininess ) : 0.0;
   reflectedLight.directSpecular += shine * material.specularColor * directLight.color * lampHighlight;`]]);

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
    const count = Math.min(words.length / LIGHT.WORDS, MOST_LAMPS); // the renderer has no more either
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
      const [diffuse, specular] = [triple(words, at + LIGHT.DIFFUSE), triple(words, at + LIGHT.SPECULAR)];
      // shadows and spots act on the light as a whole, so that highlights are told relative to it
      const base = diffuse.map((x) => Math.max(x, 1e-3)) as [number, number, number];
      lamp.color.setRGB(...base);
      lamp.intensity = Math.PI; // three.js divides diffuse light by it
      lamp.userData.highlight = specular.map((x, k) => x / base[k] / Math.PI);
      lamp.userData.fading = directional ? [1, 0, 0] : triple(words, at + LIGHT.ATTENUATION);
      const pos = new THREE.Vector3(...triple(words, at + LIGHT.POS));
      const dir = new THREE.Vector3(...triple(words, at + LIGHT.DIR));
      this.place(lamp, pos, dir, kinds[at + LIGHT.HEADLIGHT] ? eye : null, focus, reach);
      if (lamp instanceof THREE.SpotLight) {
        lamp.angle = THREE.MathUtils.degToRad(Math.max(cutoff, 0.1));
        lamp.penumbra = 1 - Math.acos(1 / (1 + words[at + LIGHT.EXPONENT])) / lamp.angle;
      }
    }
    for (const lamp of this.lamps.splice(count)) this.remove(lamp);
    this.tellShaders();
    this.ambient.color.setRGB(ambient[0], ambient[1], ambient[2]);
    this.ambient.intensity = Math.PI;
  }

  /** Puts what three.js does not tell into the order in which it tells the rest: lamps that cast shadows come first. */
  private tellShaders() {
    for (const [type, kind] of Object.entries(KINDS) as [Kind, string][]) {
      const lamps = this.lamps.filter((lamp) => lamp.type === type).slice(0, MOST_LAMPS);
      lamps.sort((a, b) => Number(b.castShadow) - Number(a.castShadow));
      lamps.forEach((lamp, i) => {
        lampUniforms[`${kind}Highlight`].value[i].fromArray(lamp.userData.highlight);
        lampUniforms[`${kind}Fading`].value[i].fromArray(lamp.userData.fading);
      });
    }
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
