//! `<sensor>` as data: all kinds, what they observe, sizes, stages, history (spec item 6).

use ligament::{Model, load_model};

fn with_sensor(sensor: &str) -> String {
    format!(
        "<mujoco><asset><mesh name='tet' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>\
         <hfield name='hf' nrow='2' ncol='2' size='1 1 1 1'/></asset><worldbody>\
         <site name='s0' size='.1'/><camera name='c' resolution='4 3'/><geom name='floor' type='plane' size='1 1 1'/>\
         <body name='b1' pos='0 0 1'><joint name='j1' range='-90 90'/><geom name='g1' size='.1'/>\
         <site name='s1' pos='.1 0 0'/></body><body name='b2' pos='1 0 0'><joint name='ball' type='ball'/>\
         <geom name='g2' type='mesh' mesh='tet'/></body><body name='b3'><joint name='loose'/><geom size='.1'/></body>\
         <body><geom name='hills' type='hfield' hfield='hf'/></body></worldbody>\
         <tendon><fixed name='t1' range='-1 3'><joint joint='j1' coef='1'/></fixed>\
         <fixed name='t2'><joint joint='j1' coef='1'/></fixed></tendon>\
         <actuator><motor name='m1' joint='j1' nsample='2'/></actuator>\
         <sensor>{sensor}</sensor></mujoco>"
    )
}

fn load(sensor: &str) -> Model {
    load_model(&with_sensor(sensor)).unwrap_or_else(|error| panic!("{error}"))
}

fn refuse(sensor: &str, phrase: &str) {
    let error = load_model(&with_sensor(sensor)).err().unwrap_or_else(|| panic!("accepted: {sensor}"));
    assert!(error.to_string().contains(phrase), "{error}\nshould contain: {phrase}");
}

/// Sensor, then type, datatype, needstage, objtype, objid, reftype, refid and dim in the reference.
#[rustfmt::skip]
const KINDS: [(&str, [i32; 8]); 50] = [
    ("<touch site='s0'/>", [0, 1, 3, 6, 0, 0, -1, 1]),
    ("<accelerometer site='s1'/>", [1, 0, 3, 6, 1, 0, -1, 3]),
    ("<velocimeter site='s1'/>", [2, 0, 2, 6, 1, 0, -1, 3]),
    ("<gyro site='s1'/>", [3, 0, 2, 6, 1, 0, -1, 3]),
    ("<force site='s1'/>", [4, 0, 3, 6, 1, 0, -1, 3]),
    ("<torque site='s1'/>", [5, 0, 3, 6, 1, 0, -1, 3]),
    ("<magnetometer site='s1'/>", [6, 0, 1, 6, 1, 0, -1, 3]),
    ("<rangefinder site='s1'/>", [7, 0, 1, 6, 1, 0, -1, 1]),
    ("<rangefinder camera='c' data='dist normal'/>", [7, 0, 1, 7, 0, 0, -1, 48]),
    ("<camprojection site='s1' camera='c'/>", [8, 0, 1, 6, 1, 7, 0, 2]),
    ("<jointpos joint='j1'/>", [9, 0, 1, 3, 0, 0, -1, 1]),
    ("<jointvel joint='j1'/>", [10, 0, 2, 3, 0, 0, -1, 1]),
    ("<tendonpos tendon='t1'/>", [11, 0, 1, 18, 0, 0, -1, 1]),
    ("<tendonvel tendon='t1'/>", [12, 0, 2, 18, 0, 0, -1, 1]),
    ("<actuatorpos actuator='m1'/>", [13, 0, 1, 19, 0, 0, -1, 1]),
    ("<actuatorvel actuator='m1'/>", [14, 0, 2, 19, 0, 0, -1, 1]),
    ("<actuatorfrc actuator='m1'/>", [15, 0, 3, 19, 0, 0, -1, 1]),
    ("<jointactuatorfrc joint='j1'/>", [16, 0, 3, 3, 0, 0, -1, 1]),
    ("<tendonactuatorfrc tendon='t1'/>", [17, 0, 3, 18, 0, 0, -1, 1]),
    ("<ballquat joint='ball'/>", [18, 3, 1, 3, 1, 0, -1, 4]),
    ("<ballangvel joint='ball'/>", [19, 0, 2, 3, 1, 0, -1, 3]),
    ("<jointlimitpos joint='j1'/>", [20, 0, 1, 3, 0, 0, -1, 1]),
    ("<jointlimitvel joint='j1'/>", [21, 0, 2, 3, 0, 0, -1, 1]),
    ("<jointlimitfrc joint='j1'/>", [22, 0, 3, 3, 0, 0, -1, 1]),
    ("<tendonlimitpos tendon='t1'/>", [23, 0, 1, 18, 0, 0, -1, 1]),
    ("<tendonlimitvel tendon='t1'/>", [24, 0, 2, 18, 0, 0, -1, 1]),
    ("<tendonlimitfrc tendon='t1'/>", [25, 0, 3, 18, 0, 0, -1, 1]),
    ("<framepos objtype='body' objname='b1'/>", [26, 0, 1, 1, 1, 0, -1, 3]),
    ("<framequat objtype='xbody' objname='b1' reftype='site' refname='s0'/>", [27, 3, 1, 2, 1, 6, 0, 4]),
    ("<framexaxis objtype='geom' objname='g1'/>", [28, 2, 1, 5, 1, 0, -1, 3]),
    ("<frameyaxis objtype='site' objname='s1'/>", [29, 2, 1, 6, 1, 0, -1, 3]),
    ("<framezaxis objtype='camera' objname='c'/>", [30, 2, 1, 7, 0, 0, -1, 3]),
    ("<framelinvel objtype='body' objname='b2'/>", [31, 0, 2, 1, 2, 0, -1, 3]),
    ("<frameangvel objtype='body' objname='b2'/>", [32, 0, 2, 1, 2, 0, -1, 3]),
    ("<framelinacc objtype='body' objname='b2'/>", [33, 0, 3, 1, 2, 0, -1, 3]),
    ("<frameangacc objtype='body' objname='b2'/>", [34, 0, 3, 1, 2, 0, -1, 3]),
    ("<subtreecom body='b1'/>", [35, 0, 1, 1, 1, 0, -1, 3]),
    ("<subtreelinvel body='b1'/>", [36, 0, 2, 1, 1, 0, -1, 3]),
    ("<subtreeangmom body='b1'/>", [37, 0, 2, 1, 1, 0, -1, 3]),
    ("<insidesite site='s0' objtype='geom' objname='g1'/>", [38, 1, 1, 5, 1, 6, 0, 1]),
    ("<distance geom1='g1' geom2='g2'/>", [39, 0, 1, 5, 1, 5, 2, 1]),
    ("<normal body1='b1' body2='b2'/>", [40, 2, 1, 1, 1, 1, 2, 3]),
    ("<fromto geom1='g1' body2='b2'/>", [41, 0, 1, 5, 1, 1, 2, 6]),
    ("<contact geom1='g1' data='found force dist' num='3' reduce='mindist'/>", [42, 0, 3, 5, 1, 0, -1, 15]),
    ("<contact/>", [42, 0, 3, 0, -1, 0, -1, 1]),
    ("<e_potential/>", [43, 0, 1, 0, -1, 0, -1, 1]),
    ("<e_kinetic/>", [44, 0, 1, 0, -1, 0, -1, 1]),
    ("<clock/>", [45, 0, 1, 0, -1, 0, -1, 1]),
    ("<tactile geom='g1' mesh='tet'/>", [46, 0, 3, 10, 0, 5, 1, 12]),
    ("<user dim='5' datatype='positive' needstage='vel'/>", [48, 1, 2, 0, -1, 0, -1, 5]),
];

/// F6.2, F6.3, F6.4, F6.5: every kind of sensor with target, stage and size; addresses are consecutive
#[test]
fn all_kinds() {
    let elements: String = KINDS.iter().map(|(element, _)| *element).collect();
    let m = load(&elements);
    assert_eq!(m.nsensor, KINDS.len());
    let mut address = 0;
    for (i, (element, expected)) in KINDS.iter().enumerate() {
        let found = [
            m.sensor_type[i],
            m.sensor_datatype[i],
            m.sensor_needstage[i],
            m.sensor_objtype[i],
            m.sensor_objid[i],
            m.sensor_reftype[i],
            m.sensor_refid[i],
            m.sensor_dim[i],
        ];
        assert_eq!(found, *expected, "{element}");
        assert_eq!(m.sensor_adr[i], address, "{element}");
        address += expected[7];
    }
    assert_eq!(m.nsensordata, address as usize);
}

/// F6.3: fields of ray and contact reports as bits, reduction and number of contacts
#[test]
fn report_parameters() {
    let m = load(
        "<rangefinder camera='c' data='dist normal'/><contact geom1='g1' data='found force dist' num='3' reduce='mindist'/>\
         <contact/>",
    );
    assert_eq!(m.sensor_intprm, [[17, 0, 0], [11, 1, 3], [1, 0, 1]]);
}

/// F6.12: unknown targets are errors with the name in them
#[test]
fn unknown_targets() {
    refuse("<jointpos joint='nope'/>", "unrecognized name 'nope' of sensorized object");
    refuse("<gyro site='nope'/>", "unrecognized name 'nope' of sensorized object");
    refuse("<subtreecom body='nope'/>", "unrecognized name 'nope' of sensorized object");
    refuse("<tendonpos tendon='nope'/>", "unrecognized name 'nope' of sensorized object");
    refuse("<actuatorpos actuator='nope'/>", "unrecognized name 'nope' of sensorized object");
    refuse(
        "<framepos objtype='body' objname='b1' reftype='site' refname='nope'/>",
        "unrecognized name 'nope' of object",
    );
    refuse("<jointpos joint='j11'/>", "did you mean 'j1'?");
}

/// F6.10: unknown kinds of sensors are errors
#[test]
fn unknown_kind() {
    refuse("<nosuchsensor site='s0'/>", "");
}

/// F6.5: targets that cannot be observed that way
#[test]
fn wrong_targets() {
    refuse("<jointpos joint='ball'/>", "joint must be slide or hinge in sensor");
    refuse("<ballquat joint='j1'/>", "joint must be ball in sensor");
    refuse("<jointlimitpos joint='loose'/>", "joint must be limited in sensor");
    refuse("<tendonlimitpos tendon='t2'/>", "tendon must be limited in sensor");
    refuse(
        "<framepos objtype='joint' objname='j1'/>",
        "sensor must be attached to (x)body, geom, site or camera",
    );
    refuse(
        "<framepos objtype='body' objname='b1' reftype='joint' refname='j1'/>",
        "reference frame object must be (x)body, geom, site or camera in sensor",
    );
    refuse("<distance geom1='g1' geom2='g1'/>", "1st body/geom must be different from 2nd body/geom");
    refuse(
        "<distance geom1='g1' geom2='hills'/>",
        "height fields are not supported in geom distance sensors",
    );
}

/// F6.3: numbers that make no sense
#[test]
fn wrong_numbers() {
    refuse("<clock noise='-1'/>", "negative noise in sensor");
    refuse("<clock cutoff='-1'/>", "negative cutoff in sensor");
    refuse("<clock interval='-1 0'/>", "negative interval in sensor");
    refuse("<clock interval='1 .5'/>", "positive phase in sensor");
    refuse("<clock interval='1 -2'/>", "phase must be greater than -period in sensor");
    refuse("<clock delay='.1'/>", "setting delay > 0 without a history buffer");
    refuse(
        "<framexaxis objtype='body' objname='b1' cutoff='1'/>",
        "cutoff applied to axis or quaternion datatype",
    );
    refuse("<ballquat joint='ball' cutoff='1'/>", "cutoff applied to axis or quaternion datatype");
    refuse("<user dim='2' datatype='axis'/>", "datatype AXIS requires dim=3 in sensor");
    refuse("<user dim='2' datatype='quaternion'/>", "datatype QUATERNION requires dim=4 in sensor");
    assert_eq!(load("<normal geom1='g1' geom2='g2' cutoff='1'/>").sensor_cutoff, [1.0]);
}

/// F6.3: history buffers stand after those of actuators and grow with the size of the sensor
#[test]
fn history() {
    let m = load("<clock/><gyro site='s1' nsample='3' delay='.01' interval='.1 -.05'/><clock nsample='2'/>");
    assert_eq!(m.actuator_historyadr, [0]);
    assert_eq!(m.sensor_historyadr, [-1, 6, 20]);
    assert_eq!(m.sensor_history, [[0, 0], [3, 0], [2, 0]]);
    assert_eq!(m.nhistory, 26);
    assert_eq!((m.sensor_delay[1], m.sensor_interval[1]), (0.01, [0.1, -0.05]));
}

fn simulated(xml: &str, prepare: impl Fn(&mut ligament::Data)) -> ligament::Data {
    let m = load_model(xml).unwrap_or_else(|error| panic!("{error}"));
    let mut d = ligament::sim::reset::make_data(&m).unwrap();
    prepare(&mut d);
    ligament::sim::step::forward(&m, &mut d).unwrap();
    d
}

/// F6.1: magnetic field, wind and medium come from the options
#[test]
fn surroundings() {
    let plain = load_model("<mujoco><option/></mujoco>").unwrap();
    assert_eq!((plain.opt.magnetic, plain.opt.wind), ([0.0, -0.5, 0.0], [0.0; 3]));
    assert_eq!((plain.opt.density, plain.opt.viscosity), (0.0, 0.0));
    let m = load_model(
        "<mujoco><option magnetic='1 2 3' wind='4 5 6' density='1.2' viscosity='.01'/><worldbody/></mujoco>",
    )
    .unwrap();
    assert_eq!((m.opt.magnetic, m.opt.wind), ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]));
    assert_eq!((m.opt.density, m.opt.viscosity), (1.2, 0.01));
}

/// F6.6: sensors of actuators read the stored length and velocity
#[test]
fn actuator_sensors() {
    let d = simulated(&with_sensor("<actuatorpos actuator='m1'/><actuatorvel actuator='m1'/>"), |d| {
        (d.qpos[0], d.qvel[0]) = (0.3, -0.7)
    });
    assert_eq!(d.sensordata, [0.3, -0.7]);
    assert_eq!(d.sensordata, [d.actuator_length[0], d.actuator_velocity[0]]);
}

/// F6.7: the magnetometer needs positions only
#[test]
fn magnetometer_after_positions() {
    let m = load_model(&with_sensor("<magnetometer site='s1'/><gyro site='s1'/>")).unwrap();
    let mut d = ligament::sim::reset::make_data(&m).unwrap();
    (d.qpos[0], d.qvel[0]) = (std::f64::consts::FRAC_PI_2, 3.0);
    ligament::sim::step::fwd_position(&m, &mut d);
    ligament::sim::sensor::sensor_pos(&m, &mut d);
    let want = [-0.5, 0.0, 0.0, 0.0, 0.0, 0.0];
    assert!(d.sensordata.iter().zip(want).all(|(x, y)| (x - y).abs() < 1e-15), "{:?}", d.sensordata);
}

/// F6.11: forces, distances and velocities of violated limits (numbers from MuJoCo 3.5.0)
#[test]
fn sensors_of_limits() {
    let d = simulated(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j' type='slide' range='-.1 .1'/><geom size='.1' mass='1'/>\
         </body><body pos='1 0 0'><joint name='k' type='slide'/><geom size='.1' mass='1'/></body></worldbody>\
         <tendon><fixed name='t' range='-.2 .2'><joint joint='k' coef='2'/></fixed></tendon>\
         <sensor><jointlimitfrc joint='j'/><tendonlimitfrc tendon='t'/><jointlimitpos joint='j'/><tendonlimitvel tendon='t'/>\
         </sensor></mujoco>",
        |d| {
            d.qpos.copy_from_slice(&[0.15, -0.2]);
            d.qvel.copy_from_slice(&[0.1, 0.2]);
        },
    );
    let want = [134.99999999999994, 114.99999999999964, -0.04999999999999999, 0.4];
    assert!(d.sensordata.iter().zip(want).all(|(x, y)| (x - y).abs() < 1e-9), "{:?}", d.sensordata);
}
