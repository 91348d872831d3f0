// The viewer in a browser: what a user sees and does.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";
import { Bench, compare, copied, drag, drawn, folder, frame, reference, root, state, time, until, visit } from "./harness.mjs";

const BALL = `<mujoco>
  <worldbody>
    <light pos="0 0 4"/>
    <camera name="front" pos="0 -4 1" xyaxes="1 0 0 0 0 1"/>
    <camera name="above" pos="0 0 6"/>
    <geom type="plane" size="3 3 .1" rgba=".3 .4 .5 1"/>
    <body name="ball" pos="0 0 .5">
      <freejoint name="ball"/>
      <geom size=".4" rgba=".9 .3 .1 1"/>
    </body>
    <body name="arm" pos="0 1.5 1">
      <joint name="hinge" axis="1 0 0" range="-60 60" limited="true"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.6" size=".08"/>
    </body>
  </worldbody>
  <actuator><motor name="drive" joint="hinge" ctrlrange="-2 2" ctrllimited="true"/></actuator>
  <sensor><jointpos joint="hinge"/></sensor>
  <keyframe><key name="high" qpos="0 0 2 1 0 0 0 .5"/></keyframe>
</mujoco>`;

const bench = new Bench();
before(() => bench.start());
after(() => bench.end());
afterEach(() => bench.clear());
const ball = (name, ...args) => bench.open(name, BALL, ...args);

const corpus = process.env.LIGAMENT_CORPUS ?? path.join(root, "../shared/corpus");
const models = [
  ...["contacts", "equality", "flex", "sensors", "sleep", "tendons", "tree"].map((name) => path.join(root, `conformance/models/${name}.xml`)),
  path.join(root, "crates/ligament-cli/models/humanoid.xml"),
  ...["mujoco/model/humanoid/humanoid.xml", "mujoco/model/car/car.xml", "mujoco/model/cube/cube_3x3x3.xml", "mujoco/model/tendon_arm/arm26.xml",
    "mujoco/model/slider_crank/slider_crank.xml", "mujoco/model/flex/flag.xml", "mujoco/model/hammock/hammock.xml",
    "dm_control/suite/cheetah.xml", "dm_control/suite/walker.xml", "dm_control/suite/fish.xml", "dm_control/suite/reacher.xml",
    "menagerie/agility_cassie/scene.xml", "menagerie/shadow_hand/scene_right.xml", "menagerie/skydio_x2/scene.xml"].map((name) => path.join(corpus, name)),
].filter((file) => existsSync(file));

for (const model of models) {
  test(`shows ${path.basename(path.dirname(model))}/${path.basename(model)} as our renderer does`, async () => {
    const viewer = await bench.view(model, "--paused");
    const page = await visit(bench.browser, viewer.address);
    await until(page, () => Number(document.body.dataset.frames) > 2);
    const result = await compare(page, reference(model));
    await page.screenshot({ path: path.join(folder, `${path.basename(path.dirname(model))}-${path.basename(model)}.png`) });
    assert.deepEqual(page.trouble, []);
    assert.ok(result.spread > 0.5, `the picture is blank: ${JSON.stringify(result)}`);
    assert.ok(result.correlation > 0.8, `another picture: ${JSON.stringify(result)}`);
    await page.close();
    viewer.end();
  });
}

test("runs, pauses, steps, resets and takes another speed", async () => {
  const { viewer, page } = await ball("run.xml");
  const early = await time(page);
  await until(page, (t) => Number(document.body.dataset.time) > t + 0.05, early);
  await page.keyboard.press("Space");
  await until(page, () => document.body.dataset.running === "false");
  const paused = await time(page);
  await page.waitForTimeout(400);
  assert.equal(await time(page), paused);
  await page.keyboard.press("ArrowRight");
  await until(page, (t) => Math.abs(Number(document.body.dataset.time) - t - 0.002) < 1e-9, paused);
  await page.keyboard.press("Backspace");
  await until(page, () => Number(document.body.dataset.time) === 0);
  await page.keyboard.press("Tab"); // panels are hidden while the window is narrow
  await page.getByRole("button", { name: "high" }).click();
  await page.keyboard.press("Tab");
  await drawn(page, "frame.time === 0 && frame.history[1] > 2");
  assert.equal((await state(page))[2], 2, "the keyframe lifts the ball");
  await page.keyboard.press("+");
  await until(page, () => document.querySelector(".transport select").value === "2");
  await page.keyboard.press("Space");
  await drawn(page, "frame.running && frame.factor > 0.2");
  assert.match(await page.locator(".factor").textContent(), /^\d+\.\d+×$/, "the measured speed is shown");
  viewer.end();
});

test("goes back to states of the past, and on from there", async () => {
  const { viewer, page } = await ball("back.xml");
  await drawn(page, "frame.time > 0.3");
  await page.keyboard.press("Space");
  await drawn(page, "!frame.running");
  const paused = await time(page);
  await page.keyboard.press("ArrowLeft");
  await drawn(page, `frame.history[0] === 1 && frame.time < ${paused}`);
  const earlier = await time(page);
  await page.keyboard.press("ArrowRight");
  await drawn(page, `frame.time === ${paused}`);
  await page.getByRole("slider", { name: "Place in the past" }).fill("0");
  await drawn(page, "frame.time === 0");
  const filled = () => page.locator(".scrubber").evaluate((slider) => slider.style.getPropertyValue("--part"));
  assert.equal(await filled(), "0.0%");
  await page.locator("canvas.picture").focus();
  await page.keyboard.press("Shift+ArrowRight");
  await drawn(page, "frame.time > 0");
  await page.keyboard.press("Space");
  await drawn(page, "frame.running && frame.history[0] === 0");
  assert.equal(await filled(), "100.0%");
  assert.ok(earlier < paused);
  viewer.end();
});

test("a double click selects, Ctrl and the right button push", async () => {
  const { viewer, page } = await ball("drag.xml");
  const place = await selectBall(page);
  await page.keyboard.down("Control");
  await page.mouse.move(...place);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(place[0] + 60, place[1] - 80, { steps: 8 });
  await page.waitForTimeout(700);
  await page.mouse.up({ button: "right" });
  await page.keyboard.up("Control");
  const qpos = await state(page);
  assert.ok(Math.hypot(qpos[0], qpos[1]) > 0.05 || qpos[2] > 0.45, `the ball did not move: ${qpos}`);
  await drawn(page, "frame.select.active === 0");
  viewer.end();
});

test("while paused a body is moved without passing time", async () => {
  const { viewer, page } = await ball("move.xml", "--paused");
  const place = await selectBall(page);
  const before = await state(page);
  await page.keyboard.down("Control");
  await page.mouse.move(...place);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(place[0], place[1] - 100, { steps: 5 });
  await page.mouse.up({ button: "right" });
  await page.keyboard.up("Control");
  await page.waitForTimeout(300);
  const after = await state(page);
  assert.equal(await time(page), 0);
  assert.ok(after[2] > before[2] + 0.1, `${before} then ${after}`);
  viewer.end();
});

test("Ctrl and the left button turn a body, running or paused", async () => {
  for (const mode of [[], ["--paused"]]) {
    const { viewer, page } = await ball("turn.xml", ...mode);
    const place = await selectBall(page);
    const before = await state(page);
    await page.keyboard.down("Control");
    await page.mouse.move(...place);
    await page.mouse.down();
    await page.mouse.move(place[0] + 90, place[1], { steps: 6 });
    await page.waitForTimeout(500);
    await page.mouse.up();
    await page.keyboard.up("Control");
    const after = await state(page);
    const cosine = [3, 4, 5, 6].reduce((sum, k) => sum + before[k] * after[k], 0);
    assert.ok(Math.abs(cosine) < 0.999, `${mode}: ${before} then ${after}`);
    viewer.end();
  }
});

/** Double clicks the middle of what is orange: the ball. */
async function selectBall(page) {
  const place = await page.evaluate(() => {
    const picture = document.querySelector("canvas.picture");
    const canvas = new OffscreenCanvas(innerWidth, innerHeight);
    const context = canvas.getContext("2d");
    context.drawImage(picture, 0, 0, innerWidth, innerHeight);
    const { data } = context.getImageData(0, 0, innerWidth, innerHeight);
    let [x, y, count] = [0, 0, 0];
    for (let i = 0; i < data.length / 4; i++) {
      if (data[4 * i] < 60 || data[4 * i] < 2 * data[4 * i + 1]) continue;
      [x, y, count] = [x + (i % innerWidth), y + Math.floor(i / innerWidth), count + 1];
    }
    return [x / count, y / count];
  });
  await page.mouse.dblclick(...place);
  await until(page, () => document.body.dataset.select === "1");
  return place;
}

/** The camera when it has come to rest: what a drag does arrives in pieces. */
async function restingCamera(page) {
  let last = "";
  for (;;) {
    const { camera } = await frame(page);
    const now = JSON.stringify(camera);
    if (now === last) return camera;
    last = now;
    await page.waitForTimeout(200);
  }
}

test("the camera turns, moves and zooms with the mouse", async () => {
  const { viewer, page } = await ball("camera.xml", "--paused");
  const { camera } = await frame(page);
  await drag(page, [320, 240], [80, 0]);
  await drawn(page, `Math.abs(frame.camera.azimuth - (${camera.azimuth} - 180 * 80 / 480)) < 1`);
  await drag(page, [320, 240], [0, 60], { button: "right" });
  await drawn(page, `frame.camera.lookat[2] > ${camera.lookat[2]} + 0.05`);
  const { lookat } = await restingCamera(page);
  await drag(page, [320, 240], [60, 0], { button: "right", keys: ["Shift"] });
  await drawn(page, `Math.hypot(frame.camera.lookat[0] - ${lookat[0]}, frame.camera.lookat[1] - ${lookat[1]}) > 0.05`);
  assert.ok(Math.abs((await restingCamera(page)).lookat[2] - lookat[2]) < 1e-9, "along the floor");
  await page.mouse.wheel(0, -200);
  await drawn(page, `frame.camera.distance < ${camera.distance}`);
  const { distance } = await restingCamera(page);
  await drag(page, [320, 240], [0, -60], { button: "middle" });
  await drawn(page, `frame.camera.distance > ${distance} + 1e-3`);
  await page.keyboard.press("Control+a");
  await drawn(page, `frame.camera.distance === ${camera.distance} && frame.camera.azimuth === ${camera.azimuth}`);
  viewer.end();
});

test("cameras of the model take turns; points are looked at, bodies followed", async () => {
  const { viewer, page } = await ball("cameras.xml", "--paused");
  await page.keyboard.press("]");
  await drawn(page, "frame.camera.type === 2 && frame.camera.fixed === 0");
  await page.keyboard.press("]");
  await drawn(page, "frame.camera.type === 2 && frame.camera.fixed === 1");
  await page.keyboard.press("[");
  await drawn(page, "frame.camera.fixed === 0 && frame.camera.type === 2");
  await page.keyboard.press("Escape");
  await drawn(page, "frame.camera.type === 0");
  await page.keyboard.press("Tab");
  await page.getByLabel("Camera", { exact: true }).selectOption({ label: "above" });
  await drawn(page, "frame.camera.type === 2 && frame.camera.fixed === 1");
  await page.getByLabel("Camera", { exact: true }).selectOption({ label: "Free" });
  await drawn(page, "frame.camera.type === 0");
  await page.keyboard.press("Tab");
  const place = await selectBall(page);
  await page.mouse.dblclick(...place, { button: "right" });
  await drawn(page, "Math.abs(frame.camera.lookat[2] - 0.5) < 0.5 && Math.hypot(frame.camera.lookat[0], frame.camera.lookat[1]) < 0.5");
  await page.keyboard.down("Control");
  await page.mouse.dblclick(320, 240, { button: "right" });
  await page.keyboard.up("Control");
  await drawn(page, "frame.camera.type === 1 && frame.camera.track === 1");
  viewer.end();
});

test("sliders move joints and set controls, flags are shown", async () => {
  const { viewer, page } = await ball("sliders.xml", "--paused");
  await page.keyboard.press("Shift+Tab");
  await page.getByText("Joints", { exact: true }).click();
  await page.getByRole("slider", { name: "hinge" }).fill("0.4");
  await page.getByRole("slider", { name: "drive" }).fill("1.5");
  await page.locator("canvas.picture").focus();
  await page.waitForTimeout(300);
  assert.ok(Math.abs((await state(page))[7] - 0.4) < 1e-3);
  assert.match(await copied(page), /ctrl="1.5"/);
  const before = await page.locator("canvas.picture").screenshot();
  await page.locator("canvas.picture").focus();
  await page.keyboard.press("t"); // transparent
  await until(page, () => [...document.querySelectorAll(".toggle")].find((t) => t.textContent.startsWith("Transparent")).querySelector("input").checked);
  await page.waitForTimeout(300);
  assert.notDeepEqual(await page.locator("canvas.picture").screenshot(), before);
  await page.getByRole("button", { name: "Clear all" }).click();
  await page.locator("canvas.picture").focus();
  await page.waitForTimeout(300);
  assert.match(await copied(page), /ctrl="0"/);
  viewer.end();
});

test("a saved file is loaded again and keeps the state; a mistake is shown while the last model stays", async () => {
  const file = bench.write("edit.xml", BALL);
  const viewer = await bench.view(file);
  const page = await visit(bench.browser, viewer.address);
  await until(page, () => Number(document.body.dataset.time) > 0.3);
  writeFileSync(file, BALL.replace('<geom size=".4"', '<geom sise=".4"'));
  await page.locator(".error").waitFor({ state: "visible", timeout: 20_000 });
  const text = await page.locator(".error pre").textContent();
  assert.match(text, /edit\.xml:9/);
  assert.match(text, /<geom sise="\.4"/, "the source");
  assert.match(text, /help:[^]*size/, "the remedy");
  await goesOn(page); // the last good model
  writeFileSync(file, BALL.replace('name="drive"', 'name="engine"'));
  await page.locator(".error").waitFor({ state: "hidden", timeout: 20_000 });
  await page.keyboard.press("Shift+Tab");
  await page.getByText("engine").waitFor();
  await goesOn(page);
  assert.ok((await time(page)) > 0.3, "the state stays");
  for (const name of ["first", "second", "third"]) {
    writeFileSync(file, BALL.replace('name="drive"', `name="${name}"`));
    await page.getByText(name, { exact: true }).waitFor();
    await goesOn(page);
  }
  assert.deepEqual(page.trouble, []);
  viewer.end();
});

/** Waits until the picture has moved on. */
async function goesOn(page) {
  await drawn(page, `frame.time > ${await time(page)} + 0.2`);
}

test("frames that are not drawn because a newer frame or a model comes do not stop those after them", async () => {
  const file = bench.write("slow.xml", BALL);
  const viewer = await bench.view(file);
  const page = await visit(bench.browser, viewer.address);
  await page.evaluate(() => {
    const [draw, waiting] = [globalThis.requestAnimationFrame, []];
    globalThis.requestAnimationFrame = (tick) => waiting.push(tick);
    globalThis.goOn = () => {
      globalThis.requestAnimationFrame = draw;
      waiting.forEach((tick) => draw(tick));
    };
  });
  for (const name of ["first", "second"]) {
    await page.waitForTimeout(500); // all frames that the server sends ahead have come
    writeFileSync(file, BALL.replace('name="drive"', `name="${name}"`));
    while (!(await page.getByText(name, { exact: true }).count())) await page.waitForTimeout(50);
  }
  await page.evaluate(() => globalThis.goOn());
  await goesOn(page);
  viewer.end();
});

test("a simulation that becomes unstable says why it is reset", async () => {
  const spring = '<worldbody><body><joint type="slide" stiffness="1e6"/><geom size=".1"/></body></worldbody>';
  const file = bench.write("unstable.xml", `<mujoco><option timestep=".5"/>${spring}</mujoco>`);
  const viewer = await bench.view(file);
  const page = await visit(bench.browser, viewer.address);
  const trouble = page.locator(".trouble");
  await trouble.waitFor({ state: "visible" });
  assert.equal(await trouble.textContent(), "reset: bad acceleration (qacc[0])");
  await page.screenshot({ path: path.join(folder, "unstable.png") });
  writeFileSync(file, `<mujoco>${spring.replace('stiffness="1e6"', "")}</mujoco>`); // stable from any state
  await trouble.waitFor({ state: "hidden" });
  await goesOn(page);
  viewer.end();
});

test("files dropped on the page are opened", async () => {
  const { viewer, page } = await ball("before.xml");
  await page.evaluate((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "dropped.xml"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, BALL.replace("arm", "dropped"));
  await until(page, () => document.body.dataset.model === "dropped.xml");
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["hello"], "letter.txt"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await page.locator(".error").waitFor({ state: "visible" });
  assert.match(await page.locator(".error pre").textContent(), /none of these files is a model[^]*\.xml/);
  assert.equal(await page.evaluate(() => document.body.dataset.model), "dropped.xml", "the last good model stays");
  viewer.end();
});

test("a lost connection is taken up again; a server that ended is missed", async () => {
  const viewer = await bench.view(bench.write("lost.xml", BALL));
  const context = await bench.browser.newContext({ viewport: { width: 640, height: 480 } });
  await context.addInitScript(() => {
    const Socket = window.WebSocket;
    window.sockets = [];
    window.WebSocket = class extends Socket {
      constructor(...args) {
        super(...args);
        window.sockets.push(this);
      }
    };
  });
  const page = await context.newPage();
  await page.goto(viewer.address);
  await until(page, () => Number(document.body.dataset.frames) > 1);
  const lost = await time(page);
  await page.evaluate(() => window.sockets[0].close());
  await until(page, () => window.sockets.length === 2 && document.body.dataset.link === "connected");
  await until(page, (t) => Number(document.body.dataset.time) > t + 0.2, lost);
  viewer.end();
  await until(page, () => document.body.dataset.link === "lost");
  assert.match(await page.locator(".toast").textContent(), /lost/i);
  await context.close();
});

test("a wrong secret, another origin and another host get nothing", async () => {
  const { viewer, page } = await ball("secret.xml");
  const address = new URL(viewer.address);
  for (const place of ["/", "/0123456789abcdef0123456789abcdef/", `${address.pathname}../etc/passwd`, "/viewer.js"]) {
    const answer = await fetch(new URL(place, address));
    assert.equal(answer.status, 404, place);
  }
  const strange = await ask(address.port, `GET ${address.pathname} HTTP/1.1\r\nHost: evil.example:${address.port}\r\n\r\n`);
  assert.match(strange, /^HTTP\/1.1 403/);
  const socket = (origin) => ask(address.port, `GET ${address.pathname}socket HTTP/1.1\r\nHost: ${address.host}\r\nOrigin: ${origin}\r\n` +
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
  assert.match(await socket("http://evil.example"), /^HTTP\/1.1 403/);
  assert.match(await socket(address.origin), /^HTTP\/1.1 101/);
  // a page from elsewhere in the same browser
  const other = await bench.browser.newPage();
  await other.goto("data:text/html,<title>other</title>");
  const refused = await other.evaluate((url) => new Promise((done) => {
    const attempt = new WebSocket(url);
    attempt.onopen = () => done("open");
    attempt.onerror = () => done("refused");
  }), `ws://${address.host}${address.pathname}socket`);
  assert.equal(refused, "refused");
  await other.close();
  await page.close();
  viewer.end();
});

function ask(port, text) {
  return new Promise((done, fail) => {
    const stream = connect(Number(port), "127.0.0.1", () => stream.write(text));
    let answer = ""; // it may come in pieces: whole when its head has ended
    stream.on("data", (bytes) => {
      answer += bytes;
      if (answer.includes("\r\n\r\n")) { done(answer); stream.destroy(); }
    });
    stream.once("error", fail);
    stream.once("end", () => done(answer));
  });
}

test("a recording plays from a file, without a server", async () => {
  const { execFileSync } = await import("node:child_process");
  const { command } = await import("./harness.mjs");
  const out = path.join(folder, "run.html");
  execFileSync(command, ["render", bench.write("record.xml", BALL), "-o", out, "--seconds", "1"]);
  assert.ok(!/https?:\/\/(?!www\.w3\.org)/.test(readFileSync(out, "utf8").replace(/<script type="module">[^]*<\/script>/, "")));
  const page = await visit(bench.browser, `file://${out}`);
  const early = await time(page);
  await until(page, (t) => Number(document.body.dataset.time) !== t, early); // it begins again at its end
  await page.mouse.move(320, 200);
  await page.mouse.down();
  await page.mouse.move(380, 200, { steps: 3 });
  await page.mouse.up();
  await drawn(page, "frame.camera.azimuth < 85");
  await page.keyboard.press("Space");
  await drawn(page, "!frame.running");
  await page.getByRole("slider", { name: "Place in the past" }).fill("0");
  await drawn(page, "frame.time === 0");
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(page.trouble, []);
  await page.close();
});
