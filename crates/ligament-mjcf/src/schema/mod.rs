//! What MJCF allows: one table of elements and attributes, and the strict check against it.

mod table;

use crate::diag::{Diagnostic, MjcfError, Result};
use crate::xml::Element;
use std::sync::OnceLock;

/// How often an element may occur in its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occurrence {
    /// Exactly once.
    Once,
    /// At most once.
    Optional,
    /// Any number of times.
    Any,
    /// Any number of times, and inside itself.
    Recursive,
}

/// One element of the format.
#[derive(Debug)]
pub struct Rule {
    /// Path below the root, such as `default/geom`; empty for the root.
    pub path: &'static str,
    /// How often it may stand.
    pub occurrence: Occurrence,
    /// Allowed attributes in alphabetical order.
    pub attributes: Vec<&'static str>,
    children: Vec<usize>,
}

impl Rule {
    /// Tag name.
    pub fn name(&self) -> &'static str {
        if self.path.is_empty() { "mujoco" } else { self.path.rsplit('/').next().unwrap_or(self.path) }
    }
}

/// All elements of the format.
#[derive(Debug)]
pub struct Schema {
    rules: Vec<Rule>,
}

/// The schema of MJCF.
pub fn schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(Schema::build)
}

/// Attributes of the elements that the reference never checks.
const FRAME: &[&str] = &["axisangle", "childclass", "euler", "name", "pos", "quat", "xyaxes", "zaxis"];
const REPLICATE: &[&str] = &["childclass", "count", "euler", "offset", "sep"];

/// Attributes of Ligament's own, which MuJoCo refuses.
const EXTENSIONS: &[(&str, &[&str])] = &[
    ("body/flexcomp", &["ligament:bending_model", "ligament:elasticity_model", "ligament:soft"]),
    ("deformable/flex", &["ligament:bending_model", "ligament:elasticity_model", "ligament:soft"]),
    ("actuator/general", &["ligament:gain_model", "ligament:gain_params"]),
    ("default/general", &["ligament:gain_model", "ligament:gain_params"]),
    ("option", &["ligament:solver", "ligament:solver_params"]),
];

fn is_extension(path: &str, attribute: &str) -> bool {
    EXTENSIONS.iter().any(|(element, names)| *element == path && names.contains(&attribute))
}

/// An element that waits for its check.
struct Pending<'a> {
    element: Element<'a>,
    rule: usize,
    depth: usize,
    /// Below a frame or replicate, where the reference checks nothing.
    lenient: bool,
}

impl Schema {
    fn build() -> Self {
        let mut rules: Vec<Rule> = Vec::with_capacity(table::TABLE.len());
        for &(path, occurrence, attributes) in table::TABLE {
            let id = rules.len();
            if id > 0 {
                let parent = path.rfind('/').map_or("", |at| &path[..at]);
                if let Some(parent) = rules.iter_mut().find(|r| r.path == parent) {
                    parent.children.push(id);
                }
            }
            let attributes = attributes.split_whitespace().collect();
            rules.push(Rule { path, occurrence, attributes, children: Vec::new() });
        }
        Self { rules }
    }

    /// All rules; parents come before their children.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Rule of a path such as `default/geom`.
    pub fn rule(&self, path: &str) -> Option<&Rule> {
        self.rules.iter().find(|r| r.path == path)
    }

    /// Checks a whole document, whose includes are already expanded.
    pub fn check(&self, root: Element<'_>) -> Result<()> {
        self.violations(root).into_iter().next().map_or(Ok(()), Err)
    }

    /// Everything in a document that the format does not allow, parents before their children. What stands inside an
    /// unknown element is not looked at.
    pub fn violations(&self, root: Element<'_>) -> Vec<MjcfError> {
        let mut found = Vec::new();
        if root.name() != "mujoco" {
            found.push(root.complain("unrecognized element").help("the root is <mujoco>"));
        } else {
            let mut stack = vec![Pending { element: root, rule: 0, depth: 0, lenient: false }];
            while let Some(pending) = stack.pop() {
                self.check_attributes(&pending, &mut found);
                self.check_children(&pending, &mut stack, &mut found);
            }
        }
        found.into_iter().map(MjcfError::Schema).collect()
    }

    fn check_attributes(&self, pending: &Pending<'_>, found: &mut Vec<Diagnostic>) {
        let element = pending.element;
        let allowed = match element.name() {
            "frame" if pending.depth > 1 => FRAME,
            "replicate" if pending.depth > 1 => REPLICATE,
            _ => self.rules[pending.rule].attributes.as_slice(),
        };
        for attribute in element.attributes() {
            let name = attribute.name.as_str();
            if allowed.contains(&name) || is_extension(self.rules[pending.rule].path, name) {
                continue;
            }
            let message = format!("unrecognized attribute: '{name}'");
            if pending.lenient {
                element.warn(message);
                continue;
            }
            let diagnostic = element.complain_attr(name, message);
            found.push(with_suggestion(diagnostic, name, allowed));
        }
    }

    fn check_children<'a>(
        &self,
        pending: &Pending<'a>,
        stack: &mut Vec<Pending<'a>>,
        violations: &mut Vec<Diagnostic>,
    ) {
        let rule = &self.rules[pending.rule];
        let mut counts = vec![0usize; rule.children.len()];
        let first = stack.len();
        for child in pending.element.children() {
            let depth = pending.depth + 1;
            let position = rule.children.iter().position(|&id| self.matches(id, child.name(), depth));
            let found = match position {
                Some(position) => {
                    counts[position] += 1;
                    Some(rule.children[position])
                }
                None => (rule.occurrence == Occurrence::Recursive
                    && self.matches(pending.rule, child.name(), depth))
                .then_some(pending.rule),
            };
            match found {
                Some(rule) => {
                    let free = depth > 1 && is_meta(child.name());
                    if depth == 1 && (is_meta(child.name()) || child.name() == "body") {
                        child.warn(format!("<{}> outside worldbody has no effect", child.name()));
                    }
                    stack.push(Pending { element: child, rule, depth, lenient: pending.lenient || free });
                }
                // An unknown element in a body is found again by the reader of the body tree.
                None if pending.lenient => child.warn("unrecognized element"),
                None => violations.push(self.unknown_child(rule, child, depth)),
            }
        }
        // The stack is popped from its end: reverse, so that the first mistake of the text is reported.
        stack[first..].reverse();
        if !pending.lenient {
            self.check_counts(pending.element, rule, &counts, violations);
        }
    }

    fn check_counts(
        &self,
        element: Element<'_>,
        rule: &Rule,
        counts: &[usize],
        violations: &mut Vec<Diagnostic>,
    ) {
        for (&id, &count) in rule.children.iter().zip(counts) {
            let child = &self.rules[id];
            if count > 1 && matches!(child.occurrence, Occurrence::Optional | Occurrence::Once) {
                let message = format!("unique element '{}' found {count} times", child.name());
                violations.push(element.complain(message));
            }
        }
    }

    /// Does an element of this name at this depth fall under the rule?
    fn matches(&self, rule: usize, name: &str, depth: usize) -> bool {
        let rule = &self.rules[rule];
        if rule.path == "body" {
            return is_meta(name) || name == "body" || (depth == 1 && name == "worldbody");
        }
        rule.name() == name
    }

    fn unknown_child(&self, parent: &Rule, child: Element<'_>, depth: usize) -> Diagnostic {
        let mut known: Vec<&str> = parent.children.iter().map(|&id| self.rules[id].name()).collect();
        match (parent.path, depth) {
            ("body", _) => known.extend(["body", "frame", "replicate"]),
            (_, 1) => known.push("worldbody"),
            _ => {}
        }
        let message = format!("unrecognized element '{}'", child.name());
        with_suggestion(child.complain(message), child.name(), &known)
    }
}

fn is_meta(name: &str) -> bool {
    name == "frame" || name == "replicate"
}

/// Adds the nearest known word, if one is near.
pub(crate) fn with_suggestion(diagnostic: Diagnostic, word: &str, known: &[&str]) -> Diagnostic {
    let nearest = known.iter().map(|k| (edit_distance(word, k), *k)).min();
    match nearest {
        Some((distance, k)) if distance <= 1 + word.len() / 4 => {
            diagnostic.help(format!("did you mean '{k}'?"))
        }
        _ if known.is_empty() => diagnostic.help("none is allowed here"),
        _ => diagnostic.help(format!("known here: {}", known.join(", "))),
    }
}

/// Number of insertions, deletions and replacements between two words.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &cb) in b.iter().enumerate() {
            let replace = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests;
