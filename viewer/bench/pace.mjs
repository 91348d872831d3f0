// How fast the page is: pictures per second, and what one picture costs the page and the server.
//
//     LIGAMENT=target/fast/ligament node bench/pace.mjs MODEL...
//
// Each model is shown twice: with the software GL of the browser, and with draw calls that do nothing, which leaves what
// the page and the server cost without the graphics card. Then the simulation runs as fast as it can, watched and not.

import path from "node:path";
import { openBrowser, view, visit } from "../tests/harness.mjs";

const SIZE = { width: 1280, height: 720 };
const WARM_UP = 4000;
const WATCHED = 5000;
/** A speed that no simulation reaches. */
const FULL_SPEED = 1e6;

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Pictures, work and simulated time while the page is watched. */
async function watch(page) {
  await sleep(WARM_UP);
  const sample = () => page.evaluate(() => {
    const { frame, work, bytes, calls, triangles } = globalThis.ligament.report;
    return { now: performance.now(), frames: Number(document.body.dataset.frames), time: frame.time, factor: frame.factor, making: 1e3 * frame.making,
      work, bytes, calls, triangles };
  });
  const before = await sample();
  await sleep(WATCHED);
  const after = await sample();
  const seconds = 1e-3 * (after.now - before.now);
  return { ...after, rate: (after.frames - before.frames) / seconds, factor: (after.time - before.time) / seconds };
}

/** Simulated seconds per second with nobody watching, by two visits of a moment. */
async function unwatched(browser, address) {
  const glance = async () => {
    const page = await visit(browser, address);
    const time = await page.evaluate(() => globalThis.ligament.report.frame.time);
    const now = performance.now();
    await page.close();
    return { time, now };
  };
  const before = await glance();
  await sleep(WATCHED);
  const after = await glance();
  return (after.time - before.time) / (1e-3 * (after.now - before.now));
}

/** Makes draw calls do nothing. */
function skipDrawing() {
  for (const name of ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced", "clear"]) {
    WebGL2RenderingContext.prototype[name] = () => {};
  }
}

for (const model of process.argv.slice(2)) {
  const name = path.basename(model);
  for (const graphics of ["software", "none"]) {
    const browser = await openBrowser();
    const viewer = await view(model);
    try {
      const context = await browser.newContext({ viewport: SIZE });
      if (graphics === "none") await context.addInitScript(skipDrawing);
      const page = await visit(context, viewer.address);
      const seen = await watch(page);
      console.log(`${name}, ${SIZE.width}x${SIZE.height}, graphics ${graphics}: ${seen.rate.toFixed(1)} pictures/s; page ${seen.work.toFixed(2)} ms, ` +
        `scene ${seen.making.toFixed(2)} ms, ${(1e-3 * seen.bytes).toFixed(1)} kB, ${seen.calls} draw calls, ${seen.triangles} triangles; real time × ${seen.factor.toFixed(2)}`);
      if (graphics !== "none") continue;
      await page.evaluate((factor) => globalThis.ligament.send({ do: "speed", factor }), FULL_SPEED);
      const fast = await watch(page);
      await page.close();
      const alone = await unwatched(context, viewer.address);
      console.log(`${name}, as fast as it can: real time × ${fast.factor.toFixed(2)} watched at ${fast.rate.toFixed(0)} pictures/s, × ${alone.toFixed(2)} alone`);
    } finally {
      viewer.end();
      await browser.close();
    }
  }
}
process.exit(0);
