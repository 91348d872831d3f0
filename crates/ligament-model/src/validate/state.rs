//! Integers of a state that stages follow: what one stage wrote, the next one trusts. Python can write there too.

use super::{Outcome, ids, integers, require, sections, within};
use crate::array::ArrayRef;
use crate::enums::ConstraintType;
use crate::{Contact, Data, Model};

impl Data {
    /// Checks that the lists have the lengths their counts say, and that no id or address leaves its array.
    pub fn validate(&self, m: &Model) -> Outcome {
        lengths(m, self)?;
        self.validate_smooth(m)?;
        rows(m, self)?;
        islands(m, self)?;
        self.contact.iter().enumerate().try_for_each(|(i, contact)| check_contact(m, self, contact, i))
    }

    /// As [`Data::validate`], for stages that look at neither contacts nor constraint rows.
    pub fn validate_smooth(&self, m: &Model) -> Outcome {
        patterns(m, self)?;
        awake(m, self)
    }
}

fn length(array: ArrayRef<'_>) -> usize {
    array.len()
}

/// A list is empty before its stage has run; then it has the length its count says.
fn lengths(m: &Model, d: &Data) -> Outcome {
    if d.ncon != d.contact.len() {
        return Err(format!("ncon is {}, but there are {} contacts", d.ncon, d.contact.len()));
    }
    let per_row = [("nefc", d.nefc), ("nisland", d.nisland)];
    for field in Data::FIELDS.iter().filter(|field| field.dynamic) {
        let Some(&(count, expected)) = per_row.iter().find(|(count, _)| field.extents[0] == *count) else {
            continue;
        };
        let empty = (field.shape)(m.sizes(), d).dims()[0] == 0;
        let width = (field.shape)(m.sizes(), d).dims()[1..].iter().product::<usize>();
        if !empty && length((field.get)(d)) < expected * width {
            return Err(format!("{count} is {expected}, but {} is shorter", field.name));
        }
    }
    if d.nefc > 0
        && (d.efc_type.len() != d.nefc || d.efc_id.len() != d.nefc || d.efc_J.is_empty() && m.nv > 0)
    {
        return Err(format!("nefc is {}, but there are {} rows", d.nefc, d.efc_type.len()));
    }
    Ok(())
}

/// Sparse rows of tendons and actuators, and the paths of tendons.
fn patterns(m: &Model, d: &Data) -> Outcome {
    // an object of a path gives up to two points
    sections("ten_wrapadr", &d.ten_wrapadr, &d.ten_wrapnum, 2 * m.nwrap)?;
    sections("ten_J_rowadr", &d.ten_J_rowadr, &d.ten_J_rownnz, d.ten_J.len())?;
    sections("moment_rowadr", &d.moment_rowadr, &d.moment_rownnz, m.nJmom)?;
    for i in 0..m.ntendon {
        let start = d.ten_J_rowadr[i].max(0) as usize;
        ids("ten_J_colind", &d.ten_J_colind[start..start + d.ten_J_rownnz[i] as usize], 0, m.nv)?;
    }
    for i in 0..m.nu {
        let start = d.moment_rowadr[i].max(0) as usize;
        ids("moment_colind", &d.moment_colind[start..start + d.moment_rownnz[i] as usize], 0, m.nv)?;
    }
    // what is behind the last path is not used
    let points =
        d.ten_wrapadr.iter().zip(d.ten_wrapnum.iter()).map(|(adr, num)| adr + num).max().unwrap_or(0);
    ids("wrap_obj", &d.wrap_obj.as_flattened()[..points.max(0) as usize], -2, m.ngeom)
}

fn awake(m: &Model, d: &Data) -> Outcome {
    for (name, found, most) in [
        ("ntree_awake", d.ntree_awake, m.ntree),
        ("nbody_awake", d.nbody_awake, m.nbody),
        ("nparent_awake", d.nparent_awake, m.nbody),
        ("nv_awake", d.nv_awake, m.nv),
    ] {
        if found > most {
            return Err(format!("{name} is {found}, but there are {most}"));
        }
    }
    ids("body_awake_ind", &d.body_awake_ind[..d.nbody_awake], 0, m.nbody)?;
    ids("parent_awake_ind", &d.parent_awake_ind[..d.nparent_awake], 0, m.nbody)?;
    ids("dof_awake_ind", &d.dof_awake_ind[..d.nv_awake], 0, m.nv)?;
    ids("tree_asleep", &d.tree_asleep, i32::MIN, m.ntree)
}

/// Every row belongs to something that exists.
fn rows(m: &Model, d: &Data) -> Outcome {
    for (i, (&kind, &id)) in d.efc_type.iter().zip(&d.efc_id).enumerate().take(d.nefc) {
        use ConstraintType as C;
        let count = match ConstraintType::try_from(kind) {
            Ok(C::Equality) => m.neq,
            Ok(C::FrictionDof) => m.nv,
            Ok(C::FrictionTendon | C::LimitTendon) => m.ntendon,
            Ok(C::LimitJoint) => m.njnt,
            Ok(C::ContactFrictionless | C::ContactPyramidal | C::ContactElliptic) => d.contact.len(),
            Err(_) => return require(false, "efc_type", i),
        };
        require(within(id, 0, count), "efc_id", i)?;
    }
    if d.efc_J_rowadr.len() == d.efc_J_rownnz.len() && d.efc_J_colind.len() == d.efc_J.len() {
        sections("efc_J_rowadr", &d.efc_J_rowadr, &d.efc_J_rownnz, d.efc_J.len())?;
        ids("efc_J_colind", &d.efc_J_colind, 0, m.nv.max(1))?;
    }
    if d.efc_AR_colind.len() == d.efc_AR.len() {
        sections("efc_AR_rowadr", &d.efc_AR_rowadr, &d.efc_AR_rownnz, d.efc_AR.len())?;
        ids("efc_AR_colind", &d.efc_AR_colind, 0, d.nefc)?;
    }
    // a tendon that moves nothing has no row of its own and names the place where one would be: up to one past the last
    ids("tendon_efcadr", &d.tendon_efcadr, -1, d.nefc + 1)
}

fn islands(m: &Model, d: &Data) -> Outcome {
    if d.nisland == 0 {
        return Ok(());
    }
    for (name, of) in
        [("tree_island", &d.tree_island), ("dof_island", &d.dof_island), ("efc_island", &d.efc_island)]
    {
        ids(name, of, -1, d.nisland)?;
    }
    sections("island_itreeadr", &d.island_itreeadr, &d.island_ntree, d.map_itree2tree.len())?;
    sections("island_idofadr", &d.island_idofadr, &d.island_nv, d.map_idof2dof.len())?;
    sections("island_iefcadr", &d.island_iefcadr, &d.island_nefc, d.map_iefc2efc.len())?;
    for (name, map, count) in [
        ("map_itree2tree", &d.map_itree2tree, m.ntree),
        ("map_idof2dof", &d.map_idof2dof, m.nv),
        ("map_dof2idof", &d.map_dof2idof, m.nv),
        ("map_iefc2efc", &d.map_iefc2efc, d.nefc),
        ("map_efc2iefc", &d.map_efc2iefc, d.nefc),
    ] {
        ids(name, integers(map), -1, count)?;
    }
    Ok(())
}

/// A contact is between things that exist: on each side a geom, or part of a flex.
fn check_contact(m: &Model, d: &Data, contact: &Contact, i: usize) -> Outcome {
    let wrong = |what: &str, id: i32, count: usize| {
        Err(format!("contact {i} has {what} {id}, but the model has {count}; -1 means none"))
    };
    for side in 0..2 {
        let (geom, flex) = (contact.geom[side], contact.flex[side]);
        if !within(geom, -1, m.ngeom) {
            return wrong("geom", geom, m.ngeom);
        }
        if !within(flex, -1, m.nflex) {
            return wrong("flex", flex, m.nflex);
        }
        if geom < 0 && flex < 0 {
            return Err(format!("contact {i} has neither a geom nor a flex on side {side}"));
        }
        if flex >= 0 && geom < 0 {
            let (elements, vertices) = (m.flex_elemnum[flex as usize], m.flex_vertnum[flex as usize]);
            let (elem, vert) = (contact.elem[side], contact.vert[side]);
            let known =
                within(elem, -1, elements.max(0) as usize) && within(vert, -1, vertices.max(0) as usize);
            if !known || elem < 0 && vert < 0 {
                return Err(format!("contact {i} has element {elem} and vertex {vert} of flex {flex}"));
            }
        }
    }
    if !matches!(contact.dim, 1 | 3 | 4 | 6) {
        return Err(format!("contact {i} has dimension {}, which should be 1, 3, 4 or 6", contact.dim));
    }
    let address = contact.efc_address;
    let known =
        d.nefc == 0 || address == -1 || within(address, 0, d.nefc) && d.efc_id[address as usize] == i as i32;
    if known { Ok(()) } else { Err(format!("contact {i} has no row at efc_address {address}")) }
}
