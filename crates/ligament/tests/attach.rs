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
