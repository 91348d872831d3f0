// The picture in a mirror: the scene seen from behind the plane.

import * as THREE from "three";

export class Mirror {
  readonly target: THREE.WebGLRenderTarget;
  private readonly camera = new THREE.PerspectiveCamera();
  /** Plane of the mirror; without it there is none. */
  plane: THREE.Plane | null = null;
  private readonly screen = new THREE.Vector2(1, 1);

  constructor() {
    this.target = new THREE.WebGLRenderTarget(1, 1, { type: THREE.UnsignedByteType });
    Object.assign(this.target.texture, { screen: this.screen });
  }

  get texture() {
    return this.target.texture;
  }

  /** Draws the mirror image. `glass` are the mirrors themselves, which do not show in it. */
  draw(renderer: THREE.WebGLRenderer, scene: THREE.Scene, eye: THREE.Camera, glass: THREE.Object3D[]) {
    if (!this.plane || this.plane.distanceToPoint(eye.position) <= 0) return;
    renderer.getDrawingBufferSize(this.screen);
    const [width, height] = [Math.ceil(this.screen.x / 2), Math.ceil(this.screen.y / 2)];
    if (this.target.width !== width || this.target.height !== height) this.target.setSize(width, height);
    const n = this.plane.normal, d = this.plane.constant;
    const reflection = new THREE.Matrix4().set(
      1 - 2 * n.x * n.x, -2 * n.x * n.y, -2 * n.x * n.z, -2 * n.x * d,
      -2 * n.y * n.x, 1 - 2 * n.y * n.y, -2 * n.y * n.z, -2 * n.y * d,
      -2 * n.z * n.x, -2 * n.z * n.y, 1 - 2 * n.z * n.z, -2 * n.z * d,
      0, 0, 0, 1,
    );
    // a mirrored view turns triangles round; mirroring the picture left to right turns them back
    const flip = new THREE.Matrix4().makeScale(-1, 1, 1);
    this.camera.matrixAutoUpdate = false;
    this.camera.matrix.copy(reflection).multiply(eye.matrixWorld).multiply(flip);
    this.camera.matrixWorld.copy(this.camera.matrix);
    this.camera.matrixWorldInverse.copy(this.camera.matrix).invert();
    this.camera.matrixWorldAutoUpdate = false;
    this.camera.projectionMatrix.copy(eye.projectionMatrix);
    this.camera.projectionMatrixInverse.copy(eye.projectionMatrixInverse);
    const shadows = renderer.shadowMap.autoUpdate;
    const hidden = glass.filter((mesh) => mesh.visible);
    hidden.forEach((mesh) => (mesh.visible = false));
    renderer.shadowMap.autoUpdate = false;
    renderer.clippingPlanes = [this.plane];
    renderer.setRenderTarget(this.target);
    renderer.clear();
    renderer.render(scene, this.camera);
    renderer.setRenderTarget(null);
    renderer.clippingPlanes = [];
    renderer.shadowMap.autoUpdate = shadows;
    hidden.forEach((mesh) => (mesh.visible = true));
  }
}
