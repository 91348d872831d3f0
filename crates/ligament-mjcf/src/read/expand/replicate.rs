//! `<replicate>`: copies of what it encloses, each displaced relative to the one before.

use crate::diag::{MjcfError, Result};
use crate::read::Reader;
use crate::spec::pose::accumulate;
use crate::spec::weight::weight_of_renaming;
use crate::spec::{AttachPoint, BodyId, ClassId, FrameId, Orientation, Placement, Spec};
use crate::xml::Element;

/// Elements a model may have after replication: a bound for mistyped counts and nested replicates.
const MAX_ELEMENTS: usize = 1_000_000;

/// Elements outside the tree: those that refer to nothing double with every copy.
const MAX_REFERRING: usize = 200_000;

/// A replicate whose content is being read, into a body of its own.
pub struct Replicate {
    count: i32,
    offset: [f64; 3],
    euler: [f64; 3],
    separator: String,
    target: AttachPoint,
    subtree: BodyId,
    frame: FrameId,
}

impl Replicate {
    /// Reads the attributes and makes the body that takes the content.
    pub(crate) fn begin(
        reader: &mut Reader<'_>,
        element: Element<'_>,
        body: BodyId,
        frame: Option<FrameId>,
        class: ClassId,
    ) -> Result<Self> {
        let mut count = [0i32];
        element.required_array("count", &mut count)?;
        let (mut offset, mut euler) = ([0.0; 3], [0.0; 3]);
        element.array("offset", &mut offset)?;
        element.array("euler", &mut euler)?;
        let subtree = reader.spec.add_body(body);
        let own_frame = reader.spec.add_frame(subtree, None);
        let meta = &mut reader.spec.frames[own_frame.index()].meta;
        meta.class = class;
        meta.origin = element.origin().clone();
        Ok(Self {
            count: count[0],
            offset,
            euler,
            separator: element.attr("sep").unwrap_or_default().to_string(),
            target: AttachPoint { body, frame },
            subtree,
            frame: own_frame,
        })
    }

    /// Body and frame that the content goes into.
    pub(crate) fn subtree(&self) -> (BodyId, FrameId) {
        (self.subtree, self.frame)
    }

    /// Puts the copies into the enclosing body and drops the original.
    pub(crate) fn expand(self, reader: &mut Reader<'_>, element: Element<'_>) -> Result<()> {
        self.check_size(reader, element)?;
        reader.look_at_all(element)?;
        let mut pos = [0.0; 3];
        let rotation = self.rotation(reader, element, 1.0)?;
        let mut fragment = reader.spec.take_fragment(self.subtree, self.frame)?;
        for i in 0..self.count {
            // The multiple of the angles is exact where accumulated rotations are not.
            let mut quat = self.rotation(reader, element, f64::from(i))?;
            let suffix = format!("{}{}", self.separator, padded(i, self.count));
            reader.spec.add_copy(&mut fragment, self.target, &Placement { pos, quat, suffix });
            accumulate(&mut pos, &mut quat, self.offset, rotation);
            // each copy asks all of them whether they refer to it
            let referring = referring(&reader.spec);
            if referring > MAX_REFERRING || !reader.may_look_at(referring as u64) {
                return Err(too_many(element));
            }
        }
        reader.spec.drop_fragment(fragment);
        Ok(())
    }

    fn rotation(&self, reader: &Reader<'_>, element: Element<'_>, factor: f64) -> Result<[f64; 4]> {
        let compiler = reader.spec.compiler();
        let angles = self.euler.map(|angle| factor * angle);
        Orientation::Euler(angles)
            .resolve(compiler.degree, compiler.eulerseq)
            .map_err(|message| element.invalid_attr("euler", message))
    }

    fn check_size(&self, reader: &Reader<'_>, element: Element<'_>) -> Result<()> {
        let spec = &reader.spec;
        let tree = |body: BodyId| {
            let mut count = 0;
            let mut pending = vec![body];
            while let Some(id) = pending.pop() {
                let body = &spec.bodies[id.index()];
                count += 1 + body.joints.len() + body.geoms.len() + body.sites.len();
                count += body.cameras.len() + body.lights.len() + body.frames.len();
                pending.extend(&body.children);
            }
            count
        };
        let copies = usize::try_from(self.count).unwrap_or(0);
        if tree(self.subtree).saturating_mul(copies) > MAX_ELEMENTS {
            return Err(too_many(element));
        }
        // the first replicate copies all keyframes
        let copied = spec.subtree_weight(self.subtree).saturating_add(spec.weight_of_loose_keys());
        let bytes = copied.saturating_mul(copies as u64).saturating_mul(weight_of_renaming(&self.separator));
        reader.assets.charge(bytes).map_err(|over| element.over_budget(over))
    }
}

/// Number of elements that may refer to others.
fn referring(spec: &Spec) -> usize {
    let fixed = spec.flexes.len() + spec.pairs.len() + spec.excludes.len() + spec.equalities.len();
    fixed + spec.tendons.len() + spec.actuators.len() + spec.sensors.len() + spec.tuples.len()
}

fn too_many(element: Element<'_>) -> MjcfError {
    let message = format!("replicate would make more than {MAX_ELEMENTS} elements, or take too long");
    MjcfError::InvalidAttribute(element.complain_attr("count", message).help("use a smaller count"))
}

/// Number with as many digits as the count has.
fn padded(i: i32, count: i32) -> String {
    format!("{i:0width$}", width = count.to_string().len())
}
