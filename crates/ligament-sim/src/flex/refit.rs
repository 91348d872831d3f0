//! Refitting the bounding-volume tree of a flex to its elements.

use crate::parallel::{self, MAX_PIECES};
use ligament_model::{Data, Model};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

type Box3 = [f64; 6];

/// Nodes below which threads cost more than they save.
const MIN_NODES: usize = 2000;

/// Refits the tree; parents come before their children.
pub(super) fn update_bvh(m: &Model, d: &mut Data, flex: usize) {
    let (root, count) = (m.flex_bvhadr[flex] as usize, m.flex_bvhnum[flex] as usize);
    let nodes = root..root + count;
    let tree = Tree {
        element: &m.bvh_nodeid[nodes.clone()],
        children: &m.bvh_child[nodes],
        elements: &d.flexelem_aabb[m.flex_elemadr[flex] as usize..],
    };
    let boxes = &mut d.bvh_aabb_dyn[root - m.nbvhstatic..][..count];
    if d.threads < 2 || count < MIN_NODES || !tree.refit_on(d.threads, boxes) {
        tree.refit(0..count, boxes);
    }
}

/// Nodes that have an element or two children.
#[derive(Clone, Copy)]
struct Tree<'a> {
    element: &'a [i32],
    children: &'a [[i32; 2]],
    elements: &'a [Box3],
}

impl Tree<'_> {
    /// Boxes of consecutive nodes; false if the children of one are not among them.
    fn refit(self, nodes: Range<usize>, boxes: &mut [Box3]) -> bool {
        let first = nodes.start;
        for node in nodes.rev() {
            boxes[node - first] = if let Ok(element) = usize::try_from(self.element[node]) {
                self.elements[element]
            } else {
                let [a, b] = self.children[node].map(|child| boxes.get((child as usize).wrapping_sub(first)));
                let (Some(a), Some(b)) = (a, b) else { return false };
                union(a, b)
            };
        }
        true
    }

    /// Children of a node whose branch is `nodes`, if these are two branches one behind the other.
    fn divide(self, nodes: &Range<usize>) -> Option<[Range<usize>; 2]> {
        let [a, b] = self.children[nodes.start].map(|child| child as usize);
        let inner = self.element[nodes.start] < 0 && a == nodes.start + 1 && a < b && b < nodes.end;
        inner.then_some([a..b, b..nodes.end])
    }

    /// Refits branches on so many threads, then what is above them. False if it turns out that branches are not consecutive
    /// nodes: then nothing is right.
    #[inline(never)]
    fn refit_on(self, threads: usize, boxes: &mut [Box3]) -> bool {
        let mut branches = [const { 0..0 }; MAX_PIECES];
        let mut above = [0; MAX_PIECES];
        branches[0] = 0..boxes.len();
        let mut count = 1;
        while count < parallel::pieces(threads, 2).min(MAX_PIECES) {
            let widest = (0..count).max_by_key(|&k| branches[k].len()).unwrap_or(0);
            let Some([left, right]) = self.divide(&branches[widest]) else { return false };
            above[count - 1] = branches[widest].start;
            branches[widest] = left;
            branches[count] = right;
            count += 1;
        }
        branches[..count].sort_unstable_by_key(|branch| branch.start);
        let (mut rest, mut at) = (&mut *boxes, 0);
        let pieces = branches[..count].iter().map(|branch| {
            let (_, own) = std::mem::take(&mut rest).split_at_mut(branch.start - at);
            let (own, after) = own.split_at_mut(branch.len());
            (rest, at) = (after, branch.end);
            (branch.clone(), own)
        });
        let sound = AtomicBool::new(true);
        parallel::each(threads, pieces, |(nodes, boxes)| {
            if !self.refit(nodes, boxes) {
                sound.store(false, Ordering::Relaxed);
            }
        });
        for &node in above[..count - 1].iter().rev() {
            let [a, b] = self.children[node].map(|child| boxes[child as usize]);
            boxes[node] = union(&a, &b);
        }
        sound.into_inner()
    }
}

fn union(a: &Box3, b: &Box3) -> Box3 {
    let low = |i: usize| (a[i] - a[i + 3]).min(b[i] - b[i + 3]);
    let high = |i: usize| (a[i] + a[i + 3]).max(b[i] + b[i + 3]);
    std::array::from_fn(|i| match i {
        0..3 => 0.5 * (high(i) + low(i)),
        _ => 0.5 * (high(i - 3) - low(i - 3)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree over so many elements, one branch behind the other, as compilers write it.
    fn grow(elements: Range<i32>, element: &mut Vec<i32>, children: &mut Vec<[i32; 2]>) {
        let node = element.len();
        element.push(if elements.len() == 1 { elements.start } else { -1 });
        children.push([-1; 2]);
        if elements.len() > 1 {
            let middle = elements.start + (2 * elements.len() as i32).div_euclid(5).max(1);
            for (side, half) in [elements.start..middle, middle..elements.end].into_iter().enumerate() {
                children[node][side] = element.len() as i32;
                grow(half, element, children);
            }
        }
    }

    /// Branches side by side make the boxes of nodes one by one; where they cannot, that is said.
    #[test]
    fn branches_side_by_side() {
        let (mut element, mut children) = (Vec::new(), Vec::new());
        grow(0..3000, &mut element, &mut children);
        let elements: Vec<Box3> =
            (0..3000).map(|k| std::array::from_fn(|i| 2.0 + ((k * 6 + i) as f64).sin())).collect();
        let tree = Tree { element: &element, children: &children, elements: &elements };
        let mut expected = vec![[0.0; 6]; element.len()];
        assert!(tree.refit(0..element.len(), &mut expected));
        for threads in [2, 3, 16, 200] {
            let mut boxes = vec![[0.0; 6]; element.len()];
            assert!(tree.refit_on(threads, &mut boxes));
            assert_eq!(boxes, expected, "{threads} threads");
        }
        let (last, place) = (element.len() as i32 - 1, children.len() / 3);
        let inner = (place..).find(|&k| element[k] < 0).unwrap();
        let mut crossed = children.clone();
        crossed[inner][1] = last;
        let mut boxes = vec![[0.0; 6]; element.len()];
        assert!(!Tree { children: &crossed, ..tree }.refit_on(16, &mut boxes));
    }
}
