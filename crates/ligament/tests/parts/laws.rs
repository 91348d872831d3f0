//! Laws of actuators: built-in ones as parts, series elasticity, a law of one's own.

use crate::support::{Sim, close};
use crate::{ARM, SERIES, trajectory};
use ligament::enums::Integrator;
use ligament::parts::actuator::Affine;
use ligament::parts::*;
use ligament::{Model, load_model, model_from_bytes};

/// C42D.1: fixed, affine and muscle gains as parts have the bits of the built-in ones, and so do the biases
#[test]
fn built_in_laws_as_parts_have_the_same_bits() {
    let plain = load_model(ARM).unwrap();
    let mut own = plain.clone();
    let affine = |prm: &[f64; 10]| Affine { constant: prm[0], by_length: prm[1], by_velocity: prm[2] };
    set_gain(&mut own, 0, FixedGain { gain: plain.actuator_gainprm[0][0] }).unwrap();
    set_bias(&mut own, 0, AffineBias(affine(&plain.actuator_biasprm[0]))).unwrap();
    set_gain(&mut own, 1, AffineGain(affine(&plain.actuator_gainprm[1]))).unwrap();
    set_gain(&mut own, 2, MuscleGain { prm: plain.actuator_gainprm[2] }).unwrap();
    set_bias(&mut own, 2, MuscleBias { prm: plain.actuator_biasprm[2] }).unwrap();
    assert_ne!(own, plain, "a model with parts is another model");
    for integrator in [Integrator::Euler, Integrator::Rk4, Integrator::Implicit, Integrator::Implicitfast] {
        let run = |m: &Model| {
            let mut m = m.clone();
            m.opt.integrator = integrator as i32;
            trajectory(&m, 200)
        };
        assert_eq!(run(&own), run(&plain), "{integrator:?}");
    }
}

/// C42D.2: a motor pulls through its spring and damper: F = k (r x − l) + d (r ẋ − l̇), with its own state x
#[test]
fn series_elastic_force() {
    let mut sim = Sim::new(SERIES);
    assert_eq!(sim.m.parts.gain(0).unwrap().name(), "series_elastic");
    sim.d.qpos[0] = 0.003;
    sim.d.qvel[0] = -0.2;
    sim.d.act[0] = 0.7;
    sim.d.ctrl[0] = 1.5;
    sim.forward();
    let rate = (1.5 - 0.7) / 0.05;
    close(sim.d.act_dot[0], rate, 1e-12);
    close(sim.d.actuator_force[0], 1000.0 * (0.02 * 0.7 - 0.003) + 10.0 * (0.02 * rate + 0.2), 1e-12);
    // in the end the load stands where the motor put it
    sim.m.opt.integrator = Integrator::Implicitfast as i32;
    sim.steps(5000);
    close(sim.d.act[0], 1.5, 1e-9);
    close(sim.d.qpos[0], 0.03, 1e-6);
}

/// C42D.2: what is wrong with a series-elastic actuator is said with its name
#[test]
fn bad_series_elastic_actuators_are_refused() {
    let refusal = |from: &str, to: &str| load_model(&SERIES.replace(from, to)).unwrap_err().to_string();
    let cases = [
        ("1000 10 .02", "1000 10", "series_elastic takes three numbers (stiffness, damping, ratio), 2 given"),
        ("1000 10 .02", "nan 10 1", "stiffness is NaN, it must be finite and positive"),
        ("1000 10 .02", "1000 -1 1", "damping is -1, it must be finite and not negative"),
        ("1000 10 .02", "1000 1 0", "ratio is 0, it must be finite and not zero"),
        ("series_elastic", "rubber_band", "asks for the gain part \"rubber_band\", which is not known here"),
        ("series_elastic", "rubber_band", "known are fixed, affine, muscle, series_elastic"),
        ("ligament:gain_model='series_elastic'", "", "name one by ligament:gain_model"),
        (" dyntype='filterexact' dynprm='.05'", "", "it needs a motor state"),
    ];
    for (from, to, expected) in cases {
        let message = refusal(from, to);
        assert!(message.contains(expected) && message.contains("sea"), "{message}");
    }
}

/// C42D.2: the law survives saving as text and as bytes
#[test]
fn named_parts_survive_saving() {
    let spec = ligament::parse_mjcf_str(SERIES).unwrap();
    let text = ligament::write(&spec).unwrap();
    let again = load_model(&text).unwrap();
    let model = load_model(SERIES).unwrap();
    assert_eq!(again.parts.records(), model.parts.records(), "{text}");
    let restored = model_from_bytes(&model.to_bytes(), "model.lig").unwrap();
    assert_eq!(restored.parts.records(), model.parts.records());
    assert_eq!(trajectory(&restored, 50), trajectory(&model, 50));
    assert!(
        ligament::mjb::write(&model)
            .unwrap_err()
            .to_string()
            .contains("\"series_elastic\" of actuator 0 \"sea\"")
    );
}

/// C42D.3: velocity derivatives of all laws agree with differences
#[test]
fn slopes_of_laws() {
    let at = ActuatorState {
        actuator: 0,
        length: 0.31,
        velocity: -0.4,
        input: 0.6,
        input_rate: 0.2,
        ctrl: 0.9,
        lengthrange: [-1.0, 1.0],
        acc0: 0.5,
        time: 0.0,
        timestep: 0.002,
    };
    let prm = [0.75, 1.05, 20.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2, 0.0];
    let affine = Affine { constant: 2.0, by_length: 3.0, by_velocity: 4.0 };
    let laws: [(&dyn ActuatorForce, f64); 6] = [
        (&FixedGain { gain: 3.0 }, 0.0),
        (&AffineGain(affine), 4.0 * 0.6),
        (&AffineBias(affine), 4.0),
        (&MuscleGain { prm }, f64::NAN),
        (&MuscleBias { prm }, 0.0),
        (&SeriesElastic::new(1000.0, 10.0, 50.0).unwrap(), -10.0),
    ];
    for (law, expected) in laws {
        let force = |velocity: f64| law.force(&ActuatorState { velocity, ..at });
        let difference = (force(at.velocity + 1e-6) - force(at.velocity - 1e-6)) / 2e-6;
        let slope = law.velocity_slope(&at).unwrap();
        close(slope, difference, 1e-5);
        if expected.is_nan() {
            assert!(slope != 0.0, "{}", law.name());
        } else {
            close(slope, expected, 1e-12);
        }
    }
}

/// A damper of one's own, with or without its derivative.
struct Brake {
    damping: f64,
    knows_slope: bool,
}

impl Part for Brake {
    fn name(&self) -> &str {
        "brake"
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.damping, f64::from(u8::from(self.knows_slope))]
    }
}

impl ActuatorForce for Brake {
    fn force(&self, at: &ActuatorState) -> f64 {
        -self.damping * at.velocity * at.input
    }

    fn velocity_slope(&self, at: &ActuatorState) -> Option<f64> {
        self.knows_slope.then_some(-self.damping * at.input)
    }
}

const WHEEL: &str = "<mujoco><option timestep='.01' integrator='implicitfast' gravity='0 0 0'/><worldbody><body>\
     <joint name='j'/><geom size='.1' mass='1'/></body></worldbody><actuator><general name='brake' joint='j' \
     gaintype='affine' gainprm='0 0 -1e4'/></actuator></mujoco>";

/// C42D.5: the implicit integrators use the derivative of a law of one's own, or differences of it
#[test]
fn stiff_dampers_are_integrated_implicitly() {
    let run = |law: Option<Brake>, integrator: Integrator| {
        let mut sim = Sim::new(WHEEL);
        sim.m.opt.integrator = integrator as i32;
        if let Some(law) = law {
            set_gain(&mut sim.m, 0, law).unwrap();
        }
        sim.d.qvel[0] = 5.0;
        sim.d.ctrl[0] = 1.0;
        // explicitly, a second step would end beyond what the engine takes for an acceleration
        sim.steps(if integrator == Integrator::Euler { 1 } else { 3 });
        sim.d.qvel[0]
    };
    for integrator in [Integrator::Implicit, Integrator::Implicitfast] {
        let built_in = run(None, integrator);
        assert!(built_in > 0.0 && built_in < 1e-3, "{built_in}");
        assert_eq!(run(Some(Brake { damping: 1e4, knows_slope: true }), integrator), built_in);
        let differences = run(Some(Brake { damping: 1e4, knows_slope: false }), integrator);
        assert!((differences / built_in - 1.0).abs() < 1e-3, "{differences} {built_in}");
    }
    let explicit = run(Some(Brake { damping: 1e4, knows_slope: true }), Integrator::Euler);
    assert!(explicit.abs() > 100.0, "without the derivative it explodes: {explicit}");
}
