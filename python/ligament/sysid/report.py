"""A page about what was found: parameters, how sure they are, signals before and after. One file, without scripts."""

import base64
import html
import pathlib

import numpy as np

from ligament import MjData
from ligament.sysid import model_modifier
from ligament.sysid.optimize import calculate_intervals
from ligament.sysid.plotting import render_rollout
from ligament.sysid.trajectory import sysid_rollout
from ligament.usd.pictures import png

__all__ = ["ReportBuilder", "default_report"]

_STYLE = """body{font:15px sans-serif;max-width:60em;margin:2em auto;color:#222}table{border-collapse:collapse}
td,th{padding:.2em .8em;text-align:right;border-bottom:1px solid #ddd}td:first-child,th:first-child{text-align:left}
svg{display:block;margin:.5em 0}summary{cursor:pointer}img{margin:2px}.measured{stroke:#222}.initial{stroke:#d55}
.identified{stroke:#27c}polyline{fill:none;stroke-width:1.2}"""
_WIDTH, _HEIGHT, _POINTS = 640, 120, 600


class ReportBuilder:
    """Sections of a page, in order."""

    def __init__(self, title):
        self.title, self.sections = title, []

    def add_section(self, title, content):
        """Adds a section; the content is HTML."""
        self.sections.append((title, content))

    def build(self):
        """The page."""
        body = "".join(f"<h2>{html.escape(title)}</h2>{content}" for title, content in self.sections)
        return (f"<!doctype html><meta charset=utf-8><title>{html.escape(self.title)}</title><style>{_STYLE}</style>"
                f"<h1>{html.escape(self.title)}</h1>{body}")

    def save(self, path):
        """Writes the page."""
        pathlib.Path(path).write_text(self.build(), encoding="utf-8")


def default_report(models_sequences, initial_params, opt_params, residual_fn, opt_result, title="SysID", save_path=None,
                   build_model=model_modifier.apply_param_modifiers, generate_videos=True):
    """A page with the parameters and their intervals, their correlation, the signals, and pictures of the first recording.

    With ``save_path`` it is written to ``report.html`` in that folder. The pictures are stills: there are no films in it.
    """
    before = residual_fn(initial_params.as_vector(), initial_params.copy(), return_pred_all=True)
    after = residual_fn(opt_params.as_vector(), opt_params.copy(), return_pred_all=True)
    covariance, intervals = calculate_intervals([np.ravel(residual) for residual in after[0]], opt_result.jac)
    report = ReportBuilder(title)
    report.add_section("Parameters", _parameters(initial_params, opt_params, intervals))
    report.add_section("Correlation", _correlation(opt_params.get_non_frozen_parameter_names(), covariance))
    names = [f"{group.name}, {name}" for group in models_sequences for name in group.sequence_name]
    for name, measured, initial, identified in zip(names, after[2], before[1], after[1]):
        report.add_section(f"Signals: {name}", "".join(map(_signals, measured, initial, identified)))
    if generate_videos and build_model is not None:
        report.add_section("Pictures", _pictures(models_sequences[0], initial_params, opt_params, build_model))
    if opt_result.get("extras"):
        objective = np.asarray(opt_result["extras"]["objective"], dtype=float)
        steps = np.arange(len(objective), dtype=float)
        report.add_section("Objective by iteration (logarithm)", _plot({"identified": (steps, np.log10(objective + 1e-300))}))
    if save_path is not None:
        pathlib.Path(save_path).mkdir(parents=True, exist_ok=True)
        report.save(pathlib.Path(save_path) / "report.html")
    return report


def _table(titles, rows):
    cells = ["".join(f"<th>{html.escape(title)}</th>" for title in titles)]
    cells += ["".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) for row in rows]
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"


def _parameters(initial, found, intervals):
    rows = zip(found.get_non_frozen_parameter_names(), initial.as_vector(), initial.as_nominal_vector(), found.as_vector(),
               intervals, *found.get_bounds())
    titles = ("parameter", "initial", "nominal", "identified", "± 95 %", "lower", "upper")
    return _table(titles, [(name, *(f"{number:.5g}" for number in numbers)) for name, *numbers in rows])


def _correlation(names, covariance):
    spread = np.sqrt(np.abs(np.diag(covariance)))
    matrix = covariance / np.maximum(np.outer(spread, spread), 1e-300)
    return _table(("", *names), [(name, *(f"{number:+.2f}" for number in row)) for name, row in zip(names, matrix)])


def _signals(measured, initial, identified):
    """A plot for each column."""
    series = {"measured": measured, "initial": initial, "identified": identified}
    names = [""] * measured.data.shape[1]
    for name, (_, columns) in (measured.signal_mapping or {}).items():
        for i, column in enumerate(columns):
            names[column] = name if len(columns) == 1 else f"{name}[{i}]"
    plots = []
    for column, name in enumerate(names):
        curves = {kind: (one.times, one.data[:, column]) for kind, one in series.items()}
        plots.append(f"<details open><summary>{html.escape(name)}</summary>{_plot(curves)}</details>")
    legend = ", ".join(f"{kind} <svg width=30 height=8 style='display:inline'><polyline class={kind} points='0,4 30,4'/></svg>"
                       for kind in series)
    return f"<p>{legend}</p>" + "".join(plots)


def _plot(curves):
    """Curves by class, in one frame."""
    values = np.concatenate([values for _, values in curves.values()])
    low, high = float(np.min(values)), float(np.max(values))
    begin = min(float(times[0]) for times, _ in curves.values())
    end = max(float(times[-1]) for times, _ in curves.values())
    lines = []
    for kind, (times, numbers) in curves.items():
        every = max(1, len(times) // _POINTS)
        x = (times[::every] - begin) / max(end - begin, 1e-12) * _WIDTH
        y = (high - numbers[::every]) / max(high - low, 1e-12) * (_HEIGHT - 8) + 4
        lines.append(f"<polyline class={kind} points='{' '.join(f'{a:.1f},{b:.1f}' for a, b in zip(x, y))}'/>")
    return (f"<svg width={_WIDTH} height={_HEIGHT} style='border:1px solid #ccc'>{''.join(lines)}</svg>"
            f"<small>{low:.4g} to {high:.4g}, time {begin:.4g} to {end:.4g}</small>")


def _pictures(sequences, initial, found, build_model, count=6):
    """The first recording with the initial and the identified model, some moments of it."""
    control, start = sequences.control[0], sequences.initial_state[0]
    strips = []
    for title, params in (("initial", initial), ("identified", found)):
        model = build_model(params, sequences.spec.copy())
        data = MjData(model)
        states = sysid_rollout(model, data, control.resample(target_dt=model.opt.timestep), start)[0].state.data
        chosen = states[np.linspace(0, len(states) - 1, count).astype(int)]
        frames = render_rollout(model, data, chosen[None], 2 / model.opt.timestep, width=160, height=120)
        images = (f"<img src='data:image/png;base64,{base64.b64encode(png(frame)).decode()}'>" for frame in frames)
        strips.append(f"<p>{title}<br>{''.join(images)}</p>")
    return "".join(strips)
