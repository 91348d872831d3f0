//! `<include>`: the children of another document's root take its place.

use crate::assets::{Assets, open};
use crate::diag::{MjcfError, Result};
use crate::paths;
use crate::xml::{Element, ElementData, ElementId, Include, Tree};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Includes inside includes, at most.
const MAX_DEPTH: usize = 100;
/// Included files, at most.
const MAX_FILES: usize = 10_000;

/// Expands every include of the document.
pub(crate) fn expand(tree: &mut Tree, file_name: &str, model_dir: &str, assets: &dyn Assets) -> Result<()> {
    let seen = BTreeSet::from([paths::reduce(file_name), paths::base_name(file_name).to_string()]);
    let mut expander = Expander { model_dir, assets, seen };
    let mut pending = vec![tree.root];
    while let Some(id) = pending.pop() {
        let mut queue = VecDeque::from(std::mem::take(&mut tree.elements[id].children));
        let mut children = Vec::with_capacity(queue.len());
        while let Some(child) = queue.pop_front() {
            if tree.elements[child].name == "include" {
                for inserted in expander.insert(tree, child)?.into_iter().rev() {
                    queue.push_front(inserted);
                }
            } else {
                children.push(child);
            }
        }
        pending.extend(&children);
        tree.elements[id].children = children;
    }
    Ok(())
}

struct Expander<'a> {
    model_dir: &'a str,
    assets: &'a dyn Assets,
    /// Names of the files included so far, as the reference compares them: relative to the model's directory
    /// where they are found there, otherwise relative to the including file.
    seen: BTreeSet<String>,
}

impl Expander<'_> {
    /// Reads the file of an include element into the tree; returns what takes its place.
    fn insert(&mut self, tree: &mut Tree, id: ElementId) -> Result<Vec<ElementId>> {
        let element = tree.element(id);
        let (path, name) = self.locate(element)?;
        let outer = tree.elements[id].include.clone();
        let depth = outer.as_ref().map_or(1, |o| o.depth + 1);
        let active = std::iter::successors(outer.as_deref(), |o| o.outer.as_deref()).any(|o| o.path == path);
        if active || depth > MAX_DEPTH || self.seen.len() > MAX_FILES {
            let message = format!("file '{path}' includes itself, or includes nest too deeply");
            return Err(MjcfError::CircularInclude(element.complain_attr("file", message)));
        }
        self.seen.insert(name);
        let include = Arc::new(Include { dir: paths::directory(&path).to_string(), path, depth, outer });
        let document = self.parse(element, &include.path)?;
        let base = tree.elements.len();
        let inserted: Vec<ElementId> =
            document.elements[document.root].children.iter().map(|child| child + base).collect();
        for data in document.elements {
            tree.elements.push(ElementData {
                children: data.children.iter().map(|child| child + base).collect(),
                include: Some(include.clone()),
                ..data
            });
        }
        for &id in &inserted {
            tree.elements[id].spliced = true;
        }
        Ok(inserted)
    }

    /// Path of the file and the name that must not repeat.
    fn locate(&self, element: Element<'_>) -> Result<(String, String)> {
        if element.children().len() > 0 {
            let message = "Include element cannot have children";
            return Err(MjcfError::IncludeError(element.complain(message)));
        }
        let file = element.attr("file").ok_or_else(|| {
            MjcfError::IncludeError(element.complain("Include element missing file attribute"))
        })?;
        let in_model_dir = paths::join(self.model_dir, file);
        let beside = paths::join(element.include_dir().unwrap_or(self.model_dir), file);
        let direct = self.assets.exists(&in_model_dir);
        let name =
            if direct || element.include_dir().is_none() { paths::reduce(file) } else { beside.clone() };
        if self.seen.contains(&name) {
            let message = format!("File '{file}' already included");
            return Err(MjcfError::DuplicateInclude(element.complain_attr("file", message)));
        }
        if direct {
            return Ok((in_model_dir, name));
        }
        if !self.assets.exists(&beside) {
            let tried = if beside == in_model_dir {
                beside.clone()
            } else {
                format!("{in_model_dir}' and '{beside}")
            };
            let why = self.assets.refusal(&beside).map_or(String::new(), |why| format!(": {why}"));
            let message = format!("Error opening file '{file}': tried '{tried}'{why}");
            return Err(MjcfError::IncludeError(element.complain_attr("file", message)));
        }
        Ok((beside, name))
    }

    fn parse(&self, element: Element<'_>, path: &str) -> Result<Tree> {
        let fail = |message: String| MjcfError::IncludeError(element.complain_attr("file", message));
        let bytes = open(self.assets, path).map_err(&fail)?;
        if bytes.is_empty() {
            return Err(fail(format!("Empty file '{path}'")));
        }
        let text = String::from_utf8_lossy(&bytes);
        self.assets.charge(Tree::weight(&text)).map_err(|over| element.over_budget(over))?;
        let document = Tree::parse(&text, &path.into())?;
        if document.root().children().len() == 0 {
            return Err(fail(format!("Empty include file '{path}'")));
        }
        Ok(document)
    }
}

#[cfg(test)]
mod tests;
