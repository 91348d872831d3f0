//! The little of HTTP that the page needs, and who may ask for it.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Most bytes before the content of a request; there is none.
const MAX_HEAD: usize = 16 << 10;
const MAX_HEADERS: usize = 64;
/// How long a request may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);

const PAGE: &[u8] = include_bytes!("../page/index.html");
const SCRIPT: &[u8] = include_bytes!("../page/viewer.js");
const STYLE: &[u8] = include_bytes!("../page/viewer.css");

/// Who is let in: an address of this machine with the port and the secret.
#[derive(Debug, Clone)]
pub struct Door {
    pub port: u16,
    pub secret: String,
}

/// What a request gets.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    File(&'static str, &'static [u8]),
    /// The key that the socket's handshake answers.
    Socket(String),
    Refusal(u16, &'static str),
}

/// What of a request decides about the answer.
#[derive(Debug, Default)]
pub struct Asked<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub host: Option<&'a str>,
    pub origin: Option<&'a str>,
    pub socket_key: Option<&'a str>,
}

impl Door {
    /// The names under which this server may be asked; others come from pages that pretend to be it.
    fn knows_host(&self, host: &str) -> bool {
        ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", self.port))
    }

    /// What is asked for behind the secret.
    fn place<'a>(&self, path: &'a str) -> Option<&'a str> {
        let (secret, place) = path.strip_prefix('/')?.split_once('/')?;
        same(secret.as_bytes(), self.secret.as_bytes()).then_some(place)
    }

    pub fn answer(&self, asked: &Asked<'_>) -> Answer {
        const NOT_FOUND: Answer = Answer::Refusal(404, "Not Found");
        let Some(host) = asked.host.filter(|host| self.knows_host(host)) else {
            return Answer::Refusal(403, "Forbidden");
        };
        if asked.method != "GET" {
            return Answer::Refusal(405, "Method Not Allowed");
        }
        match self.place(asked.path) {
            Some("") => Answer::File("text/html; charset=utf-8", PAGE),
            Some("viewer.js") => Answer::File("text/javascript; charset=utf-8", SCRIPT),
            Some("viewer.css") => Answer::File("text/css; charset=utf-8", STYLE),
            Some("socket") => match (asked.origin, asked.socket_key) {
                // other pages of the same browser can open sockets to us, but not with our origin
                (Some(origin), _) if origin != format!("http://{host}") => Answer::Refusal(403, "Forbidden"),
                (None, _) => Answer::Refusal(403, "Forbidden"),
                (_, Some(key)) => Answer::Socket(key.to_owned()),
                (_, None) => Answer::Refusal(400, "Bad Request"),
            },
            _ => NOT_FOUND,
        }
    }
}

/// Compares without telling by its duration how much agrees.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differences, (x, y)| differences | (x ^ y)) == 0
}

/// Reads a request and answers it, unless it opens a socket: then returns the key and what followed the request.
pub fn serve(stream: &mut TcpStream, door: &Door) -> io::Result<Option<(String, Vec<u8>)>> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut bytes = Vec::new();
    let mut block = [0; 4096];
    loop {
        let count = stream.read(&mut block)?;
        bytes.extend_from_slice(&block[..count]);
        if count == 0 || bytes.len() > MAX_HEAD {
            refuse(stream, 400, "Bad Request")?;
            return Ok(None);
        }
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        let length = match request.parse(&bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => continue,
            Err(_) => {
                refuse(stream, 400, "Bad Request")?;
                return Ok(None);
            }
        };
        return match door.answer(&asked(&request)) {
            Answer::File(kind, content) => send_file(stream, door, kind, content).map(|()| None),
            Answer::Refusal(code, words) => refuse(stream, code, words).map(|()| None),
            Answer::Socket(key) => Ok(Some((key, bytes[length..].to_vec()))),
        };
    }
}

fn asked<'a>(request: &httparse::Request<'_, 'a>) -> Asked<'a> {
    let header = |name: &str| {
        let mut found = request.headers.iter().filter(|h| h.name.eq_ignore_ascii_case(name));
        let first = found.next()?;
        // a header given twice is not trusted
        found.next().is_none().then(|| std::str::from_utf8(first.value).ok()).flatten()
    };
    let upgrade = header("upgrade").is_some_and(|u| u.eq_ignore_ascii_case("websocket"))
        && header("sec-websocket-version") == Some("13");
    Asked {
        method: request.method.unwrap_or_default(),
        path: request.path.unwrap_or_default(),
        host: header("host"),
        origin: header("origin"),
        socket_key: header("sec-websocket-key").filter(|_| upgrade),
    }
}

fn refuse(stream: &mut TcpStream, code: u16, words: &str) -> io::Result<()> {
    let length = words.len();
    // one write, so that the answer is not cut into a packet for every word
    let answer = format!(
        "HTTP/1.1 {code} {words}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{words}"
    );
    stream.write_all(answer.as_bytes())
}

fn send_file(stream: &mut TcpStream, door: &Door, kind: &str, content: &[u8]) -> io::Result<()> {
    let (length, port) = (content.len(), door.port);
    // the page loads nothing from elsewhere, and its address, which has the secret, is told nobody
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nContent-Security-Policy: default-src 'none'; \
         script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src blob:; \
         connect-src 'self' ws://127.0.0.1:{port} ws://localhost:{port}; base-uri 'none'; form-action 'none'\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn door() -> Door {
        Door { port: 80, secret: "s3cret".into() }
    }

    fn socket<'a>(host: &'a str, origin: Option<&'a str>) -> Asked<'a> {
        Asked { method: "GET", path: "/s3cret/socket", host: Some(host), origin, socket_key: Some("key") }
    }

    #[test]
    fn the_page_is_behind_the_secret() {
        let get = |path| {
            door().answer(&Asked { method: "GET", path, host: Some("localhost:80"), ..Asked::default() })
        };
        for path in ["/s3cret/", "/s3cret/viewer.js", "/s3cret/viewer.css"] {
            assert!(matches!(get(path), Answer::File(..)), "{path}");
        }
        for path in
            ["/", "", "/s3cret", "/S3cret/", "/s3cre/", "//", "/s3cret/../s3cret/", "/s3cret/other", "*"]
        {
            assert_eq!(get(path), Answer::Refusal(404, "Not Found"), "{path}");
        }
    }

    #[test]
    fn only_this_machine_is_a_host() {
        for host in [None, Some("evil.example:80"), Some("127.0.0.1"), Some("127.0.0.1:81")] {
            let asked = Asked { method: "GET", path: "/s3cret/", host, ..Asked::default() };
            assert_eq!(door().answer(&asked), Answer::Refusal(403, "Forbidden"), "{host:?}");
        }
    }

    #[test]
    fn sockets_are_opened_by_our_own_page_only() {
        let ours = door().answer(&socket("127.0.0.1:80", Some("http://127.0.0.1:80")));
        assert_eq!(ours, Answer::Socket("key".into()));
        for origin in [
            None,
            Some("null"),
            Some("http://evil.example"),
            Some("https://127.0.0.1:80"),
            Some("http://localhost:80"),
        ] {
            let answer = door().answer(&socket("127.0.0.1:80", origin));
            assert_eq!(answer, Answer::Refusal(403, "Forbidden"), "{origin:?}");
        }
    }

    #[test]
    fn nothing_can_be_posted() {
        let asked =
            Asked { method: "POST", path: "/s3cret/", host: Some("127.0.0.1:80"), ..Asked::default() };
        assert_eq!(door().answer(&asked), Answer::Refusal(405, "Method Not Allowed"));
    }
}
