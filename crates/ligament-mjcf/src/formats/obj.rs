//! Wavefront OBJ: vertices, normals, texture coordinates, faces of the first object or group.
//!
//! The reference reads OBJ with tinyobjloader; which faces count, how numbers round and how polygons are cut
//! into triangles follow that library.

use super::{MeshFile, fail};
use crate::diag::Result;

/// Indices of one corner of a face; -1 for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Corner {
    vertex: i32,
    texcoord: i32,
    normal: i32,
}

/// Decodes a file; `name` is for messages. With `mirrored`, faces turn the other way round.
pub fn decode(name: &str, bytes: &[u8], mirrored: bool) -> Result<MeshFile> {
    let parsed = match parse(bytes) {
        Ok(parsed) => parsed,
        Err(Trouble::Index) => return fail(format!("could not parse OBJ file '{name}'")),
        Err(Trouble::Polygons) => {
            return fail(format!("OBJ file '{name}' has more polygons than can be cut into triangles"));
        }
    };
    let mut mesh = MeshFile {
        vert: parsed.vert,
        normal: parsed.normal,
        texcoord: parsed.texcoord,
        ..MeshFile::default()
    };
    mesh.reserve_faces(parsed.triangles.len());
    for [a, mut b, mut c] in parsed.triangles {
        if mirrored {
            std::mem::swap(&mut b, &mut c);
        }
        mesh.face.push([a.vertex, b.vertex, c.vertex]);
        if !mesh.normal.is_empty() {
            mesh.facenormal.extend([a.normal, b.normal, c.normal]);
        }
        if !mesh.texcoord.is_empty() {
            mesh.facetexcoord.extend([a.texcoord, b.texcoord, c.texcoord]);
        }
    }
    // OBJ has v upwards, the model downwards
    for uv in mesh.texcoord.chunks_exact_mut(2) {
        uv[1] = 1.0 - uv[1];
    }
    Ok(mesh)
}

/// Why a file cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    /// A face, line or point with an index of zero or no index.
    Index,
    /// Cutting the polygons takes too long: the work grows with the square of their corners.
    Polygons,
}

/// Polygons with more corners are left out, as by the reference; the group that they are in counts as used.
const MOST_CORNERS: usize = 100;

/// Corners looked at while all polygons of a file are cut, at most: any number of ordinary polygons.
const MAX_WORK: usize = 400_000_000;

#[derive(Debug, Default)]
struct Parsed {
    vert: Vec<[f32; 3]>,
    normal: Vec<f32>,
    texcoord: Vec<f32>,
    triangles: Vec<[Corner; 3]>,
    /// Was a polygon left out?
    left_out: bool,
    /// Corners looked at so far to cut polygons.
    work: usize,
}

/// Reads the file line by line.
fn parse(bytes: &[u8]) -> std::result::Result<Parsed, Trouble> {
    let mut parsed = Parsed::default();
    let mut group = Group::default();
    let mut other_primitives = false;
    let mut done = false;
    let has_nul = bytes.contains(&0);
    let mut rest = bytes;
    while !rest.is_empty() {
        let (line, next) = rest.split_at(line_length(rest));
        rest = next.get(1..).unwrap_or_default();
        let mut cursor = Cursor { rest: if has_nul { before_nul(line) } else { line } };
        cursor.skip_blanks();
        let line = cursor.rest;
        let blank = |at: usize| line.get(at).is_some_and(|b| matches!(b, b' ' | b'\t'));
        match line {
            [b'v', b'n', ..] if blank(2) => {
                cursor.rest = &line[3..];
                parsed.normal.extend([cursor.real(), cursor.real(), cursor.real()]);
            }
            [b'v', b't', ..] if blank(2) => {
                cursor.rest = &line[3..];
                parsed.texcoord.extend([cursor.real(), cursor.real()]);
            }
            [b'v', ..] if blank(1) => {
                cursor.rest = &line[2..];
                parsed.vert.push([cursor.real(), cursor.real(), cursor.real()]);
            }
            [b'f', ..] if blank(1) => {
                cursor.rest = &line[2..];
                cursor.skip_blanks();
                let first = group.corners.len();
                cursor.corners(&parsed, &mut group.corners).ok_or(Trouble::Index)?;
                if done {
                    group.corners.truncate(first);
                } else {
                    group.ends.push(group.corners.len());
                }
            }
            [b'l' | b'p', ..] if blank(1) => {
                cursor.rest = &line[2..];
                cursor.corners(&parsed, &mut Vec::new()).ok_or(Trouble::Index)?;
                other_primitives = true;
            }
            // a group or object ends the one before it; only the first with faces is used
            [kind @ (b'g' | b'o'), ..] if blank(1) => {
                if !done {
                    cut_all(&mut parsed, &mut group)?;
                    let used = !parsed.triangles.is_empty() || parsed.left_out;
                    done = used || (*kind == b'o' && other_primitives);
                }
                other_primitives = false;
            }
            _ => {}
        }
    }
    if !done {
        cut_all(&mut parsed, &mut group)?;
    }
    Ok(parsed)
}

/// Bytes before the end of the line.
fn line_length(bytes: &[u8]) -> usize {
    /// So many are looked at together.
    const BLOCK: usize = 16;
    let ends = |b: &u8| matches!(b, b'\n' | b'\r');
    let goes_on = |block: &&[u8]| !block.iter().fold(false, |found, b| found | ends(b));
    let passed = BLOCK * bytes.chunks_exact(BLOCK).take_while(goes_on).count();
    passed + bytes[passed..].iter().position(ends).unwrap_or(bytes.len() - passed)
}

/// What a line means to C: it ends with a zero.
fn before_nul(line: &[u8]) -> &[u8] {
    line.split(|b| *b == 0).next().unwrap_or_default()
}

/// Faces that wait for the end of their group: corners one behind the other, and where those of each face end.
#[derive(Debug, Default)]
struct Group {
    corners: Vec<Corner>,
    ends: Vec<usize>,
}

/// Cuts the faces of a group into triangles and empties it.
fn cut_all(parsed: &mut Parsed, group: &mut Group) -> std::result::Result<(), Trouble> {
    parsed.triangles.reserve(group.ends.len());
    let mut first = 0;
    for end in group.ends.drain(..) {
        match group.corners[first..end] {
            [a, b, c] => parsed.triangles.push([a, b, c]),
            ref face if face.len() > MOST_CORNERS => parsed.left_out = true,
            ref face => cut(&parsed.vert, face.to_vec(), &mut parsed.triangles, &mut parsed.work)
                .ok_or(Trouble::Polygons)?,
        }
        first = end;
    }
    group.corners.clear();
    Ok(())
}

struct Cursor<'a> {
    rest: &'a [u8],
}

impl Cursor<'_> {
    fn skip_blanks(&mut self) {
        let n = self.rest.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        self.rest = &self.rest[n..];
    }

    /// The next number; 0 when there is none.
    fn real(&mut self) -> f32 {
        self.skip_blanks();
        let (value, rest) = parse_real(self.rest);
        // what is no number any more goes on to the next blank
        let n = rest.iter().take_while(|b| !matches!(b, b' ' | b'\t')).count();
        self.rest = &rest[n..];
        value.unwrap_or(0.0) as f32
    }

    /// Corners to the end of the line, put behind those that are there.
    fn corners(&mut self, parsed: &Parsed, corners: &mut Vec<Corner>) -> Option<()> {
        let counts = [parsed.vert.len(), parsed.texcoord.len() / 2, parsed.normal.len() / 3];
        while !self.rest.is_empty() {
            corners.push(self.corner(counts)?);
            self.skip_blanks();
        }
        Some(())
    }

    /// `v`, `v/t`, `v//n` or `v/t/n`; negative numbers count from the end.
    fn corner(&mut self, [nvert, ntexcoord, nnormal]: [usize; 3]) -> Option<Corner> {
        let mut corner = Corner { vertex: self.index(nvert)?, texcoord: -1, normal: -1 };
        if !self.slash() {
            return Some(corner);
        }
        if self.slash() {
            corner.normal = self.index(nnormal)?;
            return Some(corner);
        }
        corner.texcoord = self.index(ntexcoord)?;
        if self.slash() {
            corner.normal = self.index(nnormal)?;
        }
        Some(corner)
    }

    fn slash(&mut self) -> bool {
        match self.rest.split_first() {
            Some((b'/', rest)) => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn index(&mut self, count: usize) -> Option<i32> {
        let (value, rest) = parse_int(self.rest);
        let n = rest.iter().take_while(|b| !matches!(b, b'/' | b' ' | b'\t')).count();
        self.rest = &rest[n..];
        match value {
            0 => None,
            i if i > 0 => Some(i - 1),
            i => Some((count as i64 + i64::from(i)).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32),
        }
    }
}

/// A sign, or none, and what follows it.
fn split_sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

/// Calls a function with the leading digits, one after the other; returns what follows them.
fn for_digits(text: &[u8], mut call: impl FnMut(u8)) -> &[u8] {
    let mut rest = text;
    while let [digit @ b'0'..=b'9', tail @ ..] = rest {
        call(digit - b'0');
        rest = tail;
    }
    rest
}

/// As C's `atoi`: a sign and leading digits. Returns what follows as well.
fn parse_int(text: &[u8]) -> (i32, &[u8]) {
    let (negative, digits) = split_sign(text);
    let mut value: i32 = 0;
    let rest = for_digits(digits, |digit| value = value.saturating_mul(10).saturating_add(i32::from(digit)));
    (if negative { -value } else { value }, rest)
}

/// Powers of ten of the digits behind the point.
const TENTHS: [f64; 18] = [
    1.0, 0.1, 0.01, 0.001, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15,
    1e-16, 1e-17,
];

/// A decimal number, summed digit by digit: last bits depend on it, so this is how the reference does it. Returns what
/// follows as well.
fn parse_real(text: &[u8]) -> (Option<f64>, &[u8]) {
    let (negative, mut rest) = split_sign(text);
    let mut mantissa = 0.0;
    if rest.first() != Some(&b'.') {
        let behind = for_digits(rest, |digit| mantissa = mantissa * 10.0 + f64::from(digit));
        if behind.len() == rest.len() {
            return (None, rest);
        }
        rest = behind;
    }
    if let [b'.', fraction @ ..] = rest {
        let mut place = 0;
        rest = for_digits(fraction, |digit| {
            place += 1;
            let tenth = TENTHS.get(place).copied().unwrap_or_else(|| 10.0_f64.powf(-(place as f64)));
            mantissa += f64::from(digit) * tenth;
        });
    }
    let mut value = mantissa;
    if let [b'e' | b'E', exponent @ ..] = rest {
        if !split_sign(exponent).1.first().is_some_and(u8::is_ascii_digit) {
            return (None, exponent);
        }
        let (power, behind) = parse_int(exponent);
        rest = behind;
        let power = power.clamp(-100_000, 100_000);
        if power != 0 {
            let five = f64::from(power);
            value = mantissa * 5.0_f64.powf(five) * 2.0_f64.powf(five);
        }
    }
    (Some(if negative { -value } else { value }), rest)
}

/// Cuts a polygon into triangles by clipping ears in the plane where it is largest; `None` when it takes too long.
fn cut(vert: &[[f32; 3]], face: Vec<Corner>, out: &mut Vec<[Corner; 3]>, work: &mut usize) -> Option<()> {
    if face.len() < 3 {
        return Some(());
    }
    let position = |corner: &Corner| usize::try_from(corner.vertex).ok().and_then(|v| vert.get(v)).copied();
    let axes = projection_axes(&face, &position);
    let flat = |corner: &Corner| position(corner).map(|p| [p[axes[0]], p[axes[1]]]);

    let mut area = 0.0;
    for (i, corner) in face.iter().enumerate() {
        if let (Some(a), Some(b)) = (flat(corner), flat(&face[(i + 1) % face.len()])) {
            area += (a[0] * b[1] - a[1] * b[0]) * 0.5;
        }
    }
    let mut rest = face;
    let mut guess = 0;
    let mut attempts = rest.len();
    let mut before = rest.len();
    while rest.len() > 3 && attempts > 0 {
        let count = rest.len();
        *work += count;
        if *work > MAX_WORK {
            return None;
        }
        if guess >= count {
            guess -= count;
        }
        if before == count {
            attempts -= 1;
        } else {
            before = count;
            attempts = count;
        }
        let ear = [0, 1, 2].map(|k| rest[(guess + k) % count]);
        let p = ear.map(|corner| flat(&corner).unwrap_or([0.0; 2]));
        let cross = (p[1][0] - p[0][0]) * (p[2][1] - p[1][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[1][0]);
        let covered = || (3..count).any(|k| flat(&rest[(guess + k) % count]).is_some_and(|q| inside(&p, q)));
        if cross * area < 0.0 || covered() {
            guess += 1;
            continue;
        }
        out.push(ear);
        rest.remove((guess + 1) % count);
    }
    if let [a, b, c] = rest[..] {
        out.push([a, b, c]);
    }
    Some(())
}

/// The two axes of the plane to work in, from the first corner that is not straight.
fn projection_axes(face: &[Corner], position: &impl Fn(&Corner) -> Option<[f32; 3]>) -> [usize; 2] {
    let n = face.len();
    for k in 0..n {
        let corners = [&face[k], &face[(k + 1) % n], &face[(k + 2) % n]].map(position);
        let [Some(a), Some(b), Some(c)] = corners else { continue };
        let e: [f32; 3] = std::array::from_fn(|i| b[i] - a[i]);
        let f: [f32; 3] = std::array::from_fn(|i| c[i] - b[i]);
        let x = (e[1] * f[2] - e[2] * f[1]).abs();
        let y = (e[2] * f[0] - e[0] * f[2]).abs();
        let z = (e[0] * f[1] - e[1] * f[0]).abs();
        if x > f32::EPSILON || y > f32::EPSILON || z > f32::EPSILON {
            return match (x > y && x > z, z > x && z > y) {
                (true, _) => [1, 2],
                (false, true) => [0, 1],
                (false, false) => [0, 2],
            };
        }
    }
    [1, 2]
}

/// Even-odd test of a point in a triangle.
fn inside(p: &[[f32; 2]; 3], q: [f32; 2]) -> bool {
    let mut odd = false;
    for (i, j) in [(0, 2), (1, 0), (2, 1)] {
        if (p[i][1] > q[1]) != (p[j][1] > q[1])
            && q[0] < (p[j][0] - p[i][0]) * (q[1] - p[i][1]) / (p[j][1] - p[i][1]) + p[i][0]
        {
            odd = !odd;
        }
    }
    odd
}
