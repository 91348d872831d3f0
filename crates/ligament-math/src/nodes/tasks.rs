//! Who works on what: trees of panels far from the root are done by one thread each, panels near the root one by one.

use super::{NONE, Panel};
use crate::team;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Trees of panels get at most such a part of the work: enough of them for many threads, and some more, since some take longer
/// than others.
const SHARES: u64 = 64;

/// Panels that are worked on by one thread one after the other.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    /// Panels by task, those of a task in the order of elimination, and where those of each begin.
    panels: Vec<u32>,
    start: Vec<usize>,
    task_of: Vec<u32>,
    /// Work of each panel and of those that lead to it.
    work: Vec<u64>,
    /// Tasks that are done.
    done: Vec<AtomicBool>,
}

impl Tasks {
    pub fn count(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Panels of a task in the order of elimination.
    pub fn panels(&self, task: usize) -> &[u32] {
        &self.panels[self.start[task]..self.start[task + 1]]
    }

    /// The task of a panel.
    pub fn of(&self, panel: u32) -> usize {
        self.task_of[panel as usize] as usize
    }

    /// Shares panels out. What a panel waits for belongs to its own task or to one before it.
    pub fn make(&mut self, panels: &[Panel]) {
        let Self { work, task_of, .. } = self;
        work.clear();
        // products of its columns, and filling in
        work.extend(panels.iter().map(|p| (p.width * p.height * (p.height / 2 + 50)) as u64));
        let most = work.iter().sum::<u64>() / SHARES;
        for (k, panel) in panels.iter().enumerate() {
            if panel.parent != NONE {
                work[panel.parent as usize] += work[k];
            }
        }
        let is_small = |panel: u32| panel != NONE && work[panel as usize] <= most;
        task_of.clear();
        task_of.resize(panels.len(), 0);
        // small trees come together until they are worth a turn
        let (mut task, mut collected) = (0, 0);
        for (k, panel) in panels.iter().enumerate() {
            if is_small(k as u32) && !is_small(panel.parent) {
                task_of[k] = task;
                collected += work[k];
                if 2 * collected > most {
                    (task, collected) = (task + 1, 0);
                }
            }
        }
        task += u32::from(collected > 0);
        for k in 0..panels.len() {
            if !is_small(k as u32) {
                task_of[k] = task;
                task += 1;
            }
        }
        for (k, panel) in panels.iter().enumerate().rev() {
            if is_small(panel.parent) {
                task_of[k] = task_of[panel.parent as usize];
            }
        }
        self.list(task as usize);
    }

    /// Lists the panels of each task.
    fn list(&mut self, count: usize) {
        let Self { panels, start, task_of, done, .. } = self;
        start.clear();
        start.resize(count + 2, 0);
        task_of.iter().for_each(|&task| start[task as usize + 2] += 1);
        for k in 2..start.len() {
            start[k] += start[k - 1];
        }
        panels.resize(task_of.len(), 0);
        for (panel, &task) in (0..).zip(&*task_of) {
            let end = &mut start[task as usize + 1];
            panels[*end] = panel;
            *end += 1;
        }
        start.truncate(count + 1);
        done.resize_with(count, AtomicBool::default);
    }

    /// Does the work of all tasks on so many threads, the last one first if `reverse`. It may wait for those that were begun
    /// before; it ends everything by saying false, which it does when one of these panicked.
    pub fn in_order(&self, threads: usize, reverse: bool, work: impl Fn(usize, &AtomicBool) -> bool + Sync) {
        self.done.iter().for_each(|done| done.store(false, Ordering::Relaxed));
        let (next, given_up) = (AtomicUsize::new(0), AtomicBool::new(false));
        team::together(threads, || {
            let guard = GiveUp(&given_up);
            loop {
                let k = next.fetch_add(1, Ordering::Relaxed);
                if k >= self.count() {
                    break;
                }
                let task = if reverse { self.count() - 1 - k } else { k };
                if !work(task, &given_up) {
                    break;
                }
                self.done[task].store(true, Ordering::Release);
            }
            std::mem::forget(guard);
        });
    }

    /// Waits for a task that was begun; false if it will never be done.
    #[inline]
    pub fn wait_for(&self, task: usize, given_up: &AtomicBool) -> bool {
        let done = || self.done[task].load(Ordering::Acquire);
        done() || {
            team::wait_until(|| done() || given_up.load(Ordering::Relaxed));
            done()
        }
    }
}

/// Tells the others that a task will never be done: a panic is on its way.
struct GiveUp<'a>(&'a AtomicBool);

impl Drop for GiveUp<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every panel belongs to one task, after all panels that lead to it, and trees far from the root stay together.
    #[test]
    fn tasks_follow_the_tree() {
        for count in [1usize, 2, 100, 1000] {
            // a tree in which four panels lead to each, the last one the root
            let parent =
                |k: usize| if k + 1 == count { NONE } else { (count - 1 - (count - 2 - k) / 4) as u32 };
            let panel =
                |k: usize| Panel { width: 6, height: 30 + k % 7, parent: parent(k), ..Panel::default() };
            let panels: Vec<Panel> = (0..count).map(panel).collect();
            let mut tasks = Tasks::default();
            tasks.make(&panels);
            let mut listed = vec![0; count];
            for task in 0..tasks.count() {
                assert!(tasks.panels(task).is_sorted() && !tasks.panels(task).is_empty());
                for &panel in tasks.panels(task) {
                    listed[panel as usize] += 1;
                    assert_eq!(tasks.of(panel), task);
                    let parent = panels[panel as usize].parent;
                    assert!(parent == NONE || tasks.of(parent) >= task, "{count} panels");
                }
            }
            assert!(listed.iter().all(|&times| times == 1));
            assert!(count < 1000 || tasks.count() < 300, "{} tasks", tasks.count());
        }
    }
}
