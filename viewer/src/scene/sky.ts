// What is behind everything: the sky box of the model, or the background of the page.

import * as THREE from "three";

export class Sky {
  private readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;

  constructor(scene: THREE.Object3D) {
    const material = new THREE.ShaderMaterial({
      uniforms: { box: { value: null } },
      // the box of the model has its own up: y
      vertexShader: `varying vec3 vPlace;
        void main() {
          vPlace = vec3(position.x, position.z, -position.y);
          gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        }`,
      fragmentShader: `varying vec3 vPlace; uniform samplerCube box;
        void main() { gl_FragColor = vec4(textureCube(box, vPlace).rgb, 1.0); }`,
      side: THREE.BackSide,
      depthWrite: false,
      fog: false,
    });
    this.mesh = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 16), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1;
    this.mesh.visible = false;
    scene.add(this.mesh);
  }

  set(box: THREE.CubeTexture | null) {
    this.mesh.material.uniforms.box.value = box;
  }

  update(shown: boolean, eye: THREE.Vector3, distance: number) {
    this.mesh.visible = shown && this.mesh.material.uniforms.box.value !== null;
    this.mesh.position.copy(eye);
    this.mesh.scale.setScalar(distance);
  }
}
