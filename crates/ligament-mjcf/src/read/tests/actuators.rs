use super::{error, model};
use crate::spec::Actuator;
use ligament_model::enums::{BiasType, DynType, GainType, Limited, TrnType};

fn actuator(text: &str) -> Actuator {
    model(&format!("<actuator>{text}</actuator>")).actuators.remove(0)
}

fn kinds(a: &Actuator) -> (DynType, GainType, BiasType) {
    (a.dyntype, a.gaintype, a.biastype)
}

#[test]
fn servos_become_gain_and_bias() {
    let a = actuator("<position joint='j' kp='5' kv='2' ctrlrange='-1 1'/>");
    assert_eq!(kinds(&a), (DynType::None, GainType::Fixed, BiasType::Affine));
    assert_eq!((a.gainprm[0], &a.biasprm[..3], a.ctrlrange), (5.0, &[0.0, -5.0, -2.0][..], [-1.0, 1.0]));
    assert_eq!((a.trntype, a.target.as_str()), (TrnType::Joint, "j"));
    let a = actuator("<position joint='j' dampratio='1' timeconst='.1' inheritrange='1'/>");
    assert_eq!((a.biasprm[2], a.dynprm[0], a.inheritrange), (1.0, 0.1, 1.0));
    assert_eq!(a.dyntype, DynType::Filterexact);
    assert_eq!(actuator("<position joint='j' timeconst='0'/>").dyntype, DynType::None);
    let a = actuator("<intvelocity joint='j' kp='3' actrange='-1 1'/>");
    assert_eq!((a.dyntype, a.actlimited, a.gainprm[0]), (DynType::Integrator, Limited::True, 3.0));
    let a = actuator("<velocity joint='j' kv='4'/>");
    assert_eq!((a.gainprm[0], &a.biasprm[..3]), (4.0, &[0.0, 0.0, -4.0][..]));
    let a = actuator("<damper joint='j' kv='4' ctrlrange='0 1'/>");
    assert_eq!((a.gaintype, &a.gainprm[..3]), (GainType::Affine, &[0.0, 0.0, -4.0][..]));
    assert_eq!(a.ctrllimited, Limited::True);
}

#[test]
fn other_shortcuts_become_gain_and_bias() {
    let a = actuator("<motor joint='j' gear='100'/>");
    assert_eq!((kinds(&a), a.gear[0]), ((DynType::None, GainType::Fixed, BiasType::None), 100.0));
    let a = actuator("<cylinder joint='j' timeconst='2' bias='1 2 3' diameter='2'/>");
    assert_eq!(kinds(&a), (DynType::Filter, GainType::Fixed, BiasType::Affine));
    assert_eq!((a.dynprm[0], &a.biasprm[..3]), (2.0, &[1.0, 0.0, 0.0][..]));
    assert!((a.gainprm[0] - std::f64::consts::PI).abs() < 1e-15);
    let a = actuator("<adhesion body='b' gain='3' ctrlrange='0 1'/>");
    assert_eq!((a.trntype, a.gainprm[0], a.ctrllimited), (TrnType::Body, 3.0, Limited::True));
    let a = actuator(
        "<general site='s' refsite='r' dyntype='integrator' actdim='2' actearly='true' dynprm='1 2'/>",
    );
    assert_eq!((a.dyntype, a.actdim, a.actearly, a.dynprm[1]), (DynType::Integrator, 2, true, 2.0));
    let a = actuator("<general cranksite='c' slidersite='s' cranklength='.1'/>");
    assert_eq!((a.trntype, a.slidersite.as_str(), a.cranklength), (TrnType::Slidercrank, "s", 0.1));
    let a = actuator("<plugin joint='j' plugin='p'><config key='k' value='v'/></plugin>");
    assert_eq!(a.plugin.unwrap().config, [("k".to_string(), "v".to_string())]);
}

/// Muscle parameters: numbers of 3.5.0.
#[test]
fn muscles_replace_general_defaults() {
    let a = actuator("<muscle joint='j' force='50' lmax='2' tausmooth='.3'/>");
    assert_eq!(kinds(&a), (DynType::Muscle, GainType::Muscle, BiasType::Muscle));
    assert_eq!(a.dynprm[..3], [0.01, 0.04, 0.3]);
    assert_eq!(a.gainprm, [0.75, 1.05, 50.0, 200.0, 0.5, 2.0, 1.5, 1.3, 1.2, 0.0]);
    assert_eq!(a.biasprm[..9], a.gainprm[..9]);
}

#[test]
fn contradictions_are_refused() {
    for (text, phrase) in [
        ("<motor joint='j' tendon='t'/>", "at most one of transmission target"),
        ("<motor joint='j' cranklength='1'/>", "slidercrank transmission"),
        ("<motor joint='j' refsite='s'/>", "refsite can only be used with site transmission"),
        ("<position joint='j' kv='1' dampratio='1'/>", "kv and dampratio cannot both be defined"),
        ("<position joint='j' kv='-1'/>", "kv cannot be negative"),
        ("<position joint='j' inheritrange='1' ctrlrange='0 1'/>", "ctrlrange and inheritrange"),
        ("<intvelocity joint='j' inheritrange='1' actrange='0 1'/>", "actrange and inheritrange"),
        ("<damper joint='j' kv='-1'/>", "damping coefficient cannot be negative"),
        ("<damper joint='j' kv='1' ctrlrange='-1 1'/>", "damper control range cannot be negative"),
        ("<muscle joint='j' tausmooth='-1'/>", "muscle tausmooth cannot be negative"),
        ("<adhesion body='b' gain='-1'/>", "adhesion gain cannot be negative"),
        ("<cylinder joint='j' bias='1'/>", "does not have enough data"),
    ] {
        let error = error(&format!("<actuator>{text}</actuator>"));
        assert!(error.to_string().contains(phrase), "{text}: {error}");
    }
}

/// P22.1, P22.2, P22.D2: spring lengths.
#[test]
fn springlength_takes_one_or_two_values() {
    let tendon = |attribute: &str| {
        let text = format!(
            "<default><tendon springlength='.1 .2'/></default>\
             <tendon><fixed {attribute}><joint joint='j' coef='2'/></fixed></tendon>"
        );
        model(&text).tendons[0].springlength
    };
    assert_eq!(tendon("springlength='.5'"), [0.5, 0.5]);
    assert_eq!(tendon("springlength='.3 .7'"), [0.3, 0.7]);
    assert_eq!(tendon(""), [0.1, 0.2]);
    let three = error("<tendon><fixed springlength='1 2 3'><joint joint='j' coef='1'/></fixed></tendon>");
    assert!(three.to_string().contains("too much data"));
}

#[test]
fn tendon_paths_are_read() {
    let spec = model(
        "<tendon><spatial limited='true' range='0 1'><site site='a'/><geom geom='g' sidesite='s'/>\
         <pulley divisor='2'/><site site='b'/></spatial></tendon>",
    );
    assert_eq!(spec.tendons[0].path.len(), 4);
    error("<tendon><spatial><pulley/></spatial></tendon>");
    error("<tendon><fixed><joint joint='j'/></fixed></tendon>");
    error("<tendon><fixed><site site='a'/></fixed></tendon>");
}

#[test]
fn equality_ends_are_checked() {
    let spec = model(
        "<equality><connect body1='a' anchor='1 2 3'/><weld body1='a' body2='b' relpose='1 0 0 1 0 0 0' \
         torquescale='2'/><weld site1='s' site2='t'/><joint joint1='j' polycoef='1 2'/><flex flex='f'/></equality>",
    );
    let e = &spec.equalities;
    assert_eq!((&e[0].data[..3], e[0].name2.as_str()), (&[1.0, 2.0, 3.0][..], ""));
    assert_eq!((e[1].data[0], e[1].data[3], e[1].data[10]), (0.0, 1.0, 2.0));
    assert_eq!((e[2].data[1], e[2].name2.as_str()), (1.0, "t"));
    assert_eq!(e[3].data[..5], [1.0, 2.0, 0.0, 0.0, 0.0]);
    for text in [
        "<connect body1='a'/>",
        "<connect site1='a'/>",
        "<connect body1='a' anchor='0 0 0' site1='s'/>",
        "<weld body2='a'/>",
        "<weld site1='s' site2='t' relpose='1 0 0 1 0 0 0'/>",
        "<joint joint2='j'/>",
        "<flex/>",
    ] {
        error(&format!("<equality>{text}</equality>"));
    }
}
