//! Overwrites single numbers of compiled models, integers and reals, with nonsense. What validation lets pass must be
//! simulated without a panic.
//!
//!     overwrite SAMPLES MODEL...
//!
//! `SAMPLES` is the number of places per field.

use ligament::prelude::*;
use ligament_model::array::{ArrayMut, ArrayRef};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Number of the case that runs, for the watchman.
static CASE: AtomicU64 = AtomicU64::new(0);
const PATIENCE: Duration = Duration::from_secs(20);

const INTEGERS: [i32; 7] = [-1, 0, 1, 7, i32::MAX, i32::MIN, 100_000];
const REALS: [f64; 6] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 1e300, 0.0];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let samples = args.first().and_then(|n| n.parse().ok()).unwrap_or(10);
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::spawn(watch);
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let (mut cases, mut passed) = (0u64, 0u64);
    for path in &args[1.min(args.len())..] {
        let Ok(model) = ligament::open_model(path) else { continue };
        for field in 0..Model::FIELDS.len() {
            overwrite(&model, field, samples, |place, changed| {
                cases += 1;
                CASE.store(cases, Ordering::Relaxed);
                if changed.validate().is_err() {
                    return;
                }
                passed += 1;
                if let Some(why) = panics(changed) {
                    found.entry(format!("{}: {why}", Model::FIELDS[field].name)).or_insert_with(|| {
                        println!("{path}: {place}: {why}");
                        place
                    });
                }
            });
        }
    }
    println!("{cases} overwritten numbers, {passed} of them simulated, {} different panics", found.len());
    std::process::exit(i32::from(!found.is_empty()));
}

/// Ends the program when one case takes too long.
fn watch() {
    let (mut last, mut since) = (0, Instant::now());
    loop {
        std::thread::sleep(Duration::from_millis(500));
        let now = CASE.load(Ordering::Relaxed);
        if now != last {
            (last, since) = (now, Instant::now());
        } else if since.elapsed() > PATIENCE {
            println!("case {now} hangs");
            std::process::exit(3);
        }
    }
}

/// Calls `visit` with a description and a model for each nonsense number in a field.
fn overwrite(model: &Model, field: usize, samples: usize, mut visit: impl FnMut(String, &Model)) {
    let info = &Model::FIELDS[field];
    let (length, integers) = match (info.get)(model) {
        ArrayRef::I32(x) => (x.len(), true),
        ArrayRef::F64(x) => (x.len(), false),
        _ => return,
    };
    let stride = (length / samples.max(1)).max(1);
    for at in (0..length).step_by(stride) {
        for k in 0..if integers { INTEGERS.len() + 2 } else { REALS.len() } {
            let mut changed = model.clone();
            let told = match (info.get_mut)(&mut changed) {
                ArrayMut::I32(x) => {
                    let old = x[at];
                    x[at] = *INTEGERS.get(k).unwrap_or(&if k % 2 == 0 { old + 1 } else { old - 1 });
                    if x[at] == old {
                        continue;
                    }
                    format!("{}[{at}] = {} (was {old})", info.name, x[at])
                }
                ArrayMut::F64(x) => {
                    x[at] = REALS[k];
                    format!("{}[{at}] = {}", info.name, x[at])
                }
                _ => continue,
            };
            visit(told, &changed);
        }
    }
}

/// Simulates; what a panic said, if there was one.
fn panics(model: &Model) -> Option<String> {
    let run = || {
        let Ok(mut data) = model.make_data() else { return };
        if model.nkey > 0 {
            let _ = data.reset_to_keyframe(model, 0);
        }
        for _ in 0..2 {
            if data.step(model).is_err() {
                return;
            }
        }
        let _ = ligament::sim::inverse::inverse(model, &mut data);
        let _ = ligament::sim::setconst::set_const(&mut model.clone(), &mut data);
    };
    let message = |cause: Box<dyn std::any::Any + Send>| match cause.downcast::<String>() {
        Ok(text) => *text,
        Err(cause) => cause.downcast::<&str>().map_or("panic".into(), |text| text.to_string()),
    };
    catch_unwind(AssertUnwindSafe(run)).err().map(message)
}
