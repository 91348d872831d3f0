//! Keyframes of attached and replicated parts, with the numbers of MuJoCo 3.5.0.

use ligament::load_model;

/// Keyframes follow the copies of a replicate.
#[test]
fn replicates_copy_keyframes() {
    let model = load_model(
        "<mujoco><worldbody><body><joint/><geom size='.1'/></body><replicate count='2'><body><joint name='j'/>\
         <geom name='g' size='.1'/></body></replicate></worldbody><keyframe><key name='k' qpos='1 2'/></keyframe></mujoco>",
    )
    .unwrap();
    assert_eq!(model.key_qpos, [1.0, 2.0, 0.0, 1.0, 0.0, 2.0, 1.0, 0.0, 0.0]);
}

/// Keyframes of a model attached inside a replicate go to the first copy.
#[test]
fn keyframes_of_models_in_replicates_go_to_the_first_copy() {
    let child = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='.1'/><body><joint name='k'/>\
                 <geom size='.1'/></body></body></worldbody><keyframe><key name='key' qpos='1 2'/></keyframe></mujoco>";
    let assets = ligament::MemoryAssets([("child.xml".to_string(), child.as_bytes().to_vec())].into());
    let model = ligament::load_model_with_assets(
        "<mujoco><asset><model name='m' file='child.xml'/></asset><worldbody><replicate count='2' sep='-'>\
         <attach model='m' body='b' prefix='p_'/></replicate></worldbody></mujoco>",
        &assets,
    )
    .unwrap();
    assert_eq!(model.key_qpos, [1.0, 2.0, 0.0, 0.0]);
}
