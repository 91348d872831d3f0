// Skins and flexes: surfaces whose vertices the server moves.

import * as THREE from "three";
import type { Message, Model } from "../protocol";
import { withPlanarCoordinates } from "./shapes";

function attribute(geometry: THREE.BufferGeometry, name: string, numbers: Float32Array, width: number) {
  const present = geometry.getAttribute(name) as THREE.BufferAttribute | undefined;
  if (present && present.array.length === numbers.length) {
    (present.array as Float32Array).set(numbers);
    present.needsUpdate = true;
    return;
  }
  const fresh = new THREE.BufferAttribute(numbers.slice(), width);
  fresh.setUsage(THREE.DynamicDrawUsage);
  geometry.setAttribute(name, fresh);
}

export class SoftBodies {
  readonly skins: THREE.BufferGeometry[];
  readonly flexes: THREE.BufferGeometry[];
  /** Vertices of all flexes, and the edges of each. */
  vertices: Float32Array = new Float32Array(0);
  readonly edges: Uint32Array[];

  constructor(private readonly model: Model, message: Message) {
    this.skins = model.skins.map((skin) => {
      const geometry = new THREE.BufferGeometry();
      geometry.setIndex(new THREE.BufferAttribute(message.integers(skin.triangles), 1));
      if (skin.texture !== null) geometry.setAttribute("uv", new THREE.BufferAttribute(message.floats(skin.texture), 2));
      return geometry;
    });
    this.flexes = model.flexes.map(() => new THREE.BufferGeometry());
    this.edges = model.flexes.map((flex) => message.integers(flex.edges));
  }

  update(message: Message) {
    const { skins, flexes } = message.head;
    if (skins) {
      const [vertices, normals] = [message.floats(skins.vertices), message.floats(skins.normals)];
      this.skins.forEach((geometry, i) => {
        const { first, count } = this.model.skins[i];
        attribute(geometry, "position", vertices.subarray(3 * first, 3 * (first + count)), 3);
        attribute(geometry, "normal", normals.subarray(3 * first, 3 * (first + count)), 3);
        if (!geometry.getAttribute("uv")) withPlanarCoordinates(geometry);
      });
    }
    if (flexes) {
      this.vertices = message.floats(flexes.vertices);
      this.flexes.forEach((geometry, i) => {
        attribute(geometry, "position", message.floats(flexes.list[i].positions), 3);
        attribute(geometry, "normal", message.floats(flexes.list[i].normals), 3);
        attribute(geometry, "uv", message.floats(flexes.list[i].texture), 2);
      });
    }
    for (const geometry of [...this.skins, ...this.flexes]) geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), 1e9);
  }

  dispose() {
    for (const geometry of [...this.skins, ...this.flexes]) geometry.dispose();
  }
}
