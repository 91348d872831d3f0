// The picture: frames of the server become surfaces, lights and labels.

import * as THREE from "three";
import { GEOM, SHAPE, type Eye, type Frame, type Message, type Model, type Surface } from "../protocol";
import { Crowd, type Batch, type Part } from "./crowd";
import { Lights } from "./lights";
import { Materials, type Look } from "./materials";
import { Mirror } from "./mirror";
import { makeShapes, withPlanarCoordinates, type ShapeName } from "./shapes";
import { Sky } from "./sky";
import { SoftBodies } from "./soft";
import { ModelTexture } from "./textures";

const DECORATION = 4;
/** Places of effects in a frame (mjtRndFlag). */
export const EFFECT = { SHADOW: 0, WIREFRAME: 1, REFLECTION: 2, SKYBOX: 4, FOG: 5, HAZE: 6 } as const;

/** A geom whose look did not change since the last frame: only its place is new. */
interface Remembered { whole: Int32Array; look: Look; parts: { batch: Batch; part: Part }[] }

/** Whether a geom looks as it did: all words but those of its place are equal. */
function looksTheSame(known: Int32Array, whole: Int32Array, at: number): boolean {
  for (let k = 0; k < GEOM.POS; k++) if (known[k] !== whole[at + k]) return false;
  for (let k = GEOM.RGBA; k < GEOM.WORDS; k++) if (known[k] !== whole[at + k]) return false;
  return true;
}

export interface Label { text: string; position: THREE.Vector3 }

THREE.ColorManagement.enabled = false;

function surface(info: Surface, message: Message): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(message.floats(info.positions), 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(message.floats(info.normals), 3));
  geometry.setIndex(new THREE.BufferAttribute(message.integers(info.triangles), 1));
  if (info.texture === null) return withPlanarCoordinates(geometry);
  geometry.setAttribute("uv", new THREE.BufferAttribute(message.floats(info.texture), 2));
  return geometry;
}

/** Everything of a model that does not change. */
class Assets {
  readonly textures: ModelTexture[];
  readonly meshes: (THREE.BufferGeometry | null)[];
  readonly hfields: THREE.BufferGeometry[];
  readonly soft: SoftBodies;
  readonly shapes: Record<ShapeName, THREE.BufferGeometry>;

  constructor(readonly model: Model, message: Message) {
    this.textures = model.textures.map((info) => new ModelTexture(info, message));
    this.meshes = model.meshes.map((info) => (info ? surface(info, message) : null));
    this.hfields = model.hfields.map((info) => surface(info, message));
    this.soft = new SoftBodies(model, message);
    this.shapes = makeShapes(model.quality.slices);
  }

  dispose() {
    this.textures.forEach((t) => t.dispose());
    [...this.meshes, ...this.hfields, ...Object.values(this.shapes)].forEach((g) => g?.dispose());
    this.soft.dispose();
  }
}

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly labels: Label[] = [];
  private readonly scene = new THREE.Scene();
  private readonly perspective = new THREE.PerspectiveCamera();
  private readonly orthographic = new THREE.OrthographicCamera();
  private readonly materials = new Materials();
  private readonly crowd = new Crowd(this.scene, this.materials);
  private readonly lights = new Lights(this.scene);
  private readonly sky = new Sky(this.scene);
  private readonly mirror = new Mirror();
  private readonly lines = new THREE.LineSegments(new THREE.BufferGeometry(),
    new THREE.LineBasicMaterial({ vertexColors: true, fog: false }));
  private linePoints: number[] = [];
  private lineColors: number[] = [];
  private glass: THREE.Object3D[] = [];
  private assets: Assets | null = null;
  private effects = "";
  private remembered: (Remembered | undefined)[] = [];
  camera: THREE.PerspectiveCamera | THREE.OrthographicCamera = this.perspective;

  constructor(canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace; // colours are shown as the model gives them
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.lines.frustumCulled = false;
    this.scene.add(this.lines);
  }

  setModel(model: Model, message: Message) {
    this.crowd.clear();
    this.materials.clear();
    this.remembered = [];
    this.assets?.dispose();
    this.assets = new Assets(model, message);
    this.sky.set(this.assets.textures.find((t) => t.skybox)?.cube ?? null);
  }

  resize(width: number, height: number, ratio: number) {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
  }

  /** Takes over a frame, seen by an eye. */
  update(frame: Frame, message: Message, eye: Eye) {
    const assets = this.assets;
    if (!assets) return;
    const { model } = assets;
    const shown = (effect: number) => frame.effects[effect] !== 0;
    this.placeCamera(eye);
    assets.soft.update(message);
    const effects = String(frame.effects);
    if (effects !== this.effects) this.remembered = []; // they change looks
    this.effects = effects;
    [this.materials.wireframe, this.materials.fog] = [shown(EFFECT.WIREFRAME), shown(EFFECT.FOG)];
    const focus = new THREE.Vector3(...frame.camera.lookat);
    if (frame.camera.type === 2) focus.set(...model.center);
    this.lights.update(message.floats(frame.lights), shown(EFFECT.SHADOW), this.camera.position, focus,
      model.extent * model.shadow.clip);
    this.setFog(model, shown(EFFECT.FOG), eye.far);
    this.sky.update(shown(EFFECT.SKYBOX), this.camera.position, 0.7 * eye.far);
    this.fill(assets, frame, message, eye, shown(EFFECT.REFLECTION), shown(EFFECT.HAZE));
  }

  private setFog(model: Model, fog: boolean, far: number) {
    const [rgba, near, end] = fog
      ? [model.fog.rgba, model.fog.start * model.extent, model.fog.end * model.extent]
      : [model.haze.rgba, (1 - model.haze.share) * 0.6 * far, far];
    if (!(this.scene.fog instanceof THREE.Fog)) this.scene.fog = new THREE.Fog(0, near, end);
    this.scene.fog.color.setRGB(rgba[0], rgba[1], rgba[2]);
    this.scene.fog.near = near;
    this.scene.fog.far = end;
  }

  private placeCamera(eye: Eye) {
    this.camera = eye.orthographic ? this.orthographic : this.perspective;
    const forward = new THREE.Vector3(...eye.forward);
    this.camera.position.set(...eye.pos);
    this.camera.up.set(...eye.up);
    this.camera.lookAt(forward.add(this.camera.position));
    const size = this.renderer.getSize(new THREE.Vector2());
    const half = eye.width || (0.5 * (eye.top - eye.bottom) * size.x) / size.y;
    const { center, top, bottom, near, far } = eye;
    const matrix = this.camera.projectionMatrix;
    if (eye.orthographic) matrix.makeOrthographic(center - half, center + half, top, bottom, near, far);
    else matrix.makePerspective(center - half, center + half, top, bottom, near, far);
    this.camera.projectionMatrixInverse.copy(matrix).invert();
    this.camera.updateMatrixWorld();
  }

  private fill(assets: Assets, frame: Frame, message: Message, eye: Eye, reflects: boolean, hazy: boolean) {
    const words = message.floats(frame.geoms);
    const whole = new Int32Array(words.buffer, words.byteOffset, words.length);
    const texts = new Map(frame.labels);
    this.labels.length = this.linePoints.length = this.lineColors.length = 0;
    this.mirror.plane = null;
    this.glass = [];
    this.crowd.begin();
    for (let i = 0; i < words.length / GEOM.WORDS; i++) {
      const at = i * GEOM.WORDS;
      const text = texts.get(i);
      if (text) this.labels.push({ text, position: new THREE.Vector3(...words.subarray(at + GEOM.POS, at + GEOM.POS + 3)) });
      const known = this.remembered[i];
      if (known && looksTheSame(known.whole, whole, at)) {
        for (const { batch, part } of known.parts) batch.put(words, at, part, known.look);
        continue;
      }
      const geom = new Geom(words.subarray(at, at + GEOM.WORDS), whole.subarray(at, at + GEOM.WORDS));
      const parts = partsOf(assets, geom, reflects);
      if (!parts) this.addGeom(assets, geom, frame, eye, reflects, hazy);
      else this.remembered[i] = this.addParts(assets, geom, parts, words, whole, at);
    }
    this.crowd.finish();
    this.setLines();
  }

  /** Draws a geom; it is remembered when its surfaces are drawn with others. */
  private addParts(assets: Assets, g: Geom, parts: Part[], words: Float32Array, whole: Int32Array, at: number): Remembered | undefined {
    const look = this.look(assets, g);
    look.twoSided = g.kind === SHAPE.TRIANGLE;
    const shadows = g.category !== DECORATION;
    const found = parts.map((part) => ({ batch: this.crowd.batch(part.geometry, look, shadows), part }));
    for (const { batch, part } of found) {
      if (batch) batch.put(words, at, part, look);
      else this.crowd.add(part.geometry, placed(g, part), look, shadows);
    }
    const all = found.every(({ batch }) => batch !== null);
    return all ? { whole: whole.slice(at, at + GEOM.WORDS), look, parts: found as Remembered["parts"] } : undefined;
  }

  private setLines() {
    const { geometry } = this.lines;
    this.lines.visible = this.linePoints.length > 0;
    if (!this.lines.visible) return;
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(this.linePoints, 3));
    geometry.setAttribute("color", new THREE.Float32BufferAttribute(this.lineColors, 3));
  }

  /** Draws what is more than surfaces in the frame of the geom. */
  private addGeom(assets: Assets, g: Geom, frame: Frame, eye: Eye, reflects: boolean, hazy: boolean) {
    const look = this.look(assets, g);
    const shadows = g.category !== DECORATION;
    const [x, y, z] = g.size;
    switch (g.kind) {
      case SHAPE.PLANE: return this.addPlane(assets, g, look, eye, reflects, hazy);
      case SHAPE.BOX: {
        const mirror = look.alpha >= 0.995 && !this.mirror.plane;
        if (mirror) this.setMirror(g, z);
        const matrix = placed(g, { geometry: assets.shapes.box, scale: g.size, shift: 0 });
        const mesh = this.crowd.add(assets.shapes.box, matrix, mirror ? { ...look, mirror: this.mirror.texture } : look, shadows);
        if (mirror) this.glass.push(mesh);
        return;
      }
      case SHAPE.LINE: this.addLine(g, [0, 0, 0], [0, 0, z]); return;
      case SHAPE.LINEBOX:
        for (let i = 0; i < 8; i++) {
          for (const k of [0, 1, 2]) {
            if (i & (1 << k)) continue;
            const corner = (j: number): [number, number, number] => [j & 1 ? x : -x, j & 2 ? y : -y, j & 4 ? z : -z];
            this.addLine(g, corner(i), corner(i | (1 << k)));
          }
        }
        return;
      case SHAPE.SKIN: {
        const skin = assets.soft.skins[g.id];
        if (skin?.getAttribute("position")) this.crowd.add(skin, new THREE.Matrix4(), look, shadows);
        return;
      }
      case SHAPE.FLEX: this.addFlex(assets, g, look, frame, shadows); return;
    }
  }

  private look(assets: Assets, g: Geom): Look {
    const material = assets.model.materials[g.material];
    const texture = (material && assets.textures[material.texture]) || null;
    const look: Look = {
      rgb: [g.rgba[0], g.rgba[1], g.rgba[2]], alpha: g.rgba[3], emission: g.emission, specular: g.specular,
      shininess: g.shininess, texture, planar: null, around: [1, 1, 1], twoSided: false, hazy: false, mirror: null,
      reflectance: g.reflectance,
    };
    if (!texture || !material) return look;
    if (texture.cube) {
      if (g.texcoord) look.texture = null;
      else if (material.uniform) look.around = g.size;
    } else if (!g.texcoord) {
      const scale = [0, 1].map((k) => {
        const size = g.size[k];
        if (!(size > 0)) return material.repeat[k];
        return (g.data >= 0 ? material.repeat[k] / size : material.repeat[k]) * (material.uniform ? size : 1);
      });
      look.planar = [0.5 * scale[0], -0.5 * scale[1], -0.5, -0.5];
    }
    return look;
  }

  private addPlane(assets: Assets, g: Geom, look: Look, eye: Eye, reflects: boolean, hazy: boolean) {
    const endless = !(g.size[0] > 0) || !(g.size[1] > 0);
    const half = [0, 1].map((k) => (g.size[k] > 0 ? g.size[k] : 1.05 * eye.far));
    // coordinates of the texture are those of the unit square here
    if (look.planar && g.data >= 0) look.planar = [look.planar[0] * half[0], look.planar[1] * half[1], -0.5, -0.5];
    const normal = new THREE.Vector3(g.mat[2], g.mat[5], g.mat[8]);
    const above = normal.dot(new THREE.Vector3(...eye.pos).sub(new THREE.Vector3(...g.pos))) > 0;
    look.hazy = endless && hazy;
    look.twoSided = true;
    if (!above) look.alpha = Math.min(look.alpha, 0.3); // from below one sees through
    const mirror = reflects && above && g.reflectance > 0 && look.alpha >= 0.995 && !this.mirror.plane;
    if (mirror) {
      this.setMirror(g, 0);
      look.mirror = this.mirror.texture;
    }
    const matrix = g.frame.clone().multiply(new THREE.Matrix4().makeScale(half[0], half[1], 1));
    const mesh = this.crowd.add(assets.shapes.plane, matrix, look, true);
    mesh.castShadow = false;
    if (mirror) this.glass.push(mesh);
  }

  private setMirror(g: Geom, height: number) {
    const normal = new THREE.Vector3(g.mat[2], g.mat[5], g.mat[8]);
    const point = new THREE.Vector3(...g.pos).addScaledVector(normal, height);
    this.mirror.plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, point);
  }

  private addLine(g: Geom, from: [number, number, number], to: [number, number, number]) {
    for (const end of [from, to]) {
      this.linePoints.push(...new THREE.Vector3(...end).applyMatrix4(g.frame).toArray());
      this.lineColors.push(g.rgba[0], g.rgba[1], g.rgba[2]);
    }
  }

  private addFlex(assets: Assets, g: Geom, look: Look, frame: Frame, shadows: boolean) {
    const { soft, shapes, model } = assets;
    const faces = soft.flexes[g.id];
    const drawn = (faces?.getAttribute("position")?.count ?? 0) > 0;
    const skinned = frame.flexes?.showSkin && drawn;
    const radius = g.size[0];
    const { first, count } = model.flexes[g.id];
    const point = (v: number) => new THREE.Vector3(...soft.vertices.subarray(3 * (first + v), 3 * (first + v) + 3));
    const plain = { ...look, texture: null };
    if (radius > 0 && frame.flexes?.showVertices && !skinned) {
      for (let v = 0; v < count; v++) {
        this.crowd.add(shapes.sphere, new THREE.Matrix4().makeScale(radius, radius, radius).setPosition(point(v)), plain, shadows);
      }
    }
    if (radius > 0 && frame.flexes?.showEdges && !skinned) {
      const edges = soft.edges[g.id];
      for (let e = 0; e < edges.length; e += 2) {
        this.crowd.add(shapes.tube, rod(point(edges[e]), point(edges[e + 1]), radius), plain, shadows);
      }
    }
    if (drawn) this.crowd.add(faces, new THREE.Matrix4(), { ...look, planar: look.texture?.flat ? null : look.planar }, shadows);
  }

  draw() {
    if (this.glass.length) this.mirror.draw(this.renderer, this.scene, this.camera, this.glass);
    this.renderer.render(this.scene, this.camera);
  }
}

/** The surfaces of a geom, where they are simple shapes in its frame. */
function partsOf({ shapes, hfields, meshes }: Assets, g: Geom, reflects: boolean): Part[] | null {
  const [x, y, z] = g.size;
  const part = (geometry: THREE.BufferGeometry | null | undefined, sx = 1, sy = 1, sz = 1, shift = 0): Part[] =>
    (geometry ? [{ geometry, scale: [sx, sy, sz], shift }] : []);
  switch (g.kind) {
    case SHAPE.HFIELD: return part(hfields[g.data]);
    case SHAPE.MESH: case SHAPE.SDF: return part(meshes[g.data]);
    case SHAPE.SPHERE: case SHAPE.ELLIPSOID: return part(shapes.sphere, x, y, z);
    case SHAPE.CYLINDER: return part(shapes.cylinder, x, y, z);
    case SHAPE.BOX: return reflects && g.reflectance > 0 ? null : part(shapes.box, x, y, z);
    case SHAPE.CAPSULE: {
      const r = 0.5 * (x + y);
      return [...part(shapes.tube, x, y, z), ...part(shapes.dome, x, y, r, z), ...part(shapes.dome, x, -y, -r, -z)];
    }
    case SHAPE.ARROW: case SHAPE.ARROW1: {
      const wide = g.kind === SHAPE.ARROW1 ? 1 : 1.75;
      return [...part(shapes.cylinder, x, y, z / 6, z / 6), ...part(shapes.cone, wide * x, wide * y, z / 6, z / 3)];
    }
    case SHAPE.ARROW2:
      return [...part(shapes.tube, x, y, z / 3), ...part(shapes.cone, 1.75 * x, 1.75 * y, z / 6, z / 3),
        ...part(shapes.cone, 1.75 * x, -1.75 * y, -z / 6, -z / 3)];
    case SHAPE.TRIANGLE: return part(shapes.triangle, x, y, 1);
    default: return null;
  }
}

/** The matrix of a surface of a geom. */
function placed(g: Geom, { scale, shift }: Part): THREE.Matrix4 {
  return g.frame.clone().multiply(new THREE.Matrix4().makeScale(...scale).setPosition(0, 0, shift));
}

const UP = new THREE.Vector3(0, 0, 1);

/** Places a unit tube between two points. */
function rod(a: THREE.Vector3, b: THREE.Vector3, radius: number): THREE.Matrix4 {
  const axis = b.clone().sub(a);
  const length = axis.length();
  const turn = new THREE.Quaternion().setFromUnitVectors(UP, axis.normalize());
  return new THREE.Matrix4().compose(a.clone().add(b).multiplyScalar(0.5), turn, new THREE.Vector3(radius, radius, 0.5 * length));
}

/** One geom of a frame. */
class Geom {
  readonly kind: number;
  readonly data: number;
  readonly id: number;
  readonly category: number;
  readonly material: number;
  readonly texcoord: boolean;
  readonly size: [number, number, number];
  readonly pos: [number, number, number];
  readonly mat: Float32Array;
  readonly rgba: Float32Array;
  readonly emission: number;
  readonly specular: number;
  readonly shininess: number;
  readonly reflectance: number;
  readonly frame: THREE.Matrix4;

  constructor(words: Float32Array, whole: Int32Array) {
    this.kind = whole[GEOM.KIND];
    this.data = whole[GEOM.DATA];
    this.id = whole[GEOM.OBJID];
    this.category = whole[GEOM.CATEGORY];
    this.material = whole[GEOM.MATERIAL];
    this.texcoord = whole[GEOM.TEXCOORD] !== 0;
    this.size = [words[GEOM.SIZE], words[GEOM.SIZE + 1], words[GEOM.SIZE + 2]];
    this.pos = [words[GEOM.POS], words[GEOM.POS + 1], words[GEOM.POS + 2]];
    const m = (this.mat = words.subarray(GEOM.MAT, GEOM.MAT + 9));
    this.rgba = words.subarray(GEOM.RGBA, GEOM.RGBA + 4);
    this.emission = words[GEOM.EMISSION];
    this.specular = words[GEOM.SPECULAR];
    this.shininess = words[GEOM.SHININESS];
    this.reflectance = words[GEOM.REFLECTANCE];
    this.frame = new THREE.Matrix4().set(
      m[0], m[1], m[2], this.pos[0], m[3], m[4], m[5], this.pos[1], m[6], m[7], m[8], this.pos[2], 0, 0, 0, 1);
  }
}
