// Many surfaces with few draw calls: opaque ones of the same shape and look are drawn at once.

import * as THREE from "three";
import type { Look, Materials } from "./materials";

class Batch {
  mesh: THREE.InstancedMesh;
  count = 0;

  constructor(private readonly geometry: THREE.BufferGeometry, private readonly scene: THREE.Object3D, capacity: number) {
    this.mesh = this.make(capacity);
  }

  private make(capacity: number) {
    const mesh = new THREE.InstancedMesh(this.geometry, undefined, capacity);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * capacity), 3);
    mesh.instanceColor.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = false;
    this.scene.add(mesh);
    return mesh;
  }

  add(matrix: THREE.Matrix4, rgb: [number, number, number]) {
    const capacity = this.mesh.instanceMatrix.count;
    if (this.count === capacity) {
      const larger = this.make(2 * capacity);
      larger.instanceMatrix.array.set(this.mesh.instanceMatrix.array);
      larger.instanceColor!.array.set(this.mesh.instanceColor!.array);
      larger.material = this.mesh.material;
      [larger.castShadow, larger.receiveShadow] = [this.mesh.castShadow, this.mesh.receiveShadow];
      this.remove();
      this.mesh = larger;
    }
    matrix.toArray(this.mesh.instanceMatrix.array, 16 * this.count);
    this.mesh.instanceColor!.array.set(rgb, 3 * this.count);
    this.count++;
  }

  finish() {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor!.needsUpdate = true;
    this.count = 0;
  }

  remove() {
    this.scene.remove(this.mesh);
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

  add(geometry: THREE.BufferGeometry, matrix: THREE.Matrix4, look: Look, shadows: boolean) {
    if (look.alpha < 0.995 || look.texture || look.mirror || look.hazy) return this.addSingle(geometry, matrix, look, shadows);
    const material = this.materials.get(look, true);
    const key = `${geometry.id}|${material.id}|${shadows}`;
    let batch = this.batches.get(key);
    if (!batch) {
      batch = new Batch(geometry, this.scene, 16);
      batch.mesh.material = material;
      batch.mesh.castShadow = batch.mesh.receiveShadow = shadows;
      this.batches.set(key, batch);
    }
    batch.add(matrix, look.rgb);
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
