"""The viewer from Python: what a page is told and does, spoken to over its socket."""

import base64
import json
import os
import socket
import struct
import threading
import time
import urllib.error
import urllib.request
from urllib.parse import urlparse

import numpy as np
import pytest

import ligament
from ligament import viewer

MODEL = """<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/></body>
    <body pos="0 1 1"><joint name="hinge"/><geom size=".1" pos=".2 0 0"/></body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
</mujoco>"""


class Page:
    """The other end of the socket."""

    def __init__(self, address):
        place = urlparse(address)
        self.stream = socket.create_connection((place.hostname, place.port), timeout=10)
        key = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall((f"GET {place.path}socket HTTP/1.1\r\nHost: {place.netloc}\r\nOrigin: http://{place.netloc}\r\n"
                             "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                             f"Sec-WebSocket-Key: {key}\r\n\r\n").encode())
        self.bytes = b""
        head = self._until(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101"), head

    def _until(self, end):
        while end not in self.bytes:
            self.bytes += self.stream.recv(65536)
        head, self.bytes = self.bytes.split(end, 1)
        return head

    def _take(self, count):
        while len(self.bytes) < count:
            more = self.stream.recv(65536)
            assert more, "the viewer ended"
            self.bytes += more
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def read(self):
        """Head of the next message."""
        _, length = self._take(2)
        if length >= 126:
            length = struct.unpack(">H" if length == 126 else ">Q", self._take(2 if length == 126 else 8))[0]
        message = self._take(length)
        count, first = struct.unpack_from("<II", message)
        start = (4 * (count + 1) + 7) // 8 * 8
        return json.loads(message[start:start + first])

    def read_until(self, condition):
        for _ in range(2000):
            head = self.read()
            if head["kind"] == "frame":
                self.say(do="drawn")
            if condition(head):
                return head
        raise AssertionError("nothing of the kind came")

    def say(self, **command):
        text = json.dumps(command).encode()
        mask = b"\1\2\3\4"
        size = bytes([0x80 | len(text)]) if len(text) < 126 else bytes([0x80 | 126]) + struct.pack(">H", len(text))
        self.stream.sendall(b"\x81" + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(text)))

    def leave(self):
        self.stream.sendall(b"\x88\x80\1\2\3\4")
        self.stream.close()


def wait(condition, turn=lambda: time.sleep(0.01)):
    end = time.time() + 20
    while not condition():
        assert time.time() < end, "it did not happen"
        turn()


@pytest.fixture
def simulation():
    model = ligament.MjModel.from_xml_string(MODEL)
    return model, ligament.MjData(model)


@pytest.fixture
def watched(simulation):
    with viewer.launch_passive(*simulation, browser=False) as handle:
        page = Page(handle.address)
        assert page.read()["bodies"][1]["name"] == "ball"
        yield (*simulation, handle, page)


def test_a_passive_viewer_shows_the_state_of_the_last_sync(watched):
    model, data, handle, page = watched
    for _ in range(100):
        ligament.mj_step(model, data)
    handle.sync()
    frame = page.read_until(lambda head: head["kind"] == "frame" and head["time"] > 0)
    assert frame["time"] == pytest.approx(data.time)


def test_the_hand_of_the_user_acts_at_sync(watched):
    model, data, handle, page = watched
    page.read_until(lambda head: head["kind"] == "frame")
    page.say(do="control", index=0, value=0.25)
    page.say(do="position", index=7, value=0.5)
    wait(lambda: data.ctrl[0] == 0.25 and data.qpos[7] == 0.5, handle.sync)
    page.say(do="select_body", body=1)
    page.say(do="grasp", bits=1)
    page.say(do="pull", action=3, dx=0.2, dy=0.0)
    wait(lambda: handle.perturb.select == 1 and np.any(data.xfrc_applied[1]), handle.sync)
    page.say(do="release")
    wait(lambda: not np.any(data.xfrc_applied), handle.sync)


def test_camera_and_options_belong_to_both(watched):
    _, _, handle, page = watched
    handle.cam.azimuth = 12.5
    handle.opt.flags[ligament.mjtVisFlag.mjVIS_JOINT] = 1
    handle.sync()
    frame = page.read_until(lambda head: head["kind"] == "frame" and head["camera"]["azimuth"] == 12.5)
    assert frame["option"]["flags"][ligament.mjtVisFlag.mjVIS_JOINT] == 1
    page.say(do="move", action=1, dx=-0.1, dy=0)
    page.say(do="flag", index=int(ligament.mjtVisFlag.mjVIS_COM), on=True)
    wait(lambda: handle.cam.azimuth == pytest.approx(30.5) and handle.opt.flags[ligament.mjtVisFlag.mjVIS_COM], handle.sync)


def test_geoms_and_texts_of_the_program_are_drawn(watched):
    model, data, handle, page = watched
    before = page.read_until(lambda head: head["kind"] == "frame")
    assert before["labels"] == []
    geom = handle.user_scn.geoms[0]
    ligament.mjv_initGeom(geom, ligament.mjtGeom.mjGEOM_SPHERE, np.ones(3), np.zeros(3), np.eye(3).ravel(), np.ones(4))
    geom.label = "here"
    handle.user_scn.ngeom = 1
    handle.set_texts([(None, ligament.mjtGridPos.mjGRID_BOTTOMLEFT, "speed", "12"),
                      (ligament.mjtFontScale.mjFONTSCALE_300, None, None, "high")])
    handle.sync()
    frame = page.read_until(lambda head: head["kind"] == "frame" and head["labels"])
    assert frame["labels"][0][1] == "here"
    assert frame["texts"] == [[150, int(ligament.mjtGridPos.mjGRID_BOTTOMLEFT), "speed", "12"],
                              [300, int(ligament.mjtGridPos.mjGRID_TOPLEFT), "", "high"]]
    with pytest.raises(ValueError, match="17"):
        handle.set_texts((17, None, "a", "b"))


def test_images_and_plots_of_the_program_are_shown(simulation):
    """What MuJoCo's handle has beside texts; and the panels that the page opens with."""
    model, data = simulation
    with viewer.launch_passive(model, data, browser=False, show_left_ui=False) as handle:
        page = Page(handle.address)
        frame = page.read_until(lambda head: head["kind"] == "frame" and not all(head["panels"]))
        assert (frame["panels"], frame["images"]) == ([False, True], [])
        rect = ligament.MjrRect(5, 7, 40, 30)
        handle.set_images((rect, np.full((30, 40, 3), 9, np.uint8)))
        figure = ligament.MjvFigure()
        figure.linepnt[0] = 2
        handle.set_figures([(ligament.MjrRect(50, 0, 100, 80), figure)])
        handle.sync()
        frame = page.read_until(lambda head: head["kind"] == "frame" and len(head["images"]) == 2)
        assert [image[:3] for image in frame["images"]] == [[50, 0, 100], [5, 7, 40]]
        handle.clear_figures()
        handle.clear_images()
        handle.sync()
        page.read_until(lambda head: head["kind"] == "frame" and not head["images"])
        with pytest.raises(ValueError, match="does not match target shape"):
            handle.set_images((rect, np.zeros((40, 30, 3), np.uint8)))


def test_the_handle_has_what_mujocos_has(watched):
    """Every public attribute of MuJoCo 3.5.0's passive handle; the viewport is the size that the page told."""
    _, _, handle, page = watched
    for name in ("cam", "clear_figures", "clear_images", "clear_texts", "close", "d", "is_running", "lock", "m", "opt",
                 "perturb", "set_figures", "set_images", "set_texts", "sync", "update_hfield", "update_mesh",
                 "update_texture", "user_scn", "viewport"):
        assert hasattr(handle, name), name
    page.say(do="size", width=640, height=480)
    wait(lambda: handle.viewport == ligament.MjrRect(0, 0, 640, 480))
    with handle.lock():
        handle.sync()


def test_keys_are_told_to_the_program(simulation):
    pressed = []
    with viewer.launch_passive(*simulation, key_callback=pressed.append, browser=False) as handle:
        page = Page(handle.address)
        page.say(do="key_press", code=265)
        wait(lambda: pressed == [265])


def test_a_viewer_ends_when_its_page_is_closed_or_when_told(simulation):
    handle = viewer.launch_passive(*simulation, browser=False)
    page = Page(handle.address)
    wait(lambda: handle._native.pages() == 1)
    page.leave()
    wait(lambda: not handle.is_running())
    handle.sync()  # nothing happens
    other = viewer.launch_passive(*simulation, browser=False)
    assert other.is_running()
    other.close()
    assert not other.is_running()
    wait(lambda: _refuses(other.address))


def _refuses(address):
    try:
        urllib.request.urlopen(address, timeout=1)
    except (urllib.error.URLError, OSError):
        return True
    return False


def test_launch_simulates_until_the_page_is_closed(simulation, capfd):
    model, data = simulation
    thread = threading.Thread(target=viewer.launch, args=(model, data), kwargs=dict(browser=False))
    thread.start()
    address = []
    wait(lambda: address or address.extend(capfd.readouterr().err.split()[1:2]))
    page = Page(address[0])
    page.read_until(lambda head: head["kind"] == "frame" and head["time"] > 0.1)
    page.say(do="run", on=False)
    page.read_until(lambda head: head["kind"] == "frame" and not head["running"])
    page.leave()
    thread.join(20)
    assert not thread.is_alive()
    assert data.time > 0.1


def drop(page, **files):
    """Drops files on the page: names and contents take turns."""
    sections = [part for name, content in files.items() for part in (name.replace("__", ".").encode(), content)]
    head = struct.pack(f"<{len(sections) + 1}I", len(sections), *map(len, sections))
    pad = lambda part: part + bytes(-len(part) % 8)
    message = pad(head) + b"".join(map(pad, sections))
    mask = b"\1\2\3\4"
    page.stream.sendall(b"\x82" + bytes([0x80 | 126]) + struct.pack(">H", len(message)) + mask +
                        bytes(b ^ mask[i % 4] for i, b in enumerate(message)))


def test_launch_without_a_model_opens_what_is_dropped(capfd):
    """As MuJoCo's window does; a model with a mistake leaves the last one, and the past can be gone back to."""
    thread = threading.Thread(target=viewer.launch, kwargs=dict(browser=False), daemon=True)
    thread.start()
    address = []
    wait(lambda: address or address.extend(capfd.readouterr().err.split()[1:2]))
    page = Page(address[0])
    assert len(page.read_until(lambda head: head["kind"] == "model")["bodies"]) == 1
    part = b"<mujoco><asset><mesh name='m' file='m.obj'/></asset></mujoco>"
    mesh = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    drop(page, model__xml=MODEL.replace("<worldbody>", "<include file='part.txt'/><worldbody>").encode(), part__txt=part, m__obj=mesh)
    model = page.read_until(lambda head: head["kind"] == "model")
    assert (model["name"], model["bodies"][1]["name"], len(model["meshes"])) == ("model.xml", "ball", 2)  # and its hull
    page.read_until(lambda head: head["kind"] == "frame" and head["time"] > 0.2)
    drop(page, bad__xml=b"<mujoco><worldbody><geom sise='1'/></worldbody></mujoco>")
    assert "sise" in page.read_until(lambda head: head["kind"] == "error")["text"]
    drop(page, note__txt=b"hello")
    assert ".xml" in page.read_until(lambda head: head["kind"] == "error")["text"]
    page.say(do="scrub", back=1000000)
    frame = page.read_until(lambda head: head["kind"] == "frame" and head["time"] == 0)
    assert not frame["running"]
    page.say(do="reload")
    assert page.read_until(lambda head: head["kind"] == "model")["name"] == "model.xml"
    page.leave()
    thread.join(20)
    assert not thread.is_alive()


def test_wrong_arguments_are_named(simulation):
    model, data = simulation
    with pytest.raises(ValueError, match="model"):
        viewer.launch_passive(data, data)
    with pytest.raises(ValueError, match="key_callback"):
        viewer.launch_passive(model, data, key_callback=3)
    with pytest.raises(ValueError, match="mjModel is not"):
        viewer.launch(None, data)


def test_a_recording_keeps_as_many_states_as_asked_for(simulation, tmp_path):
    model, data = simulation
    recorder = viewer.Recorder(model, fps=25)
    while data.time < 1:
        ligament.mj_step(model, data)
        recorder.capture(data)
    assert len(recorder) == 25
    recorder.save(tmp_path / "run.html")
    text = (tmp_path / "run.html").read_text()
    assert 'id="recording"' in text and "src=" not in text.split("<script")[0]
    with pytest.raises(ValueError, match="nothing was captured"):
        viewer.Recorder(model).html()


def test_a_notebook_gets_a_frame_with_the_page(simulation):
    shown = viewer.show(*simulation)
    try:
        assert shown.address in shown._repr_html_()
        with urllib.request.urlopen(shown.address, timeout=10) as answer:
            assert b'id="app"' in answer.read()
    finally:
        shown.close()
