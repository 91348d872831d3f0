//! What files a model may see: all of the disk by default, one folder on demand; never devices, never without end.

use ligament::{Assets, DiskAssets, FolderAssets, GrantedAssets, OpenError, check_file_with_assets};
use ligament::{open_model, open_model_with_assets};
use std::path::{Path, PathBuf};

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ligament-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("inside/parts")).expect("a folder");
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

fn with_mesh(file: &str) -> String {
    format!(
        "<mujoco><asset><mesh name='m' file='{file}'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>"
    )
}

fn told(outcome: Result<ligament::Model, OpenError>) -> String {
    outcome.err().map(|error| error.to_string()).unwrap_or_else(|| panic!("must be refused"))
}

/// Meshes, includes and models from outside the folder are refused, those inside load.
#[test]
fn a_folder_is_all_that_a_model_sees() {
    let folder = Folder::new("folder");
    let secret = folder.write("secret.obj", TETRAHEDRON);
    folder.write("secret.xml", "<mujocoinclude><geom size='.1'/></mujocoinclude>");
    folder.write("inside/parts/own.obj", TETRAHEDRON);
    let files = FolderAssets::new(folder.0.join("inside")).expect("it is there");
    let open = |text: &str| {
        folder.write("inside/model.xml", text);
        open_model_with_assets("model.xml", &files)
    };
    assert!(open(&with_mesh("parts/own.obj")).is_ok());
    assert!(open(&with_mesh("parts/../parts/own.obj")).is_ok());
    let absolute = folder.0.join("inside/parts/own.obj");
    assert!(open(&with_mesh(&absolute.to_string_lossy())).is_ok(), "an absolute path to the inside");
    for file in ["../secret.obj", "parts/../../secret.obj", &*secret.to_string_lossy()] {
        let error = told(open(&with_mesh(file)));
        assert!(error.contains("no such file inside") && error.contains("mesh 'm'"), "{error}");
    }
    let include = told(open("<mujoco><worldbody><include file='../secret.xml'/></worldbody></mujoco>"));
    assert!(include.contains("no such file inside"), "{include}");
    let attach = told(open("<mujoco><asset><model name='s' file='../secret.xml'/></asset></mujoco>"));
    assert!(attach.contains("no such file inside"), "{attach}");
    let flex = told(open(
        "<mujoco><worldbody><flexcomp name='f' type='mesh' dim='2' file='../secret.obj'/></worldbody></mujoco>",
    ));
    assert!(flex.contains("no such file inside"), "{flex}");
    folder.write("inside/model.xml", &with_mesh("../secret.obj"));
    assert_eq!(check_file_with_assets("model.xml", &files).errors.len(), 1);
    assert!(told(open_model_with_assets("../secret.xml", &files)).contains("no such file inside"));
}

/// A link to the outside is not a way out.
#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_the_folder() {
    let folder = Folder::new("links");
    folder.write("secret.obj", TETRAHEDRON);
    folder.write("inside/own.obj", TETRAHEDRON);
    std::os::unix::fs::symlink(folder.0.join("secret.obj"), folder.0.join("inside/way-out.obj"))
        .expect("a link");
    std::os::unix::fs::symlink(&folder.0, folder.0.join("inside/up")).expect("a link");
    std::os::unix::fs::symlink("own.obj", folder.0.join("inside/way-in.obj")).expect("a link");
    let files = FolderAssets::new(folder.0.join("inside")).expect("it is there");
    assert!(files.read("way-in.obj").is_some(), "links that stay inside work");
    for path in ["way-out.obj", "up/secret.obj", "up/inside/../secret.obj"] {
        assert!(files.read(path).is_none() && !files.exists(path), "{path}");
    }
}

/// `/dev/zero` has no end, a pipe may never say anything: neither is a file for a model.
#[cfg(unix)]
#[test]
fn devices_are_not_files() {
    let folder = Folder::new("devices");
    let pipe = folder.0.join("pipe.obj");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success());
    let pipe = if made { pipe.to_string_lossy().into_owned() } else { "/dev/random".into() };
    for file in ["/dev/zero", &pipe] {
        let text = with_mesh(file).replace("file=", "content_type='model/obj' file=");
        let error = told(open_model(folder.write("model.xml", &text)));
        assert!(error.contains("not an ordinary file") && error.contains("mesh 'm'"), "{error}");
        assert!(told(open_model(file)).contains("not an ordinary file"));
    }
    let hfield = "<mujoco><asset><hfield name='h' file='/dev/zero' size='1 1 1 1'/></asset></mujoco>";
    assert!(told(open_model(folder.write("model.xml", hfield))).contains("not an ordinary file"));
}

/// Files larger than the memory of a model are not read.
#[test]
fn files_have_a_largest_size() {
    let folder = Folder::new("large");
    let large = folder.0.join("large.obj");
    let file = std::fs::File::create(&large).expect("a file");
    file.set_len(5 << 30).expect("a file with a hole");
    assert!(DiskAssets.read(&large.to_string_lossy()).is_none());
    let error = told(open_model(folder.write("model.xml", &with_mesh("large.obj"))));
    assert!(error.contains("larger than") && error.contains("mesh 'm'"), "{error}");
    file.set_len(3 << 20).expect("a smaller file");
    let files = GrantedAssets { files: DiskAssets, memory: 1 << 20 };
    let model = folder.0.join("model.xml");
    let error = told(open_model_with_assets(Path::new(&model), &files));
    assert!(error.contains("budget of 1 MB") && error.contains("mesh 'm'"), "{error}");
}
