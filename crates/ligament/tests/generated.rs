//! What comparisons of generated models with MuJoCo 3.5.0 brought to light, as small models with its numbers.

mod support;
use ligament::{compile, load_model, mjcf_text, parse_mjcf_str};
use support::{Sim, all_close};

fn refuse(xml: &str, phrase: &str) {
    let error = load_model(xml).err().unwrap_or_else(|| panic!("accepted: {xml}"));
    assert!(error.to_string().contains(phrase), "{error}\nshould contain: {phrase}");
}

/// `passive` of a flex has the value of `internal`, else of `flatskin`, else false.
#[test]
fn contact_flags_of_flexes_are_borrowed() {
    let passive = |flatskin: &str, contact: &str| {
        let flex = format!(
            "<mujoco><worldbody><body name='b'/></worldbody><deformable><flex dim='1' body='b' vertex='0 0 0 1 0 0' \
             element='0 1' {flatskin}><contact {contact}/></flex></deformable></mujoco>"
        );
        load_model(&flex).unwrap().flex_passive[0]
    };
    assert_eq!(passive("", "passive='true'"), 0);
    assert_eq!(passive("", "passive='false' internal='true'"), 1);
    assert_eq!(passive("flatskin='true'", "passive='false'"), 1);
    assert_eq!(passive("flatskin='true'", "passive='true' internal='false'"), 0);
    assert_eq!(passive("flatskin='true'", ""), 0);
}

/// A rigid flex has no rows of edges, also when its elasticity asks for them, and its edges keep their lengths.
#[test]
fn rigid_flexes_with_damping_load() {
    let m = load_model(
        "<mujoco><worldbody><body><joint/><body name='b'><geom size='.1'/></body></body></worldbody><deformable>\
         <flex body='b' vertex='.1 0 0 0 .1 0 0 0 .1' element='0 1 2'><elasticity damping='.1'/></flex></deformable></mujoco>",
    )
    .unwrap();
    assert_eq!((m.flex_rigid[0], m.nflexedge, m.nJfe), (1, 3, 0));
    assert!(
        m.flexedge_length0.iter().all(|length| (length - 0.02_f64.sqrt()).abs() < 1e-12),
        "{:?}",
        m.flexedge_length0
    );
}

/// Rows of contacts with a flex don't depend on what the PGS solver left behind.
#[test]
fn flex_contacts_repeat_with_pgs() {
    let mut sim = Sim::new(
        "<mujoco><option solver='PGS' jacobian='sparse'/><worldbody><geom type='plane' size='1 1 .1'/>\
         <geom size='.1'/><flexcomp name='f' type='grid' dim='3' count='3 3 3' spacing='.05 .05 .05' pos='.02 .01 .08'/>\
         </worldbody></mujoco>",
    );
    sim.forward();
    let (ncon, nefc, force) = (sim.d.ncon, sim.d.nefc, sim.d.efc_force.clone());
    assert!(nefc > 20);
    for _ in 0..3 {
        sim.forward();
        assert_eq!((sim.d.ncon, sim.d.nefc), (ncon, nefc));
        assert_eq!(sim.d.efc_force, force);
    }
}

/// Contacts that no degree of freedom can move keep their rows in dense Jacobians, as long as there are no islands.
#[test]
fn immovable_contacts() {
    let cases = [("dense", "disable", (0, 12)), ("sparse", "disable", (3, 8)), ("dense", "enable", (3, 8))];
    for (jacobian, island, expected) in cases {
        let mut sim = Sim::new(&format!(
            "<mujoco><option jacobian='{jacobian}'><flag island='{island}'/></option><worldbody>\
             <geom type='plane' size='1 1 .1'/><flexcomp name='f' type='direct' dim='1' pos='0 0 .002' point='0 0 0 .1 0 0 .2 0 0' element='0 1 1 2'>\
             <pin id='0'/></flexcomp></worldbody></mujoco>"
        ));
        sim.forward();
        assert_eq!((sim.d.contact[0].exclude, sim.d.nefc), expected, "{jacobian}");
    }
}

/// Pinned vertices in a constraint on the vertices of a flex.
#[test]
fn vertex_equalities_with_pins_and_contacts() {
    let mut sim = Sim::new(
        "<mujoco><worldbody><geom type='plane' size='1 1 .1'/><flexcomp name='f' type='grid' count='4 2 1' spacing='.1 .1 .1'>\
         <pin id='3'/></flexcomp></worldbody><equality><flexvert flex='f'/></equality></mujoco>",
    );
    sim.forward();
    assert!(sim.d.nefc > 0 && sim.d.efc_diagApprox.len() == sim.d.nefc);
}

/// A delayed sensor of energy reports the past and computes nothing now.
#[test]
fn delayed_energy_is_not_computed() {
    let mut sim = Sim::new(
        "<mujoco><worldbody><body pos='0 0 1'><geom size='.1'/></body></worldbody>\
         <sensor><e_potential delay='.01' nsample='2'/></sensor></mujoco>",
    );
    sim.forward();
    assert_eq!(sim.d.energy, [0.0, 0.0]);
}

/// A tactile sensor on a mesh without a frame at each vertex: directions beyond the last normal are zero, so that what is
/// measured along them is zero, too. Normals of vertices come in threes; this mesh has four, so only the first vertex has
/// all directions and the second one has its normal.
#[test]
fn tactile_sensors_without_tangents() {
    let mut sim = Sim::new(
        "<mujoco><option gravity='0 0 0'/><asset><mesh name='m' vertex='-.01 -.01 -.01 .01 -.01 -.01 0 .01 -.01 0 0 .01'/></asset><worldbody>\
         <geom type='box' size='1 1 1' pos='0 0 -1'/><body pos='0 0 -.03'><freejoint/><geom name='g' size='.1'/></body></worldbody>\
         <sensor><tactile geom='g' mesh='m'/></sensor></mujoco>",
    );
    assert_eq!(sim.m.mesh_normalnum[0], 4);
    sim.d.qvel[..3].copy_from_slice(&[0.3, 0.2, -0.1]);
    sim.forward();
    assert_eq!(sim.d.sensordata.len(), 12);
    let [pressure, first, second] = [0, 4, 8].map(|start| &sim.d.sensordata[start..start + 4]);
    assert!(pressure[0] < 0.0 && pressure[1] < 0.0, "both are pressed in: {pressure:?}");
    assert_eq!(pressure[2..], [0.0, 0.0]);
    assert!(first[0] > 0.0 && second[0] > 0.0, "the first vertex slides: {first:?} {second:?}");
    assert_eq!((&first[1..], &second[1..]), (&[0.0; 3][..], &[0.0; 3][..]));
}

/// Only geoms lose their materials to `discardvisual`; whatever else has one is refused.
#[test]
fn discarded_materials_must_not_be_in_use() {
    let model = |mesh: &str, content: &str| {
        format!(
            "<mujoco><compiler discardvisual='true'/><asset><texture name='t' builtin='flat' type='2d' width='2' height='2'/>\
             <material name='m' texture='t'/><mesh name='tet' vertex='0 0 0 1 0 0 0 1 0 0 0 1' {mesh}/></asset>\
             <worldbody><geom type='mesh' mesh='tet'/>{content}</worldbody></mujoco>"
        )
    };
    let m = load_model(&model("", "<geom size='1' material='m'/><geom size='1' material='none'/>")).unwrap();
    assert_eq!((m.nmat, m.ntex, m.ngeom), (0, 0, 3));
    refuse(&model("", "<site material='m'/>"), "object not found");
    refuse(&model("material='m'", ""), "object not found");
    refuse(&model("", "<light type='image' texture='t'/>"), "object not found");
    refuse(&model("", "<site material='none'/>"), "material 'none' not found in site 0");
}

/// The content of a replicate may not repeat a name used before it, although its copies have other names.
#[test]
fn names_in_replicates_are_new() {
    let model = |before: &str, inside: &str, after: &str| {
        format!(
            "<mujoco><worldbody>{before}<replicate count='2'>{inside}</replicate>{after}</worldbody></mujoco>"
        )
    };
    let geom = "<geom name='x' size='.1'/>";
    refuse(&model(geom, geom, ""), "repeated name 'x' in geom");
    refuse(&model("", &[geom, geom].concat(), ""), "repeated name 'x' in geom");
    refuse(&model("<frame name='x'/>", "<frame name='x'/>", ""), "repeated name 'x' in frame");
    assert_eq!(load_model(&model("", geom, geom)).unwrap().ngeom, 3);
    assert_eq!(load_model(&model("<site name='x'/>", geom, "")).unwrap().ngeom, 2);
}

/// What refers to the content of a replicate and to something unknown at its end stays, and is refused.
#[test]
fn references_across_replicates() {
    let model = |relation: &str| {
        format!(
            "<mujoco><worldbody><site name='out'/><replicate count='2'><body name='b'><joint name='j'/><geom size='.1'/>\
             <site name='a'/></body></replicate><body name='later'><joint name='k'/><geom size='.1'/></body></worldbody>\
             {relation}</mujoco>"
        )
    };
    let tendon = |site: &str| {
        model(&format!("<tendon><spatial name='t'><site site='a'/><site site='{site}'/></spatial></tendon>"))
    };
    assert_eq!(load_model(&tendon("out")).unwrap().ntendon, 2);
    refuse(&tendon("unknown"), "site 'a' not found in wrap 0");
    refuse(
        &model("<equality><connect body1='later' body2='b' anchor='0 0 0'/></equality>"),
        "unknown element 'b'",
    );
    refuse(
        &model("<contact><exclude body1='b' body2='later'/></contact>"),
        "body 'b' not found in bodypair 0",
    );
}

/// `saveinertial` writes the inertias that were inferred from geoms.
#[test]
fn inferred_inertias_are_saved() {
    let saved = |compiler: &str| {
        let spec = parse_mjcf_str(&format!(
            "<mujoco><compiler {compiler}/><worldbody><body><freejoint/><geom size='.1' pos='.2 0 0'/><geom size='.1'/>\
             <body euler='0 0 30'><joint/><geom type='box' size='.1 .2 .3'/></body></body></worldbody></mujoco>"
        ))
        .unwrap();
        let files = ligament::NoAssets;
        let model = compile(&spec, &files).unwrap();
        (mjcf_text(&spec, &model).unwrap(), model)
    };
    assert_eq!(saved("").0.matches("<inertial").count(), 0);
    let (text, model) = saved("saveinertial='true'");
    assert_eq!(text.matches("<inertial").count(), 2);
    let again = load_model(&text.replace("<geom ", "<geom density='0' ")).unwrap();
    for (a, b) in again.body_inertia.iter().flatten().zip(model.body_inertia.iter().flatten()) {
        assert!((a - b).abs() < 1e-12);
    }
    assert_eq!(again.body_ipos, model.body_ipos);
}

/// A tendon inside one body has a Jacobian of rounding noise, which is enough for the row of its limit.
#[test]
fn limits_of_tendons_that_cannot_stretch() {
    let mut sim = Sim::new(
        "<mujoco><worldbody><body pos='.1 .2 .3'><joint type='ball'/><geom size='.1' pos='.1 .03 .02'/><site name='a'/>\
         <body pos='.36993 .021775 .19303'><site name='b'/></body></body></worldbody><tendon>\
         <spatial range='.53585 .79021' limited='true'><site site='a'/><site site='b'/></spatial></tendon></mujoco>",
    );
    sim.forward();
    assert_eq!((sim.d.nl, sim.d.nefc), (1, 1));
    assert!(sim.d.ten_J.iter().all(|x| x.abs() < 1e-15));
}

/// Contacts of a passive flex that no degree of freedom can move are recognised with sparse Jacobians only.
#[test]
fn immovable_passive_contacts() {
    for (jacobian, expected) in [("dense", [4, 4, 4]), ("sparse", [3, 4, 4])] {
        let mut sim = Sim::new(&format!(
            "<mujoco><option jacobian='{jacobian}'/><worldbody><geom type='plane' size='1 1 .1'/>\
             <flexcomp name='f' type='direct' dim='1' pos='0 0 .002' point='0 0 0 .1 0 0 .2 0 0' element='0 1 1 2'>\
             <pin id='0'/><contact passive='true'/></flexcomp></worldbody></mujoco>"
        ));
        sim.forward();
        let exclude: Vec<i32> = sim.d.contact.iter().map(|contact| contact.exclude).collect();
        assert_eq!(exclude, expected, "{jacobian}");
    }
}

/// A copied tendon keeps the name of a wrapped geom unless the copy can be wrapped and has a side site.
#[test]
fn copied_tendons_wrap_what_they_can() {
    let tendons = |outside: &str, inside: &str, wrap: &str| {
        let m = load_model(&format!(
            "<mujoco><worldbody>{outside}<replicate count='2' offset='0 0 1'><body>{inside}<site name='s' pos='1 0 0'/>\
             <site name='t' pos='-1 0 0'/><site name='u' pos='0 .5 0'/></body></replicate></worldbody>\
             <tendon><spatial><site site='s'/>{wrap}<site site='t'/></spatial></tendon></mujoco>"
        ));
        let m = m.unwrap_or_else(|error| panic!("{error}"));
        (m.ntendon, m.wrap_type[..].to_vec())
    };
    let ball = "<geom name='g' size='.1'/>";
    let plain = "<geom geom='g'/>";
    assert_eq!(tendons("", ball, plain).0, 0);
    assert_eq!(tendons("", ball, "<geom geom='g' sidesite='u'/>").0, 2);
    for other in ["ellipsoid", "cylinder"] {
        let outside = format!("{ball}<geom name='g0' type='{other}' size='.1 .2 .3'/>");
        assert_eq!(tendons(&outside, "<geom size='.1'/>", plain), (2, vec![3, 4, 3, 3, 4, 3]));
    }
}

/// A mesh with `inertia="convex"` needs a hull only if a geom shows it.
#[test]
fn flat_meshes_without_geoms_need_no_hull() {
    let plate = |geom: &str| {
        format!(
            "<mujoco><asset><mesh name='m' builtin='plate' params='3 2' inertia='convex'/></asset>\
             <worldbody>{geom}</worldbody></mujoco>"
        )
    };
    let m = load_model(&plate("")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((m.nmesh, m.mesh_graphadr[0], m.mesh_vertnum[0]), (1, -1, 6));
    refuse(&plate("<geom type='mesh' mesh='m' contype='0' conaffinity='0'/>"), "qhull error");
}

/// Deviation: 3.5.0 writes three bytes a texel, whatever the number of channels, and so beyond its memory.
#[test]
fn built_in_textures_of_few_channels_stay_in_their_memory() {
    for (channels, bytes) in [(1, 6 * 4), (2, 6 * 8), (3, 6 * 12), (4, 6 * 16)] {
        let m = load_model(&format!(
            "<mujoco><asset><texture name='t' type='cube' builtin='checker' mark='edge' width='2' height='2' \
             nchannel='{channels}'/></asset></mujoco>"
        ))
        .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((m.tex_nchannel[0], m.tex_data.len()), (channels, bytes));
    }
}

/// Deviation: 3.5.0 lists the dofs of a body with two vertices of an edge twice, beyond the array.
#[test]
fn dofs_of_flex_edges_within_a_body_are_listed_once() {
    let m = load_model(
        "<mujoco><worldbody><body name='a'><freejoint/><geom size='.1'/></body><body name='b' pos='1 0 0'><freejoint/>\
         <geom size='.1'/></body></worldbody><deformable><flex dim='1' body='a a b' vertex='0 0 0 .1 0 0 0 0 0' \
         element='0 1 1 2'><edge stiffness='10'/></flex></deformable></mujoco>",
    )
    .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        (m.flexedge_J_rownnz[..].to_vec(), m.flexedge_J_rowadr[..].to_vec()),
        (vec![6, 12], vec![0, 6])
    );
    assert_eq!(m.nJfe, 18);
}

/// Deviation: 3.5.0 frees memory that it does not own when a model with a replicate in a replicate is refused.
#[test]
fn models_with_nested_replicates_can_be_refused() {
    refuse(
        "<mujoco><worldbody><replicate count='1'><replicate count='2' offset='0 .3 .1'><body name='b'><body name='c'>\
         <joint name='j' type='slide' range='0 1'/></body></body></replicate></replicate></worldbody></mujoco>",
        "mass and inertia of moving bodies must be larger than mjMINVAL",
    );
}

/// Deviation: there is no arena to fill. 3.5.0 drops all rows of this scene, which need more than 16 MB.
#[test]
fn constraint_arrays_grow() {
    let ball = |i: usize| {
        let (x, y) = (0.15 * (i % 30) as f64, 0.15 * (i / 30) as f64);
        format!("<body pos='{x} {y} .09'><freejoint/><geom size='.1' condim='6'/></body>")
    };
    let balls: String = (0..300).map(ball).collect();
    let mut sim = Sim::new(&format!(
        "<mujoco><option jacobian='dense' iterations='1' ls_iterations='1'/><worldbody>\
         <geom type='plane' size='9 9 1'/>{balls}</worldbody></mujoco>"
    ));
    sim.forward();
    assert!(sim.d.ncon >= 800, "{}", sim.d.ncon);
    assert_eq!(sim.d.nefc, 10 * sim.d.ncon);
    assert!(sim.d.contact.iter().all(|contact| contact.efc_address >= 0));
}

/// Deviation: 3.5.0 makes a row of the rounding noise in the Jacobian of a tendon that nothing can change.
#[test]
fn tendons_that_nothing_can_change_have_no_rows() {
    let mut sim = Sim::new(
        "<mujoco><worldbody><body pos='.1 .2 .3' quat='.7 .1 .3 .2'><freejoint/><geom size='.1'/><site name='a' pos='.13 .17 .19'/>\
         <body pos='.3 .1 .2'><joint axis='3 1 2'/><geom size='.1' pos='.1 0 0'/><site name='b'/></body></body></worldbody>\
         <tendon><spatial range='0 .1' limited='true'><site site='a'/><site site='b'/></spatial></tendon></mujoco>",
    );
    sim.forward();
    assert!(sim.d.ten_length[0] > 0.1);
    assert_eq!((sim.d.nl, sim.d.nefc), (0, 0));
}

/// The number of a row in a column that ties nothing is zero: it must not take the place of another island's.
#[test]
fn columns_without_numbers_belong_to_no_island() {
    let text = |island: &str| {
        let arm = |name: &str, y: f64| {
            format!(
                "<body pos='0 {y} 0'><joint name='{name}' axis='0 1 0' range='-10 10' limited='true'/><geom size='.1' pos='.2 0 0'/></body>"
            )
        };
        let arms: String =
            ["a", "b", "c", "d"].iter().zip([0.0, 1.0, 2.0, 3.0]).map(|(name, y)| arm(name, y)).collect();
        // b cancels out of the first equality; a and b are at their limits
        format!(
            "<mujoco><option jacobian='dense'><flag island='{island}'/></option><worldbody>{arms}</worldbody>\
             <tendon><fixed name='s'><joint joint='a' coef='1'/><joint joint='b' coef='2'/></fixed>\
             <fixed name='t'><joint joint='c' coef='1'/><joint joint='b' coef='2'/></fixed></tendon>\
             <equality><tendon tendon1='s' tendon2='t'/><joint joint1='b' joint2='d'/></equality></mujoco>"
        )
    };
    let step = |island: &str| {
        let mut sim = Sim::new(&text(island));
        sim.d.qpos.copy_from_slice(&[0.3, 0.4, -0.1, 0.2]);
        sim.d.qvel.copy_from_slice(&[1.0, 2.0, -1.0, 0.5]);
        sim.forward();
        sim
    };
    let (with, without) = (step("enable"), step("disable"));
    assert_eq!((with.d.nisland, with.d.nefc), (2, without.d.nefc));
    all_close(&with.d.qacc, &without.d.qacc, 1e-6);
    all_close(&with.d.qfrc_constraint, &without.d.qfrc_constraint, 1e-6);
}
