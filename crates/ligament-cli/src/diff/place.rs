//! Which element of a model an entry of an array belongs to.

use ligament::Model;
use ligament::enums::ObjType;

/// What an entry belongs to, by the size of the first axis of its array.
pub fn of(m: &Model, extent: &str, entry: usize, length: usize) -> String {
    let rows = m.sizes().get(extent).filter(|&n| n > 0).map_or(length, |n| n as usize);
    let width = (length / rows.max(1)).max(1);
    let (row, column) = (entry / width, entry % width);
    let element = element(m, extent, row).unwrap_or_else(|| format!("row {row}"));
    if width > 1 { format!("{element}, number {column}") } else { element }
}

fn element(m: &Model, extent: &str, row: usize) -> Option<String> {
    let (kind, id) = match extent {
        "nbody" => (ObjType::Body, row),
        "njnt" => (ObjType::Joint, row),
        "nv" => (ObjType::Joint, usize::try_from(*m.dof_jntid.get(row)?).ok()?),
        "nq" => (ObjType::Joint, m.jnt_qposadr.iter().rposition(|&adr| adr as usize <= row)?),
        "ngeom" => (ObjType::Geom, row),
        "nsite" => (ObjType::Site, row),
        "ncam" => (ObjType::Camera, row),
        "nlight" => (ObjType::Light, row),
        "nflex" => (ObjType::Flex, row),
        "nmesh" => (ObjType::Mesh, row),
        "nmat" => (ObjType::Material, row),
        "ntex" => (ObjType::Texture, row),
        "nhfield" => (ObjType::Hfield, row),
        "npair" => (ObjType::Pair, row),
        "neq" => (ObjType::Equality, row),
        "ntendon" => (ObjType::Tendon, row),
        "nu" => (ObjType::Actuator, row),
        "nsensor" => (ObjType::Sensor, row),
        "nsensordata" => (ObjType::Sensor, m.sensor_adr.iter().rposition(|&adr| adr as usize <= row)?),
        "nkey" => (ObjType::Key, row),
        _ => return None,
    };
    let label = format!("{kind:?}").to_lowercase();
    Some(match m.name(kind, id) {
        Some(name) => format!("{label} '{name}'"),
        None => format!("{label} {id}"),
    })
}
