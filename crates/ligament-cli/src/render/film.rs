//! Pictures and films as files.

use anyhow::{Context as _, bail};
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Where pictures go, one after the other.
pub enum Film {
    Png { path: PathBuf, size: (usize, usize), sequence: bool, count: usize },
    Gif { encoder: Box<gif::Encoder<BufWriter<File>>>, size: (usize, usize), delay: u16 },
    Video(Child),
}

/// Hundredths of a second, the unit of time in GIF files.
const GIF_TICKS: u32 = 100;
/// How carefully colours of a GIF are chosen, from 1 (best) to 30.
const GIF_SPEED: i32 = 10;

impl Film {
    pub fn new(
        path: &Path,
        ending: &str,
        size: (usize, usize),
        fps: u32,
        moves: bool,
    ) -> anyhow::Result<Self> {
        Ok(match ending {
            "png" => Self::Png { path: path.to_owned(), size, sequence: moves, count: 0 },
            "gif" => {
                let file = BufWriter::new(
                    File::create(path).with_context(|| format!("cannot write '{}'", path.display()))?,
                );
                let mut encoder = gif::Encoder::new(file, size.0 as u16, size.1 as u16, &[])?;
                encoder.set_repeat(gif::Repeat::Infinite)?;
                Self::Gif { encoder: Box::new(encoder), size, delay: (GIF_TICKS / fps).max(1) as u16 }
            }
            _ => Self::Video(start_ffmpeg(path, size, fps)?),
        })
    }

    /// Adds a picture: three bytes a pixel, from the top.
    pub fn add(&mut self, pixels: &[u8]) -> anyhow::Result<()> {
        match self {
            Self::Png { path, size, sequence, count } => {
                let target = if *sequence { numbered(path, *count) } else { path.clone() };
                *count += 1;
                write_png(&target, pixels, *size)
                    .with_context(|| format!("cannot write '{}'", target.display()))
            }
            Self::Gif { encoder, size, delay } => {
                let mut frame = gif::Frame::from_rgb_speed(size.0 as u16, size.1 as u16, pixels, GIF_SPEED);
                frame.delay = *delay;
                Ok(encoder.write_frame(&frame)?)
            }
            Self::Video(process) => match &mut process.stdin {
                Some(input) => input.write_all(pixels).context("ffmpeg does not take pictures any more"),
                None => bail!("ffmpeg has no input"),
            },
        }
    }

    pub fn finish(self) -> anyhow::Result<()> {
        if let Self::Video(mut process) = self {
            drop(process.stdin.take());
            let status = process.wait()?;
            if !status.success() {
                bail!("ffmpeg failed ({status}); write PNG pictures with -o NAME.png --seconds S instead");
            }
        }
        Ok(())
    }
}

/// `name.png` becomes `name_0007.png`.
fn numbered(path: &Path, count: usize) -> PathBuf {
    let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    path.with_file_name(format!("{stem}_{count:04}.png"))
}

fn write_png(path: &Path, pixels: &[u8], (width, height): (usize, usize)) -> anyhow::Result<()> {
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(pixels)?;
    Ok(())
}

fn start_ffmpeg(path: &Path, (width, height): (usize, usize), fps: u32) -> anyhow::Result<Child> {
    let mut command = Command::new("ffmpeg");
    command.args(["-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"]);
    command.args(["-s", &format!("{width}x{height}"), "-r", &fps.to_string(), "-i", "-"]);
    // most players want an even size and this format of colours
    command.args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"]).arg(path);
    command.stdin(Stdio::piped()).spawn().context(
        "films need the program ffmpeg, which cannot be started; write .gif, or PNG pictures with -o NAME.png --seconds S",
    )
}
