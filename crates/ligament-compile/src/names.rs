//! Names of elements and paths of files: zero-terminated strings in one array each.

use ligament_model::Model;
use ligament_model::model::Sizes;

/// Slots of the hash table per name.
const LOAD_MULTIPLE: usize = 2;

/// Names of all elements by kind, in the order of the model.
#[derive(Debug, Default)]
pub struct Names<'a> {
    pub model: &'a str,
    pub bodies: Vec<&'a str>,
    pub joints: Vec<&'a str>,
    pub geoms: Vec<&'a str>,
    pub sites: Vec<&'a str>,
    pub cameras: Vec<&'a str>,
    pub lights: Vec<&'a str>,
    pub flexes: Vec<&'a str>,
    pub meshes: Vec<&'a str>,
    pub skins: Vec<&'a str>,
    pub hfields: Vec<&'a str>,
    pub textures: Vec<&'a str>,
    pub materials: Vec<&'a str>,
    pub pairs: Vec<&'a str>,
    pub excludes: Vec<&'a str>,
    pub equalities: Vec<&'a str>,
    pub tendons: Vec<&'a str>,
    pub actuators: Vec<&'a str>,
    pub sensors: Vec<&'a str>,
    pub numerics: Vec<&'a str>,
    pub texts: Vec<&'a str>,
    pub tuples: Vec<&'a str>,
    pub keys: Vec<&'a str>,
    pub plugins: Vec<&'a str>,
}

impl<'a> Names<'a> {
    /// The lists in the order in which they are stored.
    fn lists(&self) -> [&[&'a str]; 23] {
        [
            &self.bodies,
            &self.joints,
            &self.geoms,
            &self.sites,
            &self.cameras,
            &self.lights,
            &self.flexes,
            &self.meshes,
            &self.skins,
            &self.hfields,
            &self.textures,
            &self.materials,
            &self.pairs,
            &self.excludes,
            &self.equalities,
            &self.tendons,
            &self.actuators,
            &self.sensors,
            &self.numerics,
            &self.texts,
            &self.tuples,
            &self.keys,
            &self.plugins,
        ]
    }

    /// Sizes of the arrays of names.
    pub fn count(&self, sizes: &mut Sizes) {
        let lists = self.lists();
        let length = |name: &&str| name.len() + 1;
        sizes.nnames =
            length(&self.model) + lists.iter().flat_map(|list| list.iter().map(length)).sum::<usize>();
        sizes.nnames_map = LOAD_MULTIPLE * lists.iter().map(|list| list.len()).sum::<usize>();
    }

    /// Writes names, addresses and the hash table.
    pub fn write(&self, m: &mut Model) {
        let mut text = Vec::with_capacity(m.nnames);
        append(&mut text, self.model);
        let mut slots = 0;
        m.names_map.fill(-1);
        let Model { names_map, .. } = m;
        for list in self.lists() {
            let end = slots + LOAD_MULTIPLE * list.len();
            hash_names(list, &mut names_map[slots..end]);
            slots = end;
        }
        for (list, addresses) in self.lists().into_iter().zip(name_addresses(m)) {
            for (name, adr) in list.iter().zip(addresses) {
                *adr = append(&mut text, name);
            }
        }
        m.names = text.into();
    }
}

/// The address arrays in the order of [`Names::lists`].
fn name_addresses(m: &mut Model) -> [&mut [i32]; 23] {
    [
        &mut m.name_bodyadr,
        &mut m.name_jntadr,
        &mut m.name_geomadr,
        &mut m.name_siteadr,
        &mut m.name_camadr,
        &mut m.name_lightadr,
        &mut m.name_flexadr,
        &mut m.name_meshadr,
        &mut m.name_skinadr,
        &mut m.name_hfieldadr,
        &mut m.name_texadr,
        &mut m.name_matadr,
        &mut m.name_pairadr,
        &mut m.name_excludeadr,
        &mut m.name_eqadr,
        &mut m.name_tendonadr,
        &mut m.name_actuatoradr,
        &mut m.name_sensoradr,
        &mut m.name_numericadr,
        &mut m.name_textadr,
        &mut m.name_tupleadr,
        &mut m.name_keyadr,
        &mut m.name_pluginadr,
    ]
}

/// Appends a zero-terminated string and returns its address.
fn append(text: &mut Vec<u8>, name: &str) -> i32 {
    let adr = text.len() as i32;
    text.extend_from_slice(name.as_bytes());
    text.push(0);
    adr
}

/// Open addressing with linear probing; unnamed elements are not entered.
fn hash_names(list: &[&str], slots: &mut [i32]) {
    for (id, name) in list.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        let mut slot = (hash(name) % slots.len() as u64) as usize;
        while slots[slot] != -1 {
            slot = (slot + 1) % slots.len();
        }
        slots[slot] = id as i32;
    }
}

/// djb2 with exclusive or; bytes are signed, as in the reference.
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(5381, |h: u64, byte| (h << 5).wrapping_add(h) ^ i64::from(byte as i8) as u64)
}

/// Files that assets came from, in the order of the model; empty: not from a file.
#[derive(Debug, Default)]
pub struct Paths<'a> {
    pub hfields: Vec<&'a str>,
    pub meshes: Vec<&'a str>,
    pub skins: Vec<&'a str>,
    pub textures: Vec<&'a str>,
}

impl Paths<'_> {
    /// Size of the array of paths; it is never empty.
    pub fn count(&self, sizes: &mut Sizes) {
        let lists = [&self.hfields, &self.meshes, &self.skins, &self.textures];
        let lengths = lists.into_iter().flatten().filter(|path| !path.is_empty()).map(|path| path.len() + 1);
        sizes.npaths = lengths.sum::<usize>().max(1);
    }

    /// Writes paths and their addresses.
    pub fn write(&self, m: &mut Model) {
        let mut text = Vec::with_capacity(m.npaths);
        let lists = [&self.hfields, &self.meshes, &self.skins, &self.textures];
        let addresses: [&mut [i32]; 4] =
            [&mut m.hfield_pathadr, &mut m.mesh_pathadr, &mut m.skin_pathadr, &mut m.tex_pathadr];
        for (list, addresses) in lists.into_iter().zip(addresses) {
            for (path, adr) in list.iter().zip(addresses) {
                *adr = if path.is_empty() { -1 } else { append(&mut text, path) };
            }
        }
        if text.is_empty() {
            text.push(0);
        }
        m.paths = text.into();
    }
}
