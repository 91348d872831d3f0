//! `<custom>` and `<keyframe>` as data (spec items of the element table).

use ligament::{Model, load_model};

fn with_sections(sections: &str) -> String {
    format!(
        "<mujoco><worldbody>\
         <body name='b1' pos='1 2 3' quat='0 1 0 0'><freejoint name='free'/><geom name='g1' size='.1'/></body>\
         <body name='b2'><joint name='j2' ref='90'/><geom size='.1'/>\
         <body name='b3'><joint name='ball' type='ball'/><geom size='.1'/></body></body>\
         <body name='target' mocap='true' pos='.1 .2 .3' quat='0 0 2 0'/></worldbody>\
         <actuator><general name='act' joint='j2' dyntype='filter'/></actuator>{sections}</mujoco>"
    )
}

fn load(sections: &str) -> Model {
    load_model(&with_sections(sections)).unwrap_or_else(|error| panic!("{error}"))
}

fn refuse(sections: &str, phrase: &str) {
    let error = load_model(&with_sections(sections)).err().unwrap_or_else(|| panic!("accepted: {sections}"));
    assert!(error.to_string().contains(phrase), "{error}\nshould contain: {phrase}");
}

/// P18.D12: numbers are padded to their size, texts end with a zero byte
#[test]
fn numbers_and_texts() {
    let m = load(
        "<custom><numeric name='a' data='1 2'/><numeric name='b' size='3' data='4'/><text name='t' data='hey'/>\
         <text name='u' data='x'/></custom>",
    );
    assert_eq!((m.numeric_adr.as_slice(), m.numeric_size.as_slice()), ([0, 2].as_slice(), [2, 3].as_slice()));
    assert_eq!(m.numeric_data, [1.0, 2.0, 4.0, 0.0, 0.0]);
    assert_eq!((m.text_adr.as_slice(), m.text_size.as_slice()), ([0, 4].as_slice(), [4, 2].as_slice()));
    assert_eq!(m.text_data, b"hey\0x\0");
    refuse("<custom><numeric name='a' size='1' data='1 2'/></custom>", "");
    refuse("<custom><text name='a' data=''/></custom>", "");
}

/// P18.D12: tuples name objects of any kind
#[test]
fn tuples() {
    let m = load(
        "<custom><tuple name='t'><element objtype='body' objname='b2' prm='1.5'/>\
         <element objtype='geom' objname='g1'/><element objtype='actuator' objname='act'/></tuple></custom>",
    );
    assert_eq!(m.tuple_size, [3]);
    assert_eq!(m.tuple_objtype, [1, 5, 19]);
    assert_eq!(m.tuple_objid, [2, 0, 0]);
    assert_eq!(m.tuple_objprm, [1.5, 0.0, 0.0]);
    refuse(
        "<custom><tuple name='t'><element objtype='body' objname='nope'/></tuple></custom>",
        "unrecognized object 'nope' in tuple 0",
    );
    refuse("<custom><tuple name='t'/></custom>", "is empty");
}

/// P18.D12: a key without values is the reference state, also keys asked for by number only
#[test]
fn empty_keys() {
    let m = load("<size nkey='2'/><keyframe><key name='home' time='3'/></keyframe>");
    assert_eq!(m.nkey, 2);
    assert_eq!(m.key_time, [3.0, 0.0]);
    let half = std::f64::consts::FRAC_PI_2;
    let reference = [1.0, 2.0, 3.0, 0.0, 1.0, 0.0, 0.0, half, 1.0, 0.0, 0.0, 0.0];
    assert_eq!(m.key_qpos, [reference, reference].concat());
    assert_eq!(m.key_qvel, [0.0; 20]);
    assert_eq!((m.key_act.as_slice(), m.key_ctrl.as_slice()), ([0.0; 2].as_slice(), [0.0; 2].as_slice()));
    assert_eq!(m.key_mpos, [0.1, 0.2, 0.3, 0.1, 0.2, 0.3]);
    assert_eq!(m.key_mquat, [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
}

/// P18.D12: quaternions in keys are normalised
#[test]
fn quaternions_are_normalised() {
    let m = load(
        "<keyframe><key qpos='0 0 0 2 0 0 0 .5 0 3 0 4' mpos='1 1 1' mquat='0 0 0 5' ctrl='7' act='8' \
         qvel='1 2 3 4 5 6 7 8 9 10'/></keyframe>",
    );
    assert_eq!(m.key_qpos, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.6, 0.0, 0.8]);
    assert_eq!(m.key_mquat, [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(m.key_mpos, [1.0, 1.0, 1.0]);
    assert_eq!((m.key_ctrl[0], m.key_act[0], m.key_qvel[9]), (7.0, 8.0, 10.0));
}

/// P18.D12: short values are completed with `ref` (angles as written) and zeros, long ones are an error
#[test]
fn sizes_of_keys() {
    let m = load("<keyframe><key qpos='5 6' qvel='1'/></keyframe>");
    assert_eq!(m.key_qpos, [5.0, 6.0, 0.0, 1.0, 0.0, 0.0, 0.0, 90.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(m.key_qvel, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    refuse(
        "<keyframe><key name='k' qpos='1 2 3 4 5 6 7 8 9 10 11 12 13'/></keyframe>",
        "keyframe 'k': invalid qpos size, expected 12, got 13",
    );
    refuse(
        "<keyframe><key qvel='1 2 3 4 5 6 7 8 9 10 11'/></keyframe>",
        "invalid qvel size, expected 10, got 11",
    );
    refuse("<keyframe><key act='1 2'/></keyframe>", "invalid act size, expected 1, got 2");
    refuse("<keyframe><key ctrl='1 2'/></keyframe>", "invalid ctrl size, expected length 1");
    refuse("<keyframe><key mpos='1 2 3 4'/></keyframe>", "invalid mpos size, expected length 3");
    refuse("<keyframe><key mquat='1 2 3 4 5'/></keyframe>", "invalid mquat size, expected length 4");
}

/// P18.D12: of the copies of an attached model, the first has what its keyframes say
#[test]
fn keys_of_replicated_attachments() {
    let child = "<mujoco model='c'><worldbody><body name='b' pos='1 0 0'><freejoint/><geom size='.1'/></body>\
                 </worldbody><keyframe><key name='k' qpos='5 6 7 0 1 0 0'/></keyframe></mujoco>";
    let assets = ligament::MemoryAssets([("c.xml".to_string(), child.as_bytes().to_vec())].into());
    let m = ligament::load_model_with_assets(
        "<mujoco><asset><model name='c' file='c.xml'/></asset><worldbody><replicate count='2' offset='0 1 0'>\
         <attach model='c' body='b' prefix='_'/></replicate></worldbody></mujoco>",
        &assets,
    )
    .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(m.nkey, 1);
    assert_eq!(m.key_qpos, [5.0, 6.0, 7.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
}

/// Keyframes of a model with replicates: one for each copy, then the original, which alone keeps activations and
/// controls (numbers of MuJoCo 3.5.0).
#[test]
fn copies_of_a_replicate_get_keyframes_without_controls() {
    let m = ligament::load_model(
        r#"<mujoco>
             <worldbody>
               <body><joint name="j"/><geom size=".1"/></body>
               <replicate count="2" offset="1 0 0">
                 <body name="b"><joint name="k" type="slide"/><geom size=".1"/></body>
               </replicate>
             </worldbody>
             <actuator><general joint="j" dyntype="integrator"/><motor joint="k"/></actuator>
             <keyframe><key name="one" qpos="1 2" qvel="3 4" act="5" ctrl="7 8"/></keyframe>
           </mujoco>"#,
    )
    .expect("loads");
    assert_eq!(m.key_qpos, [1.0, 2.0, 0.0, 1.0, 0.0, 2.0, 1.0, 0.0, 0.0]);
    assert_eq!(m.key_act, [0.0, 0.0, 5.0]);
    assert_eq!(m.key_ctrl, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 7.0, 0.0, 0.0]);
}
