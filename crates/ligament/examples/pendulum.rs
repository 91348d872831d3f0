//! A pendulum drawn in the terminal: `cargo run --release -p ligament --example pendulum`.

use ligament::prelude::*;

const MODEL: &str = r#"
<mujoco>
  <option timestep="0.002" integrator="RK4"><flag energy="enable"/></option>
  <worldbody>
    <body name="pendulum">
      <joint name="hinge" axis="0 1 0"/>
      <geom type="capsule" size="0.02" fromto="0 0 0 0 0 -1"/>
    </body>
  </worldbody>
</mujoco>"#;
const WIDTH: usize = 60;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = ligament::load_model(MODEL)?;
    let mut data = model.make_data()?;
    data.qpos[0] = 1.2;
    data.forward(&model)?;
    let start = data.energy[0] + data.energy[1];
    for frame in 0..40 {
        while data.time < f64::from(frame) * 0.05 {
            data.step(&model)?;
        }
        let side = ((data.qpos[0].sin() + 1.0) / 2.0 * WIDTH as f64) as usize;
        println!("{:5.2} s |{}●", data.time, " ".repeat(side.min(WIDTH)));
    }
    let lost = (data.energy[0] + data.energy[1] - start) / start.abs();
    println!("energy changed by {lost:.1e} of its value");
    Ok(())
}
