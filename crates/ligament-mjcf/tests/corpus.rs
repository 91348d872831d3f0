//! Reads every model below `LIGAMENT_CORPUS`; run with `cargo test --test corpus -- --ignored --nocapture`.

use ligament_mjcf::assets::Assets;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

struct Disk;

impl Assets for Disk {
    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        std::fs::read(path).ok().map(Cow::Owned)
    }

    fn exists(&self, path: &str) -> bool {
        Path::new(path).is_file()
    }
}

fn models(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![root.to_path_buf()];
    while let Some(dir) = pending.pop() {
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|e| e == "xml" || e == "urdf") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// One line per model: path, `ok` or the first line of the error.
#[test]
#[ignore = "needs a collection of models in LIGAMENT_CORPUS"]
fn report_every_model() {
    let root = std::env::var("LIGAMENT_CORPUS").expect("LIGAMENT_CORPUS names a directory");
    for path in models(Path::new(&root)) {
        let text = path.display().to_string();
        let short = text.strip_prefix(&root).unwrap_or(&text).trim_start_matches('/').to_string();
        match ligament_mjcf::read_file(&text, &Disk) {
            Ok(_) => println!("MODEL\t{short}\tok"),
            Err(error) => println!("MODEL\t{short}\t{}", error.to_string().replace('\n', " | ")),
        }
    }
}
