//! Colours that mean something.

use ligament_geom::sdf::halton;

/// From hue, saturation and value.
fn rgb([hue, saturation, value]: [f32; 3]) -> [f32; 3] {
    if saturation <= 0.0 {
        return [value; 3];
    }
    let sector = hue * 6.0;
    let fraction = sector - (sector as i32) as f32;
    let low = value * (1.0 - saturation);
    let falling = value * (1.0 - (saturation * fraction));
    let rising = value * (1.0 - (saturation * (1.0 - fraction)));
    match sector as i32 {
        0 => [value, rising, low],
        1 => [falling, value, low],
        2 => [low, value, rising],
        3 => [low, falling, value],
        4 => [rising, low, value],
        _ => [value, low, falling],
    }
}

/// Scattered colours for islands, by their first dof; grey without one, dimmed when asleep.
pub(crate) fn island(first_dof: Option<usize>, awake: bool) -> [f32; 4] {
    let mut hsv = match first_dof {
        Some(dof) => [
            halton(dof + 1, 7) as f32,
            (0.5 + 0.5 * halton(dof + 1, 3)) as f32,
            (0.6 + 0.4 * halton(dof + 1, 5)) as f32,
        ],
        None => [1.0, 0.0, 0.7],
    };
    if !awake {
        hsv[2] = (f64::from(hsv[2]) * 0.6) as f32;
        hsv[1] = (f64::from(hsv[1]) * 0.7) as f32;
    }
    let [r, g, b] = rgb(hsv);
    [r, g, b, 1.0]
}

/// Between two colours; the last number is that of the first.
pub(crate) fn blend(from: [f32; 4], to: [f32; 4], weight: f64) -> [f32; 4] {
    let mix = |k: usize| ((1.0 - weight) * f64::from(from[k]) + weight * f64::from(to[k])) as f32;
    [mix(0), mix(1), mix(2), from[3]]
}

/// The colour of a pull: red and green change places for the second hand.
pub(crate) fn of_hands(base: [f32; 4], first: bool, second: bool) -> [f32; 4] {
    let channel = |own: f32, other: f32| {
        let color = if first { own } else { 0.0 };
        if second { color.max(other) } else { color }
    };
    [channel(base[0], base[1]), channel(base[1], base[0]), base[2], base[3]]
}
