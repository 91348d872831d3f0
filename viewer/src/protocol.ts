// Messages of the server: a list of sections, the first of which is JSON. Sections start at multiples of eight bytes.

export type Vec3 = [number, number, number];

export interface Message {
  head: any;
  /** In bytes. */
  size: number;
  floats(section: number): Float32Array;
  integers(section: number): Uint32Array;
  bytes(section: number): Uint8Array;
}

const align = (n: number) => (n + 7) & ~7;

/** The sections of a message or of a recording. */
export function split(buffer: ArrayBuffer, start = 0): { offset: number; length: number }[] {
  const words = new DataView(buffer, start);
  const count = words.getUint32(0, true);
  let offset = start + align(4 * (count + 1));
  const sections = [];
  for (let i = 1; i <= count; i++) {
    const length = words.getUint32(4 * i, true);
    sections.push({ offset, length });
    offset += align(length);
  }
  return sections;
}

/** Reads a message that starts at a multiple of eight bytes. */
export function decode(buffer: ArrayBuffer, start = 0): Message {
  const sections = split(buffer, start);
  const { offset, length } = sections[0];
  const last = sections[sections.length - 1];
  return {
    size: last.offset + last.length - start,
    head: JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, offset, length))),
    floats: (i) => new Float32Array(buffer, sections[i].offset, sections[i].length / 4),
    integers: (i) => new Uint32Array(buffer, sections[i].offset, sections[i].length / 4),
    bytes: (i) => new Uint8Array(buffer, sections[i].offset, sections[i].length),
  };
}

/** Joins names and contents of files to one message. */
export function encodeFiles(files: { name: string; content: ArrayBuffer }[]): ArrayBuffer {
  const encoder = new TextEncoder();
  const sections = files.flatMap((f) => [encoder.encode(f.name), new Uint8Array(f.content)]);
  const head = align(4 * (sections.length + 1));
  const result = new ArrayBuffer(sections.reduce((sum, s) => sum + align(s.length), head));
  const words = new DataView(result);
  words.setUint32(0, sections.length, true);
  let offset = head;
  sections.forEach((section, i) => {
    words.setUint32(4 * (i + 1), section.length, true);
    new Uint8Array(result).set(section, offset);
    offset += align(section.length);
  });
  return result;
}

/** Words of a geom in a frame, as `frame.rs` writes them. */
export const GEOM = { WORDS: 32, KIND: 0, DATA: 1, OBJTYPE: 2, OBJID: 3, CATEGORY: 4, MATERIAL: 5, TEXCOORD: 6,
  SIZE: 8, POS: 11, MAT: 14, RGBA: 23, EMISSION: 27, SPECULAR: 28, SHININESS: 29, REFLECTANCE: 30 } as const;

/** Words of a light in a frame. */
export const LIGHT = { WORDS: 32, KIND: 0, HEADLIGHT: 1, SHADOW: 2, POS: 4, DIR: 7, ATTENUATION: 10, CUTOFF: 13,
  EXPONENT: 14, AMBIENT: 15, DIFFUSE: 18, SPECULAR: 21 } as const;

/** Shapes of geoms (mjtGeom). */
export const SHAPE = { PLANE: 0, HFIELD: 1, SPHERE: 2, CAPSULE: 3, ELLIPSOID: 4, CYLINDER: 5, BOX: 6, MESH: 7, SDF: 8,
  ARROW: 100, ARROW1: 101, ARROW2: 102, LINE: 103, LINEBOX: 104, FLEX: 105, SKIN: 106, LABEL: 107, TRIANGLE: 108 } as const;

export interface Surface { positions: number; normals: number; texture: number | null; triangles: number }
export interface Joint { name: string; body: number; type: number; qpos: number; slider: boolean; angle: boolean; group: number; range: [number, number] | null }
export interface Actuator { name: string; group: number; range: [number, number] | null }
export interface Sensor { name: string; type: number; adr: number; dim: number }
export interface TextureInfo { type: number; width: number; height: number; channels: number; srgb: boolean; data: number }

/** What the server says about a model. */
export interface Model {
  name: string;
  passive: boolean;
  timestep: number;
  sizes: { nq: number; nv: number; nu: number; nbody: number; ngeom: number };
  bodies: { name: string; parent: number; mass: number }[];
  joints: Joint[];
  actuators: Actuator[];
  sensors: Sensor[];
  cameras: string[];
  keys: string[];
  tree: { geoms: [number, string][]; geomtypes: number[]; sites: [number, string][]; cameras: [number, string][]; lights: [number, string][] };
  extent: number;
  center: Vec3;
  fog: { start: number; end: number; rgba: number[] };
  haze: { share: number; rgba: number[] };
  shadow: { clip: number; scale: number; size: number };
  linewidth: number;
  quality: { slices: number; stacks: number };
  materials: { texture: number; uniform: boolean; repeat: [number, number] }[];
  textures: TextureInfo[];
  meshes: (Surface | null)[];
  hfields: Surface[];
  skins: { first: number; count: number; triangles: number; texture: number | null }[];
  flexes: { dim: number; first: number; count: number; edges: number }[];
}

export interface Eye {
  pos: Vec3; forward: Vec3; up: Vec3; orthographic: boolean;
  center: number; width: number; bottom: number; top: number; near: number; far: number;
}

export interface Camera {
  type: number; fixed: number; track: number; lookat: Vec3; distance: number; azimuth: number; elevation: number;
}

/** What the server says about one moment. */
export interface Frame {
  time: number;
  running: boolean;
  speed: number;
  factor: number;
  contacts: number;
  rows: number;
  iterations: number;
  energy: [number, number];
  warnings: number[];
  /** That the simulation has become unstable. */
  trouble: string | null;
  stages: number[] | null;
  select: { body: number; active: number };
  camera: Camera;
  eye: Eye;
  option: { label: number; frame: number; flags: number[]; bvh: number; layer: number } & Record<string, number[] | number>;
  effects: number[];
  labels: [number, string][];
  /** Size in percent, place, two columns. */
  texts: [number, number, string, string][];
  /** How many states are newer than this one, and how many are kept. */
  history: [number, number];
  /** Seconds that the server took to make the frame before. */
  making: number;
  panels: [boolean, boolean];
  images: [number, number, number, number][];
  full: boolean;
  geoms: number;
  lights: number;
  qpos: number;
  ctrl: number;
  sensors: number;
  flexes: null | { list: { positions: number; normals: number; texture: number }[]; vertices: number;
    showVertices: boolean; showEdges: boolean; showSkin: boolean };
  skins: null | { vertices: number; normals: number };
}
