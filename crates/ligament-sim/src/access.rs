//! What a stage reads and writes, in names of the table of fields; the list stands next to the stage.

/// Fields that a stage touches, by name. Options of the model, working memory, timers, warnings and statistics of the
/// solver are not listed.
#[derive(Debug, Clone, Copy)]
pub struct Access {
    /// Arrays of the model that it reads.
    pub model: &'static [&'static str],
    /// Arrays, lists and numbers of the state that it reads before it writes them.
    pub reads: &'static [&'static str],
    /// Arrays, lists and numbers of the state that it writes.
    pub writes: &'static [&'static str],
}

/// Lists what a stage touches; every name has to be a field.
macro_rules! access {
    (model { $($model:ident)* } reads { $($read:ident)* } writes { $($write:ident)* }) => {
        {
            // the names exist
            const _: fn(&ligament_model::Model, &ligament_model::Data) = |_m, _d| {
                $(let _ = &_m.$model;)*
                $(let _ = &_d.$read;)*
                $(let _ = &_d.$write;)*
            };
            $crate::access::Access {
                model: &[$(stringify!($model)),*],
                reads: &[$(stringify!($read)),*],
                writes: &[$(stringify!($write)),*],
            }
        }
    };
}
pub(crate) use access;
