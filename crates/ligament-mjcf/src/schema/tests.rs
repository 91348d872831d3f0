use super::*;
use crate::xml::Tree;

fn check(text: &str) -> (Result<()>, Vec<String>) {
    let tree = Tree::parse(text, &"m.xml".into()).unwrap();
    let result = schema().check(tree.root());
    let warnings = tree.warnings.borrow().iter().map(ToString::to_string).collect();
    (result, warnings)
}

fn help_of(text: &str) -> (String, String, u32) {
    let Err(MjcfError::Schema(d)) = check(text).0 else { panic!("{text} must violate the schema") };
    (d.message, d.help, d.origin.column)
}

#[test]
fn table_has_every_element_of_the_format() {
    let rules = schema().rules();
    assert_eq!(rules.len(), 171);
    assert_eq!(rules.iter().map(|r| r.attributes.len()).sum::<usize>(), 1707);
    assert_eq!(schema().rule("body/geom").unwrap().attributes.len(), 33);
    for rule in &rules[1..] {
        assert!(
            rules.iter().any(|r| r.children.iter().any(|&c| rules[c].path == rule.path)),
            "{}",
            rule.path
        );
    }
}

/// P18.D15: unknown elements and attributes are errors with a place and a remedy.
#[test]
fn unknown_words_are_errors_with_a_suggestion() {
    let (message, help, column) = help_of("<mujoco><worldbody><geom siz='1'/></worldbody></mujoco>");
    assert_eq!((message.as_str(), help.as_str()), ("unrecognized attribute: 'siz'", "did you mean 'size'?"));
    assert_eq!(column, 26);
    let (message, help, _) = help_of("<mujoco><worldbody><goem/></worldbody></mujoco>");
    assert_eq!(message, "unrecognized element 'goem'");
    assert!(help.contains("geom"), "{help}");
    let (_, help, _) = help_of("<mujoco><wordbody/></mujoco>");
    assert_eq!(help, "did you mean 'worldbody'?");
    for text in [
        "<mujoco><body><joint x='1'/></body></mujoco>",
        "<mujoco><worldbody><body class='x'/></worldbody></mujoco>",
        "<mujoco><worldbody><worldbody/></worldbody></mujoco>",
        "<mujoco><default><joint/><joint/></default></mujoco>",
        "<mujoco><option><flag/><flag/></option></mujoco>",
        "<mujoco><option><flag passive='disable'/></option></mujoco>",
        "<mujoco><compiler convexhull='true'/></mujoco>",
        "<mujoco><equality><distance/></equality></mujoco>",
        "<mujoco><replicate count='2'/></mujoco>",
        "<MUJOCO/>",
    ] {
        assert!(matches!(check(text).0, Err(MjcfError::Schema(_))), "{text}");
    }
}

#[test]
fn everything_below_frames_is_unchecked_but_noted() {
    let (result, warnings) = check(
        "<mujoco><worldbody><frame x='1'><geom y='1'><foo/></geom><body z='1'><inertial/><inertial/></body>\
         </frame><replicate count='2' q='1'/></worldbody></mujoco>",
    );
    result.unwrap();
    assert_eq!(warnings.len(), 5, "{warnings:?}");
    for text in ["<mujoco><frame><geom/></frame></mujoco>", "<mujoco><body><geom/></body></mujoco>"] {
        let (result, warnings) = check(text);
        result.unwrap();
        assert_eq!(warnings.len(), 1, "{text}");
    }
}

#[test]
fn first_mistake_of_the_text_is_reported() {
    let (message, ..) = help_of("<mujoco><option a='1'/><option b='1'/></mujoco>");
    assert_eq!(message, "unrecognized attribute: 'a'");
}

/// All violations are found: unknown elements when their parent is visited, attributes with their element.
#[test]
fn every_violation_is_found() {
    let text = "<mujoco><worldbody><geom sise='1'/><bdy/><body nme='a'><gem/></body></worldbody></mujoco>";
    let tree = Tree::parse(text, &"m.xml".into()).unwrap();
    let help: Vec<String> =
        schema().violations(tree.root()).iter().map(|error| error.diagnostic().help.clone()).collect();
    let expected =
        ["did you mean 'body'?", "did you mean 'size'?", "did you mean 'name'?", "did you mean 'geom'?"];
    assert_eq!(help, expected);
}
