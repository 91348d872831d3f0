//! Milliseconds a picture: `speed MODEL [WIDTH HEIGHT [COUNT [THREADS]]]`.

use ligament::prelude::*;
use ligament_render::{Context, Output, Studio};
use ligament_scene::{Camera, VisualOption};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, usual: usize| arguments.get(i).map_or(Ok(usual), |text| text.parse::<usize>());
    let path = arguments.first().ok_or("which model?")?;
    let (width, height) = (number(1, 640)?, number(2, 480)?);
    let (count, threads) = (number(3, 10)?, number(4, std::thread::available_parallelism()?.get())?);
    let model = ligament::load_model_from_file(path)?;
    let mut data = model.make_data()?;
    data.forward(&model)?;
    let context = Context::new(&model)?;
    let mut studio = Studio::new(&model, width, height, 10_000)?;
    let (camera, option) = (Camera::free(&model), VisualOption::default());
    let mut pixels = vec![0; 3 * width * height];
    let mut best = f64::INFINITY;
    for _ in 0..count {
        let start = Instant::now();
        studio.picture(
            &context,
            &model,
            &mut data,
            (&camera, &option),
            threads,
            Output::Colors(&mut pixels),
        )?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    let sum: u64 = pixels.iter().map(|&byte| u64::from(byte)).sum();
    println!("{:.2} ms, sum of bytes {sum}", 1e3 * best);
    Ok(())
}
