use super::*;

fn cable(change: impl FnOnce(&mut Composite)) -> diag::Result<Spec> {
    let mut spec = Spec::default();
    let mut cable = Composite {
        prefix: "c".into(),
        kind: CompositeKind::Cable,
        count: [4, 1, 1],
        curve: [CurveShape::Line, CurveShape::Zero, CurveShape::Zero],
        ..Composite::default()
    };
    cable.geom.kind = GeomType::Capsule;
    change(&mut cable);
    cable.expand(&mut spec, BodyId(0))?;
    Ok(spec)
}

/// Straight cable of three links, numbers from MuJoCo 3.5.0.
#[test]
fn straight_cable_is_a_chain() {
    let spec = cable(|_| {}).unwrap();
    let names: Vec<&str> = spec.bodies.iter().map(|b| b.meta.name.as_str()).collect();
    assert_eq!(names, ["world", "cB_first", "cB_1", "cB_last"]);
    assert_eq!(spec.bodies[2].parent, Some(BodyId(1)));
    assert_eq!(spec.bodies[2].pos[0] as f32, 1.0 / 3.0);
    assert_eq!(spec.bodies[2].joints[0].meta.name, "cJ_1");
    assert_eq!(spec.excludes[1].bodyname2, "cB_last");
    assert_eq!(spec.bodies[3].sites[0].meta.name, "cS_last");
    assert_eq!(spec.texts[0].data, "rope_c");
    assert!(spec.skins.is_empty());
}

/// The first joint is a ball, a free joint without friction, or absent.
#[test]
fn initial_joint() {
    let joints = |initial: &str| {
        let spec = cable(|c| {
            c.initial = initial.into();
            c.joint.damping = 0.5;
        });
        spec.unwrap().bodies[1].joints.clone()
    };
    assert_eq!(joints("ball")[0].damping, 0.5);
    assert_eq!(joints("free")[0].kind, JointType::Free);
    assert_eq!(joints("free")[0].damping, 0.0);
    assert!(joints("none").is_empty());
}

/// Helix with 4 links: orientation of the second body in MuJoCo 3.5.0.
#[test]
fn curved_cable_turns_without_twist() {
    let spec = cable(|c| {
        c.curve = [CurveShape::Cos, CurveShape::Sin, CurveShape::Line];
        c.count = [5, 1, 1];
        c.size = [1.0, 0.3, 2.0];
    })
    .unwrap();
    let expected = HELIX;
    for (body, (pos, quat)) in spec.bodies[1..].iter().zip(expected) {
        for k in 0..3 {
            assert!((body.pos[k] - pos[k]).abs() < 1e-12);
        }
        for k in 0..4 {
            assert!((body.quat[k] - quat[k]).abs() < 1e-12);
        }
    }
}

/// Skins of box cables, sizes and sums from MuJoCo 3.5.0.
#[test]
fn box_cable_has_a_skin() {
    let boxed = |subgrid: i32| {
        let spec = cable(|c| {
            c.geom.kind = GeomType::Box;
            c.geom.size = [0.1, 0.02, 0.03];
            c.skin.subgrid = subgrid;
        });
        spec.unwrap().skins.remove(0)
    };
    let plain = boxed(0);
    assert_eq!(plain.vert.len(), 3 * 16);
    assert_eq!(plain.face[..9], [0, 2, 3, 0, 3, 1, 2, 4, 5]);
    assert_eq!(plain.face[18..24], [8, 11, 10, 8, 9, 11]);
    assert_eq!(plain.bindpos[18..21], [-0.2, -0.02, 0.0]);
    assert_eq!(plain.inflate, 0.06);
    let fine = boxed(2);
    assert_eq!(fine.vert.len(), 3 * 140);
    assert_eq!(fine.face.iter().sum::<i32>(), 57546);
    let counts: Vec<usize> = fine.vertid.iter().map(Vec::len).collect();
    assert_eq!(counts, [50, 58, 50, 76, 86, 72, 78, 86, 74, 50, 54, 50]);
    assert_eq!(fine.vertid.iter().flatten().sum::<i32>(), 55684);
    let weights = fine.vertweight.iter().flatten().enumerate();
    let moment: f64 = weights.map(|(i, &w)| i as f64 * f64::from(w)).sum();
    assert!((moment - 54812.20565075881).abs() < 1e-2);
}

#[test]
fn mistakes_are_named() {
    let message = |change: fn(&mut Composite)| cable(change).unwrap_err().diagnostic().message.clone();
    assert!(message(|c| c.kind = CompositeKind::Rope).contains("\"rope\" composite type is deprecated"));
    assert_eq!(message(|c| c.count[0] = 0), "Positive counts expected in composite");
    assert_eq!(message(|c| c.count = [1, 4, 1]), "Singleton counts must come last");
    assert_eq!(message(|c| c.count = [4, 4, 1]), "Cable must be one-dimensional");
    assert_eq!(message(|c| c.geom.kind = GeomType::Mesh), "Cable geom type must be sphere, capsule or box");
    assert_eq!(message(|c| c.vertex = vec![0.0; 9]), "Either vertex or count can be specified, not both");
}

/// Body poses below the parent.
const HELIX: [(Vec3, Quat); 4] = [
    (
        [0.30000001192092896, 0.0, 0.0],
        [0.302490861789711, 0.32232813385442854, 0.1095167935607595, 0.8902864283969567],
    ),
    (
        [0.49244290461444873, 0.0, 0.0],
        [0.7930107009237759, 4.163336342344337e-17, 1.1102230246251565e-16, 0.609207705319279],
    ),
    (
        [0.49244290461444873, 0.0, 0.0],
        [-0.7930107009237758, -5.551115123125783e-17, 0.49180327516446565, -0.3595324279642748],
    ),
    (
        [0.49244290461444873, 0.0, 0.0],
        [-0.7930107009237758, 5.551115123125783e-17, 0.5804891305765532, 0.18484154701489325],
    ),
];
