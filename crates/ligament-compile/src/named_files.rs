//! Reading the files that assets name.

use crate::labels::label;
use ligament_mjcf::asset_paths::{AssetKind, resolve_asset_path};
use ligament_mjcf::assets::{Assets, open};
use ligament_mjcf::diag::{Diagnostic, MjcfError, Result};
use ligament_mjcf::paths::{base_name, join};
use ligament_mjcf::spec::{Compiler, Meta, Spec};
use ligament_model::enums::ObjType;
use std::borrow::Cow;

/// A file as found.
#[derive(Debug)]
pub struct File<'a> {
    /// Name it was found under.
    pub name: String,
    pub bytes: Cow<'a, [u8]>,
}

/// Settings that an element is compiled with.
pub fn compiler<'a>(spec: &'a Spec, meta: &Meta) -> &'a Compiler {
    spec.compilers.get(meta.compiler.index()).unwrap_or_else(|| spec.compiler())
}

/// Reads the file of an asset.
pub fn read<'a>(
    assets: &'a dyn Assets,
    compiler: &Compiler,
    kind: AssetKind,
    file: &str,
    filedir: &str,
) -> Result<File<'a>> {
    let name = resolve_asset_path(compiler, kind, file, filedir);
    match open(assets, &name) {
        Ok(bytes) => Ok(File { name, bytes }),
        Err(message) => Err(MjcfError::Asset(
            Diagnostic::new(message)
                .help("check the file name and the compiler's meshdir, texturedir or assetdir"),
        )),
    }
}

/// The path the model remembers for a file: as written, with its directory where an included document named it.
pub fn remembered_path(compiler: &Compiler, file: &str, filedir: &str) -> String {
    match (compiler.strippath, filedir) {
        (true, _) => base_name(file).into(),
        (false, "") => file.into(),
        (false, dir) => join(dir, file),
    }
}

/// Adds the element to blame to an error that has none.
pub fn blame(kind: ObjType, meta: &Meta) -> impl Fn(MjcfError) -> MjcfError + '_ {
    move |error| match error {
        MjcfError::Asset(d) if d.element.is_empty() => {
            MjcfError::Asset(Diagnostic { help: d.help, ..Diagnostic::new(d.message).at(label(kind), meta) })
        }
        other => other,
    }
}
