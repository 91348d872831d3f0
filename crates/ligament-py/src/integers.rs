//! Integers of a model that Python can change: ids, addresses and counts that the engine follows.
//!
//! A view of such an array may be written at any time. While one exists, the array is compared with what it was when
//! the model was last known to be consistent, before each use of the model; only when it differs is the model
//! validated again. Models of which nobody looks at an integer pay for one load.

use ligament_model::array::ArrayRef;
use ligament_model::model::{FieldInfo, Model};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Integers that are settings: any value will do.
const FREE: &[&str] = &[
    "geom_contype",
    "geom_conaffinity",
    "geom_group",
    "geom_priority",
    "site_group",
    "jnt_group",
    "flex_contype",
    "flex_conaffinity",
    "flex_priority",
    "flex_group",
    "skin_group",
    "tendon_group",
    "actuator_group",
];

/// What a view of a watched array holds.
pub type Token = Arc<()>;

/// An array that someone outside can write.
struct Watched {
    field: &'static FieldInfo<Model>,
    known: Known,
    views: Weak<()>,
}

/// Content at the last validation.
enum Known {
    Small(Box<[i32]>),
    Large(Box<[i64]>),
    Bytes(Box<[u8]>),
}

impl Known {
    fn of(array: ArrayRef<'_>) -> Option<Self> {
        match array {
            ArrayRef::I32(x) => Some(Self::Small(x.into())),
            ArrayRef::I64(x) => Some(Self::Large(x.into())),
            ArrayRef::U8(x) => Some(Self::Bytes(x.into())),
            ArrayRef::F64(_) | ArrayRef::F32(_) | ArrayRef::U64(_) => None,
        }
    }

    fn is(&self, array: ArrayRef<'_>) -> bool {
        match (self, array) {
            (Self::Small(known), ArrayRef::I32(x)) => **known == *x,
            (Self::Large(known), ArrayRef::I64(x)) => **known == *x,
            (Self::Bytes(known), ArrayRef::U8(x)) => **known == *x,
            _ => false,
        }
    }
}

#[derive(Default)]
struct State {
    watched: Vec<Watched>,
    /// The model has to be validated, whatever the arrays say.
    distrusted: bool,
    /// What is wrong with the model as it is.
    complaint: Option<String>,
}

/// Watches over the integers of one model.
#[derive(Default)]
pub struct Integers {
    /// Whether there is anything to do.
    active: AtomicBool,
    state: Mutex<State>,
}

impl Integers {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The model has to be validated before it is used.
    pub fn distrust(&self) {
        self.state().distrusted = true;
        self.active.store(true, Ordering::Release);
    }

    /// Notes that a view of an array will exist; the view has to hold the result. Nothing for arrays of which every
    /// content will do.
    pub fn watch(&self, field: &'static FieldInfo<Model>, model: &Model) -> Option<Token> {
        let array = (field.get)(model);
        let is_text = field.name == "plugin_attr";
        if array.is_empty() || FREE.contains(&field.name) || matches!(array, ArrayRef::U8(_)) && !is_text {
            return None;
        }
        let mut state = self.state();
        let same = |watched: &&Watched| std::ptr::eq(watched.field, field);
        if let Some(token) = state.watched.iter().find(same).and_then(|watched| watched.views.upgrade()) {
            return Some(token);
        }
        let known = Known::of(array)?;
        let token = Token::default();
        state.watched.push(Watched { field, known, views: Arc::downgrade(&token) });
        self.active.store(true, Ordering::Release);
        Some(token)
    }

    /// Validates the model if one of its integers has changed.
    pub fn check(&self, model: &Model) -> Result<(), String> {
        if !self.active.load(Ordering::Acquire) {
            return Ok(());
        }
        let mut state = self.state();
        let state = &mut *state;
        let changed = |watched: &Watched| !watched.known.is((watched.field.get)(model));
        if state.distrusted || state.watched.iter().any(changed) {
            for watched in state.watched.iter_mut().filter(|watched| changed(watched)) {
                if let Some(known) = Known::of((watched.field.get)(model)) {
                    watched.known = known;
                }
            }
            state.distrusted = false;
            state.complaint = Some("it could not be validated".to_owned());
            state.complaint = model.validate().err();
        }
        if let Some(complaint) = &state.complaint {
            return Err(format!("the model is inconsistent: {complaint}; was an integer in it changed?"));
        }
        // what nobody can write any more has just been compared for the last time
        state.watched.retain(|watched| watched.views.strong_count() > 0);
        if state.watched.is_empty() {
            self.active.store(false, Ordering::Release);
        }
        Ok(())
    }
}
