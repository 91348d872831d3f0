//! One page that is connected: what it is to be sent, and what it says.

use crate::command::Command;
use crate::message;
use std::collections::VecDeque;
use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tungstenite::handshake::derive_accept_key;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

/// Frames that may be on their way: the next one is sent while one is drawn.
const AHEAD: u32 = 2;
/// Most bytes of files dropped on the page.
const MAX_DROPPED: usize = 512 << 20;
/// How long a page may take nothing before it counts as gone.
const WRITE_PATIENCE: Duration = Duration::from_secs(20);

/// What happens at a page.
#[derive(Debug)]
pub enum Event {
    /// A page has connected: there is someone to show things to.
    Joined,
    /// A page was closed by its user, not by a broken connection.
    Left,
    /// The user does something.
    Command(Command),
    /// Files that were dropped on the page, with their names.
    Files(Vec<(String, Vec<u8>)>),
}

/// Bytes of a message, shared by all who get it.
pub type Bytes = Arc<[u8]>;

#[derive(Debug, Default)]
struct Waiting {
    /// Messages that must all arrive.
    messages: VecDeque<Bytes>,
    /// The newest frame; older ones are of no use.
    frame: Option<Bytes>,
    on_their_way: u32,
    closed: bool,
}

/// What waits to be sent to one page.
#[derive(Debug, Default)]
pub struct Outbox {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

impl Outbox {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn send(&self, message: Bytes) {
        self.waiting().messages.push_back(message);
        self.changed.notify_all();
    }

    /// Sends a model. A frame that waits shows the one before, and is of no use after it.
    pub fn send_model(&self, message: Bytes) {
        let mut waiting = self.waiting();
        waiting.frame = None;
        waiting.messages.push_back(message);
        self.changed.notify_all();
    }

    pub fn send_frame(&self, frame: Bytes) {
        self.waiting().frame = Some(frame);
        self.changed.notify_all();
    }

    /// Whether the page could take a frame at once.
    pub fn is_ready(&self) -> bool {
        let waiting = self.waiting();
        waiting.frame.is_none() && waiting.on_their_way < AHEAD
    }

    pub fn is_closed(&self) -> bool {
        self.waiting().closed
    }

    pub fn close(&self) {
        self.waiting().closed = true;
        self.changed.notify_all();
    }

    /// A frame has been answered: the page has drawn it, or has passed over it.
    fn drawn(&self) {
        let mut waiting = self.waiting();
        waiting.on_their_way = waiting.on_their_way.saturating_sub(1);
        self.changed.notify_all();
    }

    /// Waits for the next message to send; `None` when the connection is closed.
    fn next(&self) -> Option<Bytes> {
        let mut waiting = self.waiting();
        loop {
            if let Some(message) = waiting.messages.pop_front() {
                return Some(message);
            }
            if waiting.closed {
                return None;
            }
            if waiting.on_their_way < AHEAD
                && let Some(frame) = waiting.frame.take()
            {
                waiting.on_their_way += 1;
                return Some(frame);
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Opens the socket and serves it until the page goes; sending has a thread of its own.
pub fn serve(mut stream: TcpStream, key: &str, rest: Vec<u8>, outbox: &Arc<Outbox>, events: &Sender<Event>) {
    let accept = derive_accept_key(key.as_bytes());
    let greeting = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    let prepared = stream
        .write_all(greeting.as_bytes())
        .and_then(|()| stream.set_read_timeout(None))
        .and_then(|()| stream.set_write_timeout(Some(WRITE_PATIENCE)))
        .and_then(|()| stream.set_nodelay(true))
        .and_then(|()| Ok((stream.try_clone()?, stream.try_clone()?)));
    let Ok((writing, ending)) = prepared else { return };
    let config =
        WebSocketConfig::default().max_message_size(Some(MAX_DROPPED)).max_frame_size(Some(MAX_DROPPED));
    let writer = std::thread::spawn({
        let outbox = outbox.clone();
        move || {
            let mut socket = WebSocket::from_raw_socket(writing, Role::Server, Some(config));
            while let Some(message) = outbox.next() {
                if socket.send(Message::binary(message.to_vec())).is_err() {
                    break;
                }
            }
            outbox.close();
            // ends the reader, which waits for the page
            let _ = ending.shutdown(Shutdown::Both);
        }
    });
    let _ = events.send(Event::Joined);
    let mut socket = WebSocket::from_partially_read(stream, rest, Role::Server, Some(config));
    let said_good_bye = listen(&mut socket, outbox, events);
    // first, so that whoever hears of it no longer counts this page
    outbox.close();
    if said_good_bye {
        let _ = events.send(Event::Left);
    }
    let _ = writer.join();
}

/// Passes on what the page says; true when it said good-bye.
fn listen(socket: &mut WebSocket<TcpStream>, outbox: &Outbox, events: &Sender<Event>) -> bool {
    while let Ok(message) = socket.read() {
        let event = match message {
            Message::Text(text) => match serde_json::from_str(&text) {
                Ok(Command::Drawn) => {
                    outbox.drawn();
                    continue;
                }
                Ok(command) => Event::Command(command),
                Err(_) => return false, // not our page
            },
            Message::Binary(bytes) => match files(&bytes) {
                Some(files) => Event::Files(files),
                None => return false,
            },
            Message::Close(_) => return true,
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => continue,
        };
        if events.send(event).is_err() {
            return false;
        }
    }
    false
}

/// Names and contents take turns.
fn files(bytes: &[u8]) -> Option<Vec<(String, Vec<u8>)>> {
    let sections = message::split(bytes)?;
    let (pairs, rest) = sections.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs
        .iter()
        .map(|[name, content]| Some((String::from_utf8(name.to_vec()).ok()?, content.to_vec())))
        .collect()
}
