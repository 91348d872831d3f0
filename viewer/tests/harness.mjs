// Starts the command and a browser, and looks at pictures.

import { spawn, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const command = process.env.LIGAMENT ?? path.join(root, "target/debug/ligament");
const browserPath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
export const folder = mkdtempSync(path.join(tmpdir(), "ligament-viewer-"));
export const SIZE = { width: 640, height: 480 };

export const openBrowser = () => chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});

const children = [];
process.once("exit", () => children.forEach((child) => child.kill("SIGKILL")));

/** A viewer that runs: its address, and how to end it. */
export async function view(...args) {
  const child = spawn(command, ["view", "--no-browser", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let errors = "";
  child.stderr.on("data", (text) => (errors += text));
  const address = await new Promise((done, fail) => {
    createInterface(child.stdout).once("line", (line) => done(line.trim()));
    child.once("exit", (code) => fail(new Error(`the command ended with ${code}: ${errors}`)));
  });
  return { address, child, errors: () => errors, end: () => child.kill("SIGKILL") };
}

/** Opens the page and waits until it has drawn some frames. */
export async function visit(browser, address) {
  const page = await (browser.contexts ? browser.newPage({ viewport: SIZE }) : browser.newPage());
  page.trouble = [];
  page.on("pageerror", (error) => page.trouble.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.trouble.push(message.text()));
  await page.goto(address, { timeout: PATIENCE });
  await until(page, () => Number(document.body.dataset.frames) > 1);
  return page;
}

/** What the page says about itself. */
export const told = (page, name) => page.evaluate((key) => document.body.dataset[key], name);
export const time = async (page) => Number(await told(page, "time"));
const PATIENCE = 60_000;
export const until = (page, condition, argument) => page.waitForFunction(condition, argument, { timeout: PATIENCE });

/** The picture our own renderer makes of a model, as an address of data. */
export function reference(model) {
  const out = path.join(folder, "reference.png");
  execFileSync(command, ["render", model, "-o", out, "--size", `${SIZE.width}x${SIZE.height}`]);
  return `data:image/png;base64,${readFileSync(out).toString("base64")}`;
}

/** Correlation of the brightness of the page's picture with another, and how much it varies, on a coarse grid. */
export const compare = (page, other) => page.evaluate(async (source) => {
  const [width, height, block] = [640, 480, 4];
  const brightness = (image) => {
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0, width, height);
    const { data } = context.getImageData(0, 0, width, height);
    const means = new Array((width * height) / block ** 2).fill(0);
    for (let i = 0; i < width * height; i++) {
      const place = Math.floor(i / width / block) * (width / block) + Math.floor((i % width) / block);
      means[place] += (0.3 * data[4 * i] + 0.6 * data[4 * i + 1] + 0.1 * data[4 * i + 2]) / block ** 2;
    }
    return means;
  };
  const image = new Image();
  image.src = source;
  await image.decode();
  const [a, b] = [brightness(document.querySelector("canvas.picture")), brightness(image)];
  const mean = (x) => x.reduce((s, v) => s + v, 0) / x.length;
  const [ma, mb] = [mean(a), mean(b)];
  const product = (x, mx, y, my) => x.reduce((s, v, i) => s + (v - mx) * (y[i] - my), 0);
  const [aa, bb] = [product(a, ma, a, ma), product(b, mb, b, mb)];
  return { correlation: product(a, ma, b, mb) / Math.sqrt(aa * bb), spread: Math.sqrt(aa / a.length), difference: mean(a.map((v, i) => Math.abs(v - b[i]))) };
}, other);

/** The last frame that was drawn, without its numbers. */
export const frame = (page) => page.evaluate(() => globalThis.ligament.report.frame);

/** Waits until a frame is drawn for which something holds; the condition is a text in which `frame` stands for it. */
export async function drawn(page, condition) {
  const end = Date.now() + PATIENCE;
  const question = `(({ frame }) => !!frame && (${condition}))(globalThis.ligament.report)`;
  while (!(await page.evaluate(question))) {
    if (Date.now() > end) throw new Error(`no frame for which ${condition}; the last one: ${JSON.stringify(await frame(page))}`);
    await new Promise((done) => setTimeout(done, 30));
  }
}

/** Keeps the picture, to be compared later. */
export const keep = (page) => page.evaluate(() => {
  const picture = document.querySelector("canvas.picture");
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  canvas.getContext("2d").drawImage(picture, 0, 0);
  globalThis.kept = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
});

/** How many pixels differ from those that were kept, and by how much more red and how much more green all are. */
export const changes = (page) => page.evaluate(() => {
  const picture = document.querySelector("canvas.picture");
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  canvas.getContext("2d").drawImage(picture, 0, 0);
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let [count, red, green] = [0, 0, 0];
  for (let i = 0; i < data.length; i += 4) {
    const by = [0, 1, 2].map((k) => data[i + k] - globalThis.kept[i + k]);
    count += Math.max(...by.map(Math.abs)) > 12 ? 1 : 0;
    red += by[0];
    green += by[1];
  }
  return { count, red, green };
});

/** How many pixels of a canvas are not empty. */
export const inked = (page, selector) => page.evaluate((name) => {
  const canvas = document.querySelector(name);
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.reduce((count, byte, i) => count + (i % 4 === 3 && byte > 0 ? 1 : 0), 0);
}, selector);

/** Drags with a button and keys that are held. */
export async function drag(page, [x, y], [dx, dy], { button = "left", keys = [], steps = 6 } = {}) {
  for (const key of keys) await page.keyboard.down(key);
  await page.mouse.move(x, y);
  await page.mouse.down({ button });
  await page.mouse.move(x + dx, y + dy, { steps });
  await page.mouse.up({ button });
  for (const key of keys.toReversed()) await page.keyboard.up(key);
}

/** The keyframe that the page copies. */
export async function copied(page) {
  await page.evaluate(() => {
    globalThis.copied = null;
    navigator.clipboard.writeText = async (text) => { globalThis.copied = text; };
  });
  await page.keyboard.press("Control+c");
  await page.waitForFunction(() => globalThis.copied !== null, null, { timeout: 10_000 });
  return page.evaluate(() => globalThis.copied);
}

/** The positions of the state. */
export async function state(page) {
  return /qpos="([^"]*)"/.exec(await copied(page))[1].split(" ").map(Number);
}

/** Viewers and a browser for the tests of a file, and files for them. */
export class Bench {
  running = [];

  async start() {
    this.browser = await openBrowser();
  }

  async end() {
    await this.browser?.close();
  }

  /** Ends viewers and pages that a test left behind. */
  async clear() {
    this.running.splice(0).forEach((viewer) => viewer.end());
    for (const context of this.browser.contexts()) await Promise.all(context.pages().map((page) => page.close()));
  }

  write(name, text) {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  }

  async view(...args) {
    const viewer = await view(...args);
    this.running.push(viewer);
    return viewer;
  }

  /** A viewer of a model, and its page. */
  async open(name, text, ...args) {
    const viewer = await this.view(this.write(name, text), ...args);
    return { viewer, page: await visit(this.browser, viewer.address) };
  }
}
