//! Random numbers as NumPy draws them, a stream for every world: `numpy.random.Generator(PCG64(SeedSequence(seed)))`.
//!
//! Environments that begin from a seed begin as the same environment alone would in Gymnasium, which gives each one a
//! generator of NumPy. The generator is PCG XSL-RR 128/64 (O'Neill, "PCG: A family of simple fast space-efficient
//! statistically good algorithms for random number generation", 2014), its seed is spread as by `SeedSequence` (after
//! O'Neill's `seed_seq_fe`), normal numbers come from a ziggurat of 256 strips (Marsaglia and Tsang, 2000).

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
const STRIPS: usize = 256;
/// Bits of a number within a strip.
const POSITION: u64 = (1 << 52) - 1;

/// The edges of the strips under the normal density: `edge[0]` is the width of the lowest, which has the tail.
///
/// The last bits of NumPy's edges are its own, so that they are given rather than computed here.
#[derive(Clone)]
pub struct Ziggurat {
    /// Width of a strip for one unit of the position.
    scale: [f64; STRIPS],
    /// Positions below this lie under the density whatever the height.
    safe: [u64; STRIPS],
    density: [f64; STRIPS],
}

impl Ziggurat {
    /// Strips with these widths per unit of the position, of which there are 2⁵².
    pub fn new(scale: [f64; STRIPS]) -> Self {
        let edge = scale.map(|width| width * (POSITION + 1) as f64);
        let mut safe = [0; STRIPS];
        for i in 0..STRIPS {
            let inner = match i {
                0 => edge[STRIPS - 1],
                1 => 0.0,
                _ => edge[i - 1],
            };
            safe[i] = (inner / edge[i] * (POSITION + 1) as f64) as u64;
        }
        let mut density = edge.map(|x| (-0.5 * x * x).exp());
        density[0] = 1.0;
        Self { scale, safe, density }
    }
}

/// One world's stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream {
    state: u128,
    increment: u128,
}

impl Stream {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        let words = spread(seed);
        let wide = |i: usize| u128::from(words[i]) << 64 | u128::from(words[i + 1]);
        let mut stream = Self { state: 0, increment: wide(2) << 1 | 1 };
        stream.advance();
        stream.state = stream.state.wrapping_add(wide(0));
        stream.advance();
        stream
    }

    fn advance(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.advance();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    /// From 0 to 1, without 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// From `low` to `high`.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Normally distributed with mean 0 and deviation 1.
    pub fn normal(&mut self, ziggurat: &Ziggurat) -> f64 {
        loop {
            let bits = self.bits();
            let strip = (bits & 0xff) as usize;
            let position = bits >> 9 & POSITION;
            let size = position as f64 * ziggurat.scale[strip];
            let x = if bits >> 8 & 1 == 0 { size } else { -size };
            if position < ziggurat.safe[strip] {
                return x;
            }
            if strip == 0 {
                return self.tail(ziggurat, position >> 8 & 1 != 0);
            }
            let [above, here] = [strip - 1, strip].map(|i| ziggurat.density[i]);
            if (above - here) * self.unit() + here < (-0.5 * x * x).exp() {
                return x;
            }
        }
    }

    /// A number beyond the last edge.
    fn tail(&mut self, ziggurat: &Ziggurat, negative: bool) -> f64 {
        let edge = ziggurat.scale[STRIPS - 1] * (POSITION + 1) as f64;
        loop {
            let x = -(1.0 / edge) * (-self.unit()).ln_1p();
            let y = -(-self.unit()).ln_1p();
            if y + y > x * x {
                return if negative { -(edge + x) } else { edge + x };
            }
        }
    }
}

/// Four words of a seed whose bits are all mixed.
fn spread(seed: u64) -> [u64; 4] {
    let (mut factor, mut pool) = (0x43b0_d7e5_u32, [0; 4]);
    let mut hash = |word: u32| {
        let word = word ^ factor;
        factor = factor.wrapping_mul(0x931e_8875);
        let word = word.wrapping_mul(factor);
        word ^ word >> 16
    };
    for (place, word) in pool.iter_mut().zip([seed as u32, (seed >> 32) as u32, 0, 0]) {
        *place = hash(word);
    }
    for from in 0..4 {
        for to in (0..4).filter(|&to| to != from) {
            let left = pool[to].wrapping_mul(0xca01_f9dd);
            let mixed = left.wrapping_sub(hash(pool[from]).wrapping_mul(0x4973_f715));
            pool[to] = mixed ^ mixed >> 16;
        }
    }
    let mut factor = 0x8b51_f9dd_u32;
    let mut half = |i: usize| {
        let word = pool[i % 4] ^ factor;
        factor = factor.wrapping_mul(0x58f3_8ded);
        let word = word.wrapping_mul(factor);
        u64::from(word ^ word >> 16)
    };
    std::array::from_fn(|i| half(2 * i) | half(2 * i + 1) << 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `numpy.random.default_rng(42).random(3)` and `numpy.random.PCG64(2**40 + 5).random_raw()`, NumPy 2.4.
    #[test]
    fn streams_are_those_of_numpy() {
        let mut stream = Stream::new(42);
        let drawn = [stream.unit(), stream.unit(), stream.unit()];
        assert_eq!(drawn, [0.773_956_048_555_963_3, 0.438_878_439_752_052_3, 0.858_597_919_911_382_5]);
        assert_eq!(Stream::new((1 << 40) + 5).bits(), 87_427_594_128_977_387);
    }

    /// Mean, deviation, and how often a number lies beyond two deviations.
    #[test]
    fn normal_numbers_are_normal() {
        // edges that are good to some digits: equal areas under the density, from the tail upwards
        let (last, area) = (3.654_152_885_361_009, 0.004_928_673_233_97);
        let mut edge = [last; STRIPS];
        for i in (1..STRIPS - 1).rev() {
            let x: f64 = edge[i + 1];
            edge[i] = (-2.0 * (area / x + (-0.5 * x * x).exp()).ln()).sqrt();
        }
        edge[0] = area / (-0.5 * last * last).exp();
        let ziggurat = Ziggurat::new(edge.map(|x| x / (POSITION + 1) as f64));
        let (mut stream, count) = (Stream::new(7), 400_000);
        let (mut sum, mut squares, mut beyond) = (0.0, 0.0, 0);
        for _ in 0..count {
            let x = stream.normal(&ziggurat);
            (sum, squares, beyond) = (sum + x, squares + x * x, beyond + i32::from(x.abs() > 2.0));
        }
        let n = f64::from(count);
        assert!((sum / n).abs() < 0.006 && (squares / n - 1.0).abs() < 0.01, "{sum} {squares}");
        assert!((f64::from(beyond) / n - 0.045_500_3).abs() < 0.001_5, "{beyond}");
    }
}
