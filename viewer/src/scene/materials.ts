// Materials: the light of OpenGL's fixed pipeline, so that a model looks as its author saw it in MuJoCo.

import * as THREE from "three";
import { lampUniforms } from "./lights";
import type { ModelTexture } from "./textures";

/** How a surface looks. */
export interface Look {
  rgb: [number, number, number];
  alpha: number;
  emission: number;
  specular: number;
  shininess: number;
  texture: ModelTexture | null;
  /** For flat textures: scale and shift of both coordinates. */
  planar: [number, number, number, number] | null;
  /** For cubes: scale of the position in the object. */
  around: [number, number, number];
  twoSided: boolean;
  /** Fades into the haze. */
  hazy: boolean;
  /** Mirror image that is added, with its weight. */
  mirror: THREE.Texture | null;
  reflectance: number;
}

export class Materials {
  private readonly known = new Map<string, THREE.MeshPhongMaterial>();
  wireframe = false;
  fog = false;

  /** The material of a look; those that look the same are one. */
  get(look: Look, instanced: boolean): THREE.MeshPhongMaterial {
    const rgb = instanced ? "" : look.rgb.map((x) => x.toFixed(3)).join();
    const texture = look.texture ? (look.texture.flat ?? look.texture.cube)!.uuid : "";
    const key = [
      rgb, look.alpha.toFixed(3), look.emission.toFixed(3), look.specular.toFixed(3), look.shininess.toFixed(3), texture,
      look.planar?.join(), texture && !instanced && look.around.join(), look.twoSided, look.hazy, look.mirror?.uuid, look.reflectance,
      this.wireframe, this.fog, instanced,
    ].join("|");
    let material = this.known.get(key);
    if (!material) {
      if (this.known.size > 3000) this.clear();
      material = this.make(look, instanced);
      this.known.set(key, material);
    }
    return material;
  }

  private make(look: Look, instanced: boolean): THREE.MeshPhongMaterial {
    const material = new THREE.MeshPhongMaterial({
      color: instanced ? 0xffffff : new THREE.Color(...look.rgb),
      emissive: new THREE.Color().setScalar(look.emission),
      specular: new THREE.Color().setScalar(look.specular),
      shininess: 128 * look.shininess,
      opacity: look.alpha,
      transparent: look.alpha < 0.995,
      depthWrite: look.alpha >= 0.995,
      side: look.twoSided ? THREE.DoubleSide : THREE.FrontSide,
      wireframe: this.wireframe,
      fog: this.fog || look.hazy,
    });
    const cube = look.texture?.cube ?? null;
    if (look.texture?.flat) {
      const map = look.texture.flat.clone();
      if (look.planar) {
        const [sx, sy, tx, ty] = look.planar;
        map.matrixAutoUpdate = false;
        map.matrix.set(sx, 0, tx, 0, sy, ty, 0, 0, 1);
      }
      map.needsUpdate = true;
      material.map = map;
    }
    material.onBeforeCompile = (shader) => patch(shader, cube, look, instanced);
    material.customProgramCacheKey = () => `${cube ? "cube" : ""}${look.mirror ? "mirror" : ""}${instanced}`;
    return material;
  }

  clear() {
    for (const material of this.known.values()) {
      material.map?.dispose();
      material.dispose();
    }
    this.known.clear();
  }
}

function patch(shader: THREE.WebGLProgramParametersWithUniforms, cube: THREE.CubeTexture | null, look: Look, instanced: boolean) {
  Object.assign(shader.uniforms, lampUniforms);
  // what glows does so in its own colour; textures colour highlights too
  let fragment = shader.fragmentShader
    .replace("#include <emissivemap_fragment>", "totalEmissiveRadiance *= diffuseColor.rgb;")
    .replace("void main() {", "vec3 texel = vec3( 1.0 );\nvoid main() {")
    .replace("#include <color_fragment>", "#ifdef USE_MAP\ntexel = sampledDiffuseColor.rgb;\n#endif\n#include <color_fragment>")
    .replace("#include <aomap_fragment>", "reflectedLight.directSpecular *= texel;");
  if (cube) {
    shader.uniforms.around = { value: cube };
    // surfaces that are drawn at once have a scale each
    if (!instanced) shader.uniforms.aroundScale = { value: new THREE.Vector3(...look.around) };
    shader.vertexShader = `varying vec3 vPlace; ${instanced ? "attribute" : "uniform"} vec3 aroundScale;\n` + shader.vertexShader.replace(
      "#include <begin_vertex>", "#include <begin_vertex>\nvPlace = position * aroundScale;");
    fragment = "varying vec3 vPlace; uniform samplerCube around;\n" + fragment.replace(
      "#include <map_fragment>", "vec4 cubeTexel = textureCube(around, vPlace);\ndiffuseColor *= cubeTexel;\ntexel = cubeTexel.rgb;");
  }
  if (look.mirror) {
    shader.uniforms.mirrorImage = { value: look.mirror };
    shader.uniforms.mirrorWeight = { value: look.reflectance };
    shader.uniforms.mirrorSize = { value: (look.mirror as THREE.Texture & { screen: THREE.Vector2 }).screen };
    fragment = "uniform sampler2D mirrorImage; uniform float mirrorWeight; uniform vec2 mirrorSize;\n" + fragment.replace(
      "#include <opaque_fragment>",
      // the mirror image is turned left to right
      `vec2 mirrorPlace = gl_FragCoord.xy / mirrorSize;
       outgoingLight += mirrorWeight * texture2D(mirrorImage, vec2(1.0 - mirrorPlace.x, mirrorPlace.y)).rgb;
       #include <opaque_fragment>`);
  }
  shader.fragmentShader = fragment;
}
