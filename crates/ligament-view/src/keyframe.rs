//! A state as a keyframe of MJCF.

use ligament_model::{Data, Model};
use std::fmt::Write;

/// The state as an element `<key>`, to be pasted into a model; numbers are written so that they come back exactly.
pub fn keyframe(m: &Model, d: &Data) -> String {
    let mut text = format!("<key time=\"{}\"", d.time);
    let mut attribute = |name: &str, numbers: &[f64]| {
        if !numbers.is_empty() {
            let words: Vec<String> = numbers.iter().map(f64::to_string).collect();
            let _ = write!(text, " {name}=\"{}\"", words.join(" ")); // writing to a string cannot fail
        }
    };
    attribute("qpos", &d.qpos);
    attribute("qvel", &d.qvel);
    attribute("act", &d.act);
    attribute("ctrl", &d.ctrl);
    if m.nmocap > 0 {
        attribute("mpos", d.mocap_pos.as_flattened());
        attribute("mquat", d.mocap_quat.as_flattened());
    }
    text.push_str("/>");
    text
}
