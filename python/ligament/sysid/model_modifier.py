"""How parameters are written into a specification: gains of servos, masses and inertias of bodies.

The inertia of a body as ten free numbers, every value of which is physically possible, is the log-Cholesky form of
Rucker and Wensing, "Smooth Parameterization of Rigid-Body Inertia" (IEEE RA-L 2022): the 4×4 pseudo-inertia J = U Uᵀ with
U = e^α (e^d1 s12 s13 t1; 0 e^d2 s23 t2; 0 0 e^d3 t3; 0 0 0 1), θ = (α, d1, d2, d3, s12, s23, s13, t1, t2, t3).
"""

import numpy as np

from ligament import mj_name2id, mjtBias, mjtDyn, mjtGain, mjtGeom, mjtObj, mju_quat2Mat
from ligament.sysid.parameter import InertiaType, Parameter

__all__ = ["apply_body_inertia", "apply_body_mass_ipos", "apply_body_theta_inertia", "apply_dgain",
           "apply_param_modifiers", "apply_param_modifiers_spec", "apply_pdgain", "apply_pgain", "body_inertia_param",
           "cholesky_decompose_upper", "get_actuator_pd_gains", "inertia_to_fullinertia", "is_position_actuator",
           "pi_from_body", "pi_from_theta", "pseudoinertia_from_pi", "remove_visuals", "scale_body_inertia", "skew",
           "theta_from_pseudoinertia", "theta_inertia_from_body"]

# where the ten numbers stand in U, after the scale e^α: logarithms on the diagonal, then shear, then translation
_DIAGONAL = (0, 1, 2), (0, 1, 2)
_ABOVE = (0, 1, 0, 0, 1, 2), (1, 2, 2, 3, 3, 3)


def apply_param_modifiers_spec(params, spec):
    """Writes all parameters that are not frozen into a specification, and gives it back."""
    for param in params.values():
        if not param.frozen:
            param.apply_modifier(spec)
    return spec


def apply_param_modifiers(params, spec):
    """The model that a specification means with these parameters."""
    return apply_param_modifiers_spec(params, spec).compile()


def remove_visuals(in_spec):
    """A copy without geoms that touch nothing, without their meshes, materials and textures: compiles faster."""
    spec = in_spec.copy()
    for geom in spec.worldbody.find_all("geom"):
        if geom.contype == 0 and geom.conaffinity == 0:
            mesh = spec.mesh(geom.meshname) if geom.type == mjtGeom.mjGEOM_MESH and geom.meshname else None
            if mesh is not None:
                spec.delete(mesh)
            spec.delete(geom)
    for element in [*spec.materials, *spec.textures]:
        spec.delete(element)
    return spec


def _found(spec, kind, name):
    element = getattr(spec, kind)(name)
    if element is None:
        raise ValueError(f"{kind.capitalize()} '{name}' not found in spec.")
    return element


# ---- servos


def is_position_actuator(actuator):
    """Whether an actuator of a model or a specification holds a position: force = kp (ctrl − length) − kd velocity."""
    return bool(actuator.gaintype == mjtGain.mjGAIN_FIXED and actuator.biastype == mjtBias.mjBIAS_AFFINE
                and actuator.dyntype in (mjtDyn.mjDYN_NONE, mjtDyn.mjDYN_FILTEREXACT)
                and actuator.gainprm[0] == -actuator.biasprm[1])


def get_actuator_pd_gains(model, actuator_name):
    """Gains of position and velocity of a servo."""
    if mj_name2id(model, mjtObj.mjOBJ_ACTUATOR, actuator_name) < 0:
        raise ValueError(f"Actuator {actuator_name} not found in model.")
    actuator = model.actuator(actuator_name)
    if not is_position_actuator(actuator):
        raise ValueError(f"Actuator {actuator_name} is not a position actuator.")
    return -actuator.biasprm[1], -actuator.biasprm[2]


def _servo(spec, name):
    actuator = _found(spec, "actuator", name)
    if not is_position_actuator(actuator):
        raise ValueError(f"Actuator {name} is not a position actuator.")
    return actuator


def _number(value):
    return float(np.asarray(value).reshape(-1)[0])


def apply_pgain(spec, actuator_name, value):
    """Sets the gain of position of a servo."""
    actuator = _servo(spec, actuator_name)
    actuator.gainprm[0] = _number(value)
    actuator.biasprm[1] = -_number(value)
    return spec


def apply_dgain(spec, actuator_name, value):
    """Sets the gain of velocity of a servo."""
    _servo(spec, actuator_name).biasprm[2] = -_number(value)
    return spec


def apply_pdgain(spec, actuator_name, value):
    """Sets both gains of a servo, position first."""
    if value.size != 2:
        raise ValueError(f"pdgain must be a 2-element array, got {value.size}.")
    return apply_dgain(apply_pgain(spec, actuator_name, value[0]), actuator_name, value[1])


# ---- inertia


def _infer_inertial(spec, body_name):
    """The body of a specification, with the inertia written out that it would be compiled with."""
    body = _found(spec, "body", body_name)
    spec.compiler.inertiafromgeom = 2  # from geoms only where nothing is written
    compiled = spec.compile().body(body_name)
    body.explicitinertial = True
    body.fullinertia = np.full((6, 1), np.nan)
    body.mass = compiled.mass[0]
    body.ipos, body.iquat, body.inertia = compiled.ipos, compiled.iquat, compiled.inertia
    return body


def apply_body_mass_ipos(spec, body_name, mass=None, ipos=None, rot_inertia_scale=False):
    """Sets mass and centre of mass of a body; its inertia may grow with its mass."""
    body = _infer_inertial(spec, body_name)
    if mass is not None:
        if rot_inertia_scale:
            body.inertia *= _number(mass) / body.mass
        body.mass = _number(mass)
    if ipos is not None:
        body.ipos = ipos
    return spec


def scale_body_inertia(spec, body_name, value):
    """Multiplies the inertia of a body; its mass stays."""
    _infer_inertial(spec, body_name).inertia *= value
    return spec


def skew(v):
    """The matrix of a cross product: skew(v) w = v × w."""
    x, y, z = v
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def inertia_to_fullinertia(q, inertia):
    """Principal moments along axes turned by a quaternion, as a matrix."""
    turn = np.empty(9)
    mju_quat2Mat(turn, q)
    axes = turn.reshape(3, 3)
    return (axes * inertia) @ axes.T


def pi_from_body(spec, body_name):
    """π = (m, m c, I): mass, first moment, and the nine numbers of the inertia about the frame of the body."""
    body = _infer_inertial(spec, body_name)
    cross = skew(body.ipos)
    about_origin = inertia_to_fullinertia(body.iquat, body.inertia) - body.mass * cross @ cross  # Steiner
    return np.concatenate([[body.mass], body.mass * body.ipos, about_origin.ravel()])


def pseudoinertia_from_pi(pi):
    """J = (Σ h; hᵀ m) with the second moments Σ = tr(I)/2 − I."""
    inertia = pi[4:].reshape(3, 3)
    second = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    return np.block([[second, pi[1:4, None]], [pi[None, 1:4], pi[0]]])


def cholesky_decompose_upper(J):
    """Upper triangular U with J = U Uᵀ."""
    return np.linalg.cholesky(J[::-1, ::-1])[::-1, ::-1]


def theta_from_pseudoinertia(J):
    """The ten numbers θ of a pseudo-inertia."""
    factor = cholesky_decompose_upper(J)
    scale = factor[3, 3]
    return np.concatenate([[np.log(scale)], np.log(factor[_DIAGONAL] / scale), factor[_ABOVE] / scale])


def pi_from_theta(theta):
    """π of ten numbers θ."""
    factor = np.eye(4)
    factor[_DIAGONAL] = np.exp(theta[1:4])
    factor[_ABOVE] = theta[4:10]
    factor *= np.exp(theta[0])
    moments = factor @ factor.T
    second = moments[:3, :3]
    return np.concatenate([moments[3, 3:], moments[:3, 3], (np.trace(second) * np.eye(3) - second).ravel()])


def theta_inertia_from_body(spec, body_name):
    """The ten numbers θ of a body."""
    return theta_from_pseudoinertia(pseudoinertia_from_pi(pi_from_body(spec, body_name)))


def apply_body_theta_inertia(spec, body_name, theta):
    """Gives a body the inertia of ten numbers θ."""
    if theta.size != 10:
        raise ValueError(f"theta must be a 10-element array, got {theta.size}.")
    pi = pi_from_theta(theta)
    mass, centre = pi[0], pi[1:4] / pi[0]
    cross = skew(centre)
    about_centre = pi[4:].reshape(3, 3) + mass * cross @ cross
    body = _infer_inertial(spec, body_name)
    body.mass, body.ipos = mass, centre
    # a full matrix counts where the principal form is left open
    body.inertia[:], body.iquat[:] = 0.0, np.nan
    body.fullinertia = about_centre[(0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)].reshape(np.shape(body.fullinertia))
    return spec


def apply_body_inertia(spec, name, param):
    """Writes a parameter made by ``body_inertia_param`` into a body."""
    kind = getattr(param, "inertia_type", None)
    if kind is None:
        raise ValueError(f"Parameter {param.name} does not have inertia_type attribute: make it with body_inertia_param.")
    if kind == InertiaType.Pseudo:
        return apply_body_theta_inertia(spec, name, param.value)
    ipos = param.value[1:4] if kind == InertiaType.MassIpos else None
    return apply_body_mass_ipos(spec, name, param.value[0], ipos, param.scale_rot_inertia)


def body_inertia_param(spec, model, body_name, inertia_type=InertiaType.MassIpos, scale_rot_inertia=False,
                       mass_bound_mult=None, ipos_bound_off=None, stretch_bound_mult=None, shear_bound_off=None,
                       param_name=None, modifier=None):
    """A parameter for the inertia of a body: its mass, mass and centre, or all ten numbers.

    Bounds are relative to what the model has: factors of the mass (0.1 to 10) and of the stretch along the axes (0.5 to 2),
    offsets of the centre (±0.5) and of the shear (±0.5).
    """
    factors = np.array([0.1, 10.0]) if mass_bound_mult is None else np.asarray(mass_bound_mult)
    offsets = np.array([-0.5, 0.5]) if ipos_bound_off is None else np.asarray(ipos_bound_off)
    body = model.body(body_name)
    if inertia_type == InertiaType.Mass:
        start, bounds = body.mass, np.outer(body.mass, factors)
    elif inertia_type == InertiaType.MassIpos:
        start = np.concatenate([body.mass, body.ipos])
        bounds = np.vstack([np.outer(body.mass, factors), _around(body.ipos, offsets)])
    elif inertia_type == InertiaType.Pseudo:
        stretch = np.array([0.5, 2.0]) if stretch_bound_mult is None else np.asarray(stretch_bound_mult)
        shear = np.array([-0.5, 0.5]) if shear_bound_off is None else np.asarray(shear_bound_off)
        start = theta_inertia_from_body(spec, body_name)
        # mass and stretches are the squares of what has its logarithm in θ
        bounds = np.vstack([_around(start[:1], np.log(factors) / 2), _around(start[1:4], np.log(stretch) / 2),
                            _around(start[4:7], shear), _around(start[7:], offsets)])
    else:
        raise ValueError(f"Unknown inertia_type: {inertia_type}")
    if modifier is None:
        def modifier(spec, param):
            apply_body_inertia(spec, body_name, param)
    param = Parameter(param_name or f"{body_name}_inertia", start, bounds[:, 0], bounds[:, 1], modifier=modifier)
    param.inertia_type, param.scale_rot_inertia = inertia_type, scale_rot_inertia
    return param


def _around(centre, offsets):
    return np.add.outer(np.asarray(centre), offsets)
