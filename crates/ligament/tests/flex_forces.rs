//! Edges of flexes, their Jacobian and forces (spec items 42A-i to 42A-iii); memory of flex steps.

mod support;
use ligament::sim::support::integrate_pos;
use support::allocations::{Counting, allocations};
use support::{Sim, all_close, close};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Three vertices: on a free body, at the end of two hinges, on slides; a rope and its edges are springs.
const MIXED_ROPE: &str = "<mujoco><option gravity='0 0 0'/><worldbody>\
    <body name='a' pos='0 0 1'><freejoint/><geom size='.05'/></body>\
    <body name='b0' pos='.5 0 1'><joint axis='0 1 0'/><geom size='.05'/>\
      <body name='b' pos='.3 .1 0'><joint axis='0 0 1'/><geom size='.05'/></body></body>\
    <body name='c' pos='1 .2 .8'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>\
      <joint type='slide' axis='0 0 1'/><geom size='.05'/></body></worldbody>\
    <deformable><flex name='f' dim='1' body='a b c' vertex='.1 .02 .03  .2 0 .1  0 0 0' element='0 1 1 2'>\
      <contact contype='0' conaffinity='0'/><edge stiffness='30' damping='2'/></flex></deformable></mujoco>";

fn moved(sim: &mut Sim) {
    let step: Vec<f64> = (0..sim.m.nv).map(|i| 0.1 * ((i * 5 % 7) as f64 - 3.0)).collect();
    integrate_pos(&sim.m, &mut sim.d.qpos, &step, 1.0);
    for (i, v) in sim.d.qvel.iter_mut().enumerate() {
        *v = 0.3 * ((i * 3 % 5) as f64 - 2.0);
    }
    sim.forward();
}

fn edge_row(sim: &Sim, edge: usize) -> Vec<f64> {
    let mut row = vec![0.0; sim.m.nv];
    let start = sim.m.flexedge_J_rowadr[edge] as usize;
    for k in start..start + sim.m.flexedge_J_rownnz[edge] as usize {
        row[sim.m.flexedge_J_colind[k] as usize] = sim.d.flexedge_J[k];
    }
    row
}

/// C42A-i.1, C42A-i.4: the edge Jacobian is the gradient of the edge lengths, for vertices on any body
/// C42A-iii.1: lengths and velocities are fields; the velocity is the Jacobian times qvel
#[test]
fn edge_jacobian_is_the_gradient_of_the_lengths() {
    let mut sim = Sim::new(MIXED_ROPE);
    moved(&mut sim);
    for edge in 0..2 {
        let row = edge_row(&sim, edge);
        let speed: f64 = row.iter().zip(&sim.d.qvel).map(|(a, b)| a * b).sum();
        close(sim.d.flexedge_velocity[edge], speed, 1e-12);
        let numeric = sim.slopes(1e-7, |sim| sim.d.flexedge_length[edge]);
        all_close(&row, &numeric, 1e-6);
    }
}

/// C42A-i.2, C42A-i.4, C42A-iii.2: edge springs and dampers push through the transposed Jacobian
#[test]
fn edge_forces_are_generalised_forces() {
    let mut sim = Sim::new(MIXED_ROPE);
    moved(&mut sim);
    let (spring, damper) = (sim.d.qfrc_spring.clone(), sim.d.qfrc_damper.clone());
    let energy = |sim: &Sim| -> f64 {
        let stretch = |e: usize| sim.d.flexedge_length[e] - sim.m.flexedge_length0[e];
        (0..2).map(|e| 15.0 * stretch(e).powi(2)).sum()
    };
    let numeric = sim.slopes(1e-7, energy);
    all_close(&spring, &numeric.iter().map(|x| -x).collect::<Vec<_>>(), 1e-5);
    let mut expected = vec![0.0; sim.m.nv];
    for edge in 0..2 {
        for (x, j) in expected.iter_mut().zip(edge_row(&sim, edge)) {
            *x -= 2.0 * sim.d.flexedge_velocity[edge] * j;
        }
    }
    all_close(&damper, &expected, 1e-12);
    assert!(spring.iter().any(|f| f.abs() > 1.0));
}

/// C42A-i.3, C42A-iii.3: with vertices on world-aligned slides a row is ± the direction of the edge, bit for bit
#[test]
fn slides_have_the_direction_of_the_edge() {
    let mut sim = Sim::new(
        "<mujoco><worldbody><flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' radius='.01'>\
         <edge equality='true'/></flexcomp></worldbody></mujoco>",
    );
    for (i, x) in sim.d.qpos.iter_mut().enumerate() {
        *x = 0.01 * (i * 7 % 5) as f64;
    }
    sim.forward();
    for (edge, [a, b]) in sim.m.flex_edge.iter().map(|e| e.map(|v| v as usize)).enumerate() {
        let row = edge_row(&sim, edge);
        let (xa, xb) = (sim.d.flexvert_xpos[a], sim.d.flexvert_xpos[b]);
        let difference: [f64; 3] = std::array::from_fn(|k| xb[k] - xa[k]);
        let length = difference.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert_eq!(sim.d.flexedge_length[edge], length);
        for k in 0..3 {
            let direction = difference[k] * (1.0 / length);
            assert_eq!((row[3 * a + k], row[3 * b + k]), (-direction, direction));
        }
    }
}

/// C42A-iii.2: the rows of the edge equality have the lengths and the Jacobian of the edges
#[test]
fn equality_rows_agree_with_the_edges() {
    let mut sim = Sim::new(
        "<mujoco><option jacobian='dense'/><worldbody><flexcomp name='f' type='grid' count='3 3 1' dim='2' \
         spacing='.1 .1 .1' radius='.01'><edge equality='true'/></flexcomp></worldbody></mujoco>",
    );
    sim.d.qpos[4] = 0.02;
    sim.forward();
    assert_eq!(sim.d.ne, sim.m.nflexedge);
    for edge in 0..sim.m.nflexedge {
        close(sim.d.efc_pos[edge], sim.d.flexedge_length[edge] - sim.m.flexedge_length0[edge], 1e-15);
        all_close(&sim.d.efc_J[edge * sim.m.nv..(edge + 1) * sim.m.nv], &edge_row(&sim, edge), 1e-15);
    }
}

/// C42A-ii.1, C42A-ii.2: rigid flexes and edges by the bodies of their vertices
#[test]
fn rigid_flags() {
    let flags = |bodies: &str, extra: &str| {
        let sim = Sim::new(&format!(
            "<mujoco><worldbody><body name='a'><geom size='.1'/></body><body name='b'><geom size='.1'/></body>\
             <body name='c'><freejoint/><geom size='.1'/></body></worldbody><deformable>\
             <flex name='f' dim='1' body='{bodies}' {extra}/></deformable></mujoco>"
        ));
        (sim.m.flex_rigid[0], sim.m.flexedge_rigid.to_vec())
    };
    // two different static bodies: the flex is not rigid, its edge is
    assert_eq!(flags("a b", "vertex='0 0 0  .2 0 0' element='0 1'"), (0, vec![1]));
    assert_eq!(flags("c c a", "vertex='0 0 0  .2 0 0  .5 0 0' element='0 1 1 2'"), (0, vec![1, 0]));
    assert_eq!(flags("c c", "vertex='0 0 0  .2 0 0' element='0 1'"), (1, vec![1]));
}

/// C42A-ii.2, C42A-ii.3: a rigid flexcomp has no edge lengths, forces, rows or contacts with itself, and falls like
/// the body it is
#[test]
fn rigid_flexes_are_skipped() {
    let body =
        "<body name='p' pos='0 0 1'><freejoint/><geom size='.1' mass='1' contype='0' conaffinity='0'/>";
    let flex = "<flexcomp name='f' type='grid' count='3 3 3' spacing='.1 .1 .1' dim='3' radius='.01' rigid='true'>\
                <contact internal='true' selfcollide='narrow'/><elasticity young='1e4' poisson='.2'/></flexcomp>";
    let world = |content: &str| format!("<mujoco><worldbody>{body}{content}</body></worldbody></mujoco>");
    let (mut with, mut without) = (Sim::new(&world(flex)), Sim::new(&world("")));
    with.steps(50);
    without.steps(50);
    assert_eq!((with.d.contact.len(), with.d.nefc), (0, 0));
    assert!(with.d.flexedge_length.iter().all(|x| *x == 0.0));
    assert_eq!(with.d.qpos, without.d.qpos);
}

fn turned(dim: i32, elastic2d: &str, euler: &str) -> Vec<f64> {
    let count = if dim == 2 { "4 4 1" } else { "3 3 3" };
    let mut sim = Sim::new(&format!(
        "<mujoco><option gravity='0 0 0'/><worldbody><body name='p' euler='{euler}'><flexcomp name='f' type='grid' \
         count='{count}' spacing='.1 .1 .1' dim='{dim}' radius='.005' mass='1'>\
         <contact contype='0' conaffinity='0' selfcollide='none'/>\
         <elasticity young='1e4' poisson='.3' thickness='.01' damping='.1' elastic2d='{elastic2d}'/>\
         </flexcomp></body></worldbody></mujoco>"
    ));
    for i in 0..sim.m.nq / 3 {
        sim.d.qpos[3 * i + 2] = 0.01 * (i % 3) as f64;
        sim.d.qvel[3 * i] = 0.1 * (i % 4) as f64;
    }
    sim.forward();
    sim.d.qfrc_spring.iter().zip(&sim.d.qfrc_damper).map(|(a, b)| a + b).collect()
}

/// C42A-i.2, C42A-i.4: a turned parent turns the shape and the slides alike, so forces in the dofs stay the same
/// (documented deviation: MuJoCo 3.5.0 takes world components for them)
#[test]
fn turned_parents_do_not_change_forces() {
    for (dim, elastic2d) in [(2, "bend"), (2, "stretch"), (3, "none")] {
        let straight = turned(dim, elastic2d, "0 0 0");
        assert!(straight.iter().any(|f| f.abs() > 1e-3));
        all_close(&turned(dim, elastic2d, "90 0 0"), &straight, 1e-9);
        all_close(&turned(dim, elastic2d, "20 -50 70"), &straight, 1e-9);
    }
}

/// A tetrahedron whose vertices slide along rays from its first one, or freely.
fn tetrahedron(dof: &str) -> Sim {
    Sim::new(&format!(
        "<mujoco><option gravity='0 0 0'/><worldbody><flexcomp name='f' type='direct' dim='3' dof='{dof}' mass='1' radius='.01' \
         point='0 0 0  .3 .05 0  -.02 .3 .1  .1 .02 .3' element='0 1 2 3'><elasticity young='1e4' poisson='.2' damping='.1'/>\
         <contact contype='0' conaffinity='0'/></flexcomp></worldbody></mujoco>"
    ))
}

/// C42A-i.4: vertices that slide along one ray feel the part of the force along it, which free vertices in the same places feel
/// (documented deviation: MuJoCo 3.5.0 adds the world components to this and the next two degrees of freedom)
#[test]
fn forces_of_radial_flexes_are_those_along_their_slides() {
    let (mut radial, mut free) = (tetrahedron("radial"), tetrahedron("full"));
    assert_eq!((radial.m.nv, free.m.nv), (3, 12));
    let rays: Vec<[f64; 3]> = radial.m.jnt_axis.to_vec();
    for (i, ray) in rays.iter().enumerate() {
        (radial.d.qpos[i], radial.d.qvel[i]) = (0.02 * (i + 1) as f64, 0.3 - 0.2 * i as f64);
        for (k, part) in ray.iter().enumerate() {
            free.d.qpos[3 * (i + 1) + k] = radial.d.qpos[i] * part;
            free.d.qvel[3 * (i + 1) + k] = radial.d.qvel[i] * part;
        }
    }
    radial.forward();
    free.forward();
    // elasticity and its damping are one force
    let along = &radial.d.qfrc_spring;
    assert!(along.iter().all(|force| force.abs() > 1e-3), "{along:?}");
    let expected: Vec<f64> = rays
        .iter()
        .zip(free.d.qfrc_spring[3..].chunks(3))
        .map(|(ray, force)| ray.iter().zip(force).map(|(a, b)| a * b).sum())
        .collect();
    all_close(along, &expected, 1e-9);
}

/// C42A-i.6, F2.6: warm steps of deformable bodies allocate nothing, whatever models and integrators they have
#[test]
fn warm_flex_steps_do_not_allocate() {
    let contact = "<contact selfcollide='auto' internal='true'/>";
    let edge = "<edge equality='true' damping='1'/>";
    let elastic = "<elasticity young='1e4' poisson='.2' damping='.01' thickness='.01' elastic2d='both'/>";
    let solid = "<elasticity young='1e4' poisson='.2' damping='.01'/>";
    let soft = solid.replace("1e4", "1e2");
    let cases = [
        format!("type='grid' count='5 5 1' dim='2'>{contact}{edge}"),
        "type='grid' count='5 5 1' dim='2'><edge equality='vert'/>".to_string(),
        format!("type='grid' count='5 5 1' dim='2'>{contact}{elastic}"),
        format!("type='grid' count='3 3 3' dim='3'>{contact}{solid}"),
        format!("type='grid' count='4 4 4' dim='3' dof='trilinear'><contact selfcollide='none'/>{solid}"),
        format!("type='grid' count='6 6 6' dim='3' dof='quadratic'><contact selfcollide='none'/>{soft}"),
        format!("type='grid' count='3 3 3' dim='3'><contact selfcollide='none' passive='true'/>{solid}"),
        "type='grid' count='9 1 1' dim='1'><edge stiffness='100' damping='1'/>".to_string(),
        format!(
            "type='grid' count='5 5 1' dim='2' ligament:bending_model='bridson' \
             ligament:elasticity_model='neo_hookean'>{contact}{elastic}"
        ),
    ];
    for case in &cases {
        for integrator in ["Euler", "implicitfast", "implicit"] {
            let mut sim = Sim::new(&format!(
                "<mujoco><option timestep='.001' integrator='{integrator}'/><worldbody>\
                 <geom type='plane' size='2 2 .1'/><geom type='sphere' size='.1' pos='.03 .02 .1'/>\
                 <flexcomp name='f' radius='.01' spacing='.05 .05 .05' mass='.5' pos='0 0 .34' {case}</flexcomp>\
                 </worldbody></mujoco>"
            ));
            sim.steps(250);
            let start = (sim.d.qpos.clone(), sim.d.qvel.clone(), sim.d.qacc_warmstart.clone());
            let run = |sim: &mut Sim| {
                sim.d.qpos.copy_from_slice(&start.0);
                sim.d.qvel.copy_from_slice(&start.1);
                sim.d.qacc_warmstart.copy_from_slice(&start.2);
                let before = allocations();
                sim.steps(50);
                allocations() - before
            };
            run(&mut sim);
            assert_eq!(run(&mut sim), 0, "{integrator}: {case}");
            assert!(sim.d.ncon > 0, "no contacts: {case}");
        }
    }
}
