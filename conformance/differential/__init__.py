"""Differences between Ligament and MuJoCo 3.5.0 on generated models."""
