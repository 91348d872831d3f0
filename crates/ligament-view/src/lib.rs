//! The viewer: a page in the browser that shows a simulation and lets the user take hold of it.
//!
//! - [`Server`] serves the page and its socket to this machine alone, under an address that nobody can guess.
//! - [`Session`] is what a viewer knows beside the model and the state: camera, options, what is pulled, the clock. It
//!   obeys [`Command`]s from the page, advances the simulation and shows it.
//! - [`Recording`] keeps what a session showed as one file that plays anywhere.
//!
//! Messages to the page are lists of sections ([`message`]); the first one is JSON and says what the others are. The
//! page sends JSON, and files that were dropped on it as sections.
//!
//! ```no_run
//! use ligament::prelude::*;
//! use ligament_view::{Server, Session};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let model = ligament::load_model("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")?;
//! let mut data = model.make_data()?;
//! let server = Server::start(0)?;
//! println!("{}", server.address());
//! let mut session = Session::new(&model, "ball");
//! server.show_model(session.describe(&model));
//! loop {
//!     session.turn(&model, &mut data, &server)?;
//! }
//! # }
//! ```

#![warn(missing_docs)]

mod clock;
mod command;
mod connection;
mod describe;
mod frame;
mod history;
mod http;
mod keyframe;
pub mod message;
mod recording;
mod server;
mod session;
mod state;

pub use command::{Command, Pick};
pub use connection::Event;
pub use keyframe::keyframe;
pub use recording::Recording;
pub use server::{Server, Ticket};
pub use session::{Edit, Image, Mode, Request, Session, Text, ViewError, notice};
pub use state::carry_over;

/// Time between two frames.
pub const FRAME: std::time::Duration = std::time::Duration::from_micros(16_667);
