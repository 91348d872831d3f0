//! Models that ask for more memory than anybody has are refused before it is taken. Every test watches the allocator.

use ligament::prelude::*;
use ligament::{GrantedAssets, MemoryAssets, MjcfError, StepError};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes in use, and the most there ever were.
static USED: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Watched;

#[allow(unsafe_code)]
// SAFETY: every call is handed on to the system's allocator unchanged; counting does not allocate.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let used = USED.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(used, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Tests share the counters, so each holds this while it runs.
static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());

const GIGABYTE: usize = 1 << 30;

/// Runs something and returns the most bytes in use meanwhile.
fn peak<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let before = USED.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = run();
    (result, PEAK.load(Ordering::Relaxed).saturating_sub(before))
}

/// The text is refused for its memory, blamed on this element, and little was taken.
fn refused(text: &str, blamed: &str, files: &MemoryAssets) {
    let (outcome, bytes) = peak(|| ligament::load_model_with_assets(text, files));
    let error = outcome.err().unwrap_or_else(|| panic!("must be refused: {}", &text[..text.len().min(300)]));
    let told = error.to_string();
    assert!(told.contains(blamed), "'{blamed}' is to blame: {told}");
    let reasons = ["budget", "too large", "takes too long"];
    assert!(reasons.iter().any(|reason| told.contains(reason)), "it is too much: {told}");
    assert!(bytes < 3 * GIGABYTE / 2, "took {bytes} bytes before it was refused: {told}");
}

fn refused_alone(text: &str, blamed: &str) {
    refused(text, blamed, &MemoryAssets::default());
}

#[test]
fn attachments_of_attachments() {
    let mut files = MemoryAssets::default();
    let leaf = "<mujoco><worldbody><body name='b'><geom size='.1'/></body></worldbody></mujoco>";
    files.0.insert("m0.xml".into(), leaf.into());
    for level in 1..12 {
        let attaches: String = (0..10).map(|i| format!("<attach model='m' prefix='{i}_'/>")).collect();
        let text = format!(
            "<mujoco><asset><model name='m' file='m{}.xml'/></asset><worldbody><body>{attaches}</body></worldbody></mujoco>",
            level - 1
        );
        files.0.insert(format!("m{level}.xml"), text.into());
    }
    let text = String::from_utf8(files.0["m11.xml"].clone()).unwrap_or_default();
    refused(&text, "attach", &files);
}

/// Copies of a part copy the keyframes, too: what these say about every joint is charged as often.
#[test]
fn keyframes_of_copies_and_attachments() {
    let joints = "<body><joint/><geom size='.1'/></body>".repeat(1000);
    let keys = format!("<key qpos='{}'/>", "0 ".repeat(1000)).repeat(100);
    let keyed = |world: &str, asset: &str| {
        format!("<mujoco model='m'>{asset}<worldbody>{world}</worldbody><keyframe>{keys}</keyframe></mujoco>")
    };
    let copies = format!("{joints}<replicate count='2000'><geom size='.1'/></replicate>");
    refused_alone(&keyed(&copies, ""), "replicate");
    let mut files = MemoryAssets::default();
    files.0.insert("m.xml".into(), keyed(&format!("<body name='b'>{joints}</body>"), "").into());
    let attaches: String = (0..200).map(|i| format!("<attach model='m' body='b' prefix='{i}_'/>")).collect();
    let text = format!(
        "<mujoco><asset><model name='m' file='m.xml'/></asset><worldbody>{attaches}</worldbody></mujoco>"
    );
    refused(&text, "attach", &files);
}

/// Texts and lists of a class, a prefix or a name are copied into every element that they concern.
#[test]
fn texts_and_lists_that_multiply() {
    let (long, numbers) = ("x".repeat(1 << 20), "0 ".repeat(200_000));
    let geoms = "<geom size='.1'/>".repeat(3000);
    for default in [format!("<geom user='{numbers}'/>"), format!("<geom material='{long}'/>")] {
        let text = format!("<mujoco><default>{default}</default><worldbody>{geoms}</worldbody></mujoco>");
        refused_alone(&text, "geom");
    }
    let classes: String = (0..3000).map(|i| format!("<default class='{i}'/>")).collect();
    refused_alone(
        &format!("<mujoco><default><site user='{numbers}'/>{classes}</default></mujoco>"),
        "default",
    );
    let world = |content: &str| format!("<mujoco><worldbody>{content}</worldbody></mujoco>");
    let grid = "type='grid' count='50 50 1' spacing='.1 .1 .1' radius='.01' dim='2'";
    refused_alone(&world(&format!("<flexcomp name='{long}' {grid}/>")), "flexcomp");
    let cable = "type='cable' count='3000 1 1' curve='s' size='1'";
    refused_alone(
        &world(&format!("<composite prefix='{long}' {cable}><geom size='.01'/></composite>")),
        "composite",
    );
    let material = format!("<composite prefix='c' {cable}><geom size='.01' material='{long}'/></composite>");
    refused_alone(&world(&material), "composite");
    refused_alone(
        &world(&format!("<replicate count='3000' sep='{long}'>{}</replicate>", &geoms[..17])),
        "replicate",
    );

    let tuple = format!("<tuple name='t'>{}</tuple>", "<element objtype='body' objname='b'/>".repeat(50_000));
    let note = format!("<text name='n' data='{}'/>", long.repeat(4));
    for (custom, prefix) in [(tuple.as_str(), "p"), (note.as_str(), "p"), ("", long.as_str())] {
        let mut files = MemoryAssets::default();
        let bodies: String = (0..1000).map(|i| format!("<body name='{i}'/>")).collect();
        let child = format!(
            "<mujoco><custom>{custom}</custom><worldbody><body name='b'>{bodies}</body></worldbody></mujoco>"
        );
        files.0.insert("m.xml".into(), child.into());
        let attach = |i: usize| format!("<attach model='m' body='b' prefix='{prefix}{i}'/>");
        let attaches: String = (0..if prefix.len() > 9 { 3 } else { 300 }).map(attach).collect();
        let text = format!(
            "<mujoco><asset><model name='m' file='m.xml'/></asset><worldbody>{attaches}</worldbody></mujoco>"
        );
        refused(&text, "attach", &files);
    }
}

#[test]
fn sizes_of_a_billion() {
    for name in ["nkey", "nuserdata", "nuser_body", "nuser_geom"] {
        let text = format!(
            "<mujoco><size {name}='1000000000'/><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>"
        );
        refused_alone(&text, name);
    }
}

#[test]
fn sensors_of_a_hundred_million_numbers() {
    refused_alone("<mujoco><sensor><user name='greedy' dim='100000000'/></sensor></mujoco>", "greedy");
    refused_alone(
        "<mujoco><worldbody><camera name='c' resolution='10000 10000'/></worldbody>\
         <sensor><rangefinder name='greedy' camera='c'/></sensor></mujoco>",
        "greedy",
    );
    refused_alone(
        "<mujoco><worldbody><camera name='c' resolution='2147483647 2147483647'/></worldbody>\
         <sensor><rangefinder name='greedy' camera='c' data='dist dir origin point normal depth'/></sensor></mujoco>",
        "greedy",
    );
    refused_alone(
        "<mujoco><sensor><contact name='greedy' num='100000000' data='found force'/></sensor></mujoco>",
        "greedy",
    );
}

#[test]
fn copies_of_copies() {
    let cable = |count: &str| {
        format!(
            "<mujoco><worldbody><composite prefix='c' type='cable' curve='s' count='{count} 1 1' size='1'>\
             <joint kind='main'/><geom type='capsule' size='.01'/></composite></worldbody></mujoco>"
        )
    };
    refused_alone(&cable("1000000"), "composite");
    refused_alone(
        "<mujoco><worldbody><flexcomp name='f' type='grid' dim='3' count='100 100 100' spacing='.1 .1 .1'/></worldbody></mujoco>",
        "flexcomp",
    );
    refused_alone(
        "<mujoco><worldbody><replicate count='240000'><body><geom size='.1'/></body></replicate></worldbody></mujoco>",
        "replicate",
    );
}

#[test]
fn pictures_and_meshes() {
    refused_alone(
        "<mujoco><asset><texture name='t' type='2d' builtin='flat' width='30000' height='30000'/></asset></mujoco>",
        "texture 't'",
    );
    refused_alone(
        "<mujoco><asset><mesh name='m' builtin='supersphere' params='4000 1 1'/></asset></mujoco>",
        "mesh 'm'",
    );
    refused_alone(
        "<mujoco><asset><hfield name='h' nrow='10000' ncol='10000' size='1 1 1 1'/></asset></mujoco>",
        "hfield",
    );
}

/// A text chunk of a few kilobytes that would inflate to hundreds of megabytes is not looked at.
#[test]
fn png_comments_do_not_inflate() {
    let mut files = MemoryAssets::default();
    files.0.insert("t.png".into(), png_with_comment(GIGABYTE / 4));
    let text = "<mujoco><asset><texture name='t' type='2d' file='t.png'/></asset></mujoco>";
    let (outcome, bytes) = peak(|| ligament::load_model_with_assets(text, &files));
    assert!(outcome.is_ok(), "{:?}", outcome.err());
    assert!(bytes < 64 << 20, "took {bytes} bytes");
}

/// A picture of two by two pixels with a compressed comment of so many zeros.
fn png_with_comment(length: usize) -> Vec<u8> {
    use flate2::Compression;
    use flate2::write::ZlibEncoder;
    use std::io::Write;
    let compressed = |length: usize| {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        let block = vec![0u8; 1 << 16];
        for _ in 0..length / block.len() {
            encoder.write_all(&block).expect("memory");
        }
        encoder.write_all(&block[..length % block.len()]).expect("memory");
        encoder.finish().expect("memory")
    };
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8; 4], data: &[u8]| {
        png.extend((data.len() as u32).to_be_bytes());
        let start = png.len();
        png.extend(kind);
        png.extend(data);
        let mut crc = flate2::Crc::new();
        crc.update(&png[start..]);
        png.extend(crc.sum().to_be_bytes());
    };
    chunk(b"IHDR", &[0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0]);
    let comment = compressed(length);
    chunk(b"zTXt", &[b"Comment\0\0", &*comment].concat());
    chunk(b"iCCP", &[b"profile\0\0", &*comment].concat());
    chunk(b"IDAT", &compressed(2 * 7));
    chunk(b"IEND", &[]);
    png
}

fn spheres(count: usize) -> String {
    let body = "<body><freejoint/><geom size='.1'/></body>";
    format!("<mujoco><worldbody>{}</worldbody></mujoco>", body.repeat(count))
}

/// So many spheres in one place touch in a million pairs: a warning and an error, and the program goes on.
#[test]
fn fifteen_hundred_spheres_in_one_place() {
    let model = ligament::load_model(&spheres(1500)).expect("loads");
    let (mut data, bytes) = peak(|| {
        let mut data = model.make_data().expect("a state");
        let error = data.step(&model).expect_err("too many contacts");
        assert!(matches!(error, StepError::Memory { .. }), "{error}");
        data
    });
    assert!(bytes < 3 * GIGABYTE / 2, "took {bytes} bytes");
    let full = ligament::enums::Warning::Contactfull as usize;
    assert!(data.warning[full].number > 0);
    for (i, position) in data.qpos.chunks_exact_mut(7).enumerate() {
        position[0] = i as f64;
    }
    data.step(&model).expect("apart they can be simulated");
}

/// A smaller state ends with an error where the default has room.
#[test]
fn the_memory_of_a_state_can_be_set() {
    let model = ligament::load_model(&spheres(60)).expect("loads");
    let mut data = model.make_data().expect("a state");
    data.step(&model).expect("room for all");
    let needed = data.contact.len();
    assert!(needed > 1000);
    for memory in [1 << 16, 1 << 21] {
        let mut small = model.make_data().expect("a state");
        small.memory = memory;
        let error = small.step(&model).expect_err("too many contacts");
        assert!(matches!(error, StepError::Memory { budget, .. } if budget == memory), "{error}");
    }
}

/// The matrix of the dual solvers grows with the square of the rows.
#[test]
fn dual_solvers_have_a_budget_too() {
    // room for the rows, not for their square
    for (jacobian, memory) in [("dense", 24 << 20), ("sparse", 4 << 20)] {
        let text =
            spheres(40).replace("<mujoco>", &format!("<mujoco><option solver='PGS' jacobian='{jacobian}'/>"));
        let model = ligament::load_model(&text).expect("loads");
        let mut data = model.make_data().expect("a state");
        data.memory = memory;
        let (outcome, bytes) = peak(|| data.step(&model));
        let error = outcome.expect_err("too many rows");
        assert!(matches!(error, StepError::Memory { rows, .. } if rows > 1000), "{error}");
        assert!(bytes < 128 << 20, "took {bytes} bytes");
    }
}

/// Work has a budget like memory: of collision detection, of each solver, of depth images.
#[test]
fn the_effort_of_a_state_can_be_set() {
    for solver in ["Newton", "CG", "PGS"] {
        let text = spheres(40).replace("<mujoco>", &format!("<mujoco><option solver='{solver}'/>"));
        let model = ligament::load_model(&text).expect("loads");
        model.make_data().expect("a state").step(&model).expect("the default is enough");
        for effort in [1000, 4 << 20] {
            let mut data = model.make_data().expect("a state");
            data.effort = effort;
            assert_eq!(data.step(&model), Err(StepError::Effort(effort)), "{solver}");
            data.effort = 1 << 33;
            data.reset(&model).expect("resets");
            data.step(&model).expect("the next step starts anew");
        }
    }
}

/// The four evaluations of a Runge-Kutta step, and collision detection, projection and solver in each, share one budget.
#[test]
fn a_step_has_one_budget_of_work() {
    for solver in ["Newton", "PGS"] {
        let option = format!("<mujoco><option solver='{solver}' integrator='RK4'/>");
        let model = ligament::load_model(&spheres(10).replace("<mujoco>", &option)).expect("loads");
        let mut data = model.make_data().expect("a state");
        data.forward(&model).expect("one evaluation");
        let one = data.spent.total();
        assert!(data.spent.collision > 0 && data.spent.solver > 0 && one < data.effort);
        assert_eq!(data.spent.projection > 0, solver == "PGS");
        for (effort, enough) in [(one / 2, false), (2 * one, false), (8 * one, true)] {
            let mut data = model.make_data().expect("a state");
            data.effort = effort;
            let expected = if enough { Ok(()) } else { Err(StepError::Effort(effort)) };
            assert_eq!(data.step(&model), expected, "{solver}: {effort} of {one} operations");
            assert_eq!(data.spent.before, 0);
        }
    }
}

/// Weights of the bodies of a long chain take work that grows with the cube of its length: it is counted.
#[test]
fn weights_of_long_chains_are_counted() {
    let links = 200;
    let text = format!(
        "<mujoco><worldbody>{}{}</worldbody></mujoco>",
        "<body pos='.1 0 0'><joint/><geom size='.01'/>".repeat(links),
        "</body>".repeat(links)
    );
    let mut model = ligament::load_model(&text).expect("loads");
    let mut data = model.make_data().expect("a state");
    let weights = model.body_invweight0.to_vec();
    for (effort, enough) in [(1000, false), (1_000_000, false), (10_000_000, true)] {
        data.effort = effort;
        let outcome = ligament::sim::setconst::set_const(&mut model, &mut data);
        let refusal = Err(ligament::sim::setconst::SetConstError::LongChains(3 * effort));
        assert_eq!(outcome, if enough { Ok(()) } else { refusal }, "{effort}");
    }
    assert_eq!(model.body_invweight0.to_vec(), weights);
}

/// Prisms of a height field are counted: where nothing touches, all under a geom are tested.
#[test]
fn prisms_of_height_fields_are_counted() {
    let model = ligament::load_model(
        "<mujoco><asset><hfield name='h' nrow='200' ncol='200' size='1 1 .2 .1'/></asset><worldbody>
         <geom type='hfield' hfield='h'/><body pos='0 0 .1'><freejoint/><geom size='5' margin='nan'/></body></worldbody></mujoco>",
    )
    .expect("loads");
    let mut data = model.make_data().expect("a state");
    data.effort = 10_000_000;
    assert_eq!(data.step(&model), Err(StepError::Effort(10_000_000)));
}

/// Iterations of the convex algorithms are counted: numbers that never converge cost what they take.
#[test]
fn iterations_of_convex_algorithms_are_counted() {
    for flag in ["enable", "disable"] {
        for (size, iterations, affordable) in
            [(0.3, 50, true), (f64::NAN, 50, true), (f64::NAN, 10_000, false)]
        {
            let mut model = ligament::load_model(&format!(
                "<mujoco><option ccd_iterations='{iterations}' ccd_tolerance='-1'><flag nativeccd='{flag}'/></option><worldbody>
                 <replicate count='30' offset='.1 0 0'><body><freejoint/><geom type='ellipsoid' size='.2 .3 .2' mass='1'/></body></replicate>
                 </worldbody></mujoco>",
            ))
            .expect("loads");
            model.geom_size.iter_mut().for_each(|sizes| sizes[1] = size);
            let mut data = model.make_data().expect("a state");
            data.effort = 200_000_000;
            let outcome = data.step(&model);
            let expected = affordable || flag == "disable"; // portals end at once
            assert_eq!(outcome.is_ok(), expected, "{flag}, size {size}, {iterations}: {:?}", data.spent);
        }
    }
}

/// Rays, distances and contacts that many sensors look at are counted before.
#[test]
fn sensors_of_crowded_scenes_are_counted() {
    let geoms = "<geom size='.01'/>".repeat(60);
    for (sensor, affordable) in [
        ("<framepos objtype='body' objname='a'/>", true),
        ("<rangefinder site='s'/>", false),
        ("<distance body1='a' body2='b'/>", false),
        ("<touch site='s'/>", false),
        ("<contact body1='a' num='1'/>", false),
    ] {
        let model = ligament::load_model(&format!(
            "<mujoco><worldbody><body name='a'><freejoint/>{geoms}<site name='s' size='1'/></body>
             <body name='b' pos='.001 0 0'><freejoint/>{geoms}</body></worldbody><sensor>{}</sensor></mujoco>",
            sensor.repeat(5000)
        ))
        .expect("loads");
        let mut data = model.make_data().expect("a state");
        let with_default = data.step(&model);
        assert_eq!(with_default.is_ok(), !sensor.contains("distance"), "{sensor}");
        let mut data = model.make_data().expect("a state");
        data.effort = 25_000_000;
        assert_eq!(data.step(&model).is_ok(), affordable, "{sensor}");
    }
}

/// A text in one line is read in time that grows with its length, and places in it are right.
#[test]
fn long_lines_are_read_once() {
    let geoms = "<geom size='.1' name='ä'/>".repeat(40_000);
    let start = std::time::Instant::now();
    let refusal =
        ligament::load_model(&format!("<mujoco><worldbody>{geoms}</worldbody></mujoco>")).unwrap_err();
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    // the second one has the name of the first
    assert!(refusal.to_string().contains("1:46"), "{refusal}");
}

/// Iterations without end on numbers that are none, and images of many pixels.
#[test]
fn loops_that_a_model_makes_endless_have_an_end() {
    let text = spheres(10).replace(
        "<mujoco>",
        "<mujoco><option iterations='2147483647' tolerance='0' ls_iterations='2147483647' noslip_iterations='2147483647'
         noslip_tolerance='0' ccd_iterations='2147483647'/>",
    );
    for solver in [0, 1, 2] {
        let mut model = ligament::load_model(&text).expect("loads");
        model.opt.solver = solver;
        let mut data = model.make_data().expect("a state");
        data.effort = 1 << 28;
        data.qacc_warmstart.fill(f64::NAN);
        data.qfrc_applied.fill(f64::NAN);
        // an end, whichever
        let _ = data.step(&model);
    }
    let text = "<mujoco><worldbody><camera name='c' resolution='6000 6000'/><geom size='.1'/></worldbody>
        <sensor><rangefinder camera='c'/></sensor></mujoco>";
    let model = ligament::load_model(text).expect("loads");
    let mut data = model.make_data().expect("a state");
    data.effort = 1 << 30;
    assert_eq!(data.step(&model), Err(StepError::Effort(1 << 30)));
}

/// What is refused by default loads when the host grants more, and an ordinary model can be refused.
#[test]
fn the_memory_of_a_model_can_be_set() {
    let text = "<mujoco><sensor><user name='u' dim='3000000'/></sensor></mujoco>";
    let granted = |memory| GrantedAssets { files: ligament::NoAssets, memory };
    let few = ligament::load_model_with_assets(text, &granted(1 << 20));
    assert!(matches!(few, Err(MjcfError::Memory(_))), "{few:?}", few = few.err());
    let enough = ligament::load_model_with_assets(text, &granted(1 << 28));
    assert!(enough.is_ok(), "{:?}", enough.err());
}

/// A compiled file may ask for a state far larger than itself.
#[test]
fn compiled_files_ask_for_no_more_than_text() {
    let text = "<mujoco><sensor><user name='u' dim='3000000'/></sensor></mujoco>";
    let bytes = ligament::load_model(text).expect("loads").to_bytes();
    assert!(bytes.len() < 1 << 20);
    assert!(Model::from_bytes(&bytes).is_ok());
    let refused = Model::from_bytes_within(&bytes, 1 << 20);
    assert!(
        matches!(refused, Err(ligament::BinaryError::Memory { array: "sensordata", .. })),
        "{:?}",
        refused.err()
    );
}
