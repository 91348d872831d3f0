use super::*;
use crate::MjcfError;
use crate::xml::Tree;
use proptest::prelude::*;

fn with<T>(value: &str, read: impl FnOnce(Element<'_>) -> T) -> T {
    let tree = Tree::parse(&format!("<a x='{value}'/>"), &"m.xml".into()).unwrap();
    read(tree.root())
}

fn list(value: &str) -> Result<Option<Vec<f64>>> {
    with(value, |e| e.numbers("x"))
}

/// General loader rules: what counts as a number.
#[test]
fn numbers_follow_the_reference() {
    assert_eq!(list(" 1 -2.5\t.5\n3. +4e-1 ").unwrap().unwrap(), [1.0, -2.5, 0.5, 3.0, 0.4]);
    assert_eq!(
        list("inf -INF Infinity").unwrap().unwrap(),
        [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY]
    );
    assert_eq!(list("0x1p-3 -0xA.8 0x10").unwrap().unwrap(), [0.125, -10.5, 16.0]);
    assert!(list("nan -NaN nan(3)").unwrap().unwrap().iter().all(|v| v.is_nan()));
    assert_eq!(list("").unwrap(), None);
    assert_eq!(list("  ").unwrap(), None);
    assert_eq!(list("0e999 0.0").unwrap().unwrap(), [0.0, 0.0]);
    for bad in ["1,2", "1e", ".", "0x", "0xp1", "1_0", "--1", "nan(", "x", "1e5.", "0x1p"] {
        let error = list(bad).unwrap_err();
        assert!(error.to_string().contains("bad format in attribute 'x'"), "{bad}: {error}");
    }
    for bad in ["1e400", "-1e999", "1e-400", "1e-310", "0x1p5000"] {
        let error = list(bad).unwrap_err();
        assert!(error.to_string().contains("number is too large"), "{bad}: {error}");
    }
    assert!(with("1e39", |e| e.numbers::<f32>("x")).is_err());
    assert_eq!(with("1e38", |e| e.numbers::<f32>("x")).unwrap().unwrap(), [1e38f32]);
}

#[test]
fn integers_are_strict() {
    let int = |text: &str| {
        with(text, |e| {
            let mut out = 7;
            e.int("x", &mut out).map(|_| out)
        })
    };
    assert_eq!(int(" -10 ").unwrap(), -10);
    assert_eq!(int("+3").unwrap(), 3);
    for bad in ["", " ", "3.0", "0x10", "1 2", "99999999999", "a"] {
        assert!(int(bad).is_err(), "{bad}");
    }
    assert_eq!(with("1 -2", |e| e.numbers::<i32>("x")).unwrap().unwrap(), [1, -2]);
    assert!(with("1 2.0", |e| e.numbers::<i32>("x")).is_err());
    assert!(with("3000000000", |e| e.numbers::<i32>("x")).is_err());
}

/// P18.D15: wrong value counts and unknown keywords are errors.
#[test]
fn counts_and_keywords_are_checked() {
    let mut three = [9.0; 3];
    assert!(with("1 2", |e| e.array("x", &mut three)).is_err());
    assert!(with("1 2 3 4", |e| e.array("x", &mut three)).is_err());
    three = [9.0; 3];
    assert_eq!(with("1 2", |e| e.partial("x", &mut three)).unwrap(), 2);
    assert_eq!(three, [1.0, 2.0, 9.0]);
    assert!(!with("", |e| e.array("x", &mut three)).unwrap());
    let mut flag = false;
    for bad in ["True", "1", ""] {
        let error = with(bad, |e| e.flag("x", &mut flag)).unwrap_err();
        assert!(error.to_string().contains("invalid keyword"), "{error}");
        assert!(error.diagnostic().help.contains("false, true"), "{error}");
    }
    let table = &[("a", 1), ("b", 2)];
    assert_eq!(with("b a", |e| e.keyword_list("x", table)).unwrap(), [2, 1]);
    assert!(with("b b", |e| e.keyword_list("x", table)).is_err());
    assert!(with("c", |e| e.keyword_list("x", table)).is_err());
}

#[test]
fn zero_quaternions_are_refused() {
    let mut quat = [1.0, 0.0, 0.0, 0.0];
    let error = with("0 0 0 0", |e| e.quat("x", &mut quat)).unwrap_err();
    assert!(matches!(error, MjcfError::InvalidAttribute(_)));
    assert!(error.to_string().contains("zero quaternion is not allowed"));
}

#[test]
fn nan_is_read_with_a_warning() {
    let tree = Tree::parse("<a x='nan'/>", &"m.xml".into()).unwrap();
    tree.root().numbers::<f64>("x").unwrap();
    assert!(tree.warnings.borrow()[0].message.contains("XML contains a 'NaN'"));
}

proptest! {
    #[test]
    fn written_numbers_come_back(value in any::<f64>().prop_filter("normal", |v| v.is_normal())) {
        prop_assert_eq!(list(&format!("{value:e}")).unwrap().unwrap()[0].to_bits(), value.to_bits());
    }

    #[test]
    fn odd_tokens_never_panic(text in "[-+0-9a-fxpPeEinfINF.() ]{0,24}") {
        let _ = list(&text);
        let _ = with(&text, |e| e.numbers::<f32>("x"));
        let _ = with(&text, |e| e.numbers::<i32>("x"));
    }
}
