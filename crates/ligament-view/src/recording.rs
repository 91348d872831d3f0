//! A recorded simulation as one file that plays anywhere.

use crate::message;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};

const PAGE: &str = include_str!("../page/index.html");
const SCRIPT: &str = include_str!("../page/viewer.js");
const STYLE: &str = include_str!("../page/viewer.css");

/// What a session showed: the description of the model, then frames.
#[derive(Debug, Clone)]
pub struct Recording {
    messages: Vec<Vec<u8>>,
}

impl Recording {
    /// Starts with what [`Session::describe`](crate::Session::describe) says.
    pub fn new(model: Vec<u8>) -> Self {
        Self { messages: vec![model] }
    }

    /// Adds a frame.
    pub fn add(&mut self, frame: Vec<u8>) {
        self.messages.push(frame);
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.messages.len() - 1
    }

    /// A page that needs nothing but itself: no server, no network.
    pub fn html(&self) -> io::Result<String> {
        let sections: Vec<&[u8]> = self.messages.iter().map(Vec::as_slice).collect();
        let mut packer = GzEncoder::new(Vec::new(), Compression::default());
        packer.write_all(&message::join(&sections))?;
        let packed = STANDARD.encode(packer.finish()?);
        // "</script" would end the element that the script is put into
        let script = SCRIPT.replace("</script", "<\\/script");
        let recording = format!("<script id=\"recording\" type=\"text/plain\">{packed}</script>");
        let inline = format!("{recording}<script type=\"module\">{script}</script>");
        let style = format!("<style>{STYLE}</style>");
        let (before, after) = parts(PAGE, "<!-- script -->", "<!-- /script -->")?;
        let page = format!("{before}{inline}{after}");
        let (before, after) = parts(&page, "<!-- style -->", "<!-- /style -->")?;
        Ok(format!("{before}{style}{after}"))
    }
}

/// The text before a mark and after its end.
fn parts<'a>(text: &'a str, mark: &str, end: &str) -> io::Result<(&'a str, &'a str)> {
    let found = text.split_once(mark).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    found.ok_or_else(|| io::Error::other(format!("the page has no {mark}")))
}
