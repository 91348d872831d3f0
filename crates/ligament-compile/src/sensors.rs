//! `<sensor>`: what a sensor observes, when it can be computed, how many numbers it gives.

mod kinds;

use crate::actuators::check_history;
use crate::error::fail_at;
use crate::index::Index;
use crate::plugins::Plugins;
use crate::report::{unknown, user_data, user_width};
use crate::tendons::CompiledTendon;
use crate::tree::Tree;
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::{Sensor, Spec};
use ligament_model::enums::{DataType, ObjType, SensorType, Stage};
use ligament_model::model::{Model, Sizes};

/// What sensors may refer to.
pub struct Observed<'c, 's> {
    pub index: &'c Index,
    pub tree: &'c Tree<'s>,
    pub tendons: &'c [CompiledTendon<'s>],
    pub plugins: &'c Plugins,
    /// Number of vertices of every mesh.
    pub mesh_vertices: &'c [usize],
}

/// A compiled sensor.
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledSensor<'s> {
    pub spec: &'s Sensor,
    pub object: Option<usize>,
    pub reference: Option<usize>,
    pub datatype: DataType,
    pub needstage: Stage,
    pub dim: usize,
    pub user: Vec<f64>,
    /// Plugin instance; -1 for none.
    pub plugin: i32,
}

impl CompiledSensor<'_> {
    /// Numbers in its history buffer: user value, cursor, times and values.
    pub fn history(&self) -> usize {
        match self.spec.nsample {
            n if n > 0 => (n as usize).saturating_mul(self.dim.saturating_add(1)).saturating_add(2),
            _ => 0,
        }
    }
}

/// Compiles sensors.
pub fn compile_sensors<'s>(spec: &'s Spec, observed: &Observed<'_, 's>) -> Result<Vec<CompiledSensor<'s>>> {
    let width = user_width(spec.size.nuser_sensor, spec.sensors.iter().map(|x| x.userdata.len()));
    spec.sensors.iter().map(|sensor| compile_sensor(sensor, width, observed)).collect()
}

fn compile_sensor<'s>(
    sensor: &'s Sensor,
    width: usize,
    observed: &Observed<'_, 's>,
) -> Result<CompiledSensor<'s>> {
    let user = user_data(ObjType::Sensor, &sensor.meta, &sensor.userdata, width)?;
    check_numbers(sensor)?;
    let mut compiled = CompiledSensor {
        spec: sensor,
        object: find_object(sensor, observed.index)?,
        reference: find_reference(sensor, observed.index)?,
        datatype: kinds::datatype(sensor),
        needstage: kinds::needstage(sensor),
        dim: 0,
        user,
        plugin: -1,
    };
    kinds::check(&compiled, observed)?;
    if sensor.kind == SensorType::Plugin {
        let Some(id) = observed.plugins.instance(sensor.plugin.as_ref()) else {
            let message = "neither 'plugin' nor 'instance' is specified for sensor";
            return Err(fail_at(ObjType::Sensor, &sensor.meta, message));
        };
        compiled.plugin = id as i32;
        compiled.needstage = observed.plugins.instances[id].kind().needstage;
    }
    compiled.dim = kinds::dim(&compiled, observed);
    let directed = match compiled.datatype {
        DataType::Quaternion => true,
        DataType::Axis => sensor.kind != SensorType::Geomnormal,
        DataType::Real | DataType::Positive => false,
    };
    if sensor.cutoff > 0.0 && directed {
        let message = "cutoff applied to axis or quaternion datatype in sensor";
        return Err(fail_at(ObjType::Sensor, &sensor.meta, message));
    }
    Ok(compiled)
}

/// Noise, cutoff, interval and delay.
fn check_numbers(sensor: &Sensor) -> Result<()> {
    let [period, phase] = sensor.interval;
    let complaints = [
        (sensor.noise < 0.0, "negative noise in sensor"),
        (sensor.cutoff < 0.0, "negative cutoff in sensor"),
        (period < 0.0, "negative interval in sensor"),
        (phase > 0.0, "positive phase in sensor"),
        (period > 0.0 && phase <= -period, "phase must be greater than -period in sensor"),
    ];
    if let Some((_, message)) = complaints.iter().find(|(wrong, _)| *wrong) {
        return Err(fail_at(ObjType::Sensor, &sensor.meta, *message));
    }
    check_history(ObjType::Sensor, &sensor.meta, sensor.delay, sensor.nsample)
}

/// Id of what is observed; some kinds observe nothing in particular.
fn find_object(sensor: &Sensor, index: &Index) -> Result<Option<usize>> {
    let name = &sensor.objname;
    if sensor.objtype == ObjType::Unknown {
        let without = [
            SensorType::EPotential,
            SensorType::EKinetic,
            SensorType::Clock,
            SensorType::Plugin,
            SensorType::Contact,
            SensorType::User,
        ];
        if without.contains(&sensor.kind) {
            return Ok(None);
        }
        return Err(fail_at(ObjType::Sensor, &sensor.meta, "invalid type in sensor"));
    }
    if name.is_empty() {
        let message = "missing name of sensorized object in sensor";
        return Err(fail_at(ObjType::Sensor, &sensor.meta, message));
    }
    index.get(sensor.objtype, name).map(Some).ok_or_else(|| {
        let message = format!("unrecognized name '{name}' of sensorized object");
        unknown(ObjType::Sensor, &sensor.meta, message, index, sensor.objtype, name)
    })
}

/// Id of the frame or second object the observation is relative to.
fn find_reference(sensor: &Sensor, index: &Index) -> Result<Option<usize>> {
    let name = &sensor.refname;
    if sensor.reftype == ObjType::Unknown {
        return Ok(None);
    }
    if name.is_empty() {
        let message = "missing name of reference frame object in sensor";
        return Err(fail_at(ObjType::Sensor, &sensor.meta, message));
    }
    let Some(id) = index.get(sensor.reftype, name) else {
        let message = format!("unrecognized name '{name}' of object");
        return Err(unknown(ObjType::Sensor, &sensor.meta, message, index, sensor.reftype, name));
    };
    if !kinds::is_frame(sensor.reftype) {
        let message = "reference frame object must be (x)body, geom, site or camera in sensor";
        return Err(fail_at(ObjType::Sensor, &sensor.meta, message));
    }
    Ok(Some(id))
}

/// Adds to the sizes of the model; to be called after the actuators' history is counted.
pub fn count_sensors(sensors: &[CompiledSensor<'_>], sizes: &mut Sizes) {
    sizes.nsensor = sensors.len();
    sizes.nsensordata = sensors.iter().map(|s| s.dim).sum();
    sizes.nhistory += sensors.iter().map(CompiledSensor::history).sum::<usize>();
}

/// Writes the arrays of the model; `history` is where the actuators' history buffers end.
pub fn write_sensors(sensors: &[CompiledSensor<'_>], mut history: usize, model: &mut Model) {
    let id = |object: Option<usize>| object.map_or(-1, |id| id as i32);
    let mut address = 0;
    for (i, sensor) in sensors.iter().enumerate() {
        let spec = sensor.spec;
        model.sensor_type[i] = spec.kind as i32;
        model.sensor_datatype[i] = sensor.datatype as i32;
        model.sensor_needstage[i] = sensor.needstage as i32;
        model.sensor_objtype[i] = spec.objtype as i32;
        model.sensor_objid[i] = id(sensor.object);
        model.sensor_reftype[i] = spec.reftype as i32;
        model.sensor_refid[i] = id(sensor.reference);
        model.sensor_intprm[i] = spec.intprm;
        model.sensor_dim[i] = sensor.dim as i32;
        model.sensor_adr[i] = address;
        address += sensor.dim as i32;
        model.sensor_cutoff[i] = spec.cutoff;
        model.sensor_noise[i] = spec.noise;
        model.sensor_delay[i] = spec.delay;
        model.sensor_history[i] = [spec.nsample, spec.interp];
        model.sensor_interval[i] = spec.interval;
        model.sensor_historyadr[i] = if spec.nsample > 0 { history as i32 } else { -1 };
        history += sensor.history();
        model.sensor_plugin[i] = sensor.plugin;
        let width = sensor.user.len();
        model.sensor_user[i * width..(i + 1) * width].copy_from_slice(&sensor.user);
    }
}
