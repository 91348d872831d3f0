//! What can go wrong with a GPU.

use crate::accept::Refused;

/// What can go wrong with a GPU.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// The model uses something the kernels do not have.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// There is no GPU to run on.
    #[error("no NVIDIA GPU can be used: {0}; use device=\"cpu\"")]
    Unavailable(String),
    /// The compiler for the kernels is missing.
    #[error("the kernels cannot be compiled: {0}; pip install 'ligament[cuda]' brings the compiler (NVRTC)")]
    Compiler(String),
    /// The compiler for emulated devices is missing, or what it makes cannot be used.
    #[error(
        "the kernels cannot be compiled for the processor: {0}; install a C++ compiler, or name one in CXX"
    )]
    HostCompiler(String),
    /// The driver does not know what the compiler makes.
    #[error(
        "the GPU driver is older than the compiler of the kernels (NVRTC {compiler}); update the driver, or install an \
         nvidia-cuda-nvrtc of the driver's version"
    )]
    OldDriver {
        /// Version of the compiler.
        compiler: String,
    },
    /// The worlds need more memory than there is.
    #[error(
        "{worlds} worlds of this model need {needed} MB of the device's memory, {free} MB are free; use fewer worlds"
    )]
    Memory {
        /// Worlds asked for.
        worlds: usize,
        /// Megabytes they need.
        needed: usize,
        /// Megabytes there are.
        free: usize,
    },
    /// The system does not give the memory that emulated worlds need.
    #[error("the system does not give {megabytes} MB of memory; use fewer worlds")]
    HostMemory {
        /// What was asked for.
        megabytes: usize,
    },
    /// A call of the driver failed.
    #[cfg(feature = "cuda")]
    #[error("the GPU driver reports: {0}")]
    Driver(#[from] cudarc::driver::DriverError),
    /// A world does not fit.
    #[error("a world of this model needs {needed} bytes of shared memory, the GPU has {available}")]
    TooLarge {
        /// Bytes of one world.
        needed: usize,
        /// Bytes a block may use.
        available: usize,
    },
    /// An array has another size than its field.
    #[error("{field} has {expected} numbers, {given} were given")]
    Shape {
        /// Name of the field.
        field: String,
        /// Its size.
        expected: usize,
        /// Size of the array.
        given: usize,
    },
    /// A field of the model that all worlds share.
    #[error("all worlds share the model's {0}; expand(\"{0}\") gives each its own")]
    NotOwn(String),
    /// A world whose model is not like the model of all.
    #[error("world {world}: {what}")]
    Structure {
        /// The world.
        world: usize,
        /// What is wrong with its model.
        what: String,
    },
    /// A result that the kernels do not write.
    #[error("nobody has asked for {0}; want(\"{0}\") lets steps write it")]
    NotWanted(String),
    /// A keyframe beyond the model's.
    #[error("the model has {count} keyframes; there is no keyframe {key}")]
    NoKeyframe {
        /// The one asked for.
        key: usize,
        /// How many there are.
        count: usize,
    },
}
