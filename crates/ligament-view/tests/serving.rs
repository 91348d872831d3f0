//! The server from outside: who is let in, what a page is told, what it can do.

use ligament::prelude::*;
use ligament_view::{Request, Server, Session, message};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

const MODEL: &str = r#"<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <keyframe><key name="high" qpos="0 0 5 1 0 0 0"/></keyframe>
</mujoco>"#;

struct Viewer {
    model: Model,
    data: Data,
    server: Server,
    session: Session,
}

impl Viewer {
    fn new() -> Self {
        let model = ligament::load_model(MODEL).unwrap();
        let data = model.make_data().unwrap();
        let server = Server::start(0).unwrap();
        let session = Session::new(&model, "ball.xml");
        server.show_model(session.describe(&model));
        Self { model, data, server, session }
    }

    fn turn(&mut self) -> Vec<Request> {
        self.session.turn(&self.model, &mut self.data, &self.server).unwrap()
    }

    /// Turns until something is asked for, or for two seconds.
    fn turn_until(&mut self, done: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !done(self) {
            assert!(start.elapsed() < Duration::from_secs(10), "nothing happened");
            self.turn();
        }
    }

    fn host(&self) -> String {
        let address = self.server.address();
        address.trim_start_matches("http://").split('/').next().unwrap().to_owned()
    }

    fn connect(&self) -> WebSocket<TcpStream> {
        let (address, host) = (self.server.address(), self.host());
        let mut request = (address.replace("http", "ws") + "socket").into_client_request().unwrap();
        request.headers_mut().insert("Origin", format!("http://{host}").parse().unwrap());
        let stream = TcpStream::connect(&host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        tungstenite::client(request, stream).unwrap().0
    }

    fn ask(&self, text: &str) -> String {
        let mut stream = TcpStream::connect(self.host()).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }
}

/// The head of the next message.
fn head(socket: &mut WebSocket<TcpStream>) -> Value {
    match socket.read().unwrap() {
        Message::Binary(bytes) => serde_json::from_slice(message::split(&bytes).unwrap()[0]).unwrap(),
        other => panic!("{other:?}"),
    }
}

/// Is there something to read?
fn has_arrived(socket: &WebSocket<TcpStream>) -> bool {
    let stream = socket.get_ref();
    stream.set_nonblocking(true).unwrap();
    let arrived = stream.peek(&mut [0]).is_ok();
    stream.set_nonblocking(false).unwrap();
    arrived
}

fn say(socket: &mut WebSocket<TcpStream>, command: &str) {
    socket.send(Message::text(command)).unwrap();
}

#[test]
fn a_page_is_told_the_model_then_frames() {
    let mut viewer = Viewer::new();
    let mut socket = viewer.connect();
    let model = head(&mut socket);
    assert_eq!(model["kind"], "model");
    assert_eq!(model["bodies"][1]["name"], "ball");
    viewer.turn_until(|v| v.server.pages() == 1);
    viewer.turn();
    let frame = head(&mut socket);
    assert_eq!(frame["kind"], "frame");
    assert_eq!(frame["running"], true);
}

#[test]
fn frames_wait_until_the_page_has_drawn() {
    let mut viewer = Viewer::new();
    let mut socket = viewer.connect();
    viewer.turn_until(|v| v.server.pages() == 1);
    for _ in 0..20 {
        viewer.turn();
    }
    assert!(!viewer.server.is_awaited(), "two frames are on their way, and one waits");
    head(&mut socket);
    let early = head(&mut socket)["time"].as_f64().unwrap();
    head(&mut socket);
    viewer.turn_until(|v| v.data.time > 0.3);
    say(&mut socket, r#"{"do":"drawn"}"#);
    viewer.turn_until(|_| has_arrived(&socket));
    let late = head(&mut socket)["time"].as_f64().unwrap();
    assert!(late > early, "the newest frame was kept, not the oldest");
}

#[test]
fn a_frame_that_waits_is_not_sent_after_the_next_model() {
    let mut viewer = Viewer::new();
    let mut socket = viewer.connect();
    viewer.turn_until(|v| v.server.pages() == 1);
    assert_eq!(head(&mut socket)["kind"], "model");
    for _ in 0..2 {
        viewer.turn_until(|_| has_arrived(&socket));
        assert_eq!(head(&mut socket)["kind"], "frame");
    }
    // another page would be ready for this one
    viewer.server.show_frame(viewer.session.frame(&viewer.model, &mut viewer.data).unwrap());
    let reload = viewer.data.time;
    viewer.server.show_model(viewer.session.describe(&viewer.model));
    assert_eq!(head(&mut socket)["kind"], "model");
    say(&mut socket, r#"{"do":"drawn"}"#);
    viewer.turn_until(|_| has_arrived(&socket));
    let frame = head(&mut socket);
    assert!(frame["time"].as_f64().unwrap() > reload, "it is of the model before");
}

#[test]
fn a_page_is_told_that_the_simulation_has_reset_itself() {
    let mut viewer = Viewer::new();
    let frame = |v: &mut Viewer| {
        let frame = v.session.frame(&v.model, &mut v.data).unwrap();
        let head: Value = serde_json::from_slice(message::split(&frame).unwrap()[0]).unwrap();
        head["trouble"].clone()
    };
    assert_eq!(frame(&mut viewer), Value::Null);
    viewer.data.qvel[3] = f64::NAN;
    viewer.data.step(&viewer.model).unwrap();
    assert_eq!(frame(&mut viewer), "reset: bad velocity (qvel[3])");
    viewer.data.step(&viewer.model).unwrap();
    assert_eq!(
        frame(&mut viewer),
        "reset: bad velocity (qvel[3])",
        "one who looks away for a step sees it too"
    );
    viewer.data.reset(&viewer.model).unwrap();
    assert_eq!(frame(&mut viewer), Value::Null);
}

#[test]
fn commands_act_on_the_simulation() {
    let mut viewer = Viewer::new();
    let mut socket = viewer.connect();
    say(&mut socket, r#"{"do":"run","on":false}"#);
    viewer.turn_until(|v| !v.session.running);
    say(&mut socket, r#"{"do":"key","index":0}"#);
    viewer.turn_until(|v| v.data.qpos[2] == 5.0);
    let time = viewer.data.time;
    say(&mut socket, r#"{"do":"step","count":3}"#);
    viewer.turn_until(|v| v.data.time > time + 2.5 * v.model.opt.timestep);
    say(&mut socket, r#"{"do":"position","index":2,"value":7.5}"#);
    viewer.turn_until(|v| v.data.qpos[2] == 7.5);
    say(&mut socket, r#"{"do":"position","index":99,"value":1}"#);
    say(&mut socket, r#"{"do":"reset"}"#);
    viewer.turn_until(|v| v.data.time == 0.0 && v.data.qpos[2] == 1.0);
    say(&mut socket, r#"{"do":"flag","index":14,"on":true}"#);
    viewer.turn_until(|v| v.session.option.flags[14] == 1);
}

#[test]
fn the_past_can_be_gone_back_to_and_stepped_through_again() {
    let mut viewer = Viewer::new();
    let mut socket = viewer.connect();
    viewer.turn_until(|v| v.data.time > 0.1);
    say(&mut socket, r#"{"do":"run","on":false}"#);
    viewer.turn_until(|v| !v.session.running);
    let (time, height) = (viewer.data.time, viewer.data.qpos[2]);
    say(&mut socket, r#"{"do":"rewind","count":2}"#);
    viewer.turn_until(|v| v.data.time < time);
    assert!(viewer.data.qpos[2] > height, "it was higher");
    say(&mut socket, r#"{"do":"step","count":2}"#);
    viewer.turn_until(|v| v.data.time == time);
    assert_eq!(viewer.data.qpos[2], height);
    say(&mut socket, r#"{"do":"scrub","back":100000}"#);
    viewer.turn_until(|v| v.data.time == 0.0);
    say(&mut socket, r#"{"do":"size","width":300,"height":200}"#);
    viewer.turn_until(|v| v.session.size == [300, 200]);
}

#[test]
fn a_selected_body_is_pushed_while_running_and_free_afterwards() {
    let mut viewer = Viewer::new();
    let mut socket = viewer.connect();
    viewer.turn_until(|v| v.server.pages() == 1);
    viewer.turn();
    for command in [
        r#"{"do":"select_body","body":1}"#,
        r#"{"do":"grasp","bits":1}"#,
        r#"{"do":"pull","action":3,"dx":0.3,"dy":-0.5}"#,
    ] {
        say(&mut socket, command);
    }
    viewer.turn_until(|v| v.data.xfrc_applied[1] != [0.0; 6] && v.data.qpos[2] > 1.1);
    say(&mut socket, r#"{"do":"release"}"#);
    viewer.turn_until(|v| v.data.xfrc_applied[1] == [0.0; 6]);
}

#[test]
fn dropped_files_and_keys_are_for_the_owner() {
    let mut viewer = Viewer::new();
    let mut socket = viewer.connect();
    let files = message::join(&[b"robot.xml", b"<mujoco/>"]);
    socket.send(Message::binary(files)).unwrap();
    say(&mut socket, r#"{"do":"key_press","code":65}"#);
    let start = Instant::now();
    let mut asked = Vec::new();
    while asked.len() < 2 && start.elapsed() < Duration::from_secs(10) {
        asked.extend(viewer.turn());
    }
    let file = ("robot.xml".to_owned(), b"<mujoco/>".to_vec());
    assert_eq!(asked, [Request::Open(vec![file]), Request::Key(65)]);
}

#[test]
fn a_closed_page_says_good_bye_and_is_counted_no_longer() {
    let mut viewer = Viewer::new();
    for _ in 0..20 {
        let mut socket = viewer.connect();
        viewer.turn_until(|v| v.server.pages() == 1);
        socket.close(None).unwrap();
        let start = Instant::now();
        let mut asked = Vec::new();
        while asked.is_empty() && start.elapsed() < Duration::from_secs(10) {
            asked.extend(viewer.turn());
        }
        assert_eq!((&asked[..], viewer.server.pages()), (&[Request::Left][..], 0));
    }
}

#[test]
fn nonsense_ends_the_connection_and_nothing_else() {
    let mut viewer = Viewer::new();
    for nonsense in [Message::text("{\"do\":\"format\"}"), Message::text("["), Message::binary(vec![9; 40])] {
        let mut socket = viewer.connect();
        socket.send(nonsense).unwrap();
        while socket.read().is_ok() {}
    }
    let mut socket = viewer.connect();
    assert_eq!(head(&mut socket)["kind"], "model");
    viewer.turn();
}

#[test]
fn strangers_get_nothing() {
    let viewer = Viewer::new();
    let (address, host) = (viewer.server.address(), viewer.host());
    let path = address.split_once(&host).unwrap().1;
    let page = viewer.ask(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("Content-Security-Policy"), "{page}");
    for (request, status) in [
        (format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"), 404),
        (format!("GET /0000/ HTTP/1.1\r\nHost: {host}\r\n\r\n"), 404),
        (format!("GET {path}../../etc/passwd HTTP/1.1\r\nHost: {host}\r\n\r\n"), 404),
        (format!("GET {path} HTTP/1.1\r\nHost: evil.example\r\n\r\n"), 403),
        (format!("GET {path} HTTP/1.1\r\n\r\n"), 403),
        (format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\n\r\n"), 403),
        (format!("POST {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"), 405),
        (format!("GET {path}socket HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\n\r\n"), 403),
        (format!("GET {path}socket HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n\r\n"), 400),
        ("\0\0\0\r\n\r\n".to_owned(), 400),
    ] {
        let answer = viewer.ask(&request);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{request:?} got {answer:?}");
    }
    let length = 20_000;
    let long = viewer.ask(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nX: {}", "y".repeat(length)));
    assert!(long.is_empty() || long.starts_with("HTTP/1.1 400"), "{long:?}");
}

#[test]
fn secrets_differ_and_the_port_is_free_afterwards() {
    let first = Server::start(0).unwrap();
    let second = Server::start(0).unwrap();
    let secret = |server: &Server| server.address().rsplit('/').nth(1).unwrap().to_owned();
    assert_ne!(secret(&first), secret(&second));
    assert_eq!(secret(&first).len(), 32);
    let port: u16 = first.address().split(':').nth(2).unwrap().split('/').next().unwrap().parse().unwrap();
    drop(first);
    let start = Instant::now();
    while Server::start(port).is_err() {
        assert!(start.elapsed() < Duration::from_secs(10), "the port stays taken");
        std::thread::sleep(Duration::from_millis(20));
    }
}
