// Starts the command and a browser, and looks at pictures.

import { spawn, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
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

/** A viewer that runs: its address, and how to end it. */
export async function view(...args) {
  const child = spawn(command, ["view", "--no-browser", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  process.once("exit", () => child.kill("SIGKILL"));
  let errors = "";
  child.stderr.on("data", (text) => (errors += text));
  const address = await new Promise((done, fail) => {
    child.stdout.once("data", (line) => done(String(line).trim()));
    child.once("exit", (code) => fail(new Error(`the command ended with ${code}: ${errors}`)));
  });
  return { address, child, errors: () => errors, end: () => child.kill("SIGKILL") };
}

/** Opens the page and waits until it has drawn some frames. */
export async function visit(browser, address, options = {}) {
  const page = await browser.newPage({ viewport: SIZE, ...options });
  page.trouble = [];
  page.on("pageerror", (error) => page.trouble.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.trouble.push(message.text()));
  await page.goto(address);
  await page.waitForFunction(() => Number(document.body.dataset.frames) > 1, null, { timeout: 60_000 });
  return page;
}

/** What the page says about itself. */
export const told = (page, name) => page.evaluate((key) => document.body.dataset[key], name);
export const time = async (page) => Number(await told(page, "time"));
export const until = (page, condition, argument) => page.waitForFunction(condition, argument, { timeout: 30_000 });

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
