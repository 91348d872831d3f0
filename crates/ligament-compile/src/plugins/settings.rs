//! Numbers in the settings of plugins.

use super::Instance;

/// Numbers from a setting as the reference's plugins read them: the part that is a number, 0 for none.
pub(crate) fn leading_number(text: &str) -> f64 {
    let text = text.trim_start();
    let end = (0..=text.len())
        .rev()
        .find(|&end| text.is_char_boundary(end) && end > 0 && text[..end].parse::<f64>().is_ok());
    end.and_then(|end| text[..end].parse().ok()).unwrap_or(0.0)
}

/// Numbers separated by single spaces.
pub(crate) fn numbers(text: &str) -> Vec<f64> {
    if text.is_empty() { Vec::new() } else { text.split(' ').map(leading_number).collect() }
}

/// Values a touch grid reports: channels × columns × rows.
pub(crate) fn touch_grid_dim(instance: &Instance) -> usize {
    let channels = (leading_number(instance.setting("nchannel")) as usize).max(1);
    numbers(instance.setting("size")).iter().take(2).fold(channels, |n, &size| n * size as usize)
}
