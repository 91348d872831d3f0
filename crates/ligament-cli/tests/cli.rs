//! The command as a user meets it: output and exit status.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A model with something of everything that `info` shows.
const ARM: &str = r#"<mujoco model="arm">
  <option timestep="0.005"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" range="-90 90"/>
      <geom type="capsule" size=".05" fromto="0 0 0 .3 0 0" mass="2"/>
      <body name="lower" pos=".3 0 0">
        <joint name="elbow" axis="0 1 0"/>
        <geom type="capsule" size=".04" fromto="0 0 0 .3 0 0" mass="1.5"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="lift" joint="shoulder" ctrlrange="-2 2"/></actuator>
  <sensor><jointpos name="angle" joint="elbow"/></sensor>
  <keyframe><key name="up" qpos="-1 0.5"/></keyframe>
</mujoco>"#;

struct Workbench(TempDir);

impl Workbench {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// Runs the command in the directory of the workbench.
    fn ligament(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_ligament"))
            .args(arguments)
            .current_dir(self.0.path())
            .output()
            .unwrap()
    }

    /// Runs the command, which must succeed, and returns what it printed.
    fn print(&self, arguments: &[&str]) -> String {
        let output = self.ligament(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.print(arguments)).unwrap()
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn check_shows_every_problem_with_its_line_and_a_suggestion() {
    let bench = Workbench::new();
    bench.write(
        "bad.xml",
        "<mujoco>\n  <worldbody>\n    <geom sise='.1'/>\n    <bdy/>\n  </worldbody>\n</mujoco>",
    );
    let output = bench.ligament(&["check", "bad.xml"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    for part in [
        "unrecognized attribute: 'sise'",
        "--> bad.xml:3:11",
        "3 |     <geom sise='.1'/>",
        "^^^^^^^^^ geom",
        "help: did you mean 'size'?",
        "unrecognized element 'bdy'",
        "--> bad.xml:4:5",
        "help: did you mean 'body'?",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "colours outside a terminal:\n{text}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "bad.xml: 2 errors\n");
}

#[test]
fn check_reports_one_problem_per_section() {
    let bench = Workbench::new();
    let text = "<mujoco>\n<option timestep='x'/>\n<worldbody><geom type='sfere'/></worldbody>\n</mujoco>";
    bench.write("bad.xml", text);
    let output = bench.ligament(&["check", "bad.xml", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let lines: Vec<u64> =
        report[0]["errors"].as_array().unwrap().iter().map(|e| e["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [2, 3], "{report}");
}

#[test]
fn check_shows_warnings_of_good_models() {
    let bench = Workbench::new();
    bench.write(
        "odd.xml",
        "<mujoco><worldbody>\n<frame foo='1'><geom size='1'/></frame>\n</worldbody></mujoco>",
    );
    let output = bench.ligament(&["check", "odd.xml"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("warning: unrecognized attribute: 'foo'"), "{}", stderr(&output));
    assert!(
        String::from_utf8_lossy(&output.stdout)
            .contains("odd.xml: good (0 bodies, 0 dofs, 1 geom), 1 warning")
    );
}

#[test]
fn exit_status_tells_bad_models_from_wrong_use() {
    let bench = Workbench::new();
    bench.write("arm.xml", ARM);
    let missing = bench.ligament(&["info", "nowhere.xml"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(stderr(&missing).contains("Error opening file 'nowhere.xml'"), "{}", stderr(&missing));
    for wrong in [
        &["info", "arm.xml", "--colour"][..],
        &["convert", "arm.xml", "arm.pdf"],
        &["run", "arm.xml", "--out", "run.xls"],
        &["run", "arm.xml", "--keyframe", "down"],
        &["run", "arm.xml", "--steps", "1", "--seconds", "1"],
        &["check"],
        &[],
    ] {
        assert_eq!(bench.ligament(wrong).status.code(), Some(2), "{wrong:?}");
    }
    assert!(stderr(&bench.ligament(&["run", "arm.xml", "--keyframe", "down"])).contains("it has: up"));
}

#[test]
fn info_gives_known_numbers() {
    let bench = Workbench::new();
    bench.write("arm.xml", ARM);
    let info = bench.json(&["info", "arm.xml", "--json"]);
    assert_eq!(info["model"], "arm");
    assert_eq!(info["sizes"]["nv"], 2);
    assert_eq!(info["total_mass"], 3.5);
    assert_eq!(info["options"]["timestep"], 0.005);
    assert_eq!(info["bodies"][2]["name"], "lower");
    assert_eq!(info["bodies"][2]["parent"], 1);
    assert_eq!(info["joints"][0]["type"], "hinge");
    assert!((info["joints"][0]["range"][1].as_f64().unwrap() - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
    assert_eq!(info["joints"][1]["range"], Value::Null);
    assert_eq!(info["actuators"][0]["target"], "shoulder");
    assert_eq!(info["sensors"][0]["type"], "jointpos");
    assert_eq!(info["keyframes"][0]["name"], "up");
    let text = bench.print(&["info", "arm.xml"]);
    assert!(text.contains("    upper") && text.contains("      lower"), "{text}");
}

#[test]
fn converted_models_are_the_same_models() {
    let bench = Workbench::new();
    bench.write("arm.xml", ARM);
    bench.print(&["convert", "arm.xml", "arm.lig"]);
    bench.print(&["convert", "arm.lig", "copy.lig"]);
    assert_eq!(bench.read("arm.lig"), bench.read("copy.lig"));
    let original = bench.json(&["info", "arm.xml", "--json"]);
    assert_eq!(bench.json(&["info", "arm.lig", "--json"]), original);
    bench.print(&["convert", "arm.xml", "again.xml"]);
    assert_eq!(bench.json(&["info", "again.xml", "--json"]), original);
    let refused = bench.ligament(&["convert", "arm.lig", "arm2.xml"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("compiled model"), "{}", stderr(&refused));
}

#[test]
fn damaged_compiled_models_are_refused() {
    let bench = Workbench::new();
    bench.write("arm.xml", ARM);
    bench.print(&["convert", "arm.xml", "arm.lig"]);
    let mut bytes = bench.read("arm.lig");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(bench.path("arm.lig"), bytes).unwrap();
    let output = bench.ligament(&["info", "arm.lig"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("checksum mismatch"), "{}", stderr(&output));
}

#[test]
fn converted_models_find_their_files_from_elsewhere() {
    let bench = Workbench::new();
    std::fs::create_dir(bench.path("out")).unwrap();
    bench.write("tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    bench.write(
        "mesh.xml",
        r#"<mujoco><asset><mesh name="t" file="tetra.obj"/></asset>
           <worldbody><body><freejoint/><geom type="mesh" mesh="t"/></body></worldbody></mujoco>"#,
    );
    bench.print(&["convert", "mesh.xml", "out/mesh.xml"]);
    let original = bench.json(&["info", "mesh.xml", "--json"]);
    assert_eq!(bench.json(&["info", "out/mesh.xml", "--json"])["bodies"], original["bodies"]);
}

#[test]
fn run_simulates_the_built_in_humanoid() {
    let bench = Workbench::new();
    let report = bench.json(&["run", "--steps", "200", "--json"]);
    assert_eq!(report["model"], "humanoid");
    assert!((report["time"].as_f64().unwrap() - 0.8).abs() < 1e-9);
    assert!(report["max_contacts"].as_u64().unwrap() > 0, "{report}");
    assert_eq!(report["warnings"], Value::Array(Vec::new()));
    assert!(report["energy_last"].as_f64().unwrap() < report["energy_first"].as_f64().unwrap());
}

#[test]
fn lean_runs_end_where_exact_ones_do() {
    let bench = Workbench::new();
    bench.write("arm.xml", ARM);
    for (file, option) in [("exact.npz", None), ("lean.npz", Some("--lean"))] {
        let arguments = ["run", "arm.xml", "--steps", "10", "--keyframe", "up", "--out", file];
        bench.print(&arguments.into_iter().chain(option).collect::<Vec<_>>());
    }
    let (exact, lean) = (npz(&bench.path("exact.npz")), npz(&bench.path("lean.npz")));
    assert_eq!(exact.len(), lean.len());
    assert!(exact.iter().zip(&lean).all(|(a, b)| (a - b).abs() < 1e-9), "{exact:?}\n{lean:?}");
}

#[test]
fn recordings_agree_in_all_formats() {
    let bench = Workbench::new();
    bench.write("arm.xml", ARM);
    for file in ["run.csv", "run.json", "run.npz"] {
        bench.print(&["run", "arm.xml", "--steps", "10", "--keyframe", "up", "--out", file]);
    }
    let csv = String::from_utf8(bench.read("run.csv")).unwrap();
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 12, "header, ten steps, the end");
    assert_eq!(rows[0][..3], ["time", "qpos.shoulder", "qpos.elbow"]);
    assert_eq!(rows[1][..3], ["0", "-1", "0.5"]);
    let json: Value = serde_json::from_slice(&bench.read("run.json")).unwrap();
    let npz = npz(&bench.path("run.npz"));
    for row in 0..11 {
        let cell: f64 = rows[row + 1][1].parse().unwrap();
        assert_eq!(json["qpos"][row][0].as_f64(), Some(cell));
        assert_eq!(npz[row * 2], cell);
    }
}

/// `qpos` of a NumPy archive.
fn npz(path: &Path) -> Vec<f64> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut archive.by_name("qpos.npy").unwrap(), &mut bytes).unwrap();
    assert!(bytes.starts_with(b"\x93NUMPY\x01\x00"));
    let header = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert!(String::from_utf8_lossy(&bytes[10..10 + header]).contains("'shape': (11, 2)"));
    assert_eq!((10 + header) % 64, 0);
    bytes[10 + header..].chunks_exact(8).map(|x| f64::from_le_bytes(x.try_into().unwrap())).collect()
}

#[test]
fn controls_come_from_files_and_chance() {
    let bench = Workbench::new();
    bench.write("arm.xml", ARM);
    bench.write("timed.csv", "time,lift\n0,1\n0.02,-2\n");
    bench.print(&["run", "arm.xml", "--steps", "6", "--ctrl", "timed.csv", "--out", "timed.json"]);
    let json: Value = serde_json::from_slice(&bench.read("timed.json")).unwrap();
    let ctrl: Vec<f64> =
        json["ctrl"].as_array().unwrap().iter().map(|row| row[0].as_f64().unwrap()).collect();
    assert_eq!(ctrl[..6], [1.0, 1.0, 1.0, 1.0, -2.0, -2.0]);
    bench.write("narrow.csv", "1,2\n");
    let output = bench.ligament(&["run", "arm.xml", "--ctrl", "narrow.csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("narrow.csv:1: 2 controls, but the model has 1 actuator\n"));
    let noise = |seed: &str, file: &str| {
        bench.print(&["run", "arm.xml", "--steps", "5", "--noise", "1", "--seed", seed, "--out", file]);
        bench.read(file)
    };
    assert_eq!(noise("3", "a.csv"), noise("3", "b.csv"));
    assert_ne!(noise("3", "a.csv"), noise("4", "b.csv"));
}

/// Nothing of a control file is passed over: what is no header, no number or out of order is an error with its place.
#[test]
fn control_files_are_read_whole() {
    let bench = Workbench::new();
    let second = r#"<motor name="bend" joint="elbow"/></actuator>"#;
    bench.write("arm.xml", &ARM.replace("</actuator>", second));
    let controls = |text: &str| -> Vec<f64> {
        bench.write("c.csv", text);
        bench.print(&["run", "arm.xml", "--steps", "21", "--ctrl", "c.csv", "--out", "c.json"]);
        let json: Value = serde_json::from_slice(&bench.read("c.json")).unwrap();
        let rows = json["ctrl"].as_array().unwrap().clone();
        rows[..21].iter().flat_map(|row| [0, 1].map(|i| row[i].as_f64().unwrap())).collect()
    };
    // a byte order mark, columns by name, and times that steps reach but for rounding (20 x 0.005)
    let by_name = controls("\u{feff}time,ctrl.bend,lift\n0,1,2\n0.1,3,-1\n");
    assert_eq!(by_name[..2], [2.0, 1.0]);
    assert_eq!((&by_name[38..40], &by_name[40..]), (&[2.0, 1.0][..], &[-1.0, 3.0][..]));
    assert_eq!(controls("\u{feff}1,2\n")[..2], [1.0, 2.0]);
    assert_eq!(controls("left,right\n1,2\n")[..2], [1.0, 2.0]);
    for (text, message) in [
        ("1o,1\n2,2\n", "c.csv:1: '1o' is not a number\n"),
        ("1,1\n2,x\n", "c.csv:2: 'x' is not a number\n"),
        ("1;2\n", "c.csv:1: '1;2' is not a number: separate numbers by commas"),
        ("time,lift,bend\n0.1,1,1\n0,2,2\n", "c.csv:3: time 0 does not come after 0.1"),
        ("lift,knee\n1,1\n", "c.csv:1: no actuator is named 'knee'"),
        ("lift,lift\n1,1\n", "c.csv:1: 2 columns, but the model has 2 actuators"),
        ("lift\n1\n", "c.csv:1: 1 column, but the model has 2 actuators"),
        ("time,lift,bend\n", "'c.csv' has no rows"),
    ] {
        bench.write("c.csv", text);
        let output = bench.ligament(&["run", "arm.xml", "--ctrl", "c.csv"]);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(stderr(&output).contains(message), "{message} is missing in {}", stderr(&output));
    }
    let output = bench.ligament(&["run", "arm.xml", "--ctrl", "."]);
    assert!(stderr(&output).contains("'.' is not an ordinary file"), "{}", stderr(&output));
}

/// A state that was reset again and again is reported as such, though a reset clears the counters of warnings.
#[test]
fn run_says_that_the_state_was_reset() {
    let bench = Workbench::new();
    bench.write(
        "stiff.xml",
        "<mujoco><option timestep='.5'/><worldbody><body><joint name='spring' type='slide' stiffness='1e6'/>\
         <geom size='.1'/></body></worldbody><keyframe><key qpos='.1'/></keyframe></mujoco>",
    );
    let report = bench.json(&["run", "stiff.xml", "--steps", "100", "--keyframe", "0", "--json"]);
    let resets = report["resets"].as_u64().unwrap();
    assert!(resets > 0, "{report}");
    assert_eq!(report["warnings"][0]["count"].as_u64().unwrap(), resets, "{report}");
    assert_eq!(report["warnings"][0]["element"], "joint 'spring'");
    assert_eq!(report["simulated"], 50.0);
    let text = bench.print(&["run", "stiff.xml", "--steps", "100", "--keyframe", "0"]);
    assert!(text.contains("first after t = ") && text.contains("last about joint 'spring'"), "{text}");
    bench.write("arm.xml", ARM);
    let calm = bench.json(&["run", "arm.xml", "--steps", "3", "--json"]);
    assert_eq!((&calm["resets"], &calm["first_reset"]), (&Value::from(0), &Value::Null));
}

/// Who reads the output may stop, and a disk may be full.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_no_panic() {
    let bench = Workbench::new();
    bench.write("arm.xml", ARM);
    bench.write("bad.xml", "<mujoco><worldbody><geom sise='.1'/></worldbody></mujoco>");
    for arguments in [
        &["info", "arm.xml"][..],
        &["info", "arm.xml", "--json"],
        &["check", "arm.xml", "arm.xml"],
        &["run", "arm.xml", "--steps", "5"],
        &["bench", "arm.xml", "--steps", "5", "--rounds", "1"],
        &["convert", "arm.xml", "arm.lig"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ligament"));
        command.args(arguments).current_dir(bench.0.path()).stderr(std::process::Stdio::piped());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let closed = command.stdout(writer).output().unwrap();
        assert_eq!((closed.status.code(), stderr(&closed).as_str()), (Some(0), ""), "{arguments:?}");
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let full = command.stdout(full).output().unwrap();
        assert_eq!(full.status.code(), Some(1), "{arguments:?}");
        assert!(stderr(&full).contains("error: cannot write to standard output"), "{}", stderr(&full));
    }
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ligament"));
    command.args(["check", "bad.xml"]).current_dir(bench.0.path()).stderr(full);
    assert_eq!(command.output().unwrap().status.code(), Some(1));
}

/// What is wrong with the files to write is said before the simulation.
#[test]
fn files_that_cannot_be_written_are_refused_at_once() {
    let bench = Workbench::new();
    bench.write("arm.xml", ARM);
    for (option, file) in [("--out", "none/x.csv"), ("--plot", "none/x.svg")] {
        let output = bench.ligament(&["run", "arm.xml", "--steps", "1000000000000", option, file]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("no such folder"), "{}", stderr(&output));
    }
    for (arguments, code) in [
        (&["run", "arm.xml", "--seconds", "-1"][..], 2),
        (&["run", "arm.xml", "--seconds", "1e300"], 2),
        (&["run", "arm.xml", "--noise", "-1"], 2),
        (&["run", "arm.xml", "--steps", "-1"], 2),
        (&["diff", "arm.xml", "--tolerance", "-1"], 2),
        (&["diff", "arm.xml", "--tolerance", "nan"], 2),
    ] {
        let output = bench.ligament(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        assert!(!stderr(&output).contains("unexpected argument"), "{}", stderr(&output));
    }
}

/// One model that cannot be measured keeps no other from it.
#[test]
fn bench_goes_on_after_a_bad_model() {
    let bench = Workbench::new();
    bench.write("arm.xml", ARM);
    let output = bench.ligament(&["bench", "none.xml", "arm.xml", "--steps", "5", "--rounds", "1"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("none.xml"), "{}", stderr(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("steps/s"));
}

#[test]
fn plots_are_pictures() {
    let bench = Workbench::new();
    bench.write("arm.xml", ARM);
    bench.print(&["run", "arm.xml", "--steps", "20", "--plot", "run.svg"]);
    let svg = String::from_utf8(bench.read("run.svg")).unwrap();
    for part in ["<svg", "positions", "velocities", "energy [J]", "elbow", "kinetic", "</svg>"] {
        assert!(svg.contains(part), "{part} is missing");
    }
    bench.print(&["run", "arm.xml", "--steps", "20", "--plot", "run.png"]);
    let file = std::io::BufReader::new(std::fs::File::open(bench.path("run.png")).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    assert!(pixels.contains(&0), "nothing is drawn");
    assert!(pixels.iter().filter(|&&byte| byte == 255).count() > pixels.len() / 2, "the background is white");
}

#[test]
fn bench_measures_every_stage() {
    let bench = Workbench::new();
    bench.write("arm.xml", ARM);
    // without contacts the constraint stage may take no longer than its clock
    bench.write(
        "ball.xml",
        r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .09"><freejoint/><geom size=".1"/></body>
             <body pos="1 0 1"><joint name="hinge" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/></body>
           </worldbody><actuator><motor joint="hinge"/></actuator></mujoco>"#,
    );
    let results = bench.json(&["bench", "ball.xml", "--steps", "20", "--rounds", "2", "--json"]);
    let own = &results[0]["ligament"];
    assert!(own["steps_per_second"].as_f64().unwrap() > 0.0);
    let stages = &own["stages"];
    let parts = ["position", "velocity", "actuation", "constraint"].map(|s| stages[s].as_f64().unwrap());
    assert!(parts.iter().all(|&micros| micros > 0.0), "{stages}");
    assert!(stages["step"].as_f64() > stages["position"].as_f64());
    assert!(results[0]["lean"]["steps_per_second"].as_f64().unwrap() > 0.0, "{results}");
    let text = bench.print(&["bench", "arm.xml", "--steps", "5", "--rounds", "1"]);
    assert!(text.contains("pos_kinematics") && text.contains("steps/s, lean"), "{text}");
    let output = bench.ligament(&["bench", "arm.xml", "--python", "./no-such-python"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot start './no-such-python'"), "{}", stderr(&output));
}

/// Writes an interpreter that answers as MuJoCo would, with these fields of the compiled model.
#[cfg(unix)]
fn stand_in_for_mujoco(bench: &Workbench, fields: &[(&str, &[f64])]) {
    use std::os::unix::fs::PermissionsExt;
    let mut answer = br#"{"stage":"version","field":"3.5.0","bytes":0,"wide":false}"#.to_vec();
    answer.push(b'\n');
    for (field, numbers) in fields {
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        let head =
            serde_json::json!({"stage": "compile", "field": field, "bytes": bytes.len(), "wide": true});
        answer.extend(format!("{head}\n").into_bytes());
        answer.extend(bytes);
    }
    std::fs::write(bench.path("answer"), answer).unwrap();
    bench.write("python", "#!/bin/sh\ncat answer\n");
    std::fs::set_permissions(bench.path("python"), std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn diff_names_the_element_that_differs_first() {
    let bench = Workbench::new();
    bench.write("arm.xml", ARM);
    stand_in_for_mujoco(&bench, &[("body_mass", &[0.0, 2.0, 1.5]), ("jnt_stiffness", &[0.0, 0.0])]);
    let text = bench.print(&["diff", "arm.xml", "--python", "./python"]);
    assert!(text.contains("comparing with MuJoCo 3.5.0") && text.contains("2 fields agree"), "{text}");

    stand_in_for_mujoco(&bench, &[("jnt_stiffness", &[0.0, 0.0]), ("body_mass", &[0.0, 2.0, 1.75])]);
    let output = bench.ligament(&["diff", "arm.xml", "--python", "./python"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("first difference in: compile"), "{text}");
    assert!(
        text.contains("body_mass: 1 differ") && text.contains("at body 'lower': 1.5, MuJoCo 1.75"),
        "{text}"
    );
    assert!(!text.contains("jnt_stiffness"), "{text}");
    bench.print(&["diff", "arm.xml", "--python", "./python", "--tolerance", "0.2"]);
}

#[test]
fn diff_says_when_there_is_nothing_to_compare_with() {
    let bench = Workbench::new();
    bench.write("arm.xml", ARM);
    let output = bench.ligament(&["diff", "arm.xml", "--python", "./no-such-python"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot start './no-such-python'"), "{}", stderr(&output));
    let output = bench.ligament(&["diff", "arm.xml", "--python", "true"]);
    assert!(stderr(&output).contains("is the mujoco package installed"), "{}", stderr(&output));
}
