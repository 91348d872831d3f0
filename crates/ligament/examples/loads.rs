//! Loads models and prints a digest of each and the least time of loading it: `loads ROUNDS MODEL...`, for comparing bits, timing, and
//! counting instructions (`valgrind --tool=callgrind --toggle-collect=loads::load`).

use ligament::{Model, load_model_from_file};
use std::time::Instant;

#[inline(never)]
fn load(path: &str) -> ligament::Result<Model> {
    load_model_from_file(path)
}

/// Of every byte that a compiled file would have.
fn digest(model: &Model) -> u64 {
    let mix = |digest: u64, byte: &u8| (digest ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    model.to_bytes().iter().fold(0, mix)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let rounds: usize = args.next().ok_or("how many rounds?")?.parse()?;
    for path in args {
        let mut least = f64::INFINITY;
        let mut last = None;
        for _ in 0..rounds {
            let start = Instant::now();
            last = Some(load(&path));
            least = least.min(start.elapsed().as_secs_f64());
        }
        match last {
            Some(Ok(model)) => println!("{:016x} {:.3} ms {path}", digest(&model), 1e3 * least),
            Some(Err(error)) => println!("refused: {error} {path}"),
            None => {}
        }
    }
    Ok(())
}
