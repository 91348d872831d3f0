//! `ligament view`

mod files;

use crate::args::{Source, ViewArgs};
use crate::run::HUMANOID;
use crate::{diagnostics, keyframe, output};
use anyhow::Context;
use files::{Noted, Watch};
use ligament::MemoryAssets;
use ligament::prelude::*;
use ligament_view::{Request, Server, Session, carry_over, notice};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Endings of files that can be models, the likeliest first.
const MODELS: [&str; 4] = ["xml", "urdf", "lig", "mjb"];

/// Where the model comes from.
enum Origin {
    BuiltIn,
    File(PathBuf),
    /// Files that were dropped on the page, and which of them is the model.
    Dropped(MemoryAssets, String),
}

impl Origin {
    fn name(&self) -> String {
        let last = |path: &Path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        match self {
            Self::BuiltIn => "humanoid.xml".into(),
            Self::File(path) => last(path),
            Self::Dropped(_, name) => last(Path::new(name)),
        }
    }

    /// Loads the model, and says which files it was made of.
    fn load(&self, source: &Source) -> (anyhow::Result<Model>, Watch) {
        match self {
            Self::BuiltIn => (ligament::load_model(HUMANOID).map_err(Into::into), Watch::default()),
            Self::Dropped(files, name) => {
                (ligament::open_model_with_assets(name, files).map_err(Into::into), Watch::default())
            }
            Self::File(path) => match source.files(path) {
                Ok((path, files)) => {
                    let noted = Noted::new(&*files);
                    let model = ligament::open_model_with_assets(&path, &noted);
                    (model.map_err(Into::into), Watch::new(noted.names()))
                }
                Err(error) => (Err(error), Watch::default()),
            },
        }
    }

    fn dropped(files: Vec<(String, Vec<u8>)>) -> Option<Self> {
        let rank = |name: &str| {
            let ending = Path::new(name).extension()?.to_str()?.to_lowercase();
            Some((MODELS.iter().position(|e| *e == ending)?, name.matches('/').count()))
        };
        let (_, model) = files.iter().filter_map(|(name, _)| Some((rank(name)?, name.clone()))).min()?;
        Some(Self::Dropped(MemoryAssets(files.into_iter().collect()), model))
    }
}

/// What is being viewed.
struct Viewed<'a> {
    source: &'a Source,
    origin: Origin,
    model: Model,
    data: Data,
    session: Session,
    watch: Watch,
}

pub fn view(args: &ViewArgs, source: &Source) -> anyhow::Result<ExitCode> {
    let origin = args.model.clone().map_or(Origin::BuiltIn, Origin::File);
    let (model, watch) = origin.load(source);
    let model = model?;
    let data = keyframe::make_data(&model, args.keyframe.as_deref())?;
    let server = Server::start(args.port).with_context(|| format!("cannot serve at port {}", args.port))?;
    let mut session = Session::new(&model, &origin.name());
    session.running = !args.paused;
    server.show_model(session.describe(&model));
    output::line(format_args!("{}", server.address()))?;
    if !args.no_browser {
        open_browser(&server.address());
    }
    let mut viewed = Viewed { source, origin, model, data, session, watch };
    loop {
        let requests = viewed.session.turn(&viewed.model, &mut viewed.data, &server)?;
        for request in requests {
            match request {
                Request::Quit => return Ok(ExitCode::SUCCESS),
                Request::Reload => viewed.reload(&server)?,
                Request::Open(files) => viewed.open(files, &server)?,
                Request::Left if args.once && server.pages() == 0 => return Ok(ExitCode::SUCCESS),
                Request::Key(_) | Request::Left => {}
            }
        }
        if viewed.watch.has_changed() {
            viewed.reload(&server)?;
        }
    }
}

impl Viewed<'_> {
    /// Loads the model again. A file with a mistake in it leaves everything as it was, and says what is wrong.
    fn reload(&mut self, server: &Server) -> anyhow::Result<()> {
        let (model, watch) = self.origin.load(self.source);
        self.watch = watch;
        match model.and_then(|model| Ok((model.make_data()?, model))) {
            Ok((mut data, model)) => {
                carry_over(&self.model, &self.data, &model, &mut data);
                data.callbacks.time = self.data.callbacks.time.take();
                self.show(model, data, server)
            }
            Err(error) => {
                let text = diagnostics::render_failure(&error);
                output::complain(&text);
                server.show_notice(notice("error", &anstream::adapter::strip_str(&text).to_string()));
                Ok(())
            }
        }
    }

    /// Opens files that were dropped on the page. They see no other files.
    fn open(&mut self, files: Vec<(String, Vec<u8>)>, server: &Server) -> anyhow::Result<()> {
        let Some(origin) = Origin::dropped(files) else {
            let words = "error: none of these files is a model\n  help: drop a .xml, .urdf, .mjb or .lig file, with the files it needs";
            server.show_notice(notice("error", words));
            return Ok(());
        };
        let before = std::mem::replace(&mut self.origin, origin);
        let (model, watch) = self.origin.load(self.source);
        match model.and_then(|model| Ok((model.make_data()?, model))) {
            Ok((data, model)) => {
                self.watch = watch;
                self.show(model, data, server)
            }
            Err(error) => {
                self.origin = before;
                let text = diagnostics::render_failure(&error);
                server.show_notice(notice("error", &anstream::adapter::strip_str(&text).to_string()));
                Ok(())
            }
        }
    }

    fn show(&mut self, model: Model, data: Data, server: &Server) -> anyhow::Result<()> {
        (self.model, self.data) = (model, data);
        self.data.forward(&self.model)?;
        self.session.replace_model(&self.model, &self.origin.name());
        server.show_model(self.session.describe(&self.model));
        Ok(())
    }
}

/// Opens a page in the user's browser. Where that does not work, the address has been printed.
fn open_browser(address: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(target_os = "windows") {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = command.spawn();
}
