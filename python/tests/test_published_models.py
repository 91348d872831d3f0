"""Published models, live against the reference.

They are read from the directory ``LIGAMENT_MODELS``, which holds clones of ``mujoco_menagerie`` and ``dm_control``;
without it these tests are skipped.
"""

import os
import pathlib

import numpy as np
import pytest

import ligament

mujoco = pytest.importorskip("mujoco")

APOLLO = "mujoco_menagerie/apptronik_apollo/apptronik_apollo.xml"
FRUITFLY = "dm_control/dm_control/locomotion/walkers/assets/fruitfly_v2/fruitfly.xml"


def both(file):
    path = pathlib.Path(os.environ.get("LIGAMENT_MODELS", "")) / file
    if "LIGAMENT_MODELS" not in os.environ or not path.exists():
        pytest.skip(f"LIGAMENT_MODELS does not hold {file}")
    pair = []
    for package in (mujoco, ligament):
        model = package.MjModel.from_xml_path(str(path))
        pair.append((package, model, package.MjData(model)))
    return pair


def test_humanoid_with_frames():
    """P19.5, A35.5: frames and a gravity compensation of zero in a humanoid load as in the reference."""
    pair = both(APOLLO)
    (_, expected, _), (_, actual, _) = pair
    for field in ("geom_pos", "geom_quat", "body_gravcomp", "site_pos", "site_quat"):
        np.testing.assert_allclose(getattr(actual, field), getattr(expected, field), atol=1e-12, err_msg=field)
    assert not np.any(actual.body_gravcomp)
    for package, model, data in pair:
        data.qvel[:] = 0.1
        for _ in range(10):
            package.mj_step(model, data)
        package.mj_forward(model, data)
    (_, _, expected), (_, _, actual) = pair
    np.testing.assert_allclose(actual.geom_xpos, expected.geom_xpos, atol=1e-9)
    np.testing.assert_allclose(actual.geom_xmat, expected.geom_xmat, atol=1e-9)
    np.testing.assert_array_equal(actual.qfrc_gravcomp, 0)


def test_wings_in_air():
    """C40.11: passive forces on a fly with ellipsoid wings over 100 steps."""
    pair = both(FRUITFLY)
    for _, _, data in pair:
        data.qvel[:] = 0.1
    for _ in range(100):
        for package, model, data in pair:
            package.mj_step(model, data)
        (_, _, expected), (_, _, actual) = pair
        assert np.abs(expected.qfrc_fluid).max() > 0
        np.testing.assert_allclose(actual.qfrc_passive, expected.qfrc_passive, rtol=1e-6, atol=1e-12)
