// Making elements.

type Child = Node | string | null | undefined | false;
type Properties = Record<string, unknown>;

/** An element with properties, event listeners (`onclick`, …) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Properties = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (name in element && name !== "list") Object.assign(element, { [name]: value });
    else element.setAttribute(name, String(value));
  }
  element.append(...children.filter((c): c is Node | string => !!c || c === ""));
  return element;
}

const ICONS: Record<string, string> = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  step: "M5 5v14l9-7zM16 5h3v14h-3z",
  back: "M19 5v14l-9-7zM5 5h3v14H5z",
  reset: "M12 5a7 7 0 1 1-6.6 4.7l1.9.6A5 5 0 1 0 12 7v3L7.5 6.2 12 2.5z",
  camera: "M4 7h3l1.6-2h6.8L17 7h3v12H4zm8 2.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
  film: "M3 6h12v12H3zM16.5 10 21 7v10l-4.5-3z",
  stop: "M6 6h12v12H6z",
  key: "M14 4a5 5 0 1 1-4.6 7H7v2.5H4.5V11H3V9h6.4A5 5 0 0 1 14 4zm0 3a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  help: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zm-1 12.5v2h2v-2zm1-9c-2 0-3.4 1.2-3.5 3h2c.1-.8.7-1.3 1.5-1.3s1.5.5 1.5 1.2c0 1.3-2.5 1.5-2.5 4h2c0-1.700 2.500-2 2.500-4.100 0-1.700-1.500-2.800-3.500-2.800z",
  left: "M3 5h18v14H3zm2 2v10h4V7z",
  right: "M3 5h18v14H3zm12 2v10h4V7z",
  target: "M11 2h2v3.100A7 7 0 0 1 18.900 11H22v2h-3.100A7 7 0 0 1 13 18.900V22h-2v-3.100A7 7 0 0 1 5.100 13H2v-2h3.100A7 7 0 0 1 11 5.100zm1 5a5 5 0 1 0 0 10 5 5 0 0 0 0-10z",
};

/** A picture in the colour of the text. */
export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

export function iconButton(name: string, title: string, action: () => void, className = ""): HTMLButtonElement {
  return h("button", { className: `icon ${className}`, title, "aria-label": title, onclick: action, type: "button" }, icon(name));
}

/** A part of a panel that can be folded. */
export function section(title: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  return h("details", { open, className: "section" }, h("summary", {}, title), h("div", { className: "body" }, ...children));
}

/** Colours the track of a slider up to its knob, which not every browser does by itself. */
export function fillTrack(slider: HTMLInputElement) {
  const [value, low, high] = [slider.value, slider.min, slider.max].map(Number);
  slider.style.setProperty("--part", `${((100 * (value - low)) / (high - low)).toFixed(1)}%`);
}

/** A number with as many digits as matter. */
export function digits(x: number, places = 3): string {
  if (!Number.isFinite(x)) return String(x);
  const size = Math.abs(x);
  return size !== 0 && (size >= 1e5 || size < 10 ** -places) ? x.toExponential(2) : x.toFixed(places);
}
