use super::*;
use proptest::prelude::*;

fn parse(text: &str) -> Result<Tree> {
    Tree::parse(text, &"m.xml".into())
}

/// The leniency measured with MuJoCo 3.5.0.
#[test]
fn odd_documents_that_the_reference_accepts() {
    for text in [
        "<a x:y='1' xmlns='q'/>",
        "<a/><b/>",
        "<a/> text <b/>",
        "<a/></b>",
        " <?xml version='1.0'?><a/>",
        "<?xml version='1.0'?>\n<?foo?><!-- c --><a/>",
        "<a><!-- -- --></a>",
        "<a b='x<y'/>",
        "<a b='x&y'/>",
        "<a b='1'c='2'/>",
        "hello <a/>",
        "<a>\u{1}</a>",
        "<a b='\u{1}'/>",
        "\u{feff}<a/>",
        "<a>text & more &amp; </a>",
        "<a></a >",
        "< a/>",
        "<!DOCTYPE foo [<!ELEMENT a (b)>]><a/>",
        "<a><![CDATA[ < ]]></a>",
        "<!-- c --><a/><!-- d -->\n",
        "<a><!-\\- odd note -\\-><b/></a>",
        "<a><!ELEMENT b></a>",
        "<a/>\0 junk",
    ] {
        let tree = parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(tree.root().name(), "a", "{text}");
    }
}

/// P18.19 and the refusals measured with MuJoCo 3.5.0.
#[test]
fn broken_documents_are_refused_with_their_place() {
    for (text, line, column) in [
        ("<a b='1' b='2'/>", 1, 10),
        ("<a>\n  <c b=1/></a>", 2, 6),
        ("<a/> text", 1, 5),
        ("<a><!-- open", 1, 4),
        ("<a>\n<b>", 2, 1),
        ("<a></b>", 1, 4),
        ("<a></ a>", 1, 4),
        ("<a b='1'", 1, 1),
        ("<a><?pi x?></a>", 1, 4),
        ("<!-- c --><?xml version='1.0'?><a/>", 1, 11),
        ("<!DOCTYPE a><?pi?><a/>", 1, 13),
        ("hello <?pi?><a/>", 1, 7),
        ("<a/><?pi?>", 1, 5),
        ("", 1, 1),
        ("   ", 1, 1),
    ] {
        let Err(MjcfError::XmlParse(diagnostic)) = parse(text) else { panic!("{text} must be refused") };
        assert_eq!(&*diagnostic.origin.file, "m.xml", "{text}");
        assert_eq!(
            (diagnostic.origin.line, diagnostic.origin.column),
            (line, column),
            "{text}: {diagnostic}"
        );
    }
}

#[test]
fn values_are_decoded_and_placed() {
    let tree =
        parse("<a>\n  <!-- hi -->\n  <b x='1 &lt; 2 &amp; &#65;&#x42; &unknown; &'\n y='q\r\nr'/></a>")
            .unwrap();
    assert_eq!(tree.comment, " hi ");
    let b = tree.root().child("b").unwrap();
    assert_eq!(b.attr("x"), Some("1 < 2 & AB &unknown; &"));
    assert_eq!(b.attr("y"), Some("q\nr"));
    assert_eq!((b.origin().line, b.origin().column), (3, 3));
    let at = b.complain_attr("y", "").origin;
    assert_eq!((at.line, at.column), (4, 2));
}

/// Depth is limited as in the reference, and deep trees are dropped without recursion.
#[test]
fn nesting_is_limited() {
    let nested = |n: usize| "<a>".repeat(n) + &"</a>".repeat(n);
    assert!(parse(&nested(499)).is_ok());
    assert!(parse(&nested(500)).is_err());
    assert!(parse(&nested(10_000)).is_err());
}

proptest! {
    #[test]
    fn noise_never_panics(text in "[<>/='\"a&;!?\\[\\]\\- \n\u{e9}]{0,40}") {
        let _ = parse(&text);
    }

    #[test]
    fn truncation_never_panics(cut in 0usize..90) {
        let text = "<m a='1' b=\"é\"><!-- c --><n><![CDATA[x]]>&lt;</n><o x='2'/><?p?></m><!DOCTYPE q [<!E>]>";
        let text: String = text.chars().take(cut).collect();
        let _ = parse(&text);
    }
}
