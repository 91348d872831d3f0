//! How throughput grows with threads. The one test of this file has the process to itself, and with it its clock.

mod support;

use ligament_batch::{Batch, Config, Select};
use ligament_model::enums::Stage;
use std::sync::Arc;
use std::time::Instant;
use support::{HUMANLIKE, load};

/// Seconds of processor time that all threads of this process have had.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = text.rsplit(')').next()?.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / 100.0)
}

/// F10.4: throughput over 1, 2, 4 and 8 threads. Threads add no work: the processor time of a step stays what it is with one
/// thread, so that the rate grows with the cores that are free. Rates by the clock are printed, here and by
/// `scripts/bench-batch`; they say something on a machine with as many free cores.
#[test]
fn threads_add_no_work() {
    let m = Arc::new(load(HUMANLIKE));
    let (worlds, calls, steps) = (64, 12, 20);
    let mut single = None;
    for threads in [1, 2, 4, 8] {
        let mut batch = Batch::new(m.clone(), worlds, &Config { threads, ..Config::default() }).unwrap();
        batch.step(Select::All, steps, Stage::None).unwrap();
        let mut least = f64::INFINITY;
        for _ in 0..3 {
            let (start, before) = (Instant::now(), processor_seconds());
            for _ in 0..calls {
                batch.step(Select::All, steps, Stage::None).unwrap();
            }
            let rate = (worlds * calls * steps) as f64 / start.elapsed().as_secs_f64();
            let spent = processor_seconds().zip(before).map(|(after, before)| after - before);
            println!("{threads} threads: {rate:.0} steps/s, {spent:?} s of processor time");
            least = least.min(spent.unwrap_or(f64::INFINITY));
        }
        let alone = *single.get_or_insert(least);
        assert!(
            least.is_infinite() || least < 1.5 * alone + 0.05,
            "{threads} threads: {least} s of processor time, one thread: {alone} s"
        );
    }
}
