//! What holds for the sources and the public interface as a whole (spec item C1 of foundations).

use ligament::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All library sources below a directory.
fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "tests" && name != "target") {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn library_sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    sources(&root().join("crates"), &mut found);
    assert!(found.len() > 50);
    found.into_iter().map(|path| (path.clone(), fs::read_to_string(&path).unwrap())).collect()
}

/// FC1.4: one type of integrator, under its own name
#[test]
fn one_integrator() {
    let keywords = ["Euler", "RK4", "implicit", "implicitfast"];
    let kinds = [Integrator::Euler, Integrator::Rk4, Integrator::Implicit, Integrator::Implicitfast];
    for (keyword, kind) in keywords.iter().zip(kinds) {
        let m = ligament::load_model(&format!("<mujoco><option integrator='{keyword}'/></mujoco>")).unwrap();
        assert_eq!(Integrator::try_from(m.opt.integrator), Ok(kind));
    }
    let others: Vec<_> = library_sources()
        .into_iter()
        .filter(|(_, text)| text.contains("enum Integrat") || text.contains("IntegrationMethod"))
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

/// FC1.8: `implicitfast` leaves out the derivative of Coriolis forces, `implicit` does not
#[test]
fn implicitfast_is_itself() {
    let speed = |integrator: Integrator| {
        let mut m = ligament::load_model(
            "<mujoco><worldbody><body><joint type='ball'/><geom type='box' size='.1 .2 .3' pos='.3 0 0'/></body></worldbody></mujoco>",
        )
        .unwrap();
        m.opt.integrator = integrator as i32;
        let mut d = m.make_data().unwrap();
        d.qvel.copy_from_slice(&[1.0, 2.0, 3.0]);
        d.step(&m).unwrap();
        d.qvel
    };
    assert_eq!(speed(Integrator::Implicitfast), speed(Integrator::Euler));
    assert_ne!(speed(Integrator::Implicitfast), speed(Integrator::Implicit));
}

/// FC1.9: nothing unused is kept silent
#[test]
fn no_silenced_warnings() {
    for (path, text) in library_sources() {
        for lint in ["dead_code", "unused_imports", "unused_variables", "unused)"] {
            assert!(!text.contains(&format!("allow({lint}")), "{}: {lint}", path.display());
        }
    }
}

/// FC1.5, FC1.6, FC1.7: what has to pass before a change lands denies warnings, runs every test and builds the documents
#[test]
fn the_gate_is_complete() {
    let gate = fs::read_to_string(root().join("scripts/test")).unwrap();
    for command in [
        "clippy -q --workspace --all-targets -- -D warnings",
        "cargo test -q --workspace --no-fail-fast",
        "cargo test -q --workspace --doc",
        "RUSTDOCFLAGS=\"-D warnings\" cargo doc -q --workspace --no-deps",
        "pytest -q python/tests",
    ] {
        assert!(gate.contains(command), "{command}");
    }
    for crate_dir in fs::read_dir(root().join("crates")).unwrap() {
        let manifest = fs::read_to_string(crate_dir.unwrap().path().join("Cargo.toml")).unwrap();
        assert!(manifest.contains("[lints]\nworkspace = true"), "{manifest}");
    }
}

/// FC1.10: the types that programs share are plain values: they can be copied, sent and shared
#[test]
fn plain_types() {
    fn plain<T: Clone + Send + Sync + 'static>() {}
    plain::<Model>();
    plain::<Data>();
    plain::<Contact>();
    plain::<StepError>();
    plain::<(JointType, GeomType, ObjType, SolverType, ConeType, Integrator)>();
}
