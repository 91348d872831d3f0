//! Marching cubes (Lorensen & Cline 1987): the surface on which a sampled field changes its sign.
//!
//! Vertices come in the order of the edges they lie on and the case table is that of MarchingCubeCpp (public
//! domain), so that meshes agree with the reference's face by face.

/// A triangle mesh in grid coordinates.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// Corners of the surface.
    pub vertices: Vec<[f32; 3]>,
    /// Unit normals of the vertices, weighted by area.
    pub normals: Vec<[f32; 3]>,
    /// Triangles, by the numbers of their corners.
    pub faces: Vec<[i32; 3]>,
}

/// Samples of a field: the value at (i, j, k) is number `(k·ny + j)·nx + i`.
#[derive(Debug, Clone, Copy)]
pub struct Grid<'a> {
    /// Values at the points, x fastest.
    pub values: &'a [f32],
    /// Points along each axis.
    pub size: [usize; 3],
}

impl Grid<'_> {
    fn value(&self, [i, j, k]: [usize; 3]) -> f32 {
        self.values[(k * self.size[1] + j) * self.size[0] + i]
    }
}

/// Edges of a cell: their axis and the corner they start from.
const EDGES: [(usize, [usize; 3]); 12] = [
    (0, [0, 0, 0]),
    (0, [0, 1, 0]),
    (0, [0, 0, 1]),
    (0, [0, 1, 1]),
    (1, [0, 0, 0]),
    (1, [1, 0, 0]),
    (1, [0, 0, 1]),
    (1, [1, 0, 1]),
    (2, [0, 0, 0]),
    (2, [1, 0, 0]),
    (2, [0, 1, 0]),
    (2, [1, 1, 0]),
];

/// The surface where the field is zero; negative values are inside.
pub fn surface(grid: &Grid<'_>) -> Surface {
    let [nx, ny, nz] = grid.size;
    let mut march = March { grid, out: Surface::default(), slabs: vec![[0; 3]; 2 * nx * ny] };
    for z in 0..nz.saturating_sub(1) {
        for y in 0..ny.saturating_sub(1) {
            for x in 0..nx.saturating_sub(1) {
                march.cell([x, y, z]);
            }
        }
    }
    let mut out = march.out;
    for normal in &mut out.normals {
        let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
        *normal = normal.map(|x| x / length);
    }
    out
}

struct March<'a> {
    grid: &'a Grid<'a>,
    out: Surface,
    /// Vertex on the edge that starts at a grid point, by axis, for two layers in turn.
    slabs: Vec<[i32; 3]>,
}

impl March<'_> {
    fn slot(&self, [x, y, z]: [usize; 3]) -> usize {
        let [nx, ny, _] = self.grid.size;
        nx * ny * (z % 2) + y * nx + x
    }

    fn cell(&mut self, at: [usize; 3]) {
        let mut case = 0;
        for corner in 0..8 {
            let value = self.grid.value(std::array::from_fn(|k| at[k] + (corner >> k & 1)));
            case |= usize::from(value < 0.0) << corner;
        }
        if case == 0 || case == 255 {
            return;
        }
        for (axis, corner) in EDGES {
            // other edges were met in an earlier cell
            if (0..3).all(|k| k == axis || corner[k] == 1 || at[k] == 0) {
                self.cross(std::array::from_fn(|k| at[k] + corner[k]), axis);
            }
        }
        for triangle in TRIANGLES[case].as_bytes().chunks_exact(3) {
            let face = [triangle[0], triangle[1], triangle[2]].map(|digit| {
                let (axis, corner) = EDGES[char::from(digit).to_digit(16).unwrap_or(0) as usize];
                self.slabs[self.slot(std::array::from_fn(|k| at[k] + corner[k]))][axis]
            });
            self.add_normal(face);
            self.out.faces.push(face);
        }
    }

    /// Makes the vertex of an edge, if the field changes its sign there.
    fn cross(&mut self, start: [usize; 3], axis: usize) {
        let end = std::array::from_fn(|k| start[k] + usize::from(k == axis));
        let (a, b) = (self.grid.value(start), self.grid.value(end));
        if (a < 0.0) == (b < 0.0) {
            return;
        }
        let mut vertex = start.map(|x| x as f32);
        vertex[axis] += a / (a - b);
        let slot = self.slot(start);
        self.slabs[slot][axis] = self.out.vertices.len() as i32;
        self.out.vertices.push(vertex);
        self.out.normals.push([0.0; 3]);
    }

    fn add_normal(&mut self, face: [i32; 3]) {
        let [a, b, c] = face.map(|v| self.out.vertices[v as usize]);
        let (u, v): ([f32; 3], [f32; 3]) =
            (std::array::from_fn(|k| c[k] - b[k]), std::array::from_fn(|k| a[k] - b[k]));
        let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        for vertex in face {
            for (sum, x) in self.out.normals[vertex as usize].iter_mut().zip(normal) {
                *sum += x;
            }
        }
    }
}

/// Triangles of each case, as numbers of edges in hexadecimal digits; bit c of the case: corner c is inside.
#[rustfmt::skip]
const TRIANGLES: [&str; 256] = [
    "", "048", "509", "495489", "1a4", "1801a8", "1a4950", "51a5a99a8", "b15", "5b1804", "0b109b",
    "14818bb89", "a5ba45", "05b0b88ba", "40949aa9b", "8ba89b", "286", "062046", "950628", "295256654",
    "41a286", "a62a21120", "0958621a4", "61a621251295", "28615b", "604620b15", "b09b10628", "46162916919b",
    "5a45ba286", "2a625a5ba052", "286a9ba49409", "2a629a9ba", "927", "048792", "250275", "827874475",
    "1a4279", "1801a8792", "250275a41", "827871175a81", "b15279", "0485b1279", "7b1712210", "48242112717b",
    "a5ba45279", "7928ba80b05b", "ba7a407a0702", "7827b8ba8", "879867", "904947746", "086065567", "467475",
    "7867981a4", "79661a916901", "a41567506086", "a51a65675", "87986715b", "15b746794904", "08606bb6710b",
    "17b147467", "4ba45b698679", "670ba0a605b0790", "ba06707b0860a40", "67b6ba", "36a", "a36048", "36a095",
    "94895436a", "341364", "680603301", "341364950", "958836538513", "36a5b1", "15b48036a", "0b109b6a3",
    "6a3b89b18148", "b36b65564", "8368030b305b", "6b360b09b406", "6b368b89b", "2a328a", "4a3430032",
    "a28a32509", "34a394954293", "841812213", "013032", "509213281841", "529512132", "2a328a5b1",
    "b150320434a3", "38a32819b109", "9b4324294a34b14", "5b4428b24b32", "b05b30320", "3249b4b34094284",
    "32939b", "792a36", "2796a3048", "527502a36", "36a475487827", "436413927", "927301360680", "164136075027",
    "138758518278368", "36a79215b", "0486a379215b", "a362102717b1", "36ab17127142482", "2795645b6b36",
    "2798060360535b3", "02b64b40b36b27b", "6838b387b827", "37939aa98", "a04a30390379", "8a0a370a7075",
    "34a374754", "184178798371", "937903013", "758138378418508", "137175", "5b1a98a39379", "15ba34304370790",
    "8a7107087b17a37", "37a74a7147b1", "4539838437935b3", "9070370b305b", "08437b", "7b3", "73b", "0483b7",
    "5093b7", "4954893b7", "b7341a", "81a80173b", "1a4b73095", "3b79a895a51a", "173157", "715731804",
    "973930031", "148187789317", "3a4347745", "80aa7307a057", "a40a03309397", "3973a9a89", "286b73",
    "062046b73", "2869503b7", "b73654625295", "3b7a41286", "73b1201a2a62", "1a48629503b7", "3b762a21a291951",
    "173157862", "246204357315", "628031093973", "469319149739629", "8627457343a4", "57a20a05a62a73a",
    "2867393093a0a40", "2969a693a973", "3923b9", "3923b9480", "b50b03302", "54b482b42b23", "93b92341a",
    "0a801a2b923b", "41a3023b0b50", "235a858251a53b5", "592521123", "804123152592", "031023", "814821231",
    "3a4349945239", "a852353a5925805", "43a403023", "23a2a8", "63b6b88b9", "63b6b00b9460", "86383003b0b5",
    "b63b56546", "1a48b986b63b", "016b969063b61a6", "1a450b03b083863", "a616516b563b", "985863583531",
    "319469639049159", "608630310", "314346", "983453593a43863", "3a6059", "6383083403a4", "3a6", "6b76ab",
    "b6ab76048", "6b76ab095", "854895a76ab7", "1b7174476", "0680b6b761b0", "9504764171b7", "891761681b71951",
    "a15a56657", "0486576a5a15", "7696a1961910", "7618919714816a1", "476457", "068056576", "940974764",
    "897876", "72878bb8a", "b7aa0470a720", "095b8ab78728", "ab25424a2952b72", "4284121721b7", "71b721201",
    "0954181281b2b72", "5191291721b7", "872817157a18", "20a57a72a15a04a", "1078a7a17287097", "14a297",
    "872847457", "205257", "842472497409", "972", "26a2a99ab", "4809ab92a26a", "26a2a55ab025",
    "542ab2b526a2482", "4166921961b9", "b960161b6806926", "64b02b26b50b41b", "2681b5", "6a1612215259",
    "0489252152616a1", "a26a12102", "a16126182148", "259265645", "058568526592", "026064", "268", "8ab8b9",
    "4904a9ab9", "0b508b8ab", "ab5a54", "1841b8b98", "01b0b9", "1b4b84b08b50", "b51", "5a159a98a",
    "4a0a90a59a15", "10818a", "14a", "459498", "590", "084", "",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sampled_ball_gives_a_closed_surface_around_it() {
        let size = [9, 10, 11];
        let mut values = Vec::new();
        for k in 0..size[2] {
            for j in 0..size[1] {
                for i in 0..size[0] {
                    let (x, y, z) = (i as f32 - 4.0, j as f32 - 4.5, k as f32 - 5.0);
                    values.push((x * x + y * y + z * z).sqrt() - 3.2);
                }
            }
        }
        let ball = surface(&Grid { values: &values, size });
        assert_eq!(ball.faces.len(), 2 * ball.vertices.len() - 4, "a sphere, by Euler's formula");
        for (v, n) in ball.vertices.iter().zip(&ball.normals) {
            let r = [v[0] - 4.0, v[1] - 4.5, v[2] - 5.0];
            let length = (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]).sqrt();
            assert!((length - 3.2).abs() < 0.05);
            assert!((r[0] * n[0] + r[1] * n[1] + r[2] * n[2]) / length > 0.9, "normals point outwards");
        }
    }

    #[test]
    fn a_field_of_one_sign_or_a_single_layer_has_no_surface() {
        assert_eq!(surface(&Grid { values: &[1.0; 27], size: [3; 3] }), Surface::default());
        assert_eq!(surface(&Grid { values: &[-1.0, 1.0], size: [2, 1, 1] }), Surface::default());
    }
}
