//! Scratch space of the sensors and of ray casting.

/// What is known about each geom before many rays are cast from one point.
#[derive(Debug)]
pub struct MultiRay {
    /// Operations that are left for rays; a ray that finds none left meets nothing.
    pub left: u64,
    /// May any ray meet this geom?
    pub admitted: Vec<bool>,
    /// Azimuth and polar angle between which it is seen.
    pub extent: Vec<[f64; 4]>,
}

impl Default for MultiRay {
    fn default() -> Self {
        Self { left: u64::MAX, admitted: Vec::new(), extent: Vec::new() }
    }
}

/// A contact that a contact sensor reports.
#[derive(Debug, Clone, Copy)]
pub struct ContactMatch {
    /// What contacts are sorted by, smallest first.
    pub criterion: f64,
    pub contact: usize,
    /// Report it from the other side.
    pub flip: bool,
}

/// Buffers of the sensor stages.
#[derive(Debug, Default)]
pub struct Sensor {
    /// Value of one sensor.
    pub value: Vec<f64>,
    /// Reading of one sensor before it is stored.
    pub reading: Vec<f64>,
    /// Contacts that match a contact sensor.
    pub matches: Vec<ContactMatch>,
    /// Geoms in contact with a tactile sensor.
    pub touching: Vec<usize>,
    /// Ray directions of the pixels of a camera.
    pub directions: Vec<[f64; 3]>,
    pub rays: MultiRay,
    /// Distances between geoms.
    pub collision: super::Collision,
}
