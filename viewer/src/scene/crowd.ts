// Many surfaces with few draw calls: opaque ones of the same shape and look are drawn at once.

import * as THREE from "three";
import { GEOM } from "../protocol";
import type { Look, Materials } from "./materials";

/** A surface of a geom: its shape, its scale in the frame of the geom, and its shift along z. */
export interface Part {
  geometry: THREE.BufferGeometry;
  scale: [number, number, number];
  shift: number;
}

const FIRST_ROOM = 16;

/** Surfaces that differ only in place, size and colour. */
export class Batch {
  mesh: THREE.InstancedMesh;
  private around: THREE.InstancedBufferAttribute | null = null;
  private count = 0;

  /** With `textured`, each surface has a scale of the texture around it. */
  constructor(private readonly geometry: THREE.BufferGeometry, private readonly material: THREE.Material, private readonly scene: THREE.Object3D,
    private readonly shadows: boolean, private readonly textured: boolean) {
    this.mesh = this.make(FIRST_ROOM);
  }

  private make(room: number) {
    const geometry = this.textured ? this.geometryAround(room) : this.geometry;
    const mesh = new THREE.InstancedMesh(geometry, this.material, room);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * room), 3);
    mesh.instanceColor.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = this.shadows;
    this.scene.add(mesh);
    return mesh;
  }

  /** The shape with a number for each surface that is drawn. */
  private geometryAround(room: number) {
    const geometry = new THREE.BufferGeometry();
    geometry.setIndex(this.geometry.index);
    for (const [name, attribute] of Object.entries(this.geometry.attributes)) geometry.setAttribute(name, attribute);
    this.around = new THREE.InstancedBufferAttribute(new Float32Array(3 * room), 3);
    this.around.setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute("aroundScale", this.around);
    return geometry;
  }

  private makeRoom() {
    const room = this.mesh.instanceMatrix.count;
    if (this.count < room) return;
    const [old, around] = [this.mesh, this.around];
    this.mesh = this.make(2 * room);
    this.mesh.instanceMatrix.array.set(old.instanceMatrix.array);
    this.mesh.instanceColor!.array.set(old.instanceColor!.array);
    if (around) this.around!.array.set(around.array);
    this.scene.remove(old);
    old.dispose();
  }

  /** Adds a surface of a geom, whose words start at a place. */
  put(words: Float32Array, at: number, { scale: [sx, sy, sz], shift }: Part, { rgb, around }: Look) {
    this.makeRoom();
    const to = this.mesh.instanceMatrix.array as Float32Array;
    const [o, m, p] = [16 * this.count, at + GEOM.MAT, at + GEOM.POS];
    for (let k = 0; k < 3; k++) {
      const z = words[m + 3 * k + 2];
      to[o + k] = words[m + 3 * k] * sx;
      to[o + 4 + k] = words[m + 3 * k + 1] * sy;
      to[o + 8 + k] = z * sz;
      to[o + 12 + k] = words[p + k] + z * shift;
    }
    to[o + 3] = to[o + 7] = to[o + 11] = 0;
    to[o + 15] = 1;
    this.finishOne(rgb, around);
  }

  /** Adds a surface with a matrix of its own. */
  add(matrix: THREE.Matrix4, { rgb, around }: Look) {
    this.makeRoom();
    matrix.toArray(this.mesh.instanceMatrix.array, 16 * this.count);
    this.finishOne(rgb, around);
  }

  private finishOne(rgb: number[], around: number[]) {
    const colors = this.mesh.instanceColor!.array;
    for (let k = 0; k < 3; k++) colors[3 * this.count + k] = rgb[k];
    if (this.around) for (let k = 0; k < 3; k++) this.around.array[3 * this.count + k] = around[k];
    this.count++;
  }

  finish() {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    this.mesh.instanceMatrix.needsUpdate = this.mesh.instanceColor!.needsUpdate = true;
    if (this.around) this.around.needsUpdate = true;
    this.count = 0;
  }

  remove() {
    this.scene.remove(this.mesh);
    if (this.textured) this.mesh.geometry.dispose();
    this.mesh.dispose();
  }
}

/** All surfaces of a frame: `begin`, `add` each, `finish`. */
export class Crowd {
  private readonly batches = new Map<string, Batch>();
  private readonly singles: THREE.Mesh[] = [];
  private used = 0;

  constructor(private readonly scene: THREE.Object3D, private readonly materials: Materials) {}

  begin() {
    this.used = 0;
  }

  /** The batch of a shape with a look; none for what must be drawn alone. */
  batch(geometry: THREE.BufferGeometry, look: Look, shadows: boolean): Batch | null {
    if (look.alpha < 0.995 || look.texture?.flat || look.mirror || look.hazy) return null;
    const material = this.materials.get(look, true);
    const key = `${geometry.id}|${material.id}|${shadows}`;
    let batch = this.batches.get(key);
    if (!batch) {
      batch = new Batch(geometry, material, this.scene, shadows, look.texture !== null);
      this.batches.set(key, batch);
    }
    return batch;
  }

  /** Adds a surface whose shape may change from frame to frame, or that has a matrix of its own. */
  add(geometry: THREE.BufferGeometry, matrix: THREE.Matrix4, look: Look, shadows: boolean): THREE.Mesh {
    const batch = look.texture ? null : this.batch(geometry, look, shadows);
    if (!batch) return this.addSingle(geometry, matrix, look, shadows);
    batch.add(matrix, look);
    return batch.mesh;
  }

  private addSingle(geometry: THREE.BufferGeometry, matrix: THREE.Matrix4, look: Look, shadows: boolean) {
    let mesh = this.singles[this.used];
    if (!mesh) {
      mesh = new THREE.Mesh();
      mesh.matrixAutoUpdate = false;
      this.scene.add(mesh);
      this.singles.push(mesh);
    }
    this.used++;
    mesh.geometry = geometry;
    mesh.material = this.materials.get(look, false);
    mesh.matrix.copy(matrix);
    mesh.matrixWorldNeedsUpdate = true;
    mesh.visible = true;
    mesh.castShadow = shadows && look.alpha > 0.3;
    mesh.receiveShadow = shadows;
    mesh.frustumCulled = !look.hazy;
    return mesh;
  }

  finish() {
    for (const batch of this.batches.values()) batch.finish();
    for (let i = this.used; i < this.singles.length; i++) this.singles[i].visible = false;
  }

  clear() {
    for (const batch of this.batches.values()) batch.remove();
    this.batches.clear();
    for (const mesh of this.singles) this.scene.remove(mesh);
    this.singles.length = 0;
  }
}
