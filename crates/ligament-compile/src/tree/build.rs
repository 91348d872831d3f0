//! Collects the tree from the specification, in final order, before anything is resolved.

use super::{CBody, CCamera, CGeom, CJoint, CLight, CSite, Tree};
use crate::error::{fail, fail_at};
use crate::pose::Pose;
use ligament_geom::bvh::Bvh;
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::{self, BodyId, Spec};
use ligament_model::enums::ObjType;

impl<'s> Tree<'s> {
    /// All bodies depth first with what they carry. Values are those of the text.
    pub fn collect(spec: &'s Spec) -> Result<Self> {
        let mut tree = Tree::default();
        if let Some(joint) = spec.bodies[0].joints.first() {
            return Err(fail_at(ObjType::Joint, &joint.meta, "joint found in world body"));
        }
        if spec.bodies.len() + spec.flexes.len() >= 65534 {
            return Err(fail("number of bodies plus flexes must be less than 65534"));
        }
        // an explicit stack, so that nesting depth never becomes stack depth
        let mut pending = vec![(BodyId(0), 0)];
        while let Some((source, parent)) = pending.pop() {
            let body = &spec.bodies[source.index()];
            let id = tree.add_body(body, parent);
            pending.extend(body.children.iter().rev().map(|&child| (child, id)));
        }
        tree.assign_addresses();
        Ok(tree)
    }

    fn add_body(&mut self, body: &'s spec::Body, parent: usize) -> usize {
        let id = self.bodies.len();
        let (joints, geoms, sites) = (self.joints.len(), self.geoms.len(), self.sites.len());
        let (cameras, lights) = (self.cameras.len(), self.lights.len());
        self.joints.extend(body.joints.iter().map(|joint| new_joint(joint, id)));
        self.geoms.extend(body.geoms.iter().map(|geom| new_geom(geom, id)));
        self.sites.extend(body.sites.iter().map(|site| new_site(site, id)));
        self.cameras.extend(body.cameras.iter().map(|camera| new_camera(camera, id)));
        self.lights.extend(body.lights.iter().map(|light| new_light(light, id)));
        self.bodies.push(CBody {
            spec: body,
            parent,
            weld: 0,
            pose: Pose::new(body.pos, body.quat),
            inertial: Pose::new(body.ipos, body.iquat),
            mass: body.mass,
            inertia: body.inertia,
            mocap: -1,
            joints: joints..self.joints.len(),
            geoms: geoms..self.geoms.len(),
            sites: sites..self.sites.len(),
            cameras: cameras..self.cameras.len(),
            lights: lights..self.lights.len(),
            dofadr: 0,
            dofnum: 0,
            contype: 0,
            conaffinity: 0,
            margin: 0.0,
            bvh: Bvh::default(),
        });
        id
    }

    /// Numbers what depends only on the order of bodies and joints: welds, mocap bodies, addresses of joints.
    pub(crate) fn assign_addresses(&mut self) {
        let (mut qposadr, mut dofadr, mut mocap) = (0, 0, 0);
        for id in 0..self.bodies.len() {
            let joints = self.bodies[id].joints.clone();
            let first = dofadr;
            for joint in &mut self.joints[joints.clone()] {
                (joint.qposadr, joint.dofadr) = (qposadr, dofadr);
                qposadr += joint.nq();
                dofadr += joint.nv();
            }
            let weld = if joints.is_empty() { self.bodies[self.bodies[id].parent].weld } else { id };
            let body = &mut self.bodies[id];
            body.weld = weld;
            body.dofadr = first;
            body.dofnum = dofadr - first;
            body.mocap = -1;
            if body.spec.mocap {
                body.mocap = mocap;
                mocap += 1;
            }
        }
    }
}

fn new_joint(joint: &spec::Joint, body: usize) -> CJoint<'_> {
    CJoint {
        spec: joint,
        body,
        qposadr: 0,
        dofadr: 0,
        limited: false,
        actfrclimited: false,
        pos: joint.pos,
        axis: joint.axis,
        range: joint.range,
        reference: joint.reference,
        springref: joint.springref,
    }
}

fn new_geom(geom: &spec::Geom, body: usize) -> CGeom<'_> {
    CGeom {
        spec: geom,
        body,
        kind: geom.kind,
        pose: Pose::new(geom.pos, geom.quat),
        size: geom.size,
        data: -1,
        material: -1,
        mass: 0.0,
        inertia: [0.0; 3],
        aabb: [0.0; 6],
        rbound: 0.0,
        fluid: [0.0; 12],
    }
}

fn new_site(site: &spec::Site, body: usize) -> CSite<'_> {
    CSite { spec: site, body, pose: Pose::new(site.pos, site.quat), size: site.size, material: -1 }
}

fn new_camera(camera: &spec::Camera, body: usize) -> CCamera<'_> {
    CCamera {
        spec: camera,
        body,
        pose: Pose::new(camera.pos, camera.quat),
        target: -1,
        fovy: camera.fovy,
        intrinsic: camera.intrinsic,
    }
}

fn new_light(light: &spec::Light, body: usize) -> CLight<'_> {
    CLight { spec: light, body, pos: light.pos, dir: light.dir, target: -1, texture: -1 }
}
