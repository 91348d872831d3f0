//! A summary for people.

use super::summary::{Body, Summary};
use std::fmt::{self, Display, Formatter};

/// Terminal sequences; taken out again where the output is no terminal.
const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";

/// Sizes that are worth a look.
const COUNTS: &[(&str, &str)] = &[
    ("nbody", "bodies, with the world"),
    ("njnt", "joints"),
    ("nq", "position coordinates"),
    ("nv", "degrees of freedom"),
    ("ngeom", "geoms"),
    ("nsite", "sites"),
    ("nmesh", "meshes"),
    ("nflex", "flexes"),
    ("ntendon", "tendons"),
    ("neq", "equality constraints"),
    ("nu", "actuators"),
    ("na", "activations"),
    ("nsensor", "sensors"),
    ("nkey", "keyframes"),
];

impl Display for Summary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{BOLD}{}{PLAIN}  total mass {} kg", or_dash(&self.model), number(self.total_mass))?;
        heading(f, "sizes")?;
        for (name, meaning) in COUNTS {
            if let Some(count) = self.sizes.get(name).filter(|count| **count > 0) {
                writeln!(f, "  {name:<8} {count:>6}  {DIM}{meaning}{PLAIN}")?;
            }
        }
        self.options(f)?;
        heading(f, "bodies")?;
        self.tree(f)?;
        self.lists(f)
    }
}

impl Summary {
    fn options(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let o = &self.options;
        heading(f, "options")?;
        writeln!(f, "  timestep {}, gravity {}", number(o.timestep), numbers(&o.gravity))?;
        writeln!(
            f,
            "  integrator {}, solver {}, cone {}, jacobian {}, iterations {}, tolerance {}",
            o.integrator,
            o.solver,
            o.cone,
            o.jacobian,
            o.iterations,
            number(o.tolerance)
        )?;
        for (title, flags) in [("disabled", &o.disabled), ("enabled", &o.enabled)] {
            if !flags.is_empty() {
                writeln!(f, "  {title}: {}", flags.join(", "))?;
            }
        }
        Ok(())
    }

    /// The bodies, each below its parent. Bodies are numbered depth first, so their order is that of the tree.
    fn tree(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut depths = vec![0usize; self.bodies.len()];
        for body in &self.bodies {
            if body.id > 0 {
                depths[body.id] = depths[body.parent] + 1;
            }
            let label = format!("{}{}", "  ".repeat(depths[body.id]), title(&body.name, "body", body.id));
            writeln!(f, "  {label:<32} {:>10} kg  {}", number(body.mass), self.joints_of(body))?;
        }
        Ok(())
    }

    fn joints_of(&self, body: &Body) -> String {
        let joints = body.joints.iter().map(|&id| {
            let joint = &self.joints[id];
            let range = joint.range.map(|range| format!(" [{}]", numbers(&range))).unwrap_or_default();
            format!("{} {}{range}", joint.kind, title(&joint.name, "joint", id))
        });
        let mut parts: Vec<String> = joints.collect();
        if body.mocap {
            parts.push("mocap".into());
        }
        parts.join(", ")
    }

    fn lists(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let range = |range: Option<[f64; 2]>| range.map(|r| format!("[{}]", numbers(&r))).unwrap_or_default();
        let tendons = self.tendons.iter().map(|t| (title(&t.name, "tendon", t.id), range(t.range)));
        list(f, "tendons", tendons)?;
        let equalities = self.equalities.iter().map(|e| {
            let active = if e.active { "" } else { " (inactive)" };
            (title(&e.name, "equality", e.id), format!("{}{active}", e.kind))
        });
        list(f, "equality constraints", equalities)?;
        let actuators = self.actuators.iter().map(|a| {
            let text = format!("{} {} {}", a.transmission, or_dash(&a.target), range(a.ctrlrange));
            (title(&a.name, "actuator", a.id), text)
        });
        list(f, "actuators", actuators)?;
        let sensors = self.sensors.iter().map(|s| {
            (title(&s.name, "sensor", s.id), format!("{} {} ({})", s.kind, or_dash(&s.object), s.dim))
        });
        list(f, "sensors", sensors)?;
        let keys = self.keyframes.iter().map(|k| (title(&k.name, "key", k.id), format!("time {}", k.time)));
        list(f, "keyframes", keys)
    }
}

fn list(f: &mut Formatter<'_>, name: &str, rows: impl Iterator<Item = (String, String)>) -> fmt::Result {
    for (i, (label, text)) in rows.enumerate() {
        if i == 0 {
            heading(f, name)?;
        }
        writeln!(f, "  {label:<24} {}", text.trim_end())?;
    }
    Ok(())
}

fn heading(f: &mut Formatter<'_>, name: &str) -> fmt::Result {
    writeln!(f, "\n{BOLD}{name}{PLAIN}")
}

/// A name, or kind and number where there is none.
fn title(name: &str, kind: &str, id: usize) -> String {
    if name.is_empty() { format!("{kind} {id}") } else { name.to_string() }
}

fn or_dash(text: &str) -> &str {
    if text.is_empty() { "-" } else { text }
}

/// A number with as many digits as people read.
pub fn number(x: f64) -> String {
    let magnitude = x.abs();
    if x == 0.0 || (1e-3..1e6).contains(&magnitude) {
        let text = format!("{x:.4}");
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        format!("{x:.3e}")
    }
}

fn numbers(values: &[f64]) -> String {
    values.iter().map(|&x| number(x)).collect::<Vec<_>>().join(" ")
}
