use super::{error, model, read};
use crate::MjcfError;
use ligament_model::enums::{DisableBit, EnableBit, InertiaFromGeom, LRMode};

/// `<mujoco/>` alone loads: the world and nothing else.
#[test]
fn empty_model_has_only_the_world() {
    let spec = model("");
    assert_eq!(spec.bodies.len(), 1);
    assert_eq!(spec.modelname, "MuJoCo Model");
    let spec = read("<mujoco model='arm'><!-- made by hand --></mujoco>").unwrap();
    assert_eq!((spec.modelname.as_str(), spec.comment.as_str()), ("arm", " made by hand "));
}

#[test]
fn compiler_attributes_are_read() {
    let spec = model(
        "<compiler autolimits='false' angle='radian' eulerseq='ZYX' boundmass='.01' boundinertia='.02' \
         settotalmass='10' balanceinertia='true' strippath='true' inertiafromgeom='true' \
         inertiagrouprange='1 3' discardvisual='true' fusestatic='true' alignfree='true' coordinate='local'>\
         <lengthrange mode='all' uselimit='true' timestep='.02'/></compiler>",
    );
    let c = spec.compiler();
    assert!(!c.autolimits && !c.degree && c.balanceinertia && c.strippath && c.alignfree);
    assert_eq!((&c.eulerseq, c.boundmass, c.boundinertia, c.settotalmass), (b"ZYX", 0.01, 0.02, 10.0));
    assert_eq!((c.inertiafromgeom, c.inertiagrouprange), (InertiaFromGeom::True, [1, 3]));
    assert_eq!((c.lengthrange.mode, c.lengthrange.uselimit), (LRMode::All, true));
    assert_eq!((c.lengthrange.timestep, c.lengthrange.accel), (0.02, 20.0));
}

/// P18.14: global coordinates are refused as unsupported.
#[test]
fn global_coordinates_are_unsupported() {
    let error = error("<compiler coordinate='global'/>");
    assert!(matches!(error, MjcfError::Unsupported(_)), "{error}");
    assert!(error.to_string().contains("global coordinates no longer supported"));
}

/// P18.D10: Euler sequences have three letters out of xyzXYZ.
#[test]
fn bad_euler_sequences_are_refused() {
    for sequence in ["xy", "xyzx", "abc", ""] {
        let error = error(&format!("<compiler eulerseq='{sequence}'/>"));
        assert!(matches!(error, MjcfError::InvalidAttribute(_)), "{error}");
    }
    assert_eq!(&model("<compiler eulerseq='xYz'/>").compiler().eulerseq, b"xYz");
}

/// P18.7: the last written directory wins, within one element the special one.
#[test]
fn asset_directories_merge() {
    let dirs = |text: &str| {
        let spec = model(text);
        (spec.compiler().meshdir.clone(), spec.compiler().texturedir.clone())
    };
    assert_eq!(dirs("<compiler assetdir='d' meshdir='m'/>"), ("m".into(), "d".into()));
    assert_eq!(dirs("<compiler meshdir='m'/><compiler assetdir='d'/>"), ("d".into(), "d".into()));
    assert_eq!(dirs("<compiler assetdir='d'/><compiler texturedir='t'/>"), ("d".into(), "t".into()));
}

/// P18.D11: sections merge attribute by attribute, also when they stand after the world.
#[test]
fn settings_merge_attribute_by_attribute() {
    let spec = model(
        "<compiler angle='radian'/><worldbody/><compiler autolimits='false'/>\
         <option timestep='.01'/><option gravity='0 0 -1'><flag contact='disable' energy='enable'/></option>\
         <option><flag contact='enable' limit='disable'/></option>\
         <visual><map znear='.1'/></visual><visual><map zfar='9'/><rgba fog='1 0 0 1'/></visual>\
         <statistic extent='2'/><statistic center='1 2 3'/>",
    );
    assert!(!spec.compiler().degree && !spec.compiler().autolimits);
    assert_eq!((spec.option.timestep, spec.option.gravity), (0.01, [0.0, 0.0, -1.0]));
    assert_eq!(spec.option.disableflags, DisableBit::Limit as i32);
    assert_eq!(spec.option.enableflags, EnableBit::Energy as i32);
    assert_eq!((spec.visual.map.znear, spec.visual.map.zfar), (0.1, 9.0));
    assert_eq!(spec.visual.rgba.fog, [1.0, 0.0, 0.0, 1.0]);
    assert_eq!((spec.stat.extent, spec.stat.center), (2.0, [1.0, 2.0, 3.0]));
}

/// P18.D12: lists of several sections are appended in document order.
#[test]
fn repeated_sections_append() {
    let spec = model(
        "<worldbody><body name='a'><joint name='j'/><geom name='g' size='1'/><site name='s'/></body></worldbody>\
         <worldbody><body name='b'><joint name='k'/><geom name='h' size='1'/></body></worldbody>\
         <actuator><motor name='m1' joint='j'/></actuator><actuator><motor name='m2' joint='k'/></actuator>\
         <sensor><clock name='c'/></sensor><sensor><touch name='t' site='s'/></sensor>\
         <tendon><fixed name='t1'><joint joint='j' coef='1'/></fixed></tendon>\
         <tendon><fixed name='t2'><joint joint='k' coef='2'/></fixed></tendon>\
         <equality><joint joint1='j'/></equality><equality><weld body1='a'/></equality>\
         <contact><pair geom1='g' geom2='h'/></contact><contact><exclude body1='a' body2='b'/></contact>\
         <asset><material name='x'/></asset><asset><material name='y'/></asset>\
         <keyframe><key name='k1'/></keyframe><keyframe><key name='k2' qpos='1 2'/></keyframe>\
         <default><geom size='.2'/></default><default><site size='.3'/></default>",
    );
    let bodies: Vec<&str> = spec.bodies.iter().map(|b| b.meta.name.as_str()).collect();
    assert_eq!(bodies, ["world", "a", "b"]);
    assert_eq!((spec.actuators[1].meta.name.as_str(), spec.sensors[1].meta.name.as_str()), ("m2", "t"));
    assert_eq!((spec.tendons.len(), spec.equalities.len(), spec.materials.len()), (2, 2, 2));
    assert_eq!((spec.pairs.len(), spec.excludes.len()), (1, 1));
    assert_eq!(spec.keys[1].qpos, [1.0, 2.0]);
    assert_eq!((spec.classes[0].geom.size[0], spec.classes[0].site.size[0]), (0.2, 0.3));
}

#[test]
fn memory_sizes_have_suffixes() {
    for (text, bytes) in [("1024", 1024), ("2K", 2048), ("3m", 3 << 20), (" 1G ", 1 << 30), ("-1", -1)] {
        assert_eq!(model(&format!("<size memory='{text}'/>")).size.memory, bytes, "{text}");
    }
    for text in ["-2", "1KK", "K", "1.5M", "", "99999999999E", "1 K"] {
        let error = error(&format!("<size memory='{text}'/>"));
        assert!(error.to_string().contains("unsigned integer with an optional suffix"), "{text}: {error}");
    }
    assert!(error("<size memory='1M' njmax='5'/>").to_string().contains("not both"));
    assert_eq!(model("<size njmax='500' nconmax='100' nuserdata='3'/>").size.njmax, 500);
    assert!(error("<size nuser_body='-2'/>").to_string().contains("nuser_body must be >= -1"));
}

#[test]
fn options_are_checked() {
    let spec =
        model("<option integrator='RK4' cone='elliptic' solver='CG' jacobian='sparse' o_solref='.1'/>");
    let o = &spec.option;
    assert_eq!((o.integrator, o.cone, o.solver, o.jacobian), (1, 1, 1, 1));
    assert_eq!(o.o_solref, [0.1, 1.0]);
    assert_eq!(model("<option actuatorgroupdisable='0 3 30'/>").option.disableactuator, 1 | 8 | 1 << 30);
    for text in [
        "<option actuatorgroupdisable='31'/>",
        "<option actuatorgroupdisable='-1'/>",
        "<option integrator='euler'/>",
        "<option><flag contact='true'/></option>",
        "<statistic extent='0'/>",
        "<visual><map znear='0'/></visual>",
        "<visual><global realtime='0'/></visual>",
    ] {
        assert!(matches!(error(text), MjcfError::InvalidAttribute(_)), "{text}");
    }
}

#[test]
fn custom_fields_are_read() {
    let spec = model(
        "<custom><numeric name='n' size='4' data='1 2'/><numeric name='o' data='5 6 7'/>\
         <text name='t' data='hello'/>\
         <tuple name='u'><element objtype='body' objname='world' prm='2'/></tuple></custom>",
    );
    assert_eq!(spec.numerics[0].data, [1.0, 2.0, 0.0, 0.0]);
    assert_eq!((spec.numerics[1].size, spec.texts[0].data.as_str()), (3, "hello"));
    assert_eq!((spec.tuples[0].objname[0].as_str(), spec.tuples[0].objprm[0]), ("world", 2.0));
    for text in [
        "<numeric name='n'/>",
        "<numeric name='n' size='501'/>",
        "<numeric name='n' size='1' data='1 2'/>",
        "<numeric data='1'/>",
        "<text name='t' data=''/>",
        "<tuple name='u'><element objtype='bodie' objname='x'/></tuple>",
    ] {
        error(&format!("<custom>{text}</custom>"));
    }
}

#[test]
fn assets_are_read() {
    let spec = model(
        "<asset><texture name='t' type='cube' builtin='checker' gridsize='3 4' gridlayout='.U..LFRB.D..' \
         fileright='r.png' mark='edge' rgb1='1 0 0'/>\
         <material name='m' texture='t' rgba='1 0 0 1'/>\
         <material name='l'><layer role='orm' texture='t'/><layer role='normal' texture='u'/></material>\
         <mesh file='d/box.stl' scale='2 2 2' inertia='exact' maxhullvert='8'/>\
         <mesh name='v' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 2'/>\
         <mesh name='s' builtin='sphere' params='2'/>\
         <hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3 4'/></asset>",
    );
    let texture = &spec.textures[0];
    assert_eq!((texture.gridlayout.as_str(), texture.cubefiles[0].as_str()), (".U..LFRB.D..", "r.png"));
    assert_eq!(spec.materials[0].textures[1], "t");
    assert_eq!((&*spec.materials[1].textures[9], &*spec.materials[1].textures[5]), ("t", "u"));
    assert_eq!((spec.meshes[0].file.as_str(), spec.meshes[0].maxhullvert), ("d/box.stl", 8));
    assert_eq!((spec.meshes[1].uservert.len(), spec.meshes[1].userface.len()), (12, 3));
    assert_eq!(spec.meshes[2].params, [2.0]);
    assert_eq!(spec.hfields[0].userdata, [3.0, 4.0, 1.0, 2.0]);
    for text in [
        "<hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3'/>",
        "<hfield name='h' nrow='2' ncol='2'/>",
        "<hfield name='h' nrow='100000' ncol='100000' size='1 1 1 1'/>",
        "<mesh maxhullvert='3' file='x.stl'/>",
        "<mesh builtin='sphere'/>",
        "<mesh builtin='sphere' params='1' file='x.stl'/>",
        "<texture gridsize='2 2' gridlayout='...'/>",
        "<material name='m' texture='t'><layer role='rgb' texture='t'/></material>",
        "<skin group='6'/>",
    ] {
        error(&format!("<asset>{text}</asset>"));
    }
}

#[test]
fn flexes_and_skins_are_read() {
    let spec = model(
        "<deformable><flex name='f' dim='2' body='a b c' vertex='0 0 0 1 0 0 0 1 0' element='0 1 2'>\
         <contact selfcollide='none' internal='true'/><edge stiffness='3'/><elasticity young='5' elastic2d='both'/>\
         </flex><skin vertex='0 0 0' face='0 0 0'><bone body='a' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0' \
         vertweight='1'/></skin></deformable>",
    );
    let flex = &spec.flexes[0];
    assert_eq!((flex.vertbody.len(), flex.elem.len(), flex.elastic2d), (3, 3, 3));
    assert_eq!((flex.edgestiffness, flex.young, flex.internal), (3.0, 5.0, true));
    assert_eq!((spec.skins[0].bodyname.len(), spec.skins[0].vertid[0].len()), (1, 1));
}

/// Names are unique per kind of element.
#[test]
fn repeated_names_are_refused() {
    let error = error("<worldbody><geom name='a' size='1'/><geom name='a' size='1'/></worldbody>");
    assert!(error.to_string().contains("repeated name 'a' in geom"), "{error}");
    super::world_error("<body name='world'/>");
    super::world("<geom name='a' size='1'/><site name='a'/>");
}
