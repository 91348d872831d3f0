//! Where worlds are stepped.

#[cfg(any(feature = "cuda", feature = "emulated"))]
pub use ligament_gpu::Precision;

/// Where worlds are stepped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Device {
    /// On the cores of this machine.
    #[default]
    Cpu,
    /// On the first NVIDIA GPU, in this precision.
    #[cfg(feature = "cuda")]
    Cuda(Precision),
    /// By the GPU's kernels on this machine's processor: slow, for tests of programs where there is no GPU. Needs a C++
    /// compiler.
    #[cfg(feature = "emulated")]
    Emulated(Precision),
}
