//! Pages of the book that come from the table of fields.
//! `LIGAMENT_WRITE_PAGES=1 cargo test -p ligament-model --test pages` writes `docs/fields.md` anew.

use ligament_model::data::Role;
use ligament_model::model::Reference;
use ligament_model::{Data, Model, Sizes};
use std::path::PathBuf;

fn page(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
}

const HEAD: &str = "\
# Fields

Every size and array of a model and of a state, from the table in the source (`crates/ligament-model/src/fields`) that makes
the structs, their allocation, files, the Python classes and this page. Names, shapes and order are MuJoCo's.

- **per world**: the numbers may differ from world to world of a [batch](batch.md);
- **follows from**: computed from these; after a change of them `mj_setConst` (for bounds of geoms the compiler) has to
  compute it again, see [Changing parameters](parameters.md);
- **refers to**: integers are numbers of these things; overwritten ones are checked before they are used.
";

/// What an array refers to, in words.
fn reference(reference: Option<Reference>) -> String {
    match reference {
        None => String::new(),
        Some(Reference::Id { lowest: 0, below }) => format!("below `{below}`"),
        Some(Reference::Id { below, .. }) => format!("below `{below}`, or -1"),
        Some(Reference::Section { length, within }) => format!("first of `{length}` entries of `{within}`"),
    }
}

/// Axes by the names of their sizes, and the length of the last one where elements are vectors.
fn axes(extents: &[&str], dims: &[usize]) -> String {
    let names = extents.iter().map(|name| name.replace('*', "·"));
    names.chain(dims[extents.len()..].iter().map(usize::to_string)).collect::<Vec<_>>().join(" × ")
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn role(role: Role) -> &'static str {
    match role {
        Role::State => "state",
        Role::Input => "input",
        Role::Sleep => "follows from `tree_asleep`",
        Role::Constant => "set by a reset",
        Role::Result => "",
    }
}

fn model_page(out: &mut String) {
    let (sizes, model) = (Sizes::default(), Model::allocate(Sizes::default()));
    *out += "\n## Sizes of a model\n\n| size | number of |\n|---|---|\n";
    for (name, doc) in Sizes::NAMES.iter().zip(Sizes::DOCS) {
        *out += &format!("| `{name}` | {doc} |\n");
    }
    *out += "\n## Arrays of a model\n\n| array | shape | type | what it is | per world | follows from | refers to |\n|---|---|---|---|---|---|---|\n";
    for (field, role) in Model::FIELDS.iter().zip(Model::ROLES) {
        let (shape, kind) = ((field.shape)(&sizes), (field.get)(&model).scalar().name());
        *out += &format!(
            "| `{}` | {} | {kind} | {} | {} | {} | {} |\n",
            field.name,
            axes(field.extents, shape.dims()),
            field.doc,
            if role.per_world { "yes" } else { "" },
            listed(role.derived_from),
            reference(role.reference),
        );
    }
}

fn state_page(out: &mut String) {
    let sizes = Sizes::default();
    let data = Data::new(&Model::allocate(Sizes::default()));
    *out += "\n## Numbers and arrays of a state\n\nWhat a step needs of the past is *state*, or *input* where it is set from outside: \
             restoring these continues with the same bits. Everything else is computed in a step.\n\n\
             | number | what it is | role |\n|---|---|---|\n";
    for ((name, doc), kind) in Data::SCALARS.iter().zip(Data::SCALAR_DOCS).zip(Data::SCALAR_ROLES) {
        *out += &format!("| `{name}` | {doc} | {} |\n", role(*kind));
    }
    *out += "\n| array | shape | type | what it is | role |\n|---|---|---|---|---|\n";
    for field in Data::FIELDS {
        let (shape, kind) = ((field.shape)(&sizes, &data), (field.get)(&data).scalar().name());
        let axes = axes(field.extents, shape.dims());
        *out += &format!("| `{}` | {axes} | {kind} | {} | {} |\n", field.name, field.doc, role(field.role));
    }
}

/// The page of all fields is that of the table.
#[test]
fn the_page_of_fields_is_current() {
    let mut now = HEAD.to_string();
    model_page(&mut now);
    state_page(&mut now);
    let path = page("fields.md");
    if std::env::var_os("LIGAMENT_WRITE_PAGES").is_some() {
        std::fs::write(&path, &now).expect("the page can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let other = now.lines().zip(written.lines()).find(|(a, b)| a != b);
    assert!(now == written, "docs/fields.md is not current, first at {other:?}; see the head of this test");
}

/// What the page on parameters says to follow from others does so by the table.
#[test]
fn parameters_follow_from_what_the_page_says() {
    let text = std::fs::read_to_string(page("parameters.md")).expect("the page on parameters");
    let table = text.split("| changed | computed from it |").nth(1).expect("a table").split("\n\n").next();
    let names = |cell: &str| -> Vec<String> {
        let names = cell.split('`').skip(1).step_by(2).map(str::to_string);
        names.filter(|name| Model::field(name).is_some()).collect()
    };
    let mut checked = 0;
    for row in table.unwrap_or_default().lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        for from in names(cells[0]) {
            let derived = Model::derived_from(&from);
            assert!(!derived.is_empty(), "nothing follows from {from}");
            for name in names(cells[1]) {
                assert!(derived.contains(&name.as_str()), "{name} does not follow from {from}: {derived:?}");
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "{checked} dependencies");
}
