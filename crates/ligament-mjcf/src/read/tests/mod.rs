//! Reading, as far as it shows in the specification; what only the compiled model shows is tested there.

mod actuators;
mod bodies;
mod classes;
mod robustness;
mod sections;
mod sensors;

use crate::assets::NoAssets;
use crate::{MjcfError, Result, Spec, read_str};

fn read(text: &str) -> Result<Spec> {
    read_str(text, "m.xml", "", &NoAssets)
}

/// Reads what stands inside `<mujoco>`.
fn model(content: &str) -> Spec {
    read(&format!("<mujoco>{content}</mujoco>")).unwrap_or_else(|e| panic!("{content}: {e}"))
}

fn error(content: &str) -> MjcfError {
    match read(&format!("<mujoco>{content}</mujoco>")) {
        Ok(_) => panic!("must be refused: {content}"),
        Err(error) => error,
    }
}

fn world(content: &str) -> Spec {
    model(&format!("<worldbody>{content}</worldbody>"))
}

fn world_error(content: &str) -> MjcfError {
    error(&format!("<worldbody>{content}</worldbody>"))
}
