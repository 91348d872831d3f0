"""Threads: what may run at the same time, and what is refused with an exception.

Each thread needs a state of its own; a model can be shared. The interpreter lock is released while the engine works, so
that threads with states of their own run in parallel.
"""

import subprocess
import sys
import textwrap
import threading

import ligament
import models
import numpy as np
import pytest


def test_threads_with_states_of_their_own_share_a_model():
    """The same model in four threads gives the numbers of one."""
    (model, _), _ = models.both("contacts")

    def run(data, steps=200):
        for _ in range(steps):
            ligament.mj_step(model, data)
    states = [ligament.MjData(model) for _ in range(5)]
    run(states[0])
    threads = [threading.Thread(target=run, args=(data,)) for data in states[1:]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for data in states[1:]:
        assert np.array_equal(data.qpos, states[0].qpos) and np.array_equal(data.qvel, states[0].qvel)


def stepping(model, data, work):
    """Calls ``work`` while another thread steps; retries until it met the step."""
    outcomes = []
    stop = threading.Event()

    def step():
        while not stop.is_set():
            try:
                ligament.mj_step(model, data, 500)
            except RuntimeError as error:
                assert "in another thread" in str(error)
    thread = threading.Thread(target=step)
    thread.start()
    for _ in range(5000):
        outcomes.append(work())
        if outcomes[-1] is not None:
            break
    stop.set()
    thread.join()
    return outcomes[-1]


@pytest.mark.parametrize("work", [
    lambda m, d: ligament.mj_forward(m, d), lambda m, d: d.efc_J, lambda m, d: d.contact.dist,
    lambda m, d: ligament.mj_fullM(m, np.zeros((m.nv, m.nv)), d.qM) or ligament.mj_jacBody(
        m, d, np.zeros((3, m.nv)), None, 1),
    lambda m, d: ligament.mj_resetData(m, d), lambda m, d: ligament.MjData(m)._assign(d),
], ids=["step", "rows", "contacts", "functions", "reset", "copy"])
def test_a_second_user_of_a_state_is_refused(work):
    (model, data), _ = models.both("contacts")

    def attempt():
        try:
            work(model, data)
        except RuntimeError as error:
            return str(error)
        return None
    assert stepping(model, data, attempt) == "the data is being used by mj_step in another thread"


def test_a_model_in_use_is_not_changed_as_a_whole():
    (model, data), _ = models.both("contacts")
    other = ligament.MjData(model)

    def attempt():
        try:
            ligament.mj_setConst(model, other)
        except RuntimeError as error:
            return str(error)
        return None
    assert "the model is being used by mj_step" in stepping(model, data, attempt)


def test_fixed_arrays_and_settings_can_be_read_and_written_at_any_time():
    """As in the reference: a viewer reads poses and time, a user changes gravity, while the simulation runs."""
    (model, data), _ = models.both("contacts")
    stop = threading.Event()
    thread = threading.Thread(target=lambda: [ligament.mj_step(model, data, 50) for _ in iter(stop.is_set, True)])
    thread.start()
    try:
        for i in range(200):
            assert data.qpos.shape == (model.nq,) and data.xpos.shape == (model.nbody, 3)
            assert data.time >= 0 and data.ncon >= 0 and data.nefc >= 0
            data.ctrl[:] = 0
            model.opt.gravity[2] = -9.81 - 0.001 * (i % 2)
            assert model.opt.timestep > 0 and model.geom_size.shape == (model.ngeom, 3)
    finally:
        stop.set()
        thread.join()


def test_interrupts_reach_a_long_call():
    """Ctrl-C ends mj_step with many steps."""
    code = textwrap.dedent("""
        import signal, ligament
        model = ligament.MjModel.from_xml_string('<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>')
        data = ligament.MjData(model)
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        try:
            ligament.mj_step(model, data, 2**31 - 1)
        except KeyboardInterrupt:
            print("interrupted")
    """)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert result.stdout == "interrupted\n", result.stderr


def test_other_interpreters_are_refused():
    """The package lives in one interpreter of a process; others get an ImportError, not a crash."""
    code = textwrap.dedent("""
        try:
            import _interpreters as interpreters
        except ImportError:
            import _xxsubinterpreters as interpreters
        import ligament
        other = interpreters.create()
        try:
            error = interpreters.run_string(other, "import ligament._core")
            assert error is not None
        except Exception as error:
            assert "ImportError" in str(error) or "interpreter" in str(error), error
        print("refused")
    """)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert result.stdout == "refused\n", (result.stdout, result.stderr)


def in_threads(work, count=8):
    """Runs something in threads that start together; gives the exceptions."""
    errors, together = [], threading.Barrier(count)

    def run(number):
        together.wait()
        try:
            work(number)
        except Exception as error:  # noqa: BLE001  whatever it is, it is looked at
            errors.append(error)
    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def test_threads_look_elements_up_by_name_at_the_same_time():
    """Views of elements are made when they are first asked for, by whichever thread comes first."""
    (model, data), _ = models.both("contacts")
    names = [model.body(i).name for i in range(model.nbody)]

    def look(number):
        for _ in range(200):
            for i, name in enumerate(names):
                if name:
                    assert model.body(name).id == i and data.body(name).xpos.shape == (3,)
                assert model.geom(number % model.ngeom).id == number % model.ngeom
    assert not in_threads(look)


def test_threads_read_contacts_at_the_same_time():
    (model, data), _ = models.both("contacts")
    ligament.mj_step(model, data, 200)
    expected = [contact.dist for contact in data.contact]
    assert expected

    def read(_):
        for _ in range(200):
            assert [contact.dist for contact in data.contact] == expected
            assert list(data.contact.dist) == expected
    assert not in_threads(read)


def test_threads_set_and_remove_callbacks_at_the_same_time():
    def toggle(number):
        for i in range(200):
            ligament.set_mjcb_passive((lambda m, d: None) if (i + number) % 2 else None)
            ligament.get_mjcb_passive()
    try:
        assert not in_threads(toggle)
    finally:
        ligament.set_mjcb_passive(None)
    assert ligament.get_mjcb_passive() is None


def test_threads_make_and_drop_models_at_the_same_time():
    xml = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"

    def live(_):
        for _ in range(20):
            model = ligament.MjModel.from_xml_string(xml)
            data = ligament.MjData(model)
            ligament.mj_step(model, data)
            kept = data.qpos
            del model, data
            assert kept.shape == (7,)
    assert not in_threads(live)


def test_a_callback_may_remove_callbacks_when_it_is_dropped():
    """What a destructor does to the callbacks happens after the replacement, not in the middle of it."""
    calls = []

    class Last:
        def __call__(self, m, d):
            pass

        def __del__(self):
            calls.append("dropped")
            ligament.set_mjcb_passive(None)
    ligament.set_mjcb_passive(Last())
    ligament.set_mjcb_passive(lambda m, d: None)
    assert calls == ["dropped"]
    assert ligament.get_mjcb_passive() is None
    ligament.set_mjcb_passive(None)


def test_pythons_without_the_lock_are_told_so():
    """They cannot load a module of the stable interface; the error says what to do."""
    code = textwrap.dedent("""
        import sys, sysconfig
        plain = sysconfig.get_config_var
        sysconfig.get_config_var = lambda name: 1 if name == "Py_GIL_DISABLED" else plain(name)
        sys.modules["ligament._core"] = None    # as where the file is not found
        try:
            import ligament
        except ImportError as error:
            print(error)
    """)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert "without the interpreter lock" in result.stdout and "pip install ." in result.stdout, result.stderr


def test_threads_of_a_step_can_be_set():
    model = ligament.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    data = ligament.MjData(model)
    assert data.threads == 1
    data.threads = 2
    assert data.threads == 2
    ligament.mj_step(model, data)
    for wrong, kind in ((0, ValueError), (10**6, ValueError), (-1, OverflowError), ("x", TypeError)):
        with pytest.raises(kind):
            data.threads = wrong
    assert data.threads == 2
