//! Elements that stand for others: include, replicate, attach, composite, flexcomp.

pub mod attach;
pub mod composite;
pub mod flexcomp;
pub mod include;
pub mod replicate;
