//! GMSH files, formats 4.1 and 2.2, text and binary.
//!
//! Only what the reference accepts: one block of nodes with sequential tags, one block of lines, triangles or
//! tetrahedra.

/// Points and elements of a file, with the dimension of the elements.
#[derive(Debug, Default, PartialEq)]
pub(super) struct GmshMesh {
    pub dim: i32,
    pub point: Vec<f64>,
    pub element: Vec<i32>,
}

type Parsed<T> = Result<T, &'static str>;

/// Most points or elements before the sizes stop fitting an `int`.
const MAX_NODES: u64 = i32::MAX as u64 / 3;
const MAX_ELEMENTS: u64 = i32::MAX as u64 / 4;
/// Bytes of the header of a block in binary 4.1 files.
const BLOCK_HEADER: usize = 52;

/// Reads a file.
pub(super) fn parse(bytes: &[u8]) -> Parsed<GmshMesh> {
    if bytes.is_empty() {
        return Err("Empty GMSH file");
    }
    if !bytes.starts_with(b"$MeshFormat") {
        return Err("GMSH file must begin with $MeshFormat");
    }
    let (version, binary) = header(&bytes[11..]).ok_or("Could not read GMSH file header")?;
    let nodes = section(bytes, "$Nodes", "$EndNodes")
        .ok_or("GMSH file missing $Nodes or missing $EndNodes after $Nodes")?;
    let elements = section(bytes, "$Elements", "$EndElements")
        .ok_or("GMSH file missing $Elements or missing $EndElements after $Elements")?;
    match ((100.0 * version).round() as i64, binary) {
        (410, false) => ascii41(nodes, elements),
        (410, true) => binary41(nodes, elements),
        (220, false) => ascii22(nodes, elements),
        (220, true) => binary22(nodes, elements),
        _ => Err("Only GMSH file format versions 4.1 and 2.2 are supported"),
    }
}

/// Version and binary flag.
fn header(bytes: &[u8]) -> Option<(f64, bool)> {
    let end = bytes.iter().position(|&b| b == b'$').unwrap_or(bytes.len());
    let text = String::from_utf8_lossy(&bytes[..end]);
    let mut words = text.split_ascii_whitespace();
    let version = words.next()?.parse().ok()?;
    let binary: i32 = words.next()?.parse().ok()?;
    Some((version, binary != 0))
}

/// What stands between two marks, without the line end after the first.
fn section<'a>(bytes: &'a [u8], begin: &str, end: &str) -> Option<&'a [u8]> {
    let start = find(bytes, begin)? + begin.len() + 1;
    bytes.get(start..find(bytes, end)?)
}

/// First occurrence; one at the very end of the file doesn't count (so in the reference).
fn find(bytes: &[u8], mark: &str) -> Option<usize> {
    let last = bytes.len().checked_sub(1)?;
    bytes[..last].windows(mark.len()).position(|window| window == mark.as_bytes())
}

/// Numbers of a text section.
struct Words<'a> {
    bytes: &'a [u8],
}

impl<'a> Words<'a> {
    /// Next number; it must be followed by white space.
    fn next<T: std::str::FromStr>(&mut self, complaint: &'static str) -> Parsed<T> {
        let start = self.bytes.iter().position(|b| !b.is_ascii_whitespace()).ok_or(complaint)?;
        let length = self.bytes[start..].iter().position(u8::is_ascii_whitespace).ok_or(complaint)?;
        let word = &self.bytes[start..start + length];
        self.bytes = &self.bytes[start + length..];
        std::str::from_utf8(word).ok().and_then(|w| w.parse().ok()).ok_or(complaint)
    }
}

/// Header of a block: number of blocks, items, smallest and largest tag, dimension, kind, items in the block.
struct Block {
    blocks: u64,
    count: u64,
    min_tag: u64,
    max_tag: u64,
    dim: i32,
    kind: i32,
    in_block: u64,
}

impl Block {
    fn from_words(words: &mut Words, complaint: &'static str) -> Parsed<Self> {
        let blocks = words.next(complaint)?;
        let count = words.next(complaint)?;
        let min_tag = words.next(complaint)?;
        let max_tag = words.next(complaint)?;
        let dim = words.next(complaint)?;
        words.next::<i32>(complaint)?;
        let kind = words.next(complaint)?;
        Ok(Self { blocks, count, min_tag, max_tag, dim, kind, in_block: words.next(complaint)? })
    }

    fn from_bytes(bytes: &[u8], complaint: &'static str) -> Parsed<Self> {
        if bytes.len() < BLOCK_HEADER {
            return Err(complaint);
        }
        Ok(Self {
            blocks: u64_at(bytes, 0)?,
            count: u64_at(bytes, 8)?,
            min_tag: u64_at(bytes, 16)?,
            max_tag: u64_at(bytes, 24)?,
            dim: i32_at(bytes, 32)?,
            kind: i32_at(bytes, 40)?,
            in_block: u64_at(bytes, 44)?,
        })
    }

    fn check_nodes(&self) -> Parsed<usize> {
        if self.blocks != 1 || self.count != self.in_block {
            return Err("All nodes must be in single block");
        }
        if !(1..=3).contains(&self.dim) {
            return Err("Entity must be 1D, 2D or 3D");
        }
        if self.count >= MAX_NODES {
            return Err("Invalid number of nodes.");
        }
        Ok(self.count as usize)
    }

    fn check_elements(&self, dim: i32) -> Parsed<usize> {
        if self.blocks != 1 || self.count != self.in_block {
            return Err("All elements must be in single block");
        }
        if self.dim != dim {
            return Err("Inconsistent dimensionality in Elements");
        }
        if self.count >= MAX_ELEMENTS {
            return Err("Invalid numElements.");
        }
        // lines are kind 1, triangles 2, tetrahedra 4
        if self.kind != [1, 2, 4][dim as usize - 1] {
            return Err("Element type inconsistent with dimensionality");
        }
        Ok(self.count as usize)
    }
}

fn ascii41(nodes: &[u8], elements: &[u8]) -> Parsed<GmshMesh> {
    let mut words = Words { bytes: nodes };
    let block = Block::from_words(&mut words, "Error reading Nodes header")?;
    let count = block.check_nodes()?;
    if block.max_tag != block.in_block {
        return Err("Maximum number of nodes must be equal to number of nodes in a block");
    }
    for i in 0..count as u64 {
        if words.next::<u64>("Error reading node tags")? != i + block.min_tag {
            return Err("Node tags must be sequential");
        }
    }
    let mut mesh = GmshMesh { dim: block.dim, ..GmshMesh::default() };
    for _ in 0..3 * count {
        mesh.point.push(words.next("Error reading node coordinates")?);
    }
    let mut words = Words { bytes: elements };
    let element_count =
        Block::from_words(&mut words, "Error reading Elements header")?.check_elements(mesh.dim)?;
    for _ in 0..element_count {
        words.next::<u64>("Error reading Elements")?;
        for _ in 0..=mesh.dim {
            let node: u64 = words.next("Error reading Elements")?;
            mesh.element.push(node.wrapping_sub(block.min_tag) as i32);
        }
    }
    Ok(mesh)
}

fn binary41(nodes: &[u8], elements: &[u8]) -> Parsed<GmshMesh> {
    let block = Block::from_bytes(nodes, "Invalid nodes header")?;
    let count = block.check_nodes()?;
    if nodes.len() < BLOCK_HEADER + 32 * count {
        return Err("Insufficient byte size of Nodes");
    }
    for i in 0..count {
        if u64_at(nodes, BLOCK_HEADER + 8 * i)? != i as u64 + block.min_tag {
            return Err("Node tags must be sequential");
        }
    }
    let mut mesh = GmshMesh { dim: block.dim, ..GmshMesh::default() };
    for i in 0..3 * count {
        mesh.point.push(f64_at(nodes, BLOCK_HEADER + 8 * count + 8 * i)?);
    }
    let element_count = Block::from_bytes(elements, "Invalid elements header")?.check_elements(mesh.dim)?;
    let stride = 8 * (mesh.dim as usize + 2);
    if elements.len() < BLOCK_HEADER + element_count * stride {
        return Err("Insufficient byte size of Elements");
    }
    for i in 0..element_count {
        for k in 0..=mesh.dim as usize {
            let node = u64_at(elements, BLOCK_HEADER + i * stride + 8 * (k + 1))?;
            mesh.element.push(node.wrapping_sub(block.min_tag) as i32);
        }
    }
    Ok(mesh)
}

/// Dimension of the elements from their kind.
fn dim22(kind: i32) -> Parsed<i32> {
    match kind {
        2 => Ok(2),
        4 => Ok(3),
        _ => Err("Invalid number of node tags"),
    }
}

fn node_index(tag: i32, limit: usize) -> Parsed<i32> {
    if tag < 1 || tag as usize > limit {
        return Err("Invalid node tag");
    }
    Ok(tag - 1)
}

/// The line with the number of items must hold nothing but digits.
fn check_count_line(bytes: &[u8], complaint: &'static str) -> Parsed<()> {
    let line = bytes.split(|&b| b == b'\n').next().unwrap_or_default();
    if line.iter().all(u8::is_ascii_digit) { Ok(()) } else { Err(complaint) }
}

fn ascii22(nodes: &[u8], elements: &[u8]) -> Parsed<GmshMesh> {
    check_count_line(nodes, "Invalid node header")?;
    let mut words = Words { bytes: nodes };
    let count: u64 = words.next("Error reading Nodes header")?;
    if count >= MAX_NODES {
        return Err("Invalid number of nodes.");
    }
    let mut mesh = GmshMesh::default();
    for _ in 0..count {
        words.next::<u64>("Error reading node tags")?;
        for _ in 0..3 {
            mesh.point.push(words.next("Error reading node coordinates")?);
        }
    }
    check_count_line(elements, "Invalid elements header")?;
    let mut words = Words { bytes: elements };
    let element_count: u64 = words.next("Error reading Elements header")?;
    if element_count >= MAX_ELEMENTS {
        return Err("Invalid number of elements.");
    }
    let complaint = "Error reading Elements";
    for i in 0..element_count {
        words.next::<i32>(complaint)?;
        let kind: i32 = words.next(complaint)?;
        let tags: i32 = words.next(complaint)?;
        if i == 0 {
            mesh.dim = dim22(kind)?;
        }
        if tags > 0 {
            words.next::<i32>(complaint)?;
            words.next::<i32>(complaint)?;
        }
        for _ in 0..=mesh.dim {
            mesh.element.push(node_index(words.next(complaint)?, count as usize)?);
        }
    }
    if element_count == 0 {
        return Err(complaint);
    }
    Ok(mesh)
}

/// The decimal number at the start of a binary section and the offset of what follows its line end.
fn leading_count(bytes: &[u8], complaint: &'static str) -> Parsed<(usize, usize)> {
    if bytes.len() < 4 {
        return Err(complaint);
    }
    let digits = bytes.iter().take(10).take_while(|b| b.is_ascii_digit()).count();
    let text = std::str::from_utf8(&bytes[..digits]).unwrap_or_default();
    let count: i32 = text.parse().map_err(|_| complaint)?;
    Ok((count as usize, digits + 1))
}

fn binary22(nodes: &[u8], elements: &[u8]) -> Parsed<GmshMesh> {
    let (count, start) = leading_count(nodes, "Invalid nodes header")?;
    if count as u64 >= MAX_NODES || nodes.len() < 4 + count * 28 {
        return Err("Insufficient byte size of Nodes");
    }
    let mut mesh = GmshMesh::default();
    for i in 0..count {
        for k in 0..3 {
            mesh.point.push(f64_at(nodes, start + 28 * i + 4 + 8 * k)?);
        }
    }
    let (element_count, start) = leading_count(elements, "Invalid elements header")?;
    let body = elements.get(start..).ok_or("Invalid elements header")?;
    mesh.dim = dim22(i32_at(body, 0)?)?;
    let per_element = mesh.dim as usize + 1;
    let tags = i32_at(body, 8)?;
    // GMSH repeats a three-number header with two entity tags for each element; fTetWild writes it once.
    let (first, stride, later) = if tags > 0 {
        let stride = 4 * (6 + per_element);
        (24, stride, 24 + stride)
    } else {
        (16, 20, 36)
    };
    let least = if tags > 0 {
        (17 + element_count * 20).max(4 + element_count * stride)
    } else {
        17 + element_count * 20
    };
    if elements.len() < least {
        return Err("Insufficient byte size of Elements");
    }
    for i in 0..element_count {
        let (offset, limit) = if i == 0 { (first, count) } else { (later + (i - 1) * stride, element_count) };
        for k in 0..per_element {
            // The reference bounds the tags of all but the first element by the number of elements.
            mesh.element.push(node_index(i32_at(body, offset + 4 * k)?, limit)?);
        }
    }
    Ok(mesh)
}

fn at<const N: usize>(bytes: &[u8], offset: usize) -> Parsed<[u8; N]> {
    let slice = bytes.get(offset..offset + N).ok_or("Insufficient byte size of GMSH section")?;
    slice.try_into().map_err(|_| "Insufficient byte size of GMSH section")
}

fn u64_at(bytes: &[u8], offset: usize) -> Parsed<u64> {
    at(bytes, offset).map(u64::from_le_bytes)
}

fn i32_at(bytes: &[u8], offset: usize) -> Parsed<i32> {
    at(bytes, offset).map(i32::from_le_bytes)
}

fn f64_at(bytes: &[u8], offset: usize) -> Parsed<f64> {
    at(bytes, offset).map(f64::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT41: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n";
    const TEXT22: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n";

    #[test]
    fn both_text_formats_give_the_same_tetrahedron() {
        let new = parse(TEXT41.as_bytes()).unwrap();
        assert_eq!(new.dim, 3);
        assert_eq!(new.element, [0, 1, 2, 3]);
        assert_eq!(new.point.len(), 12);
        assert_eq!(parse(TEXT22.as_bytes()).unwrap(), new);
    }

    #[test]
    fn binary_files_equal_text_files() {
        let points = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0_f64];
        let mut new = b"$MeshFormat\n4.1 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n".to_vec();
        for n in [1u64, 4, 1, 4] {
            new.extend(n.to_le_bytes());
        }
        for n in [3i32, 1, 0] {
            new.extend(n.to_le_bytes());
        }
        for n in [4u64, 1, 2, 3, 4] {
            new.extend(n.to_le_bytes());
        }
        points.iter().for_each(|x| new.extend(x.to_le_bytes()));
        new.extend(b"\n$EndNodes\n$Elements\n");
        for n in [1u64, 1, 1, 1] {
            new.extend(n.to_le_bytes());
        }
        for n in [3i32, 1, 4] {
            new.extend(n.to_le_bytes());
        }
        for n in [1u64, 1, 1, 2, 3, 4] {
            new.extend(n.to_le_bytes());
        }
        new.extend(b"\n$EndElements\n");
        let mut old = b"$MeshFormat\n2.2 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n4\n".to_vec();
        for (i, p) in points.chunks(3).enumerate() {
            old.extend((i as i32 + 1).to_le_bytes());
            p.iter().for_each(|x| old.extend(x.to_le_bytes()));
        }
        // the reference's size check counts a header of four bytes: with one digit it wants a byte more
        old.extend(b"\n\n$EndNodes\n$Elements\n1\n");
        for n in [4i32, 1, 2, 1, 0, 1, 1, 2, 3, 4] {
            old.extend(n.to_le_bytes());
        }
        old.extend(b"\n\n$EndElements\n");
        let text = parse(TEXT41.as_bytes()).unwrap();
        assert_eq!(parse(&new).unwrap(), text);
        assert_eq!(parse(&old).unwrap(), text);
    }

    #[test]
    fn broken_files_are_refused_without_panic() {
        assert_eq!(parse(b""), Err("Empty GMSH file"));
        assert_eq!(parse(b"solid"), Err("GMSH file must begin with $MeshFormat"));
        let text = TEXT41.replace("4.1", "3.0");
        assert_eq!(parse(text.as_bytes()), Err("Only GMSH file format versions 4.1 and 2.2 are supported"));
        for cut in 0..TEXT41.len() - 1 {
            assert!(parse(&TEXT41.as_bytes()[..cut]).is_err());
        }
    }
}
