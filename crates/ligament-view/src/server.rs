//! The server: waits at a port of this machine, keeps the pages that are connected.

use crate::connection::{self, Bytes, Event, Outbox};
use crate::http::{self, Door};
use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Connections at one time; more are turned away.
const MAX_CONNECTIONS: usize = 64;

#[derive(Debug, Default)]
struct Shown {
    pages: Vec<Arc<Outbox>>,
    /// What a page that connects must be told first: the model, and the last notice if it still holds.
    model: Option<Bytes>,
    notice: Option<Bytes>,
}

#[derive(Debug)]
struct Hub {
    door: Door,
    shown: Mutex<Shown>,
    connections: AtomicUsize,
    ended: AtomicBool,
}

impl Hub {
    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn accept(&self, mut stream: TcpStream, events: &Sender<Event>) {
        let Ok(Some((key, rest))) = http::serve(&mut stream, &self.door) else { return };
        let outbox = Arc::new(Outbox::default());
        {
            let mut shown = self.shown();
            for message in [&shown.model, &shown.notice].into_iter().flatten() {
                outbox.send(message.clone());
            }
            shown.pages.push(outbox.clone());
        }
        connection::serve(stream, &key, rest, &outbox, events);
        self.shown().pages.retain(|page| !Arc::ptr_eq(page, &outbox));
    }
}

/// Serves the page on this machine. It ends when it is dropped.
#[derive(Debug)]
pub struct Server {
    hub: Arc<Hub>,
    /// Behind a lock so that a server can be shared; whoever owns the session reads it.
    events: Mutex<Receiver<Event>>,
}

/// Sends to the pages of a server from elsewhere.
#[derive(Debug, Clone)]
pub struct Ticket(Arc<Hub>);

/// 128 random bits in hexadecimal digits.
fn secret() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
}

impl Server {
    /// Starts to serve at a port of this machine; 0 takes a free one.
    pub fn start(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let door = Door { port: listener.local_addr()?.port(), secret: secret()? };
        let hub = Arc::new(Hub {
            door,
            shown: Mutex::default(),
            connections: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
        });
        let (sender, events) = channel();
        std::thread::spawn({
            let hub = hub.clone();
            move || listen(&listener, &hub, &sender)
        });
        Ok(Self { hub, events: Mutex::new(events) })
    }

    /// Where the page is.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.hub.door.port, self.hub.door.secret)
    }

    /// A way to send from elsewhere.
    pub fn ticket(&self) -> Ticket {
        Ticket(self.hub.clone())
    }

    /// Waits for something to happen at a page, but not longer than this.
    pub fn next_event(&self, patience: Duration) -> Option<Event> {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        if patience.is_zero() {
            return events.try_recv().ok();
        }
        match events.recv_timeout(patience) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(patience); // the listener failed; whoever paces by us goes on
                None
            }
        }
    }

    /// Tells every page about a model, also those that come later. A notice about an earlier one is forgotten.
    pub fn show_model(&self, message: Vec<u8>) {
        let message: Bytes = message.into();
        let mut shown = self.hub.shown();
        shown.model = Some(message.clone());
        shown.notice = None;
        shown.pages.iter().for_each(|page| page.send_model(message.clone()));
    }

    /// Tells every page something that holds until the next model.
    pub fn show_notice(&self, message: Vec<u8>) {
        let message: Bytes = message.into();
        let mut shown = self.hub.shown();
        shown.notice = Some(message.clone());
        shown.pages.iter().for_each(|page| page.send(message.clone()));
    }

    /// Tells every page that is connected now something once.
    pub fn tell(&self, message: Vec<u8>) {
        self.ticket().tell(message);
    }

    /// Shows a frame to the pages that have drawn the one before.
    pub fn show_frame(&self, frame: Vec<u8>) {
        let frame: Bytes = frame.into();
        self.hub.shown().pages.iter().for_each(|page| page.send_frame(frame.clone()));
    }

    /// Whether any page could take a frame now.
    pub fn is_awaited(&self) -> bool {
        self.hub.shown().pages.iter().any(|page| page.is_ready())
    }

    /// How many pages are connected.
    pub fn pages(&self) -> usize {
        self.ticket().pages()
    }
}

impl Ticket {
    /// Tells every page that is connected now something once.
    pub fn tell(&self, message: Vec<u8>) {
        let message: Bytes = message.into();
        self.0.shown().pages.iter().for_each(|page| page.send(message.clone()));
    }

    /// How many pages are connected.
    pub fn pages(&self) -> usize {
        self.0.shown().pages.iter().filter(|page| !page.is_closed()).count()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.hub.ended.store(true, Ordering::Release);
        self.hub.shown().pages.iter().for_each(|page| page.close());
        // wakes the listener, which then sees that it is over
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.hub.door.port));
    }
}

fn listen(listener: &TcpListener, hub: &Arc<Hub>, events: &Sender<Event>) {
    for stream in listener.incoming() {
        if hub.ended.load(Ordering::Acquire) {
            return;
        }
        let Ok(stream) = stream else { continue };
        if hub.connections.fetch_add(1, Ordering::AcqRel) >= MAX_CONNECTIONS {
            hub.connections.fetch_sub(1, Ordering::AcqRel);
            continue; // dropping it closes it
        }
        let (hub, events) = (hub.clone(), events.clone());
        std::thread::spawn(move || {
            hub.accept(stream, &events);
            hub.connections.fetch_sub(1, Ordering::AcqRel);
        });
    }
}
