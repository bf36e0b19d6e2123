"""Ctrl-C ends long calls and leaves the estimator unchanged; other threads run during a call."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from contextlib import contextmanager

import numpy as np
import pytest
from scipy import sparse

from rosenblatt import (
    KernelPerceptron,
    Perceptron,
    PerceptronCV,
    VotedPerceptron,
    separable,
    study,
)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

needs_a_timer = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="Windows has no timer that sends a signal"
)

# Runs that would take days: the labels are random, so the classes are not separable.
FOR_EVER = 10**9


@contextmanager
def interrupted(seconds: float = 0.1):
    """Sends a signal, like that of Ctrl-C, and expects that it arrives."""

    def handler(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def random_data(examples: int, features: int, classes: int = 2):
    random = np.random.default_rng(0)
    return random.normal(size=(examples, features)), random.integers(0, classes, examples)


SMALL = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 0, 1])


def state_of(model):
    """Returns the state of an estimator, to the last bit."""
    known = {}
    for name, value in vars(model).items():
        if isinstance(value, np.ndarray):
            value = (value.dtype.str, value.shape, value.tolist())
        elif sparse.issparse(value):
            value = value.toarray().tolist()
        elif isinstance(value, dict) and name == "history_":
            value = {key: numbers.tolist() for key, numbers in value.items()}
        elif type(value).__module__ == "rosenblatt._native":
            value = id(value)
        known[name] = value
    return known


LONG = {
    "linear": (Perceptron(), random_data(2000, 20)),
    "many short epochs": (Perceptron(), random_data(4, 1)),
    "one long epoch": (Perceptron(update="pa1:1", keep="average"), random_data(2000, 500)),
    "pocket": (Perceptron(keep="pocket"), random_data(2000, 20)),
    "classes": (Perceptron(), random_data(1000, 20, 50)),
    "sparse": (
        Perceptron(),
        (sparse.random(2000, 500, 0.02, "csr", rng=0), random_data(2000, 1)[1]),
    ),
    "tol": (Perceptron(tol=0, n_iter_no_change=FOR_EVER), random_data(2000, 20)),
    "held out": (
        Perceptron(early_stopping=True, n_iter_no_change=FOR_EVER, validation_fraction=0.3),
        random_data(2000, 20),
    ),
    "folds": (Perceptron(calibrate="platt"), random_data(2000, 20)),
    "folds on three threads": (Perceptron(calibrate="platt", n_jobs=3), random_data(2000, 20)),
    "folds with tol": (
        Perceptron(calibrate="platt", n_jobs=2, tol=0, n_iter_no_change=FOR_EVER),
        random_data(2000, 20),
    ),
    "kernel": (KernelPerceptron("rbf:1", update="margin:1e9"), random_data(600, 20)),
    "kernel on two threads": (
        KernelPerceptron("poly:2", update="margin:1e9", n_jobs=2),
        random_data(600, 20, 3),
    ),
    "large kernel": (KernelPerceptron("rbf:0.1", update="margin:1e9"), random_data(6000, 300)),
    "vote": (VotedPerceptron(), random_data(300, 5)),
    "vote in a kernel": (VotedPerceptron("rbf:1e9", update="margin:1e9"), random_data(500, 20)),
}


@needs_a_timer
@pytest.mark.parametrize("name", LONG)
def test_a_fit_ends_and_leaves_the_estimator(name):
    model, (X, y) = LONG[name]
    model.set_params(max_iter=FOR_EVER)
    with interrupted():
        model.fit(X, y)
    # The estimator is not fitted.
    assert not hasattr(model, "classes_")
    assert not hasattr(model, "report_")


@needs_a_timer
@pytest.mark.parametrize("name", ["linear", "held out", "kernel", "vote"])
def test_what_was_learned_before_remains(name):
    # The number of features must be that of the fit before.
    model, (X, y) = LONG[name]
    model.set_params(max_iter=3)
    model.fit(*(np.tile(part, (6,) + (1,) * (part.ndim - 1)) for part in SMALL))
    before, scores = state_of(model), model.decision_function(SMALL[0]).tolist()
    model.set_params(max_iter=FOR_EVER)
    with interrupted():
        model.fit(X, y)
    assert state_of(model) == {**before, "max_iter": FOR_EVER}
    assert model.decision_function(SMALL[0]).tolist() == scores


@needs_a_timer
def test_a_batch_ends_and_leaves_the_stream():
    # One pass over more examples than the time allows: the rows repeat.
    X, y = random_data(200, 2000)
    model, other = (Perceptron(update="pa", keep="average") for _ in range(2))
    for one in (model, other):
        one.partial_fit(X[:10], y[:10], classes=[0, 1])
    many, labels = np.tile(X, (150, 1)), np.tile(y, 150)
    with interrupted(0.05):
        while True:
            model.partial_fit(many, labels)
            other.partial_fit(many, labels)
    # One of the two can be one batch ahead.
    if model.t_ > other.t_:
        other.partial_fit(many, labels)
    assert model.t_ == other.t_
    assert model.coef_.tobytes() == other.coef_.tobytes()
    assert model.report_ == other.report_
    model.partial_fit(X, y)
    assert model.coef_.tobytes() == other.partial_fit(X, y).coef_.tobytes()


@needs_a_timer
@pytest.mark.parametrize("examples", [400, 4000])
def test_a_search_for_a_separator_ends(examples):
    # With two rows for each feature, separability is hard to decide.
    X, y = random_data(examples, examples // 2)
    with interrupted():
        while True:
            separable(X, y, seconds=1e9)


@needs_a_timer
@pytest.mark.parametrize("jobs", [1, 3])
def test_a_choice_ends(jobs):
    X, y = random_data(2000, 20)
    with interrupted():
        PerceptronCV(Perceptron(max_iter=FOR_EVER), n_jobs=jobs).fit(X, y)


@needs_a_timer
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_study_ends(jobs):
    X, y = random_data(200, 5)
    with interrupted():
        study(X, y, runs=1000, max_iter=FOR_EVER, n_jobs=jobs)


@needs_a_timer
def test_another_signal_interrupts_nothing():
    rung = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        X, y = random_data(500, 10)
        model, expected = Perceptron(max_iter=3000), None
        while len(rung) < 3:
            model.fit(X, y)
            assert expected in (None, model.coef_.tobytes())
            expected = model.coef_.tobytes()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def in_threads(*actions):
    """Runs each action in its own thread, and returns the results."""
    results, start = [None] * len(actions), threading.Barrier(len(actions))

    def run(place, action):
        start.wait()
        results[place] = action()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(actions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.parametrize("name", ["linear", "classes", "held out", "kernel on two threads", "vote"])
def test_threads_do_not_disturb_one_another(name):
    model, (X, y) = LONG[name]
    kind, options = type(model), {**model.get_params(), "max_iter": 5}
    expected = kind(**options).fit(X, y)
    found = in_threads(*[lambda: kind(**options).fit(X, y)] * 3)
    for one in found:
        assert one.report_ == expected.report_
        assert one.decision_function(X).tobytes() == expected.decision_function(X).tobytes()
    # One model predicts in several threads at once.
    scores = in_threads(*[lambda: expected.decision_function(X).tobytes()] * 3)
    assert set(scores) == {expected.decision_function(X).tobytes()}


def test_other_threads_go_on_during_a_fit():
    # Another thread ends the fit after many of its own steps. It could not run before the last epoch if
    # the fit held the interpreter's lock.
    main, steps = threading.get_ident(), []

    def interrupt():
        while not finished.is_set():
            frame = sys._current_frames()[main]
            if frame.f_code.co_name in ("_fit", "_train"):
                steps.append(frame.f_lineno)
                # Again much later: an extension module that looks for an attribute may discard the first one.
                if len(steps) == 1000 or len(steps) % 1_000_000 == 0:
                    _thread.interrupt_main()

    finished = threading.Event()
    X, y = random_data(2000, 20)
    thread = threading.Thread(target=interrupt)
    # A shell starts programs in the background with Ctrl-C ignored, and then `interrupt_main` does nothing.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt):
        thread.start()
        try:
            Perceptron(max_iter=1_000_000).fit(X, y)
        finally:
            was_ended = len(steps) >= 1000
            finished.set()
            thread.join()
            signal.signal(signal.SIGINT, before)
    assert was_ended


def test_one_estimator_is_interrupted_only_by_its_own_thread():
    # Python handles signals in the main thread, so a fit in another thread runs to its end.
    X, y = random_data(300, 5)
    expected = Perceptron(max_iter=50).fit(X, y).coef_.tobytes()
    assert in_threads(lambda: Perceptron(max_iter=50).fit(X, y).coef_.tobytes()) == [expected]
