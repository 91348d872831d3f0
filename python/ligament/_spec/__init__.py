"""Editing models: ``MjSpec`` and its elements."""

from typing import Union

from ligament._spec.actuator import MjsActuator
from ligament._spec.bind import bind_data, bind_model
from ligament._spec.defaults import MjsDefault
from ligament._spec.elements import (
    MjCharVec, MjsBody, MjsCamera, MjsCompiler, MjsElement, MjsEquality, MjsExclude, MjsFlex, MjsFrame, MjsGeom,
    MjsHField, MjsJoint, MjsKey, MjsLight, MjsMaterial, MjsMesh, MjsNumeric, MjsOrientation, MjsPair, MjsPlugin,
    MjsSensor, MjsSite, MjsSkin, MjsTendon, MjsTendonPath, MjsText, MjsTexture, MjsTuple, MjsWrap)
from ligament._spec.spec import MjSpec
from ligament._spec.vectors import MjByteVec, MjDoubleVec, MjFloatVec, MjIntVec, MjStringVec

MjStruct = Union[MjsBody, MjsFrame, MjsGeom, MjsJoint, MjsSite, MjsCamera, MjsLight, MjsFlex, MjsMesh, MjsSkin,
                 MjsHField, MjsTexture, MjsMaterial, MjsPair, MjsEquality, MjsExclude, MjsTendon, MjsSensor, MjsNumeric,
                 MjsText, MjsTuple, MjsKey, MjsDefault, MjsActuator, MjsPlugin]

from_zip, to_zip = MjSpec.from_zip, MjSpec.to_zip

__all__ = [name for name in dir() if name.startswith("Mj")] + ["from_zip", "to_zip"]
