//! Saved models reload to the same model.

use ligament::{DiskAssets, Model, Spec, compile, parse_mjcf_str};
use ligament_model::array::ArrayRef;

fn close(a: f64, b: f64) -> bool {
    (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-12 * (1.0 + a.abs().max(b.abs()))
}

/// First field that differs.
fn difference(a: &Model, b: &Model) -> Option<String> {
    for field in Model::FIELDS {
        let same = match ((field.get)(a), (field.get)(b)) {
            (ArrayRef::F64(x), ArrayRef::F64(y)) => {
                x.len() == y.len() && x.iter().zip(y).all(|(x, y)| close(*x, *y))
            }
            (ArrayRef::F32(x), ArrayRef::F32(y)) => {
                x.len() == y.len() && x.iter().zip(y).all(|(x, y)| close(f64::from(*x), f64::from(*y)))
            }
            (x, y) => x == y,
        };
        // where files lie is not part of the model
        if !same && !matches!(field.name, "paths" | "names" | "text_data") {
            return Some(format!("{}: {:?} / {:?}", field.name, (field.get)(a), (field.get)(b)));
        }
    }
    (a.names != b.names).then(|| "names".into())
}

/// Saves, reloads, compiles both and compares.
fn check(spec: &Spec) -> Result<(), String> {
    let first = compile(spec, &DiskAssets).map_err(|e| format!("compile: {e}"))?;
    let text = ligament_mjcf::write_compiled(spec, &first).map_err(|e| format!("write: {e}"))?;
    let dir = &spec.compiler().modeldir;
    let again =
        ligament_mjcf::read_str(&text, "saved.xml", dir, &DiskAssets).map_err(|e| format!("reload: {e}"))?;
    let second = compile(&again, &DiskAssets).map_err(|e| format!("recompile: {e}\n{text}"))?;
    difference(&first, &second).map_or(Ok(()), |d| Err(format!("{}\n{text}", &d[..d.len().min(2000)])))
}

fn check_text(xml: &str) {
    check(&parse_mjcf_str(xml).unwrap()).unwrap();
}

/// Angles in degrees, Euler sequences, frames, classes and inertias come back as they were.
#[test]
fn a_tree_with_frames_and_classes() {
    check_text(
        r#"<mujoco><compiler eulerseq="zyx" autolimits="true"/>
        <default><joint damping="1"/><default class="c"><geom type="capsule" size="0.1 0.2" euler="10 20 30"/></default></default>
        <worldbody><frame pos="1 2 3" euler="30 0 0">
          <body name="a" childclass="c" euler="5 6 7"><joint name="j" range="-30 60" ref="5" axis="1 2 3"/><geom/>
            <frame axisangle="1 1 0 40"><geom fromto="0 0 0 1 1 1" class="c"/><site name="s" zaxis="1 0 1"/>
              <body name="b"><joint type="ball" range="0 50"/><geom class="main" size="0.3"/></body></frame>
            <geom name="last" pos="0 0 1"/></body></frame>
          <body name="d" pos="0 0 2"><freejoint/><inertial pos="0 0 0.1" mass="3" fullinertia="2 2.5 3 0.1 0.2 0.3"/></body>
        </worldbody>
        <actuator><position joint="j" inheritrange="1" kp="3"/></actuator>
        <keyframe><key qpos="0.1 1 0 0 0 0 0 1 1 0 0 0"/></keyframe></mujoco>"#,
    );
}

/// What macros made is saved element by element.
#[test]
fn flexes_and_cables() {
    check_text(
        r#"<mujoco><worldbody>
        <body name="b"><flexcomp name="f" type="grid" count="3 3 1" radius="0.001"><edge equality="true"/><pin id="0 1"/></flexcomp>
          <flexcomp name="t" type="box" dim="3" count="3 3 3" radius="0.001" dof="trilinear"><elasticity young="10"/><contact selfcollide="none"/></flexcomp></body>
        <composite prefix="c" type="cable" curve="cos(s) sin(s) s" count="6 1 1" size="1 0.3 2" initial="none">
          <geom type="box" size="0.01 0.02 0.03"/><joint kind="main" damping="0.1"/></composite></worldbody></mujoco>"#,
    );
}

/// Parts of an attached model keep their meaning in a file with other settings.
#[test]
fn attached_models_with_other_settings() {
    use ligament::spec::{AttachPoint, BodyId};
    let child = parse_mjcf_str(
        r#"<mujoco><compiler angle="radian" eulerseq="XYZ"/><default><default class="x"><geom size="0.2"/></default></default>
        <worldbody><body name="b" euler="0.1 0.2 0.3"><joint name="j" range="-1 1"/><geom class="x"/></body></worldbody>
        <actuator><motor name="m" joint="j"/></actuator><keyframe><key name="k" qpos="0.5" ctrl="2"/></keyframe></mujoco>"#,
    )
    .unwrap();
    let mut spec = parse_mjcf_str(
        r#"<mujoco><worldbody><body><joint type="slide"/><geom size="1"/></body></worldbody></mujoco>"#,
    )
    .unwrap();
    let at = AttachPoint { body: BodyId(0), frame: None };
    spec.attach_body(at, &child, BodyId(1), "p_", "").unwrap();
    check(&spec).unwrap();
    let model = compile(&spec, &DiskAssets).unwrap();
    assert_eq!(model.key_qpos, [0.0, 0.5]);
    assert_eq!(model.jnt_range[1], [-1.0, 1.0]);
    assert_eq!(model.key_ctrl, [2.0]);
}

/// P18.22: a robot description saved as MJCF is the same robot.
#[test]
fn urdf_becomes_mjcf() {
    check_text(
        r#"<robot name="r"><link name="base"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
        <link name="arm"><inertial><origin xyz="0 0 0.1"/><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0.1" ixz="0" iyz="0"/></inertial></link>
        <joint name="j" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 1" rpy="0.1 0.2 0.3"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="3"/></joint></robot>"#,
    );
}
