use super::read;
use crate::schema::schema;
use proptest::prelude::*;

const MODEL: &str = "<mujoco model='m'><compiler angle='radian'/><option timestep='.01'><flag gravity='disable'/></option>\
    <default><geom size='.1'/><default class='a'><joint damping='1'/></default></default>\
    <asset><mesh name='q' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/><texture name='t' builtin='flat' width='2' height='2'/></asset>\
    <worldbody><frame pos='1 0 0'><body name='b' childclass='a'><freejoint/><geom name='g'/><site name='s'/></body></frame>\
    <replicate count='3' offset='1 0 0'><body><joint name='j'/><geom/></body></replicate></worldbody>\
    <tendon><fixed name='f'><joint joint='j0' coef='1'/></fixed></tendon>\
    <actuator><muscle tendon='f' force='2'/></actuator><sensor><touch site='s'/></sensor>\
    <keyframe><key time='1'/></keyframe></mujoco>";

#[test]
fn the_probe_model_loads() {
    read(MODEL).unwrap();
}

/// Ten thousand nested bodies end in an error, not in a stack overflow; as many beside each other load.
#[test]
fn many_bodies_do_not_hurt() {
    let n = 10_000;
    let nested =
        format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", "<body>".repeat(n), "</body>".repeat(n));
    assert!(read(&nested).unwrap_err().to_string().contains("nesting is too deep"));
    let deep =
        format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", "<body>".repeat(490), "</body>".repeat(490));
    assert_eq!(read(&deep).unwrap().bodies.len(), 491);
    let flat =
        format!("<mujoco><worldbody>{}</worldbody></mujoco>", "<body><geom size='1'/></body>".repeat(n));
    assert_eq!(read(&flat).unwrap().bodies.len(), n + 1);
    let frames = "<frame>".repeat(490) + &"</frame>".repeat(490);
    assert_eq!(read(&format!("<mujoco><worldbody>{frames}</worldbody></mujoco>")).unwrap().frames.len(), 490);
}

#[test]
fn huge_numbers_are_errors_or_values() {
    for value in ["1e308", "1e309", "-99999999999999999999", "inf", "nan", "0x1p1023"] {
        for (attribute, place) in [
            ("size", "<worldbody><geom size='V'/></worldbody>"),
            ("count", "<worldbody><replicate count='V'><geom size='1'/></replicate></worldbody>"),
            ("nuserdata", "<size nuserdata='V'/>"),
            ("nrow", "<asset><hfield nrow='V' ncol='V' size='1 1 1 1'/></asset>"),
            ("size", "<custom><numeric name='n' size='V'/></custom>"),
        ] {
            let _ = (attribute, read(&format!("<mujoco>{}</mujoco>", place.replace('V', value))));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn truncated_models_never_panic(cut in 0..MODEL.len()) {
        let _ = read(MODEL.get(..cut).unwrap_or_default());
    }

    #[test]
    fn changed_letters_never_panic(at in 0..MODEL.len(), letter in "[ -~]") {
        let mut text = MODEL.to_string();
        if text.is_char_boundary(at) {
            text.replace_range(at..at + 1, &letter);
            let _ = read(&text);
        }
    }

    /// Elements of the schema with arbitrary attributes and values.
    #[test]
    fn random_elements_never_panic(
        picks in proptest::collection::vec((0usize..171, 0usize..64, "[-0-9a-z. ]{0,12}"), 1..6),
    ) {
        let rules = schema().rules();
        let mut text = String::new();
        for (rule, attribute, value) in picks {
            let rule = &rules[rule];
            let parts: Vec<&str> = rule.path.split('/').filter(|p| !p.is_empty()).collect();
            let attribute = rule.attributes.get(attribute % rule.attributes.len().max(1));
            let attribute = attribute.map_or(String::new(), |a| format!(" {a}='{value}'"));
            let open: String = parts.iter().enumerate().map(|(i, part)| {
                let part = if i == 0 && *part == "body" { "worldbody" } else { part };
                let extra = if i + 1 == parts.len() && part != "worldbody" { attribute.as_str() } else { "" };
                format!("<{part}{extra}>")
            }).collect();
            let close: String = parts.iter().enumerate().rev().map(|(i, part)| {
                format!("</{}>", if i == 0 && *part == "body" { "worldbody" } else { part })
            }).collect();
            text += &(open + &close);
        }
        let _ = read(&format!("<mujoco>{text}</mujoco>"));
    }
}
