"""Groups of settings: options, statistics, and what a viewer should do. Those of a model are views of it."""

from ligament import _core


class Settings:
    """Numbers as numbers, vectors as views."""

    _GROUP = ""
    __hash__ = None

    def __init__(self):
        self._place(_core.MjModel._empty()._group(self._GROUP))

    def _place(self, native):
        object.__setattr__(self, "_native", native)

    @classmethod
    def _of(cls, model):
        settings = cls.__new__(cls)
        settings._place(model._group(cls._GROUP))
        return settings

    def _fields(self):
        return sorted(dir(self._native))

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        for name in dir(_core.MjModel._empty()._group(cls._GROUP)):
            setattr(cls, name, property(lambda self, _name=name: getattr(self._native, _name)))

    def __setattr__(self, name, value):
        if not isinstance(getattr(type(self), name, None), property):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        setattr(self._native, name, value)

    def _assign(self, other):
        for name in self._fields():
            if getattr(getattr(self, name), "size", 1):
                setattr(self, name, getattr(other, name))

    def __copy__(self):
        copy = type(self).__new__(type(self))
        Settings.__init__(copy)
        copy._assign(self)
        return copy

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        values = {name: getattr(self, name) for name in self._fields()}
        return _unpickle, (type(self), {name: value.copy() if hasattr(value, "copy") else value
                                        for name, value in values.items()})

    def __eq__(self, other):
        if not isinstance(other, Settings) or self._GROUP != other._GROUP:
            return NotImplemented
        pairs = ((getattr(self, name), getattr(other, name)) for name in self._fields())
        return all(bool((a == b).all()) if hasattr(a, "all") else a == b for a, b in pairs)

    def __repr__(self):
        lines = "\n".join(f"  {name}: {getattr(self, name)!r}" for name in self._fields())
        return f"<{type(self).__name__}\n{lines}\n>"


def _unpickle(cls, values):
    settings = cls.__new__(cls)
    Settings.__init__(settings)
    for name, value in values.items():
        if getattr(value, "size", 1):
            setattr(settings, name, value)
    return settings


class MjOption(Settings):
    """Options of the simulation."""

    _GROUP = "opt"


class MjStatistic(Settings):
    """Statistics of a model."""

    _GROUP = "stat"

    def __init__(self):
        super().__init__()
        for name in self._fields():
            setattr(self, name, 0)


class MjVisualHeadlight(Settings):
    _GROUP = "vis.headlight"


class MjVisualRgba(Settings):
    _GROUP = "vis.rgba"


class _Global(Settings):
    _GROUP = "vis.global"


class _Quality(Settings):
    _GROUP = "vis.quality"


class _Map(Settings):
    _GROUP = "vis.map"


class _Scale(Settings):
    _GROUP = "vis.scale"


class MjVisual:
    """What a viewer should do: six groups of settings."""

    Global, Quality, Headlight, Map, Scale, Rgba = _Global, _Quality, MjVisualHeadlight, _Map, _Scale, MjVisualRgba
    _GROUPS = {"global_": _Global, "headlight": MjVisualHeadlight, "map": _Map, "quality": _Quality,
               "rgba": MjVisualRgba, "scale": _Scale}
    __hash__ = None

    def __init__(self, _model=None):
        model = _core.MjModel._empty() if _model is None else _model
        object.__setattr__(self, "_groups", {name: kind._of(model) for name, kind in self._GROUPS.items()})

    def __setattr__(self, name, value):
        if not isinstance(getattr(type(self), name, None), property):
            raise AttributeError(f"'MjVisual' object has no attribute '{name}'")
        getattr(self, name)._assign(value)

    def _assign(self, other):
        for name in self._GROUPS:
            getattr(self, name)._assign(getattr(other, name))

    def __copy__(self):
        copy = MjVisual()
        copy._assign(self)
        return copy

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __eq__(self, other):
        if not isinstance(other, MjVisual):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._GROUPS)

    def __repr__(self):
        lines = "\n".join(f"  {name}: {getattr(self, name)!r}" for name in self._GROUPS)
        return f"<MjVisual\n{lines}\n>"


def _group_property(name):
    return property(lambda self: self._groups[name])


for _name in MjVisual._GROUPS:
    setattr(MjVisual, _name, _group_property(_name))
setattr(MjVisual, "global", MjVisual.global_)  # a keyword of the language, so that it has two names
