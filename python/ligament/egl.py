"""Under the name of a driver that MuJoCo can use; Ligament needs none."""

from ligament.gl_context import GLContext  # noqa: F401
