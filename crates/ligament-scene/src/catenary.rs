//! Slack strings: points of a catenary between two ends.

use ligament_math::{MINVAL, Vec3, vec3};

const TOLERANCE: f64 = 1e-9;
/// Strings longer than this many times their horizontal span hang as two straight pieces.
const STEEP: f64 = 100.0;

fn cosh(x: f64) -> f64 {
    let e = x.exp();
    0.5 * (e + 1.0 / e)
}

fn sinh(x: f64) -> f64 {
    let e = x.exp();
    0.5 * (e - 1.0 / e)
}

/// `(2 b sinh(1/(2b)) - 1)^(-1/2) - target` and its slope: nearly linear in the flatness b, whose root is the shape of
/// the string (<https://math.stackexchange.com/a/1002996>).
fn residual(b: f64, target: f64) -> (f64, f64) {
    let a = 0.5 / b;
    let (c, s) = (cosh(a), sinh(a));
    let inner = 2.0 * b * s - 1.0;
    (1.0 / inner.sqrt() - target, (a * c - s) * inner.powf(-1.5))
}

/// Flatness of the string, relative to the horizontal span, by Newton's method.
fn flatness(rise: f64, span: f64, length: f64) -> f64 {
    let target = 1.0 / ((length * length - rise * rise).sqrt() / span - 1.0).sqrt();
    let mut b = target / 24f64.sqrt(); // the linear approximation
    for _ in 0..50 {
        let (value, slope) = residual(b, target);
        if value.abs() < TOLERANCE {
            break;
        }
        let mut step = -value / slope;
        for _ in 0..10 {
            if residual(b + step, target).0.abs() < value.abs() {
                break;
            }
            step *= 0.5;
        }
        b += step;
    }
    b
}

/// Points on a string of a given length that hangs between two points (`mjv_catenary`): `count` of them, three when it
/// hangs almost vertically, two when it is tight.
pub fn catenary(start: Vec3, end: Vec3, gravity: Vec3, length: f64, count: usize) -> Vec<Vec3> {
    if vec3::distance(start, end) > length {
        return vec![start, end];
    }
    let mut up = vec3::scale(gravity, -1.0);
    vec3::normalize(&mut up);
    let chord = vec3::sub(end, start);
    let mut across = vec3::sub(chord, vec3::scale(up, vec3::dot(up, chord)));
    if vec3::normalize(&mut across) < MINVAL {
        across = [0.0; 3];
    }
    let (span, rise) = (vec3::dot(chord, across), vec3::dot(chord, up));
    if length > STEEP * span {
        let down = -0.5 * ((length * length - span * span).sqrt() - rise);
        let sideways = span * down / (2.0 * down - rise);
        let lowest = vec3::add_scaled(vec3::add_scaled(start, up, down), across, sideways);
        return vec![start, lowest, end];
    }
    let radius = flatness(rise, span, length) * span;
    let lowest = -0.5 * (((length + rise) / (length - rise)).ln() * radius - span);
    let offset = -cosh(lowest / radius) * radius;
    let mut points = vec![start];
    for i in 1..count.saturating_sub(1) {
        // the last piece is longer than the others, as in the reference
        let along = i as f64 * span / count as f64;
        let height = radius * cosh((along - lowest) / radius) + offset;
        points.push(vec3::add_scaled(vec3::add_scaled(start, across, along), up, height));
    }
    points.push(end);
    points
}
