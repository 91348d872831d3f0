//! `<actuator>` as data: transmissions, limits, activation, history (spec items 5, 18, 34, 36, M5).

use ligament::{Model, load_model};

fn with_actuator(actuator: &str) -> String {
    format!(
        "<mujoco><worldbody><site name='s0'/>\
         <body name='b1' pos='0 0 1'><joint name='j1' range='-90 90'/><geom size='.1'/><site name='s1' pos='.1 0 0'/>\
         </body><body name='b2' pos='1 0 0'><joint name='j2' type='slide' range='0 2'/><geom size='.1'/>\
         <site name='s2'/></body><body name='b3'><joint name='ball' type='ball'/><geom size='.1'/></body>\
         <body name='b4' pos='0 0 3'><joint name='free' type='free'/><geom size='.1'/></body></worldbody>\
         <tendon><fixed name='t1' range='-1 3'><joint joint='j1' coef='1'/></fixed></tendon>\
         <actuator>{actuator}</actuator></mujoco>"
    )
}

fn load(actuator: &str) -> Model {
    load_model(&with_actuator(actuator)).unwrap_or_else(|error| panic!("{error}"))
}

fn refuse(actuator: &str, phrase: &str) {
    let error = load_model(&with_actuator(actuator)).err().unwrap_or_else(|| panic!("accepted: {actuator}"));
    assert!(error.to_string().contains(phrase), "{error}\nshould contain: {phrase}");
}

/// M5.12: every transmission with its targets
#[test]
fn transmissions() {
    let m = load(
        "<motor joint='j1'/><motor jointinparent='ball'/><motor tendon='t1'/><motor site='s1'/>\
         <motor site='s1' refsite='s2'/><motor cranksite='s1' slidersite='s2' cranklength='.5'/>\
         <general body='b1'/><motor joint='free'/>",
    );
    assert_eq!(m.actuator_trntype, [0, 1, 3, 4, 4, 2, 5, 0]);
    assert_eq!(m.actuator_trnid, [[0, -1], [2, -1], [0, -1], [1, -1], [1, 2], [1, 2], [1, -1], [3, -1]]);
    assert_eq!(m.actuator_cranklength[5], 0.5);
    assert_eq!(m.nJmom, 1 + 3 + 5 * m.nv + 6);
}

/// M5.13: a short gear fills up with zeros, seven numbers are an error
#[test]
fn gear() {
    assert_eq!(load("<motor joint='j1' gear='50'/>").actuator_gear[0], [50.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    refuse("<motor joint='j1' gear='1 2 3 4 5 6 7'/>", "");
}

/// M5.19, M5.20: unknown sites are errors
#[test]
fn unknown_sites() {
    refuse("<motor site='nonexistent'/>", "transmission target 'nonexistent' not found in actuator 0");
    refuse(
        "<motor site='s1' refsite='nonexistent'/>",
        "reference site 'nonexistent' not found for actuator 0",
    );
    refuse(
        "<motor cranksite='s1' slidersite='nonexistent' cranklength='1'/>",
        "base site 'nonexistent' not found for actuator 0",
    );
    refuse("<motor joint='nonexistent'/>", "unknown transmission target 'nonexistent' for actuator id = 0");
    refuse("<motor tendon='nonexistent'/>", "transmission target 'nonexistent' not found in actuator 0");
}

/// M5.21: two transmissions in one actuator are an error
#[test]
fn one_transmission_only() {
    refuse("<motor joint='j1' site='s1'/>", "actuator can have at most one of transmission target");
    refuse("<motor/>", "missing transmission target for actuator");
}

/// A36.1, A36.D5: adhesion acts on a body and needs a range of control
#[test]
fn adhesion() {
    let m = load("<adhesion body='b1' gain='100' ctrlrange='0 1'/>");
    assert_eq!((m.actuator_trntype[0], m.actuator_trnid[0], m.actuator_ctrllimited[0]), (5, [1, -1], 1));
    assert_eq!(m.actuator_gainprm[0][0], 100.0);
    refuse("<adhesion body='b1' gain='100'/>", "invalid control range for actuator");
    refuse("<adhesion body='nope' ctrlrange='0 1'/>", "transmission target 'nope' not found in actuator 0");
    refuse("<adhesion body='b1' gain='-1' ctrlrange='0 1'/>", "adhesion gain cannot be negative");
    refuse("<adhesion body='b1' ctrlrange='-1 1'/>", "adhesion control range cannot be negative");
    refuse("<adhesion body='b1' ctrlrange='0 1' gear='1'/>", "");
    refuse("<adhesion ctrlrange='0 1'/>", "");
}

/// A34.D3: activation ranges without dynamics or without extent
#[test]
fn activation_ranges() {
    refuse("<general joint='j1' actrange='0 1'/>", "actrange specified but dyntype is 'none' in actuator");
    refuse("<general joint='j1' dyntype='filter' actlimited='true'/>", "invalid actrange for actuator");
    refuse("<general joint='j1' ctrllimited='true'/>", "invalid control range for actuator");
    refuse("<general joint='j1' forcelimited='true' forcerange='1 0'/>", "invalid force range for actuator");
    let m =
        load("<general joint='j1' dyntype='filter' actrange='-1 1'/><general joint='j1' dyntype='filter'/>");
    assert_eq!(m.actuator_actlimited, [1, 0]);
}

/// A34.9: activation limits and early activation come from classes, the element wins
#[test]
fn activation_defaults() {
    let xml = with_actuator(
        "<general class='c' joint='j1'/><general class='d' joint='j1'/>\
         <general class='d' joint='j1' actrange='-3 3' actearly='false'/>",
    )
    .replace(
        "<mujoco>",
        "<mujoco><default><default class='c'><general dyntype='integrator' actrange='-1 1' actearly='true'/>\
         <default class='d'><general actrange='-2 2'/></default></default></default>",
    );
    let m = load_model(&xml).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(m.actuator_actrange, [[-1.0, 1.0], [-2.0, 2.0], [-3.0, 3.0]]);
    assert_eq!(m.actuator_actearly, [1, 1, 0]);
    assert_eq!(m.actuator_actlimited, [1, 1, 1]);
}

/// F5.7: activation variables and their addresses
#[test]
fn activation_addresses() {
    let m = load(
        "<motor joint='j1'/><general joint='j1' dyntype='filter'/><general joint='j1' dyntype='user' actdim='3'/>\
         <intvelocity joint='j1' actrange='-1 1'/>",
    );
    assert_eq!(m.na, 5);
    assert_eq!(m.actuator_actnum, [0, 1, 3, 1]);
    assert_eq!(m.actuator_actadr, [-1, 0, 1, 4]);
    refuse(
        "<general joint='j1' dyntype='filter' actdim='2'/>",
        "actdim > 1 is only allowed for dyntype 'user' in actuator",
    );
    refuse("<general joint='j1' actdim='1'/>", "invalid actdim 1 in stateless actuator");
}

/// P18.1: `inheritrange` takes the range of the target, already in radians, and scales it about its middle
#[test]
fn inheritrange() {
    let m = load(
        "<position joint='j1' inheritrange='1'/><position joint='j2' inheritrange='.5'/>\
         <position tendon='t1' inheritrange='1.5'/><intvelocity joint='j2' inheritrange='1'/>",
    );
    let quarter = std::f64::consts::FRAC_PI_2;
    assert_eq!(m.actuator_ctrlrange[..3], [[-quarter, quarter], [0.5, 1.5], [-2.0, 4.0]]);
    assert_eq!(m.actuator_actrange[3], [0.0, 2.0]);
    refuse(
        "<position joint='ball' inheritrange='1'/>",
        "inheritrange can only be used with hinge and slide joints",
    );
    refuse("<position site='s1' inheritrange='1'/>", "inheritrange can only be used with joint and tendon");
}

/// P18.D3: each range needs a decision when limits are not automatic
#[test]
fn autolimits_off() {
    for (attributes, phrase) in [
        ("ctrlrange='0 1'", "actuator has `ctrlrange` but not `ctrllimited`"),
        ("forcerange='0 1'", "actuator has `forcerange` but not `forcelimited`"),
        ("dyntype='filter' actrange='0 1'", "actuator has `actrange` but not `actlimited`"),
    ] {
        let xml = with_actuator(&format!("<general joint='b' {attributes}/>"))
            .replace("joint='b'", "joint='free'")
            .replace(" range='-90 90'", "")
            .replace(" range='0 2'", "")
            .replace(" range='-1 3'", "")
            .replace("<mujoco>", "<mujoco><compiler autolimits='false'/>");
        let error = load_model(&xml).expect_err("refused").to_string();
        assert!(error.contains(phrase), "{error}");
    }
}

/// F5.12: muscle attributes arrive in the parameters, and nonsense is refused
#[test]
fn muscles() {
    let m = load(
        "<muscle joint='j1' timeconst='.02 .06' range='.7 1.1' force='10' scale='100' lmin='.4' lmax='1.7' \
         vmax='1.4' fpmax='1.2' fvmax='1.3' lengthrange='0 1'/>",
    );
    assert_eq!(m.actuator_dynprm[0][..3], [0.02, 0.06, 0.0]);
    assert_eq!(m.actuator_gainprm[0][..9], [0.7, 1.1, 10.0, 100.0, 0.4, 1.7, 1.4, 1.2, 1.3]);
    assert_eq!(m.actuator_biasprm[0][..9], m.actuator_gainprm[0][..9]);
    assert_eq!(m.actuator_lengthrange[0], [0.0, 1.0]);
    refuse("<muscle joint='j1' range='1 .5'/>", "range[0]<range[1] required in muscle");
    refuse("<muscle joint='j1' lmin='2'/>", "lmin<1<lmax required in muscle");
    refuse("<muscle joint='j1' vmax='0'/>", "positive scale, vmax, fpmax, fvmax required in muscle");
}

/// A34.D3: a delay needs samples; buffers have addresses, sensors' after actuators'
#[test]
fn history() {
    let m =
        load("<motor joint='j1'/><motor joint='j1' nsample='4' delay='.01'/><motor joint='j1' nsample='2'/>");
    assert_eq!(m.actuator_history, [[0, 0], [4, 0], [2, 0]]);
    assert_eq!(m.actuator_historyadr, [-1, 0, 10]);
    assert_eq!(m.nhistory, 16);
    assert_eq!(m.actuator_delay, [0.0, 0.01, 0.0]);
    refuse("<motor joint='j1' delay='.01'/>", "setting delay > 0 without a history buffer");
}

/// A34.D3: user data is padded to the longest, or to the size asked for
#[test]
fn user_data() {
    let m = load("<motor joint='j1' user='1 2'/><motor joint='j1'/>");
    assert_eq!((m.nuser_actuator, m.actuator_user.as_slice()), (2, [1.0, 2.0, 0.0, 0.0].as_slice()));
    let xml = with_actuator("<motor joint='j1' user='1 2'/>")
        .replace("<mujoco>", "<mujoco><size nuser_actuator='1'/>");
    let error = load_model(&xml).expect_err("refused").to_string();
    assert!(error.contains("user has more values than nuser_actuator"), "{error}");
}

/// A36.D5: slider-cranks need both sites and a length
#[test]
fn slider_crank() {
    refuse("<motor cranksite='s1' cranklength='1'/>", "missing base site for slider-crank");
    refuse("<motor cranksite='s1' slidersite='s2'/>", "crank length must be positive in actuator");
}
