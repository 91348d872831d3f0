// Names and keys of what can be shown, in MuJoCo's order; keys are those of its viewer.

export const FLAGS: [string, string][] = [
  ["Convex hull", "H"], ["Texture", "X"], ["Joint", "J"], ["Camera", "Q"], ["Actuator", "U"], ["Activation", ","],
  ["Light", "Z"], ["Tendon", "V"], ["Range finder", "Y"], ["Equality", "E"], ["Inertia", "I"], ["Scale inertia", "'"],
  ["Perturb force", "B"], ["Perturb object", "O"], ["Contact point", "C"], ["Island", "N"], ["Contact force", "F"],
  ["Contact split", "P"], ["Transparent", "T"], ["Auto connect", "A"], ["Centre of mass", "M"], ["Select point", ""],
  ["Static body", "D"], ["Skin", ";"], ["Flex vertices", ""], ["Flex edges", ""], ["Flex faces", ""], ["Flex skin", ""],
  ["Body tree", "`"], ["Mesh tree", "\\"], ["SDF iterations", ""],
];

/** Effects that the page draws, with their places among mjtRndFlag. */
export const EFFECTS: [string, string, number][] = [
  ["Shadow", "S", 0], ["Wireframe", "W", 1], ["Reflection", "R", 2], ["Skybox", "K", 4], ["Fog", "G", 5], ["Haze", "/", 6],
];

export const LABELS = ["None", "Body", "Joint", "Geom", "Site", "Camera", "Light", "Tendon", "Actuator", "Constraint",
  "Flex", "Skin", "Selection", "Selected point", "Contact", "Contact force", "Island"];
export const FRAMES = ["None", "Body", "Geom", "Site", "Camera", "Light", "Contact", "World"];
export const GROUPS = ["geom", "site", "joint", "tendon", "actuator", "flex", "skin"];
export const STAGES = ["step", "forward", "inverse", "position", "velocity", "actuation", "constraint", "advance",
  "kinematics", "inertia", "collision", "make", "project", "broad phase", "narrow phase"];
export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
export const SHAPES: Record<number, string> = { 0: "plane", 1: "height field", 2: "sphere", 3: "capsule", 4: "ellipsoid",
  5: "cylinder", 6: "box", 7: "mesh", 8: "sdf" };
export const JOINTS = ["free", "ball", "slide", "hinge"];

/** A name, or the kind and number of what has none. */
export const named = (name: string, kind: string, index: number) => name || `${kind} ${index}`;
