//! What the compiler made of a simulation whose parts are fixed: the machine code of this very program is read.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use ligament::SimBuilder;
use ligament::parts::*;
use ligament::{Data, Model};
use std::collections::BTreeSet;
use std::process::Command;

/// Laws that are never part of their callers, so that every call can be seen. Nothing in this program uses them but the
/// simulation below.
struct SeenGain;

impl Part for SeenGain {
    fn name(&self) -> &str {
        "seen"
    }
}

impl ActuatorForce for SeenGain {
    #[inline(never)]
    fn force(&self, at: &ActuatorState) -> f64 {
        3.0 * at.input
    }
}

#[derive(Clone)]
struct SeenBending;

impl Part for SeenBending {
    fn name(&self) -> &str {
        "seen"
    }
}

impl FlexForce for SeenBending {
    fn fitted(&self, _: Slot, _: &FlexShape<'_>) -> Result<Self, PartError> {
        Ok(Self)
    }

    #[inline(never)]
    fn forces(&self, _: &FlexState<'_>, spring: &mut [[f64; 3]], _: &mut [[f64; 3]]) {
        spring[0][2] += 0.125;
    }
}

struct SeenSolver;

impl Part for SeenSolver {
    fn name(&self) -> &str {
        "seen"
    }
}

impl ConstraintSolver for SeenSolver {
    #[inline(never)]
    fn solve(&self, _: &Model, d: &mut Data, _: &mut Vec<f64>) {
        d.qacc.fill(0.25);
    }
}

const MODEL: &str = "<mujoco><worldbody><geom type='plane' size='1 1 1'/>\
     <body pos='0 0 .05'><joint name='j' type='slide' axis='0 0 1'/><geom size='.1'/></body>\
     <flexcomp name='sheet' type='grid' count='4 4 1' spacing='.1 .1 .1' radius='.01' dim='2' mass='1' pos='2 0 1'>\
     <elasticity young='1e4' poisson='.3' thickness='.01' elastic2d='bend'/></flexcomp></worldbody>\
     <actuator><motor joint='j'/></actuator></mujoco>";

/// Address and name of the functions of this program that a word is part of.
fn functions(program: &str, word: &str) -> Vec<(u64, String)> {
    let output = Command::new("nm").arg(program).output().expect("nm, of the tools that linked this program");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().filter(|line| line.contains(word));
    let parse = |line: &str| {
        let mut words = line.split_whitespace();
        let address = u64::from_str_radix(words.next()?, 16).ok()?;
        (words.next()?.eq_ignore_ascii_case("t")).then(|| (address, words.next().unwrap_or("").to_owned()))
    };
    lines.filter_map(parse).collect()
}

/// Addresses that a table of this program can hold: what the loader relocates.
fn relocated(program: &str) -> BTreeSet<u64> {
    let output = Command::new("readelf").args(["-rW", program]).output().expect("readelf");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = |line: &str| u64::from_str_radix(line.split_whitespace().last()?, 16).ok();
    text.lines().filter(|line| line.contains("R_X86_64_RELATIVE")).filter_map(last).collect()
}

/// Targets of the direct calls and jumps (`e8`, `e9` with a distance) in the code of this program.
fn called(program: &str, among: &BTreeSet<u64>) -> BTreeSet<u64> {
    let output = Command::new("readelf").args(["-SW", program]).output().expect("readelf");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.contains(" .text ")).expect("code");
    let words: Vec<&str> = line.split(" .text ").nth(1).unwrap_or("").split_whitespace().collect();
    let [address, offset, size] = [1, 2, 3].map(|k| u64::from_str_radix(words[k], 16).expect("a number"));
    let bytes = std::fs::read(program).expect("this program");
    let code = &bytes[offset as usize..(offset + size) as usize];
    let target = |i: usize, window: &[u8]| {
        let distance = i64::from(i32::from_le_bytes([window[1], window[2], window[3], window[4]]));
        (address + i as u64 + 5).wrapping_add_signed(distance)
    };
    let windows = code.windows(5).enumerate().filter(|(_, window)| matches!(window[0], 0xe8 | 0xe9));
    windows.map(|(i, window)| target(i, window)).filter(|target| among.contains(target)).collect()
}

/// C42F.5: a simulation with fixed parts calls them directly; no table with their addresses exists in the program, so no
/// call can go through one
#[test]
fn fixed_parts_are_called_directly() {
    let model = ligament::load_model(MODEL).unwrap();
    let builder = SimBuilder::new().bending(SeenBending).actuators(SeenGain).contact_solver(SeenSolver);
    let mut sim = builder.build(model).unwrap();
    sim.data.ctrl[0] = 2.0;
    sim.step().unwrap();
    // all three were at work
    assert_eq!(sim.data.actuator_force[0], 6.0);
    assert_eq!((sim.data.qacc[0], sim.data.qacc[5]), (0.25, 0.25));
    assert!(sim.data.qfrc_spring.contains(&0.125));

    let program = std::env::current_exe().unwrap().display().to_string();
    let tables = relocated(&program);
    assert!(tables.len() > 100, "a program without relocations cannot be judged: {}", tables.len());
    for (kind, method) in [("SeenGain", "force"), ("SeenBending", "forces"), ("SeenSolver", "solve")] {
        let found: Vec<_> =
            functions(&program, kind).into_iter().filter(|(_, name)| name.contains(method)).collect();
        assert!(!found.is_empty(), "{kind} is not in the program");
        let addresses: BTreeSet<u64> = found.iter().map(|(address, _)| *address).collect();
        assert!(!called(&program, &addresses).is_empty(), "no direct call of {found:?}");
        assert!(addresses.is_disjoint(&tables), "a table holds {found:?}");
    }
}

/// C42F.5: the test above can fail: a part that the model holds is called through a table, which it finds
#[test]
fn tables_are_found() {
    struct HeldGain;
    impl Part for HeldGain {
        fn name(&self) -> &str {
            "held"
        }
    }
    impl ActuatorForce for HeldGain {
        #[inline(never)]
        fn force(&self, at: &ActuatorState) -> f64 {
            at.input
        }
    }
    let mut model = ligament::load_model(MODEL).unwrap();
    set_gain(&mut model, 0, HeldGain).unwrap();
    let program = std::env::current_exe().unwrap().display().to_string();
    let addresses: BTreeSet<u64> =
        functions(&program, "HeldGain").into_iter().map(|(address, _)| address).collect();
    assert!(!addresses.is_disjoint(&relocated(&program)));
}
