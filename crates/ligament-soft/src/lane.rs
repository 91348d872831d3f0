//! The number that constraints are written in: one of a single constraint, or four of four constraints that share no
//! vertex.

use crate::points::Numbers;
use ligament_math::four::Four;
use ligament_model::parts::SoftPoint;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// An array of the values of an expression, written out: closures that an array is mapped by are not always inlined, and
/// registers then go through memory.
macro_rules! each {
    ($k:ident in [$($value:expr),*] => $result:expr) => {
        [$({ let $k = $value; $result }),*]
    };
}
pub(crate) use each;

/// A statement for each value, written out for the same reason.
macro_rules! repeat {
    ($k:ident in [$($value:expr),*] => $statement:block) => {
        $({ let $k = $value; $statement })*
    };
}
pub(crate) use repeat;

/// One number of each of some constraints.
pub trait Lane:
    Copy
    + Send
    + Sync
    + PartialEq
    + std::fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// How many constraints.
    const WIDTH: usize;

    fn splat(x: f64) -> Self;
    /// A number of each constraint.
    fn of(number: impl FnMut(usize) -> f64) -> Self;
    /// Numbers that stand one behind the other.
    fn read<N: Numbers + ?Sized>(from: &N, at: usize) -> Self;
    fn write<N: Numbers + ?Sized>(self, to: &N, at: usize);
    fn sqrt(self) -> Self;
    fn max(self, other: Self) -> Self;
    /// Coordinates of a point of each constraint, and the number behind them.
    fn gather(point: impl FnMut(usize) -> SoftPoint) -> (Vector<Self>, Self);
    /// Points from their coordinates and the numbers behind them.
    fn scatter(coordinates: Vector<Self>, number: Self, put: impl FnMut(usize, SoftPoint));
}

impl Lane for f64 {
    const WIDTH: usize = 1;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn of(mut number: impl FnMut(usize) -> f64) -> Self {
        number(0)
    }
    #[inline(always)]
    fn read<N: Numbers + ?Sized>(from: &N, at: usize) -> Self {
        from.get(at)
    }
    #[inline(always)]
    fn write<N: Numbers + ?Sized>(self, to: &N, at: usize) {
        to.set(at, self);
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn gather(mut point: impl FnMut(usize) -> SoftPoint) -> (Vector<Self>, Self) {
        let SoftPoint([x, y, z, number]) = point(0);
        (Vector([x, y, z]), number)
    }
    #[inline(always)]
    fn scatter(Vector([x, y, z]): Vector<Self>, number: Self, mut put: impl FnMut(usize, SoftPoint)) {
        put(0, SoftPoint([x, y, z, number]));
    }
}

impl Lane for Four {
    const WIDTH: usize = 4;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Four::splat(x)
    }
    #[inline(always)]
    fn of(mut number: impl FnMut(usize) -> f64) -> Self {
        Four::new([number(0), number(1), number(2), number(3)])
    }
    #[inline(always)]
    fn read<N: Numbers + ?Sized>(from: &N, at: usize) -> Self {
        Four::new(each!(k in [0, 1, 2, 3] => from.get(at + k)))
    }
    #[inline(always)]
    fn write<N: Numbers + ?Sized>(self, to: &N, at: usize) {
        let numbers = self.numbers();
        repeat!(k in [0, 1, 2, 3] => { to.set(at + k, numbers[k]) });
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Four::sqrt(self)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Four::max(self, other)
    }
    #[inline(always)]
    fn gather(mut point: impl FnMut(usize) -> SoftPoint) -> (Vector<Self>, Self) {
        let points = each!(lane in [0, 1, 2, 3] => Four::new(point(lane).0));
        let [x, y, z, number] = Four::transposed(points);
        (Vector([x, y, z]), number)
    }
    #[inline(always)]
    fn scatter(Vector([x, y, z]): Vector<Self>, number: Self, mut put: impl FnMut(usize, SoftPoint)) {
        let [a, b, c, d] = Four::transposed([x, y, z, number]);
        put(0, SoftPoint(a.numbers()));
        put(1, SoftPoint(b.numbers()));
        put(2, SoftPoint(c.numbers()));
        put(3, SoftPoint(d.numbers()));
    }
}

/// A vector of each constraint.
#[derive(Debug, Clone, Copy)]
pub struct Vector<L>(pub [L; 3]);

impl<L: Lane> Vector<L> {
    #[inline(always)]
    pub fn zero() -> Self {
        Self([L::splat(0.0); 3])
    }

    #[inline(always)]
    pub fn scaled(self, s: L) -> Self {
        let [x, y, z] = self.0;
        Self([x * s, y * s, z * s])
    }

    /// self + s other
    #[inline(always)]
    pub fn plus(self, other: Self, s: L) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([a + x * s, b + y * s, c + z * s])
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> L {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        a * x + b * y + c * z
    }

    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    #[inline(always)]
    pub fn length(self) -> L {
        self.dot(self).sqrt()
    }
}

impl<L: Lane> Add for Vector<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([a + x, b + y, c + z])
    }
}

impl<L: Lane> Sub for Vector<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([a - x, b - y, c - z])
    }
}
