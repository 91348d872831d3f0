//! What the command line accepts.

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Physics of MJCF and URDF models.
#[derive(Debug, Parser)]
#[command(name = "ligament", version, styles = STYLES, after_help = OVERVIEW)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub source: Source,
}

/// What a model may see and take.
#[derive(Debug, Args)]
pub struct Source {
    /// Read only files from the folder of the model: for models from strangers
    #[arg(long, global = true)]
    pub sandbox: bool,
    /// Memory that loading a model may take
    #[arg(long, global = true, value_name = "MB", default_value_t = ligament::DEFAULT_MEMORY >> 20,
          value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    pub memory: u64,
}

const OVERVIEW: &str = "\
Examples:
  ligament view                         play with a built-in humanoid in the browser
  ligament run                          simulate a built-in humanoid for five seconds
  ligament check robot.xml scene.xml    find what is wrong with models
  ligament info robot.urdf --json       what a model consists of, for programs

Exit status: 0 success, 1 a bad model or a failure, 2 wrong use of the command.";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show what a model consists of
    Info(InfoArgs),
    /// Convert a model to MJCF or to a compiled file
    Convert(ConvertArgs),
    /// Find what is wrong with models
    Check(CheckArgs),
    /// Simulate a model and report, record or plot what happened
    Run(RunArgs),
    /// Measure steps per second and the time of every stage
    Bench(BenchArgs),
    /// Compare a model with what MuJoCo makes of it, number by number
    Diff(DiffArgs),
    /// Make a picture or a film of a model
    Render(RenderArgs),
    /// Watch and touch a simulation in the browser
    View(ViewArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ligament info robot.xml
  ligament info robot.lig --json | jq '.bodies[].mass'")]
pub struct InfoArgs {
    /// MJCF, URDF or compiled model
    pub model: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The ending of OUT decides: .xml is MJCF with macros expanded and includes merged, .lig is a compiled
model that loads at once and needs no other files, .mjb is one that MuJoCo 3.5.0 reads. A compiled model
has no source and cannot become MJCF.

Examples:
  ligament convert robot.urdf robot.xml
  ligament convert scene.xml scene.lig")]
pub struct ConvertArgs {
    /// MJCF, URDF or compiled model
    pub model: PathBuf,
    /// File to write, .xml, .lig or .mjb
    pub out: PathBuf,
}

#[derive(Debug, Args)]
#[command(
    after_help = "\
Compares the compiled model, then every stage of the first step, then steps, and names the first stage with
fields that differ and the elements they belong to. Numbers from 1 on are compared relative to their size.

Examples:
  ligament diff robot.xml --python .venv/bin/python
  ligament diff robot.xml --tolerance 1e-9 --steps 100
  ligament diff edited.xml --reference robot.xml      what an edit changes first",
    allow_negative_numbers = true
)]
pub struct DiffArgs {
    /// MJCF, URDF or .mjb model
    pub model: PathBuf,
    /// Python interpreter that has the package mujoco
    #[arg(long, value_name = "PYTHON", default_value = "python3")]
    pub python: PathBuf,
    /// What MuJoCo loads, where it is not the same file
    #[arg(long, value_name = "MODEL")]
    pub reference: Option<PathBuf>,
    /// Number of steps after the stages
    #[arg(long, default_value_t = 10)]
    pub steps: u32,
    /// Largest difference that counts as none
    #[arg(long, default_value_t = 0.0)]
    pub tolerance: f64,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ligament check robot.xml
  ligament check models/*.xml --json")]
pub struct CheckArgs {
    /// MJCF, URDF or compiled models
    #[arg(required = true)]
    pub models: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "\
A control file has one column per actuator, separated by commas. It may begin with a header: columns with names of
actuators may come in any order, and where the first column is 'time', a row holds from its time on; otherwise there is one
row per step. The last row holds until the end.

Examples:
  ligament run
  ligament run robot.xml --seconds 10 --keyframe home --out run.npz --plot run.svg
  ligament run robot.xml --steps 1000 --noise 0.3 --seed 7 --out run.csv",
    allow_negative_numbers = true
)]
pub struct RunArgs {
    /// MJCF, URDF or compiled model; a built-in humanoid by default
    pub model: Option<PathBuf>,
    /// Number of steps
    #[arg(long, conflicts_with = "seconds")]
    pub steps: Option<usize>,
    /// Simulated time in seconds; 5 by default
    #[arg(long)]
    pub seconds: Option<f64>,
    /// Keyframe to start from, by name or number
    #[arg(long, value_name = "NAME|N")]
    pub keyframe: Option<String>,
    /// Controls from a CSV file
    #[arg(long, value_name = "FILE", conflicts_with = "noise")]
    pub ctrl: Option<PathBuf>,
    /// Random controls: standard deviation, as a part of half the control range where there is one
    #[arg(long, value_name = "STD")]
    pub noise: Option<f64>,
    /// Seed of the random controls
    #[arg(long, default_value_t = 0, requires = "noise")]
    pub seed: u64,
    /// Record the trajectory to a .csv, .json or .npz file
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Plot positions, velocities and energy to a .svg or .png file
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Step with the lean engine: the same physics within rounding, faster; sensors and energy are computed for the rows
    /// that are recorded
    #[arg(long)]
    pub lean: bool,
    /// Threads that work on one step of a large scene; the numbers do not depend on it. 0: as many as there are cores.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "lean")]
    pub threads: usize,
    /// Record every N-th step only
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Every round resets the model and makes the same steps; the best round counts. Times of stages come from rounds of
their own, because reading the clock costs time too. With --python, rounds of both engines alternate.

Examples:
  ligament bench robot.xml
  ligament bench robot.xml scene.xml --python .venv/bin/python")]
pub struct BenchArgs {
    /// MJCF, URDF or compiled models
    #[arg(required = true)]
    pub models: Vec<PathBuf>,
    /// Steps in a round
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub steps: u32,
    /// Number of rounds
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Keyframe to start from, by name or number
    #[arg(long, value_name = "NAME|N")]
    pub keyframe: Option<String>,
    /// Interpreter that has the mujoco package, to measure MuJoCo beside Ligament
    #[arg(long, value_name = "PY")]
    pub python: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The ending of OUT decides: .png is a picture, or with --seconds a sequence of pictures out_0000.png, out_0001.png, ...;
.gif is a film; .mp4 and .webm are films that need the program ffmpeg; .html is a page that plays anywhere and lets the
camera move.

Examples:
  ligament render robot.xml -o robot.png
  ligament render robot.xml -o robot.gif --seconds 3 --camera front --size 320x240
  ligament render robot.xml -o depth.png --depth --keyframe home")]
pub struct RenderArgs {
    /// MJCF, URDF or compiled model
    pub model: PathBuf,
    /// File to write: .png, .gif, .mp4, .webm or .html
    #[arg(short, long, value_name = "OUT")]
    pub out: PathBuf,
    /// Camera of the model, by name or number; a free camera by default
    #[arg(long, value_name = "NAME|N")]
    pub camera: Option<String>,
    /// Width and height in pixels; 640x480 by default
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// Simulated time of a film in seconds; 3 by default for films, 0 for pictures
    #[arg(long, allow_negative_numbers = true)]
    pub seconds: Option<f64>,
    /// Pictures per second of a film
    #[arg(long, default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub fps: u32,
    /// Keyframe to start from, by name or number
    #[arg(long, value_name = "NAME|N")]
    pub keyframe: Option<String>,
    /// Direction of the free camera in degrees
    #[arg(long, allow_negative_numbers = true, conflicts_with = "camera")]
    pub azimuth: Option<f64>,
    /// Height angle of the free camera in degrees, negative when it looks down
    #[arg(long, allow_negative_numbers = true, conflicts_with = "camera")]
    pub elevation: Option<f64>,
    /// Distance of the free camera
    #[arg(long, allow_negative_numbers = true, conflicts_with = "camera")]
    pub distance: Option<f64>,
    /// Show distances as grey values: near is bright
    #[arg(long, conflicts_with = "segmentation")]
    pub depth: bool,
    /// Show every geom in a colour of its own
    #[arg(long)]
    pub segmentation: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Prints the address of the page and opens it. The page is served to this machine alone. The model loads again when one
of its files is saved; a file with a mistake is shown with the mistake, and the last good model stays. Files can be
dropped on the page. F1 in the page lists keys and mouse.

Examples:
  ligament view
  ligament view robot.xml --keyframe home --paused")]
pub struct ViewArgs {
    /// MJCF, URDF or compiled model; a built-in humanoid by default
    pub model: Option<PathBuf>,
    /// Keyframe to start from, by name or number
    #[arg(long, value_name = "NAME|N")]
    pub keyframe: Option<String>,
    /// Start paused
    #[arg(long)]
    pub paused: bool,
    /// Port to serve at; a free one by default
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// Only print the address
    #[arg(long)]
    pub no_browser: bool,
    /// End when the last page is closed
    #[arg(long)]
    pub once: bool,
}
