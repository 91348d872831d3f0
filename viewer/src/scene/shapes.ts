// Simple shapes of unit size, along z as in the model. Texture coordinates are x and y of the surface.

import * as THREE from "three";

/** Gives a surface without texture coordinates those that textures are laid on by: its own x and y. */
export function withPlanarCoordinates<G extends THREE.BufferGeometry>(geometry: G): G {
  const positions = geometry.getAttribute("position");
  const uv = new Float32Array(2 * positions.count);
  for (let i = 0; i < positions.count; i++) {
    uv[2 * i] = positions.getX(i);
    uv[2 * i + 1] = positions.getY(i);
  }
  geometry.setAttribute("uv", new THREE.BufferAttribute(uv, 2));
  return geometry;
}

const upright = <G extends THREE.BufferGeometry>(g: G) => withPlanarCoordinates(g.rotateX(Math.PI / 2) as G);

/** The triangle with corners at the origin and at the ends of the x and y axes. */
function triangle() {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute([0, 0, 0, 1, 0, 0, 0, 1, 0], 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute([0, 0, 1, 0, 0, 1, 0, 0, 1], 3));
  return geometry;
}

/** A cone of height one over the unit disk. */
const cone = (slices: number) => new THREE.ConeGeometry(1, 1, slices, 1).translate(0, 0.5, 0);

export type ShapeName =
  | "sphere" | "dome" | "tube" | "cylinder" | "box" | "cone" | "plane" | "triangle";

export function makeShapes(slices: number): Record<ShapeName, THREE.BufferGeometry> {
  const n = Math.max(12, slices); // as fine as the model wants them
  const half = Math.PI / 2;
  return {
    sphere: upright(new THREE.SphereGeometry(1, n, Math.ceil(n / 2))),
    dome: upright(new THREE.SphereGeometry(1, n, Math.ceil(n / 4), 0, 2 * Math.PI, 0, half)),
    tube: upright(new THREE.CylinderGeometry(1, 1, 2, n, 1, true)),
    cylinder: upright(new THREE.CylinderGeometry(1, 1, 2, n, 1)),
    box: withPlanarCoordinates(new THREE.BoxGeometry(2, 2, 2)),
    cone: upright(cone(n)),
    plane: withPlanarCoordinates(new THREE.PlaneGeometry(2, 2)),
    triangle: withPlanarCoordinates(triangle()),
  };
}
