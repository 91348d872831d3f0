//! Models spread over several files that include and attach one another, also in circles.

use crate::Numbers;
use ligament::MemoryAssets;
use std::fmt::Write;

/// Files of one case.
const FILES: usize = 5;
const NAMES: [&str; 5] = ["a", "b", "c", "x_a", ""];

/// Files from bytes; the first is loaded.
pub fn run(bytes: &[u8]) {
    let mut numbers = Numbers::new(bytes);
    let mut files = MemoryAssets::default();
    for file in 0..FILES {
        files.0.insert(format!("f{file}.xml"), document(&mut numbers).into_bytes());
    }
    let Ok(spec) = ligament::parse_mjcf_file_with_assets("f0.xml", &files) else { return };
    let Ok(model) = ligament::compile(&spec, &files) else { return };
    let text = ligament::mjcf_text(&spec, &model);
    if let Ok(text) = text {
        let _ = ligament::load_model_with_assets(&text, &files);
    }
    crate::mjcf::simulate(&model, 2);
}

fn name(numbers: &mut Numbers<'_>) -> &'static str {
    NAMES[usize::from(numbers.byte()) % NAMES.len()]
}

fn file(numbers: &mut Numbers<'_>) -> usize {
    usize::from(numbers.byte()) % FILES
}

/// One file: models it uses, a class, a tree, and what refers to the tree.
fn document(numbers: &mut Numbers<'_>) -> String {
    let mut text = String::from("<mujoco>");
    let models = numbers.byte() % 3;
    for _ in 0..models {
        let _ =
            write!(text, "<asset><model name='{}' file='f{}.xml'/></asset>", name(numbers), file(numbers));
    }
    if numbers.byte().is_multiple_of(2) {
        let class = name(numbers);
        let _ = write!(text, "<default><default class='{class}'><geom size='.2'/></default></default>");
    }
    text.push_str("<worldbody>");
    elements(numbers, &mut text, 4);
    text.push_str("</worldbody>");
    references(numbers, &mut text);
    text.push_str("</mujoco>");
    text
}

/// A few elements of a body, with bodies in them.
fn elements(numbers: &mut Numbers<'_>, text: &mut String, depth: usize) {
    for _ in 0..numbers.byte() % 4 {
        let inner = |numbers: &mut Numbers<'_>, text: &mut String, tag: &str| {
            if depth > 0 {
                elements(numbers, text, depth - 1);
            }
            let _ = write!(text, "</{tag}>");
        };
        let _ = match numbers.byte() % 9 {
            0 => write!(text, "<geom name='{}' size='.1'/>", name(numbers)),
            1 => write!(text, "<joint name='{}' type='slide'/>", name(numbers)),
            2 => write!(text, "<site name='{}'/>", name(numbers)),
            3 => write!(text, "<include file='f{}.xml'/>", file(numbers)),
            4 => {
                let (model, body, prefix) = (name(numbers), name(numbers), name(numbers));
                write!(text, "<attach model='{model}' body='{body}' prefix='{prefix}_'/>")
            }
            5 => {
                let _ = write!(text, "<frame name='{}' pos='{} 0 0'>", name(numbers), numbers.real());
                inner(numbers, text, "frame");
                Ok(())
            }
            6 => {
                let _ = write!(text, "<replicate count='{}' offset='1 0 0'>", numbers.byte() % 12);
                inner(numbers, text, "replicate");
                Ok(())
            }
            _ => {
                let (own, class) = (name(numbers), name(numbers));
                let _ = write!(text, "<body name='{own}' childclass='{class}'><geom size='.1'/>");
                inner(numbers, text, "body");
                Ok(())
            }
        };
    }
}

fn references(numbers: &mut Numbers<'_>, text: &mut String) {
    for _ in 0..numbers.byte() % 3 {
        let (one, other) = (name(numbers), name(numbers));
        let _ = match numbers.byte() % 6 {
            0 => write!(text, "<actuator><motor name='{one}' joint='{other}'/></actuator>"),
            1 => write!(text, "<contact><exclude body1='{one}' body2='{other}'/></contact>"),
            2 => {
                write!(text, "<tendon><fixed name='{one}'><joint joint='{other}' coef='1'/></fixed></tendon>")
            }
            3 => write!(text, "<equality><weld body1='{one}' body2='{other}'/></equality>"),
            4 => write!(text, "<sensor><framepos name='{one}' objtype='site' objname='{other}'/></sensor>"),
            _ => write!(text, "<keyframe><key name='{one}' qpos='{}'/></keyframe>", numbers.real()),
        };
    }
}
