//! Delay buffers of controls and sensors.
