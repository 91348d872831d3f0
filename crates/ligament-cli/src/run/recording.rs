//! A trajectory: state, controls, sensors and energy, one row per recorded step.

use ligament::prelude::*;

/// A quantity with one row per recorded step.
pub struct Column {
    pub name: &'static str,
    /// Numbers in a row.
    pub width: usize,
    /// Names of the numbers.
    pub labels: Vec<String>,
    pub values: Vec<f64>,
}

impl Column {
    fn new(name: &'static str, labels: Vec<String>) -> Self {
        Self { name, width: labels.len(), labels, values: Vec::new() }
    }

    /// Values over time of one of its numbers.
    pub fn series(&self, index: usize) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().skip(index).step_by(self.width).copied()
    }
}

pub struct Recording {
    pub time: Vec<f64>,
    pub columns: Vec<Column>,
}

impl Recording {
    pub fn new(m: &Model) -> Self {
        let joints = |prefix: &str, address: &[i32], total: usize| {
            let parts = (0..m.njnt).map(|j| {
                let end = address.get(j + 1).map_or(total, |&a| a as usize);
                (label(m, ObjType::Joint, j), end - address[j] as usize)
            });
            expand(prefix, parts)
        };
        let actuators = (0..m.nu).map(|i| (label(m, ObjType::Actuator, i), 1));
        let activations = (0..m.nu).map(|i| (label(m, ObjType::Actuator, i), m.actuator_actnum[i] as usize));
        let sensors = (0..m.nsensor).map(|i| (label(m, ObjType::Sensor, i), m.sensor_dim[i] as usize));
        let columns = vec![
            Column::new("qpos", joints("qpos", &m.jnt_qposadr, m.nq)),
            Column::new("qvel", joints("qvel", &m.jnt_dofadr, m.nv)),
            Column::new("act", expand("act", activations)),
            Column::new("ctrl", expand("ctrl", actuators)),
            Column::new("sensordata", expand("sensordata", sensors)),
            Column::new("energy", vec!["energy.potential".into(), "energy.kinetic".into()]),
        ];
        Self { time: Vec::new(), columns }
    }

    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Keeps the state that a step starts from.
    pub fn begin_row(&mut self, d: &Data) {
        self.time.push(d.time);
        self.extend("qpos", &d.qpos);
        self.extend("qvel", &d.qvel);
        self.extend("act", &d.act);
    }

    /// Keeps what the step computed from that state.
    pub fn end_row(&mut self, d: &Data) {
        self.extend("ctrl", &d.ctrl);
        self.extend("sensordata", &d.sensordata);
        self.extend("energy", &d.energy);
    }

    fn extend(&mut self, name: &str, row: &[f64]) {
        if let Some(column) = self.columns.iter_mut().find(|column| column.name == name) {
            column.values.extend_from_slice(row);
        }
    }
}

fn label(m: &Model, kind: ObjType, id: usize) -> String {
    m.name(kind, id).map_or_else(|| id.to_string(), Into::into)
}

/// `qpos.knee` for a single number, `qpos.root.0`, `qpos.root.1`, … for several.
fn expand(prefix: &str, parts: impl Iterator<Item = (String, usize)>) -> Vec<String> {
    let mut labels = Vec::new();
    for (name, count) in parts {
        match count {
            1 => labels.push(format!("{prefix}.{name}")),
            _ => labels.extend((0..count).map(|i| format!("{prefix}.{name}.{i}"))),
        }
    }
    labels
}
