//! `ligament render`: every option, every kind of file, every mistake.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A red ball over a green floor; the keyframe lifts it out of the picture and has a time of its own.
const BALL: &str = r#"<mujoco>
  <visual><headlight ambient=".5 .5 .5"/><map znear=".01"/></visual>
  <worldbody>
    <camera name="front" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <camera name="above" pos="0 0 4"/>
    <geom type="plane" size="2 2 .1" rgba=".1 .8 .1 1"/>
    <body pos="0 0 1"><freejoint/><geom size=".4" rgba=".9 .05 .05 1"/></body>
  </worldbody>
  <keyframe><key name="high" time="5" qpos="0 0 9 1 0 0 0"/></keyframe>
</mujoco>"#;

struct Workbench(TempDir);

/// A picture: its size and three bytes for each pixel.
struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Picture {
    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        self.pixels[3 * (y * self.width + x)..][..3].try_into().unwrap()
    }

    fn colours(&self) -> HashSet<[u8; 3]> {
        self.pixels.as_chunks().0.iter().copied().collect()
    }

    fn reds(&self) -> usize {
        self.pixels.as_chunks::<3>().0.iter().filter(|[r, g, _]| *r > 60 && *r > 2 * *g).count()
    }
}

impl Workbench {
    fn new() -> Self {
        let bench = Self(tempfile::tempdir().unwrap());
        std::fs::write(bench.path("ball.xml"), BALL).unwrap();
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, out: &str, options: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ligament"));
        command.args(["render", "ball.xml", "-o", out]).args(options.split_whitespace());
        command.current_dir(self.0.path());
        command
    }

    fn render(&self, out: &str, options: &str) {
        let output = self.command(out, options).output().unwrap();
        assert!(output.status.success(), "{options}: {}", stderr(&output));
    }

    fn picture(&self, options: &str) -> Picture {
        self.render("out.png", options);
        read_png(&self.path("out.png"))
    }

    /// What the command says about a mistake, and its exit status.
    fn refusal(&self, out: &str, options: &str) -> (Option<i32>, String) {
        let output = self.command(out, options).output().unwrap();
        assert!(!output.status.success(), "{out} {options}");
        assert!(!self.path(out).exists(), "{out} {options}: nothing is written after a mistake");
        (output.status.code(), stderr(&output))
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn read_png(path: &Path) -> Picture {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    Picture { width: info.width as usize, height: info.height as usize, pixels }
}

#[test]
fn a_picture_shows_the_model_in_the_size_that_is_asked_for() {
    let bench = Workbench::new();
    let usual = bench.picture("");
    assert_eq!((usual.width, usual.height), (640, 480));
    let small = bench.picture("--size 80x50 --camera front");
    assert_eq!((small.width, small.height), (80, 50));
    let [r, g, _] = small.at(40, 25);
    assert!(r > 100 && g < r / 3, "the red ball is in the middle: {:?}", small.at(40, 25));
    let [r, g, _] = small.at(40, 49);
    assert!(g > 60 && r < 60, "the floor is below it: {:?}", small.at(40, 49));
    for size in ["80", "0x50", "80x", "-3x4", "9000x50", "axb"] {
        let (status, text) = bench.refusal("no.png", &format!("--size={size}"));
        assert_eq!(status, Some(2), "{size}");
        assert!(text.contains("640x480"), "{size}: {text}");
    }
}

#[test]
fn cameras_are_chosen_by_name_or_number_and_the_free_one_is_placed() {
    let bench = Workbench::new();
    let size = "--size 80x60";
    let front = bench.picture(&format!("{size} --camera front"));
    assert_eq!(front.pixels, bench.picture(&format!("{size} --camera 0")).pixels);
    assert_ne!(front.pixels, bench.picture(&format!("{size} --camera above")).pixels);
    let (status, text) = bench.refusal("no.png", "--camera left");
    assert_eq!(status, Some(2));
    assert!(text.contains("'left'") && text.contains("front, above"), "{text}");

    let near = bench.picture(&format!("{size} --distance 3 --elevation -5"));
    let far = bench.picture(&format!("{size} --distance 9 --elevation -5"));
    assert!(near.reds() > 4 * far.reds() && far.reds() > 0, "{} and {}", near.reds(), far.reds());
    assert_ne!(near.pixels, bench.picture(&format!("{size} --distance 3 --elevation -60")).pixels);
    assert_ne!(
        near.pixels,
        bench.picture(&format!("{size} --distance 3 --elevation -5 --azimuth 45")).pixels
    );
    for (option, word) in
        [("--distance -2", "positive"), ("--distance nan", "positive"), ("--azimuth inf", "degrees")]
    {
        let (status, text) = bench.refusal("no.png", option);
        assert!(status == Some(2) && text.contains(word), "{option}: {text}");
    }
    let (status, text) = bench.refusal("no.png", "--camera front --azimuth 3");
    assert!(status == Some(2) && text.contains("--azimuth"), "{text}");
}

#[test]
fn keyframes_are_chosen_by_name_or_number() {
    let bench = Workbench::new();
    let view = "--size 80x60 --camera front";
    assert!(bench.picture(view).reds() > 50);
    assert_eq!(bench.picture(&format!("{view} --keyframe high")).reds(), 0);
    assert_eq!(bench.picture(&format!("{view} --keyframe 0")).reds(), 0);
    let (status, text) = bench.refusal("no.png", "--keyframe low");
    assert!(status == Some(2) && text.contains("'low'") && text.contains("high"), "{text}");
}

#[test]
fn distances_are_grey_and_segments_have_colours_of_their_own() {
    let bench = Workbench::new();
    let view = "--size 80x60 --camera front";
    let depth = bench.picture(&format!("{view} --depth"));
    assert!(depth.colours().iter().all(|[r, g, b]| r == g && g == b));
    let [ball, floor, sky] = [depth.at(40, 30), depth.at(40, 50), depth.at(2, 2)].map(|pixel| pixel[0]);
    assert!(ball > floor && floor > sky && sky == 0, "near is bright: {ball}, {floor}, {sky}");
    let segments = bench.picture(&format!("{view} --segmentation"));
    assert_eq!(segments.colours().len(), 3, "ball, floor and what is behind: {:?}", segments.colours());
    assert_ne!(segments.at(40, 30), segments.at(40, 50));
    let (status, text) = bench.refusal("no.png", "--depth --segmentation");
    assert!(status == Some(2) && text.contains("--segmentation"), "{text}");
}

#[test]
fn a_duration_makes_a_sequence_of_pictures_that_starts_at_the_keyframe() {
    let bench = Workbench::new();
    let reds = |options: &str| -> Vec<usize> {
        bench.render("fall.png", &format!("--size 80x60 --camera front --seconds 1.5 --fps 4 {options}"));
        let names: Vec<PathBuf> = (0..6).map(|i| bench.path(&format!("fall_{i:04}.png"))).collect();
        let counts = names.iter().map(|name| read_png(name).reds()).collect();
        names.iter().for_each(|name| std::fs::remove_file(name).unwrap());
        counts
    };
    let falling = reds("");
    assert!(!bench.path("fall.png").exists() && !bench.path("fall_0006.png").exists());
    assert!(falling[0] > 50 && falling.windows(2).any(|pair| pair[0] != pair[1]), "{falling:?}");
    let from_above = reds("--keyframe high");
    assert!(from_above[0] == 0 && from_above[5] > 0, "it falls into the picture: {from_above:?}");
    for seconds in ["-1", "nan", "1e9"] {
        let (status, text) = bench.refusal("no.png", &format!("--seconds {seconds}"));
        assert!(status == Some(2) && text.contains("--seconds"), "{seconds}: {text}");
    }
}

#[test]
fn a_gif_has_as_many_frames_as_asked_for_and_their_pace() {
    let bench = Workbench::new();
    bench.render("fall.gif", "--size 40x30 --seconds 0.5 --fps 10");
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut film = options.read_info(std::fs::File::open(bench.path("fall.gif")).unwrap()).unwrap();
    assert_eq!((film.width(), film.height()), (40, 30));
    let mut delays = Vec::new();
    while let Some(frame) = film.read_next_frame().unwrap() {
        delays.push(frame.delay);
    }
    assert_eq!(delays, [10; 5], "hundredths of a second");
}

#[test]
fn films_come_from_ffmpeg_and_its_absence_is_explained() {
    let bench = Workbench::new();
    for name in ["fall.mp4", "fall.webm"] {
        let output = bench.command(name, "--seconds 1").env("PATH", "").output().unwrap();
        let text = stderr(&output);
        assert!(
            output.status.code() == Some(1) && text.contains("ffmpeg") && text.contains(".gif"),
            "{text}"
        );
    }
    if Command::new("ffmpeg").arg("-version").output().is_err() {
        eprintln!("SKIPPED: ffmpeg is not installed, so no film was made");
        return;
    }
    for (name, place, magic) in [("fall.mp4", 4, &b"ftyp"[..]), ("fall.webm", 0, &[0x1a, 0x45, 0xdf, 0xa3])] {
        bench.render(name, "--seconds 0.4 --size 41x31"); // odd sizes too
        let bytes = std::fs::read(bench.path(name)).unwrap();
        assert!(bytes.len() > 500 && bytes[place..].starts_with(magic), "{name}: {} bytes", bytes.len());
    }
}

#[test]
fn a_page_plays_the_simulation() {
    let bench = Workbench::new();
    bench.render("fall.html", "--seconds 0.5 --keyframe high --camera front");
    let page = std::fs::read_to_string(bench.path("fall.html")).unwrap();
    assert!(page.contains("id=\"recording\""));
    for option in ["--depth", "--segmentation", "--size 30x30"] {
        let (status, text) = bench.refusal("no.html", option);
        assert!(status == Some(2) && text.contains("page"), "{option}: {text}");
    }
}

#[test]
fn mistakes_are_named_with_their_remedy() {
    let bench = Workbench::new();
    let (status, text) = bench.refusal("ball.bmp", "");
    assert!(status == Some(2) && text.contains("'ball.bmp'") && text.contains(".png"), "{text}");
    for out in ["nowhere/ball.png", "nowhere/ball.gif", "nowhere/ball.html"] {
        let (status, text) = bench.refusal(out, "--seconds 0");
        assert!(status == Some(1) && text.contains(out), "{text}");
    }
    std::fs::write(bench.path("ball.xml"), BALL.replace("freejoint", "frejoint")).unwrap();
    let (status, text) = bench.refusal("ball.png", "");
    assert!(status == Some(1) && text.contains("ball.xml:7") && text.contains("freejoint"), "{text}");
    std::fs::remove_file(bench.path("ball.xml")).unwrap();
    let (status, text) = bench.refusal("ball.png", "");
    assert!(status == Some(1) && text.contains("ball.xml"), "{text}");
}
