//! Delay buffers of controls and sensors.
//!
//! A buffer is a ring of `n` samples of `dim` numbers in `Data::history`:
//! `[last tick, cursor, time × n, value × n × dim]`; the cursor points to the newest sample. Times increase
//! strictly along the ring, and a sample at a known time replaces the old one.

use crate::workspace::Scratches as _;
use ligament_math::MINVAL;
use ligament_model::{Data, Model};

/// One ring of samples.
struct Ring<'a> {
    buffer: &'a mut [f64],
    n: usize,
    dim: usize,
}

/// Read access to a ring of samples.
#[derive(Clone, Copy)]
struct RingRef<'a> {
    cursor: usize,
    times: &'a [f64],
    values: &'a [f64],
    dim: usize,
}

/// Numbers that a ring occupies.
pub fn ring_length(n: usize, dim: usize) -> usize {
    2 + n + n * dim
}

impl<'a> RingRef<'a> {
    fn new(buffer: &'a [f64], n: usize, dim: usize) -> Self {
        let (times, values) = buffer[2..].split_at(n);
        Self { cursor: buffer[1] as usize % n, times, values, dim }
    }

    /// Place in memory of the sample with this age rank: 0 is the oldest.
    fn slot(&self, rank: usize) -> usize {
        (self.cursor + 1 + rank) % self.times.len()
    }

    fn time(&self, rank: usize) -> f64 {
        self.times[self.slot(rank)]
    }

    fn value(&self, rank: usize) -> &'a [f64] {
        let slot = self.slot(rank);
        &self.values[slot * self.dim..(slot + 1) * self.dim]
    }

    /// Smallest rank whose time is not before `t`; the number of samples when all are older.
    fn find(&self, t: f64) -> usize {
        let n = self.times.len();
        if t <= self.time(0) {
            return 0;
        }
        if t > self.time(n - 1) {
            return n;
        }
        let (mut low, mut high) = (0, n - 1);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if self.time(middle) < t { low = middle } else { high = middle }
        }
        high
    }

    /// Value at time `t`: held (0), linear (1) or cubic (2) between samples, constant beyond them.
    fn read_into(&self, t: f64, interpolation: i32, out: &mut [f64]) {
        let n = self.times.len();
        let hold = |rank: usize, out: &mut [f64]| out.copy_from_slice(self.value(rank));
        if t <= self.time(0) + MINVAL {
            return hold(0, out);
        }
        if t >= self.time(n - 1) - MINVAL {
            return hold(n - 1, out);
        }
        let high = self.find(t);
        if (t - self.time(high)).abs() < MINVAL {
            return hold(high, out);
        }
        let low = high - 1;
        let step = self.time(high) - self.time(low);
        let alpha = (t - self.time(low)) / step;
        match interpolation {
            0 => hold(low, out),
            1 => {
                for ((x, a), b) in out.iter_mut().zip(self.value(low)).zip(self.value(high)) {
                    *x = a + alpha * (b - a);
                }
            }
            _ => self.cubic(high, step, alpha, out),
        }
    }

    /// Hermite interpolation with Catmull-Rom slopes, which vanish at both ends of the buffer.
    fn cubic(&self, high: usize, step: f64, alpha: f64, out: &mut [f64]) {
        let low = high - 1;
        let (a2, a3) = (alpha * alpha, alpha * alpha * alpha);
        let weights = [2.0 * a3 - 3.0 * a2 + 1.0, a3 - 2.0 * a2 + alpha, -2.0 * a3 + 3.0 * a2, a3 - a2];
        for (k, x) in out.iter_mut().enumerate() {
            let slope = |from: usize, to: usize| {
                (self.value(to)[k] - self.value(from)[k]) / (self.time(to) - self.time(from))
            };
            let slope_low = if low > 0 { slope(low - 1, high) } else { 0.0 };
            let slope_high = if high + 1 < self.times.len() { slope(low, high + 1) } else { 0.0 };
            *x = weights[0] * self.value(low)[k]
                + weights[1] * step * slope_low
                + weights[2] * self.value(high)[k]
                + weights[3] * step * slope_high;
        }
    }
}

impl Ring<'_> {
    fn view(&self) -> RingRef<'_> {
        RingRef::new(self.buffer, self.n, self.dim)
    }

    fn set_time(&mut self, slot: usize, t: f64) {
        self.buffer[2 + slot] = t;
    }

    fn value_mut(&mut self, slot: usize) -> &mut [f64] {
        let start = 2 + self.n + slot * self.dim;
        &mut self.buffer[start..start + self.dim]
    }

    /// Makes room for a sample at time `t`, dropping the oldest unless the time is known, and gives its slot.
    fn insert(&mut self, t: f64) -> usize {
        let n = self.n;
        let rank = self.view().find(t);
        if rank < n && (t - self.view().time(rank)).abs() < MINVAL {
            return self.view().slot(rank);
        }
        let slot = if rank == 0 {
            self.view().slot(0)
        } else if rank == n {
            let cursor = (self.view().cursor + 1) % n;
            self.buffer[1] = cursor as f64;
            cursor
        } else {
            for older in 0..rank - 1 {
                let (to, from) = (self.view().slot(older), self.view().slot(older + 1));
                self.buffer[2 + to] = self.buffer[2 + from];
                let start = 2 + n + from * self.dim;
                self.buffer.copy_within(start..start + self.dim, 2 + n + to * self.dim);
            }
            self.view().slot(rank - 1)
        };
        self.set_time(slot, t);
        slot
    }
}

fn actuator_ring(m: &Model, actuator: usize) -> Option<(usize, usize)> {
    let n = m.actuator_history[actuator][0];
    (n > 0).then(|| (m.actuator_historyadr[actuator] as usize, n as usize))
}

fn sensor_ring(m: &Model, sensor: usize) -> Option<(usize, usize, usize)> {
    let n = m.sensor_history[sensor][0];
    (n > 0).then(|| (m.sensor_historyadr[sensor] as usize, n as usize, m.sensor_dim[sensor] as usize))
}

/// Control of an actuator as it was `actuator_delay` before `time`; `None` interpolates as the model says.
pub fn read_ctrl(m: &Model, d: &Data, actuator: usize, time: f64, interpolation: Option<i32>) -> f64 {
    let Some((start, n)) = actuator_ring(m, actuator) else {
        return d.ctrl[actuator];
    };
    let interpolation = interpolation.unwrap_or(m.actuator_history[actuator][1]);
    let mut value = [0.0];
    let buffer = &d.history[start..start + ring_length(n, 1)];
    RingRef::new(buffer, n, 1).read_into(time - m.actuator_delay[actuator], interpolation, &mut value);
    value[0]
}

/// Value of a sensor as it was `sensor_delay` before `time`; false when the sensor has no buffer.
pub fn read_sensor_into(
    m: &Model,
    history: &[f64],
    sensor: usize,
    time: f64,
    interpolation: Option<i32>,
    out: &mut [f64],
) -> bool {
    let Some((start, n, dim)) = sensor_ring(m, sensor) else {
        return false;
    };
    let interpolation = interpolation.unwrap_or(m.sensor_history[sensor][1]);
    let buffer = &history[start..start + ring_length(n, dim)];
    RingRef::new(buffer, n, dim).read_into(time - m.sensor_delay[sensor], interpolation, out);
    true
}

/// Empty buffers whose samples lie in the past, one time step (or one sensor period) apart.
pub fn reset(m: &Model, d: &mut Data) {
    let dt = m.opt.timestep;
    d.history.fill(0.0);
    for actuator in 0..m.nu {
        if let Some((start, n)) = actuator_ring(m, actuator) {
            let buffer = &mut d.history[start..start + 2 + n];
            buffer[1] = (n - 1) as f64;
            past_steps(&mut buffer[2..], dt);
        }
    }
    for sensor in 0..m.nsensor {
        let Some((start, n, _)) = sensor_ring(m, sensor) else { continue };
        let [period, phase] = m.sensor_interval[sensor];
        let buffer = &mut d.history[start..start + 2 + n];
        let last_tick = if phase == 0.0 { -period } else { phase };
        buffer[0] = if period > 0.0 { last_tick } else { -dt };
        buffer[1] = (n - 1) as f64;
        if period > 0.0 {
            for (j, time) in buffer[2..].iter_mut().enumerate() {
                let ideal = last_tick - (n - 1 - j) as f64 * period;
                *time = (ideal / dt).ceil() * dt;
            }
        } else {
            past_steps(&mut buffer[2..], dt);
        }
    }
}

fn past_steps(times: &mut [f64], dt: f64) {
    let n = times.len();
    for (j, time) in times.iter_mut().enumerate() {
        *time = -((n - j) as f64) * dt;
    }
}

/// Why a buffer could not be filled by hand.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the messages say what is wrong
pub enum HistoryError {
    #[error("invalid {kind} id {id}")]
    Id { kind: &'static str, id: usize },
    #[error("{kind} {id} has no history buffer")]
    NoBuffer { kind: &'static str, id: usize },
    #[error("times must be strictly increasing, got times[{index}]={before} >= times[{}]={after}", index + 1)]
    Order { index: usize, before: f64, after: f64 },
    #[error("{expected} numbers expected, {found} found")]
    Length { expected: usize, found: usize },
}

/// Fills the buffer of an actuator; `times: None` keeps the times it has.
pub fn init_ctrl(
    m: &Model,
    d: &mut Data,
    actuator: usize,
    times: Option<&[f64]>,
    values: &[f64],
) -> Result<(), HistoryError> {
    let kind = "actuator";
    if actuator >= m.nu {
        return Err(HistoryError::Id { kind, id: actuator });
    }
    let (start, n) = actuator_ring(m, actuator).ok_or(HistoryError::NoBuffer { kind, id: actuator })?;
    let tick = d.history[start];
    fill(&mut d.history[start..start + ring_length(n, 1)], n, times, values, tick)
}

/// Fills the buffer of a sensor; `phase` is the time of its last tick.
pub fn init_sensor(
    m: &Model,
    d: &mut Data,
    sensor: usize,
    times: Option<&[f64]>,
    values: &[f64],
    phase: f64,
) -> Result<(), HistoryError> {
    let kind = "sensor";
    if sensor >= m.nsensor {
        return Err(HistoryError::Id { kind, id: sensor });
    }
    let (start, n, dim) = sensor_ring(m, sensor).ok_or(HistoryError::NoBuffer { kind, id: sensor })?;
    fill(&mut d.history[start..start + ring_length(n, dim)], n, times, values, phase)
}

fn fill(
    buffer: &mut [f64],
    n: usize,
    times: Option<&[f64]>,
    values: &[f64],
    tick: f64,
) -> Result<(), HistoryError> {
    let check = |expected: usize, found: usize| {
        if expected == found { Ok(()) } else { Err(HistoryError::Length { expected, found }) }
    };
    check(buffer.len() - 2 - n, values.len())?;
    if let Some(times) = times {
        check(n, times.len())?;
    }
    let new_times = times.unwrap_or(&buffer[2..2 + n]);
    for (index, pair) in new_times.windows(2).enumerate() {
        if pair[1] - pair[0] < MINVAL {
            return Err(HistoryError::Order { index, before: pair[0], after: pair[1] });
        }
    }
    if let Some(times) = times {
        buffer[2..2 + n].copy_from_slice(times);
    }
    buffer[0] = tick;
    buffer[1] = (n - 1) as f64;
    buffer[2 + n..].copy_from_slice(values);
    Ok(())
}

/// Stores the controls and sensor values of the step that is about to end. `measure` gives what a sensor reads now.
#[inline]
pub(crate) fn advance(m: &Model, d: &mut Data, measure: impl Fn(&Model, &mut Data, usize, &mut [f64])) {
    if m.nhistory > 0 {
        store(m, d, measure);
    }
}

#[inline(never)]
fn store(m: &Model, d: &mut Data, measure: impl Fn(&Model, &mut Data, usize, &mut [f64])) {
    advance_controls(m, d);
    for sensor in 0..m.nsensor {
        advance_sensor(m, d, sensor, &measure);
    }
}

/// Stores the controls of the step that is about to end.
#[inline(never)]
pub fn advance_controls(m: &Model, d: &mut Data) {
    for actuator in 0..m.nu {
        if let Some((start, n)) = actuator_ring(m, actuator) {
            let mut ring = Ring { buffer: &mut d.history[start..start + ring_length(n, 1)], n, dim: 1 };
            let slot = ring.insert(d.time);
            ring.value_mut(slot)[0] = d.ctrl[actuator];
        }
    }
}

#[inline(never)]
fn advance_sensor(
    m: &Model,
    d: &mut Data,
    sensor: usize,
    measure: impl Fn(&Model, &mut Data, usize, &mut [f64]),
) {
    let Some((start, n, dim)) = sensor_ring(m, sensor) else { return };
    let period = m.sensor_interval[sensor][0];
    if period > 0.0 {
        if d.history[start] + period > d.time {
            return;
        }
        // ticks stay on their exact period, whatever the time step
        d.history[start] += period;
    }
    let mut value = std::mem::take(&mut d.workspace.scratch().sensor.value);
    value.clear();
    if m.sensor_delay[sensor] > 0.0 {
        // what the sensor reads now has not been seen yet: the stages reported an older value
        value.resize(dim, 0.0);
        measure(m, d, sensor, &mut value);
    } else {
        let adr = m.sensor_adr[sensor] as usize;
        value.extend_from_slice(&d.sensordata[adr..adr + dim]);
    }
    let mut ring = Ring { buffer: &mut d.history[start..start + ring_length(n, dim)], n, dim };
    let slot = ring.insert(d.time);
    ring.value_mut(slot).copy_from_slice(&value);
    d.workspace.scratch().sensor.value = value;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of three scalar samples at times 0, 1, 2 with values 0, 10, 40.
    fn sample() -> Vec<f64> {
        vec![0.0, 2.0, 0.0, 1.0, 2.0, 0.0, 10.0, 40.0]
    }

    fn read(buffer: &[f64], t: f64, interpolation: i32) -> f64 {
        let mut out = [0.0];
        RingRef::new(buffer, 3, 1).read_into(t, interpolation, &mut out);
        out[0]
    }

    #[test]
    fn values_are_held_interpolated_and_extrapolated() {
        let buffer = sample();
        assert_eq!(read(&buffer, -5.0, 1), 0.0);
        assert_eq!(read(&buffer, 9.0, 2), 40.0);
        assert_eq!(read(&buffer, 1.0, 2), 10.0);
        assert_eq!(read(&buffer, 1.5, 0), 10.0);
        assert_eq!(read(&buffer, 1.5, 1), 25.0);
        // Hermite with slopes 20 and 0: 10/2 + 20/8 + 40/2
        assert_eq!(read(&buffer, 1.5, 2), 27.5);
    }

    #[test]
    fn a_new_sample_drops_the_oldest_and_a_known_time_is_replaced() {
        let mut buffer = sample();
        let mut ring = Ring { buffer: &mut buffer, n: 3, dim: 1 };
        let slot = ring.insert(3.0);
        ring.value_mut(slot)[0] = 90.0;
        let slot = ring.insert(2.0);
        ring.value_mut(slot)[0] = 41.0;
        assert_eq!((read(&buffer, 0.0, 0), read(&buffer, 2.0, 0), read(&buffer, 3.0, 0)), (10.0, 41.0, 90.0));
    }

    #[test]
    fn a_late_sample_is_sorted_in() {
        let mut buffer = sample();
        let mut ring = Ring { buffer: &mut buffer, n: 3, dim: 1 };
        let slot = ring.insert(1.5);
        ring.value_mut(slot)[0] = 25.0;
        assert_eq!((read(&buffer, 0.0, 0), read(&buffer, 1.5, 0), read(&buffer, 2.0, 0)), (10.0, 25.0, 40.0));
    }
}
