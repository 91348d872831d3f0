// What the viewer shows: flags, groups, frames, labels, decorations, plots, the tree, pictures and films, keys.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";
import { Bench, changes, copied, drawn, frame, inked, keep, told, until, visit } from "./harness.mjs";

/** Something of everything that can be shown. */
const SHOW = `<mujoco>
  <asset><texture name="t" type="2d" builtin="checker" width="32" height="32" rgb1=".9 .9 .2" rgb2=".2 .2 .9"/><material name="checks" texture="t"/></asset>
  <visual><scale forcewidth=".1" contactwidth=".2" contactheight=".06" framewidth=".03" framelength=".8"/><map force=".01"/></visual>
  <deformable>
    <skin name="cape" vertex="0 0 .5 .6 0 .5 0 .6 .5 .6 .6 .5" face="0 1 2 1 3 2" rgba="1 .5 .2 1">
      <bone body="block" bindpos="0 0 .4" bindquat="1 0 0 0" vertid="0 1 2 3" vertweight="1 1 1 1"/>
    </skin>
  </deformable>
  <worldbody>
    <light name="lamp" pos="0 0 4"/>
    <camera name="side" pos="0 -4 1" xyaxes="1 0 0 0 0 1"/>
    <geom name="floor" type="plane" size="3 3 .1" rgba=".3 .4 .5 1"/>
    <body name="block" pos="0 0 .399">
      <freejoint/>
      <geom name="brick" type="box" size=".4 .3 .4" material="checks"/>
      <geom name="hidden" type="sphere" size=".6" rgba="0 1 0 1" group="3" contype="0" conaffinity="0" mass="0"/>
      <site name="mark" pos="0 -.35 .1" size=".08" rgba="1 0 1 1"/>
    </body>
    <body name="arm" pos="-1 0 1">
      <joint name="hinge" axis="0 1 0" range="-90 90" limited="true"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.6" size=".06"/>
      <site name="tip" pos="0 0 -.5"/>
    </body>
    <site name="anchor" pos="-1.6 0 1"/>
    <flexcomp name="cloth" type="grid" count="5 5 1" spacing=".2 .2 .1" pos="1.3 0 1" dim="2" radius=".02" rgba="0 .9 .2 1" mass="1">
      <pin id="0 4 20 24"/><edge equality="true"/>
    </flexcomp>
  </worldbody>
  <tendon><spatial name="cord" width=".04" rgba=".5 .5 .5 1"><site site="anchor"/><site site="tip"/></spatial></tendon>
  <actuator><muscle name="biceps" tendon="cord" lengthrange=".3 1.4"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/><accelerometer name="feel" site="mark"/></sensor>
  <keyframe><key name="tense" act="1"/></keyframe>
</mujoco>`;

const bench = new Bench();
before(() => bench.start());
after(() => bench.end());
afterEach(() => bench.clear());

const show = (name, ...args) => bench.open(name, SHOW, ...args);
const FLAG = { ACTUATOR: 4, ACTIVATION: 5, TENDON: 7, INERTIA: 10, CONTACT: 14, FORCE: 16, TRANSPARENT: 18, SKIN: 23 };

/** Sets a flag by its key and waits for its picture. */
async function press(page, key, index, on) {
  await page.keyboard.press(key);
  await drawn(page, `frame.option.flags[${index}] === ${on}`);
}

/** A key that switches a flag changes the picture, and changes it back. */
async function switches(page, key, index, least) {
  const was = (await frame(page)).option.flags[index];
  await keep(page);
  await press(page, key, index, 1 - was);
  const { count } = await changes(page);
  assert.ok(count > least, `${key}: ${count} pixels changed`);
  await press(page, key, index, was);
  assert.equal((await changes(page)).count, 0, `${key}: the picture is not as it was`);
}

test("contact points, contact forces, inertia boxes, tendons, transparency, skins: on and off", async () => {
  const { viewer, page } = await show("flags.xml", "--paused");
  for (const [key, index, least] of [["c", FLAG.CONTACT, 50], ["f", FLAG.FORCE, 50], ["i", FLAG.INERTIA, 500],
    ["v", FLAG.TENDON, 50], ["t", FLAG.TRANSPARENT, 1000], [";", FLAG.SKIN, 300]]) {
    await switches(page, key, index, least);
  }
  assert.deepEqual(page.trouble, []);
  viewer.end();
});

test("every flag and effect has its key in the picture and its switch in the panel", async () => {
  const { viewer, page } = await show("keys.xml", "--paused");
  const toggles = await page.locator(".toggle").evaluateAll((all) => all.map((one) => ({
    name: one.querySelector("span").textContent, key: one.querySelector("kbd")?.textContent ?? "" })));
  assert.equal(toggles.length, 31 + 6);
  for (const [index, { name, key }] of toggles.entries()) {
    if (!key) continue;
    const [list, place] = index < 31 ? ["option.flags", index] : ["effects", [0, 1, 2, 4, 5, 6][index - 31]];
    const was = (await frame(page)).option && (await page.evaluate(([l, p]) =>
      l.split(".").reduce((value, part) => value[part], globalThis.ligament.report.frame)[p], [list, place]));
    await page.keyboard.press(key.toLowerCase());
    await drawn(page, `frame.${list}[${place}] === ${1 - was}`);
    assert.equal(await page.locator(".toggle input").nth(index).isChecked(), was === 0, name);
  }
  assert.deepEqual(page.trouble, []);
  viewer.end();
});

test("muscles have the colour of their activation", async () => {
  const { viewer, page } = await show("muscle.xml", "--paused");
  await press(page, "u", FLAG.ACTUATOR, 1);
  await press(page, ",", FLAG.ACTIVATION, 1);
  await keep(page);
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "tense" }).click();
  await page.keyboard.press("Tab");
  await until(page, () => Number(document.body.dataset.frames) > 3);
  await page.waitForTimeout(400);
  const { count, red, green } = await changes(page);
  assert.ok(count > 50 && Math.abs(red - green) > 2000, JSON.stringify({ count, red, green }));
  viewer.end();
});

test("cloth is drawn and moves; its vertices and edges can be shown", async () => {
  const { viewer, page } = await show("cloth.xml", "--paused");
  const greens = () => page.evaluate(() => {
    const canvas = new OffscreenCanvas(640, 480);
    canvas.getContext("2d").drawImage(document.querySelector("canvas.picture"), 0, 0);
    const { data } = canvas.getContext("2d").getImageData(0, 0, 640, 480);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) count += data[i + 1] > 50 && data[i + 1] > 2 * data[i] && data[i + 1] > 1.5 * data[i + 2] ? 1 : 0;
    return count;
  });
  assert.ok((await greens()) > 200, `${await greens()} green pixels`);
  await keep(page);
  await page.keyboard.press("Tab");
  await page.getByText("Flex skin", { exact: true }).click();
  await drawn(page, "frame.option.flags[27] === 0");
  assert.ok((await changes(page)).count > 100, "edges instead of the skin");
  await page.getByText("Flex vertices", { exact: true }).click();
  await drawn(page, "frame.option.flags[24] === 1");
  await page.getByText("Flex edges", { exact: true }).click();
  await drawn(page, "frame.option.flags[25] === 0");
  assert.ok((await changes(page)).count > 100, "vertices instead of edges");
  await page.getByText("Flex skin", { exact: true }).click();
  await drawn(page, "frame.option.flags[27] === 1");
  await page.keyboard.press("Tab");
  await page.locator("canvas.picture").focus();
  await keep(page);
  await page.keyboard.press("Space");
  await drawn(page, "frame.time > 0.3");
  assert.ok((await changes(page)).count > 100, "it hangs through");
  viewer.end();
});

test("groups are hidden by keys and by buttons", async () => {
  const { viewer, page } = await show("groups.xml", "--paused");
  await keep(page);
  await page.keyboard.press("0");
  await drawn(page, "frame.option.geom[0] === 0");
  assert.ok((await changes(page)).count > 5000, "nearly everything is gone");
  await page.keyboard.press("0");
  await drawn(page, "frame.option.geom[0] === 1");
  assert.equal((await changes(page)).count, 0);
  await page.keyboard.press("Shift+Digit0");
  await drawn(page, "frame.option.site[0] === 0");
  const sites = (await changes(page)).count;
  assert.ok(sites > 10, `sites: ${sites}`);
  await page.keyboard.press("Shift+Digit0");
  await drawn(page, "frame.option.site[0] === 1");
  await page.keyboard.press("Tab");
  await page.getByText("Groups", { exact: true }).click();
  for (const of of ["geom", "site", "joint", "tendon", "actuator", "flex", "skin"]) {
    await page.getByRole("button", { name: `${of} group 3`, exact: true }).click();
    await drawn(page, `frame.option.${of}[3] === 1`);
  }
  assert.ok((await changes(page)).count > 2000, "the hidden ball is seen");
  viewer.end();
});

test("frames and labels of every kind", async () => {
  const { viewer, page } = await show("labels.xml", "--paused");
  await keep(page);
  await page.keyboard.press("F6");
  await drawn(page, "frame.option.frame === 1");
  assert.ok((await changes(page)).count > 300, "frames of bodies");
  for (let i = 2; i <= 8; i++) {
    await page.keyboard.press("F6");
    await drawn(page, `frame.option.frame === ${i % 8}`);
  }
  assert.equal((await changes(page)).count, 0);
  assert.equal(await inked(page, "canvas.overlay"), 0);
  await page.keyboard.press("F7");
  await drawn(page, "frame.option.label === 1 && frame.labels.some(([, text]) => text === 'block')");
  assert.ok((await inked(page, "canvas.overlay")) > 100, "names of bodies are written");
  await press(page, "j", 2, 1); // labels of joints stand at their arrows
  await page.keyboard.press("Tab");
  for (const [label, text] of [["Joint", "hinge"], ["Geom", "brick"], ["Site", "mark"], ["Camera", null], ["Light", null], ["Tendon", "cord"],
    ["Actuator", null], ["Constraint", null], ["Flex", "cloth"], ["Skin", "cape"], ["Selection", null], ["Selected point", null],
    ["Contact", null], ["Contact force", null], ["Island", null], ["None", null]]) {
    await page.getByLabel("Label", { exact: true }).selectOption({ label });
    await drawn(page, text ? `frame.labels.some(([, text]) => text === "${text}")` : "true");
  }
  await drawn(page, "frame.option.label === 0");
  assert.equal(await inked(page, "canvas.overlay"), 0);
  await page.getByLabel("Tree depth").selectOption("3");
  await page.getByLabel("Flex layer").selectOption("2");
  await drawn(page, "frame.option.bvh === 3 && frame.option.layer === 2");
  viewer.end();
});

test("plots of sensors, energy, contacts and times of stages", async () => {
  const { viewer, page } = await show("plots.xml");
  await page.keyboard.press("F3");
  await drawn(page, "frame.stages !== null && frame.stages[3] > 0 && frame.time > 0.2");
  for (const title of ["Energy", "Constraints", "Time of a step"]) {
    const plot = page.locator(".plot", { hasText: title });
    await plot.scrollIntoViewIfNeeded();
    await until(page, (name) => {
      const canvas = [...document.querySelectorAll(".plot")].find((one) => one.textContent.startsWith(name)).querySelector("canvas");
      if (!canvas.width) return false;
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return data.some((byte, i) => i % 4 === 3 && byte > 0);
    }, title);
  }
  await until(page, () => /contacts [1-9]/.test(document.querySelector(".side.right").textContent.replace(/\s+/g, " ")));
  await until(page, () => /position \d+\.\d+ µs/.test(document.querySelector(".side.right").textContent));
  await page.keyboard.press("F3");
  await drawn(page, "frame.stages === null");
  await page.keyboard.press("F4");
  await page.getByLabel("Sensor", { exact: true }).selectOption({ label: "feel" });
  await until(page, () => [...document.querySelectorAll(".plot")].some((plot) => /^feel.*x .*y .*z /.test(plot.textContent)));
  assert.deepEqual(page.trouble, []);
  viewer.end();
});

test("the tree is searched, and what is chosen there is selected", async () => {
  const { viewer, page } = await show("tree.xml", "--paused");
  await page.keyboard.press("Shift+Tab");
  await page.getByText("Model", { exact: true }).click();
  const shown = () => page.locator(".tree > :visible").allTextContents();
  assert.ok((await shown()).some((row) => row.startsWith("world")));
  await page.getByRole("searchbox").fill("hinge");
  const found = await shown();
  assert.ok(found.length === 2 && found[0].startsWith("arm") && found[1].includes("hinge"), String(found));
  await page.getByRole("searchbox").fill("block");
  await page.getByRole("button", { name: /^block/ }).click();
  await drawn(page, "frame.select.body === 1");
  assert.equal(await page.locator(".selection").textContent(), "block");
  await page.locator("canvas.picture").focus();
  await page.keyboard.press("PageUp");
  await drawn(page, "frame.select.body <= 0");
  viewer.end();
});

test("pictures and films are saved", async () => {
  const { viewer, page } = await show("save.xml");
  const [picture] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Control+p")]);
  assert.equal(picture.suggestedFilename(), "save.png");
  const bytes = readFileSync(await picture.path());
  assert.equal(bytes.subarray(1, 4).toString(), "PNG");
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [640, 480]);
  const before = Number(await told(page, "frames"));
  await page.keyboard.press("Control+Shift+p");
  await until(page, (count) => Number(document.body.dataset.frames) > count + 10, before);
  const [film] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Control+Shift+p")]);
  assert.match(film.suggestedFilename(), /^save\.(webm|mp4)$/);
  const length = readFileSync(await film.path()).length;
  assert.ok(length > 2000, `the film has pictures: ${length} bytes`);
  viewer.end();
});

test("help names every key", async () => {
  const { viewer, page } = await show("help.xml", "--paused");
  await page.keyboard.press("F1");
  const help = page.locator("dialog.help");
  await help.waitFor({ state: "visible" });
  const keys = (await help.locator("kbd").allTextContents()).join(" ");
  for (const key of ["Space", "→", "←", "Backspace", "Esc", "Page Up", "Tab", "Shift Tab", "Ctrl A", "Ctrl L", "Ctrl C", "Ctrl P", "Ctrl Shift P", "Ctrl Q",
    "F1", "F2", "F3", "F4", "F5", "F6", "F7", "Double click", "Ctrl + left drag", "Ctrl + right drag", "Wheel"]) {
    assert.ok(keys.includes(key), `${key} is not explained`);
  }
  const flags = await page.locator(".toggle kbd").allTextContents();
  for (const key of flags) assert.ok(keys.includes(key), `${key} is not explained`);
  await page.keyboard.press("F1");
  await help.waitFor({ state: "hidden" });
  await page.keyboard.press("F2");
  await until(page, () => /time[^]*real time[^]*pictures[^]*of the page[^]*of the scene +\d[^]*contacts/.test(document.querySelector(".numbers").textContent));
  await page.keyboard.press("Control+q");
  await until(page, () => document.body.dataset.link === "lost");
  viewer.end();
});

test("a page of another origin may hold the viewer in a frame, as notebooks do", async () => {
  const { viewer, page } = await show("frame.xml");
  await page.close();
  const notebook = await bench.browser.newPage();
  await notebook.setContent(`<iframe src="${viewer.address}" width="600" height="400"></iframe>`);
  const inner = await (await notebook.waitForSelector("iframe")).contentFrame();
  await inner.waitForFunction(() => Number(document.body.dataset.time) > 0.1, null, { timeout: 60_000 });
  await notebook.close();
  viewer.end();
});

test("the state is copied as a keyframe that can be pasted into the model", async () => {
  const { viewer, page } = await show("copy.xml");
  await drawn(page, "frame.time > 0.1");
  await page.keyboard.press("Space");
  await drawn(page, "!frame.running");
  const text = await copied(page);
  assert.match(text, /^<key time="[^"]+" qpos="[^"]+" qvel="[^"]+" act="[^"]+" ctrl="[^"]+"\/>$/);
  const pasted = await bench.view(bench.write("pasted.xml", SHOW.replace("<keyframe>", `<keyframe>${text}`)), "--paused", "--keyframe", "0");
  const other = await visit(bench.browser, pasted.address);
  assert.equal(await told(other, "time"), await told(page, "time"));
  assert.equal(await copied(other), text);
  viewer.end();
  pasted.end();
});
