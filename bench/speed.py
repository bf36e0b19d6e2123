"""Speed: ours, that of other tools and the machine's own, on the same work in one run.

    speed.py [--quick] [--accept-losses] [NAME...]

Data and other tools are made once, under target/bench. Every figure is a median of several runs, in which all contenders take
turns. A model that is wrong about too many rows fails the bench. A whole run writes the figures into docs/performance.md,
between two marks, and into the file of its processor in record/; with --quick (a tenth of the rows, one round) or with names
nothing is written. Nor is it if a goal is missed that the last run on this kind of processor reached, unless
--accept-losses is given.
"""

import json
import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "target/bench"
PYTHON, PEERS = HOME / "venv/bin/python", ROOT / "bench/peers.py"
PACKAGES = ["numpy", "scipy", "scikit-learn", "polars", "vowpalwabbit", "liblinear-official", "matplotlib", "maturin>=1.9,<2"]
COMMAND = ROOT / "target/release/rosenblatt"
# One pass in the order of the file, as the others make it.
ONE_PASS = "--epochs 1 --order given --no-compare --keep last --scale none --quiet".split()
ROUNDED = "a loop with rounded sums"
WEKA = 22.0  # seconds that Weka's voted perceptron took for work of the kernel's shape when the goal was set
QUICK = "--quick" in sys.argv
SMALLER, ROUNDS = (10, 1) if QUICK else (1, 5)
DATA = HOME / ("data-quick" if QUICK else "data")
# Of a child the system counts the memory of its parent at birth too, so the parent is a small process.
MEASURE = """import json, resource, subprocess, sys, time
start = time.perf_counter()
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
wall, use = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
memory = use.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
print(json.dumps({"cpu": use.ru_utime + use.ru_stime, "wall": wall, "memory": memory}))
sys.exit(code)"""


def lines(words, **more):
    """The lines of JSON that a program prints."""
    done = subprocess.run([str(word) for word in words], capture_output=True, cwd=ROOT, **more)
    if done.returncode:
        raise RuntimeError((done.stderr.decode().strip() or "it failed and said nothing").splitlines()[-1])
    return [json.loads(line) for line in done.stdout.decode().splitlines() if line.startswith("{")]


def child(*words, feed=None):
    """Runs a program, whose output is thrown away, and tells what it took."""
    return lines([sys.executable, "-S", "-E", "-c", MEASURE, *words], input=feed)[-1]


def peer(task, seed=0):
    return lines([PYTHON, PEERS, task, DATA, seed])[-1]


def cargo_bench(name, *words):
    return lines(["cargo", "bench", "--quiet", "--package", "rosenblatt-core", "--bench", name, "--", *words])


def train(file, threads, *more):
    return child(COMMAND, "train", DATA / file, *ONE_PASS, *more, "--threads", threads, "-o", DATA / "ours.model")


def predict(file, labels, threads):
    import numpy as np

    out = DATA / "ours.labels"
    said = child(COMMAND, "predict", DATA / "ours.model", DATA / file, "--threads", threads, "-o", out)
    return {**said, "errors": float((np.loadtxt(out) != np.load(DATA / labels)).mean())}


def checked(file, labels, threads, *more):
    """Trains, and lets the model predict outside of the time."""
    said = train(file, threads, *more)
    return {**said, "errors": predict(file, labels, 1)["errors"]}


class Outcome:
    """All runs of one contender, or why there are none."""

    def __init__(self, name):
        self.name, self.runs, self.failure = name, [], None

    def run(self, work):
        if self.failure is None:
            try:
                self.runs.append(work())
            except (RuntimeError, OSError, LookupError, ValueError) as why:
                # The page and the record name no place of this machine.
                self.failure = str(why).replace(str(ROOT), ".")[:160]

    def __getattr__(self, figure):
        """The median of a figure."""
        figures = [run[figure] for run in self.runs if figure in run]
        return median(figures) if figures and self.failure is None else None

    def record(self):
        runs = [{"memory_mib" if key == "memory" else key: value for key, value in run.items()} for run in self.runs]
        return {"name": self.name, "runs": runs, **({"failure": self.failure} if self.failure else {})}


def compare(**contenders):
    """Lets all run in turns; `names_like_this` are read with blanks."""
    outcomes = [Outcome(name) for name in contenders]
    for seed in range(ROUNDS):
        for outcome, work in zip(outcomes, contenders.values()):
            outcome.run(lambda work=work, seed=seed: work(seed))
    return outcomes


def ratio(a, b):
    return None if a is None or b is None else a / b


def at_most(bound, unit, text, value):
    reached = None if value is None else value <= bound
    return {"goal": text, "value": value, "unit": unit, "reached": reached, "bound": bound}


def at_least(bound, text, value):
    return {**at_most(bound, "×", text, value), "reached": None if value is None else value >= bound}


def less(bound, other, ours, whole=False):
    """A tool must take so many times more than ours; `whole`: with its imports."""
    theirs = (whole and other.process) or other.cpu
    return at_least(bound, f"≥ {bound:g} × less than {other.name}", ratio(theirs, ours.cpu))


def row(id, work, ours, others=(), goals=(), **more):
    return {"id": id, "work": work, "ours": ours, "others": list(others), "goals": list(goals), **more}


def size(file):
    return f"{(DATA / file).stat().st_size / 1e6:.0f} MB"


def rows_of(rows):
    return f"{rows // SMALLER:,}"


def memory_goals(one, two):
    goals = ((one, "one thread"), (two, "two threads"))
    return [at_most(48, "MiB", f"memory ≤ 48 MiB with {threads}", outcome.memory) for outcome, threads in goals]


def text():
    file, labels = "text.svm", "text-y.npy"
    wc, one, p1, two, p2, *others = compare(**{
        "`wc -l`": lambda _: child("wc", "-l", DATA / file),
        "one thread": lambda _: checked(file, labels, 1),
        "predict, one thread": lambda _: predict(file, labels, 1),
        "two threads": lambda _: checked(file, labels, 2),
        "predict, two threads": lambda _: predict(file, labels, 2),
        "scikit-learn": lambda _: peer("text-sklearn"),
        "LIBLINEAR": lambda _: peer("text-liblinear"),
        "Vowpal Wabbit": lambda _: peer("text-vw"),
        "Vowpal Wabbit, from its cache": lambda _: peer("text-vw-cache"),
        "the plainest pass": lambda _: cargo_bench("pass", "libsvm", DATA / file)[0],
    })
    sklearn, liblinear, vw, _, plain = others
    goals = [at_most(1.4, "×", "≤ 1.4 × the plainest pass", ratio(one.cpu, plain.cpu)), less(20, sklearn, one, True)]
    goals += [less(20, liblinear, one, True), less(4.5, vw, one, True), *memory_goals(one, two)]
    goals.append(at_most(0.65, "×", "wall-clock time with two threads ≤ 0.65 of one thread's", ratio(two.wall, one.wall)))
    note = "The plainest pass reads, parses and learns without checks, exact decisions, average or report (`crates/rosenblatt-core/benches/pass.rs`). LIBLINEAR's package has solvers in C and a reader in Python; here scikit-learn's C reads the file for it. It makes one pass (`-s 3 -e 1000`). Vowpal Wabbit reads its own text format."
    work = f"LIBSVM file of {size(file)} → model, one pass"
    yield row("text", work, [one, two], others, goals, limit=(wc.name, wc.cpu), worst=0.3, alike=("scikit-learn", 0.05), note=note)
    goal = at_most(1.3, "×", "≤ 1.3 × the time of training", ratio(p1.cpu, one.cpu))
    yield row("predict", "the same file, predictions to a file", [p1, p2], (), [goal], worst=0.3)


def table():
    file, labels, target = "long.csv", "long-y.npy", ("--target", "label")
    wc, one, two, polars, plain = compare(**{
        "`wc -l`": lambda _: child("wc", "-l", DATA / file),
        "one thread": lambda _: checked(file, labels, 1, *target),
        "two threads": lambda _: checked(file, labels, 2, *target),
        "polars and scikit-learn": lambda _: peer("table"),
        "the plainest pass": lambda _: cargo_bench("pass", "csv", DATA / file)[0],
    })
    goals = [at_most(1.2, "×", "≤ 1.2 × the plainest pass", ratio(one.cpu, plain.cpu)), less(10, polars, one, True)]
    work = f"CSV file of {size(file)} → model, one pass"
    more = {"limit": (wc.name, wc.cpu), "worst": 0.4, "alike": ("polars", 0.1)}
    yield row("table", work, [one, two], [polars, plain], [*goals, *memory_goals(one, two)], **more)


def forms():
    from data import FORMS

    files = {words: f"forms{suffix}.csv" for suffix, words, *_ in FORMS}
    ours = compare(**{words: lambda _, file=file: train(file, 1, "--target", "label") for words, file in files.items()})
    each = [ratio(outcome.cpu, (DATA / file).stat().st_size) for outcome, file in zip(ours, files.values())]
    goals = [at_most(2, "×", f"{words}: ≤ 2 × the CPU per byte of six decimals", ratio(cpu, each[0])) for words, cpu in list(zip(files, each))[1:]]
    yield row("forms", "CSV files with numbers in several forms → model, one pass", ours, (), goals)


def in_memory(set, work, orders, worst, alike, note=None):
    """Epochs over the same arrays, through the bench of the engine: a row for each order."""
    read, found = Outcome("read"), {order: [Outcome(name) for name in ("one thread", "scikit-learn", ROUNDED)] for order in orders}
    for seed in range(ROUNDS):
        said = {line["work"]: line for line in cargo_bench("epochs", "--files", DATA, set, seed)}
        read.run(lambda: said["read"])
        for order, (ours, sklearn, plain) in found.items():
            ours.run(lambda: said[order])
            sklearn.run(lambda: peer(f"{set}-{order}", seed))
            plain.run(lambda: said[f"plain {order}"])
    for order, (ours, *others) in found.items():
        more = ratio(ours.epoch, others[1].epoch)
        goal = at_most(10, "%", "≤ 10 % more than a plain loop with rounded sums, which does not scan ahead", more and 100 * (more - 1))
        name = f"{work}, {'file order' if order == 'given' else 'shuffled'}" if len(orders) > 1 else work
        more = {"limit": ("reading the values once", read.cpu), "values": read.values, "worst": worst, "alike": ("scikit-learn", alike), "note": note}
        yield row(set.split("-")[0], name, [ours], others, [goal], **more)


def wide():
    for width in ("f32", "f64"):
        given, shuffled = in_memory(f"wide-{width}", f"in memory, {width}, {rows_of(20_000)} × 2,000, three epochs", ("given", "shuffle"), 0.2, 0.1)
        first, second = given["ours"][0].epoch, shuffled["ours"][0].epoch
        given["goals"].insert(0, at_most(1.4, "×", "≤ 1.4 × reading the array at one thread's rate", ratio(first, given["limit"][1])))
        shuffled["goals"].insert(0, at_most(1.5, "×", "≤ 1.5 × file order", ratio(second, first)))
        yield from (given, shuffled)


def long():
    work = f"in memory, f32, {rows_of(1_000_000)} × 28, 10 % label noise, five epochs, shuffled"
    for one in in_memory("long", work, ("shuffle",), 0.45, 0.2):
        one["goals"].insert(0, less(5, one["others"][0], one["ours"][0]))
        yield one


def sparse():
    # The last weights of noisy rows jump with the bias, which scikit-learn damps for sparse rows.
    pair = in_memory("sparse", "in memory, the text set, five epochs", ("given", "shuffle"), 0.42, 0.3)
    for one, (bound, times) in zip(pair, ((1.6, 3), (2.2, 4))):
        each = ratio(one["ours"][0].epoch, one["values"])
        goal = at_most(bound, "ns", f"≤ {bound} ns per value and epoch", each and 1e9 * each)
        one["goals"][:0] = [goal, less(times, one["others"][0], one["ours"][0])]
        yield one


def separable():
    note = "Each tool has its own orders and number of epochs; whole runs are compared."
    work = f"in memory, f32, {rows_of(100_000)} × 100, to zero mistakes, shuffled"
    for one in in_memory("separable", work, ("shuffle",), 0, 0, note):
        one["goals"].insert(0, less(10, one["others"][0], one["ours"][0]))
        yield one


def kernel():
    (ours,) = compare(**{"one thread": lambda seed: cargo_bench("epochs", "--files", DATA, "kernel", seed)[0]})
    n = rows_of(10_000)
    note = "The bench does not install Weka: 22 s is the CPU time of its voted perceptron for work of this shape when the goal was set, on two cores of Zen 5."
    goal = at_least(35, f"≥ 35 × less than Weka's {WEKA:g} s", ratio(WEKA, ours.cpu))
    yield row("kernel", f"in memory, voted, {n} × 784, kernel (1 + x·z)⁴, one epoch and {n} predictions", [ours], (), [goal], worst=0.15, note=note)


def python():
    wheels = HOME / "wheels"
    maturin = [PYTHON, "-m", "maturin", "build", "--quiet", "--release", "--manifest-path", "python/Cargo.toml", "--out", wheels]
    for old in wheels.glob("*.whl"):
        old.unlink()
    subprocess.run(maturin, cwd=ROOT, check=True)
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", *wheels.glob("*.whl")], check=True)

    def both(task):
        return compare(**{"Python": lambda seed: peer(f"{task} rosenblatt", seed), "scikit-learn": lambda seed: peer(f"{task} scikit-learn", seed)})

    clear = "In Python, times of both begin after the imports and leave out what loads the arrays. A fit is asked for five epochs; ours ends at the first without a mistake, where scikit-learn without a tolerance goes on."
    for set, which, worst, note in (("long", "10 % label noise", 0.45, None), ("clear", "separable with a margin", 0.01, clear)):
        ours, sklearn = both(f"fit {set}")
        work = f"Python, `Perceptron.fit`, f32, {rows_of(1_000_000)} × 28, {which}"
        yield row("python", work, [ours], [sklearn], [less(5, sklearn, ours)], worst=worst, alike=("scikit-learn", 0.2), note=note)
    ours, sklearn = both("read text")
    # Of the four arrays none may differ from what was written.
    yield row("python", "Python, the LIBSVM file → CSR matrix", [ours], [sklearn], [less(12, sklearn, ours)], worst=0)
    who = {"Python": "rosenblatt", "the same process without the fit": "nobody", "scikit-learn": "scikit-learn"}
    ours, *others = compare(**{name: lambda seed, w=w: child(PYTHON, PEERS, f"memory long {w}", DATA, seed) for name, w in who.items()})
    more = None if None in (ours.memory, others[0].memory) else ours.memory - others[0].memory
    goal = at_most(32, "MiB", "memory of the fit ≤ 32 MiB more than the arrays", more)
    yield row("python", f"Python, a process that fits f32, {rows_of(1_000_000)} × 28", [ours], others, [goal])


def cold():
    goal = at_most(90, "s", "≤ 90 s wall-clock time", None)
    yield row("cold", "README's first command on a fresh clone, cold, two idle cores", [], (), [goal], note="The first command is measured by hand, on a fresh clone.")


def growth():
    """The files of the other works, their beginnings, and the same rows again, through standard input."""
    for name, file, head, more in (
        ("LIBSVM, 77 entries per row", "text.svm", 0, ("--format", "libsvm")),
        ("CSV, 28 columns", "long.csv", 1, ("--target", "label")),
    ):
        all_lines, points = (DATA / file).read_bytes().splitlines(keepends=True), []
        for rows in (size // SMALLER for size in (2_000, 20_000, 200_000, 2_000_000)):
            body = b"".join(all_lines[head : head + rows])
            times = -(-rows // min(rows, len(all_lines) - head))
            feed = b"".join(all_lines[:head]) + body * times
            (ours,) = compare(ours=lambda _: child(COMMAND, "train", "-", *ONE_PASS, *more, "--threads", 1, feed=feed))
            points.append({"rows": rows, "cpu": ours.cpu, "memory_mib": ours.memory})
        few, most = points[1], points[-1]  # The least size is mostly the beginning of a program, the same for all.
        time = ratio(ratio(most["cpu"], most["rows"]), ratio(few["cpu"], few["rows"]))
        goals = [at_most(1.2, "×", "linear time: per row, all rows ≤ 1.2 × a hundredth of them", time)]
        goals.append(at_most(1.2, "×", "constant memory: all rows ≤ 1.2 × a hundredth of them", ratio(most["memory_mib"], few["memory_mib"])))
        yield row("growth", f"growth, {name}, one pass from standard input", [], (), goals, growth=points)


WORKS = [text, table, forms, wide, long, sparse, separable, kernel, python, cold, growth]


def complaints(one):
    """What is wrong with the models; of a part of the data less is learned."""
    main = one["ours"][0] if one["ours"] else None
    yield from (f"{one['id']}: {it.name}: {it.failure}" for it in one["ours"] if it.failure)
    worst = one.get("worst")
    for it in [*one["ours"], *one["others"]]:
        if it.errors is not None and worst is not None and it.errors > (max(worst, 0.45) if QUICK and worst else worst):
            yield f"{one['id']}: {it.name} is wrong about {it.errors}"
        name, within = one.get("alike") or (None, 0)
        if name and it.name.startswith(name) and None not in (it.errors, main.errors) and abs(it.errors - main.errors) > within:
            yield f"{one['id']}: {it.errors} wrong by {it.name}, {main.errors} by us"
        # Rounding decides hardly a visit otherwise.
        if it.name == ROUNDED and None not in (it.updates, main.updates) and abs(it.updates - main.updates) > 0.01 * main.updates:
            yield f"{one['id']}: {main.updates} updates, {it.updates} by the rounded loop"


def seconds(value):
    return "" if value is None else f"{value:.4f}" if value < 0.1 else f"{value:.3f}" if value < 1 else f"{value:.2f}"


def goals_table(rows):
    text = "| work | target | result | reached |\n|---|---|---|---|\n"
    for one in rows:
        for i, goal in enumerate(one["goals"]):
            value, result = goal["value"], "not measured"
            if value is not None:
                # As many digits as it takes to be seen on the right side of the bound.
                shown = (f"{value:.{digits}f}" for digits in range(1 if goal["bound"] >= 10 else 2, 9))
                result = f"{next((it for it in shown if value == goal['bound'] or float(it) != goal['bound']), value)} {goal['unit']}"
            reached = {None: "", True: "yes", False: "**no**"}[goal["reached"]]
            text += f"| {one['work'] if i == 0 else ''} | {goal['goal']} | {result} | {reached} |\n"
    return text


def figures_table(rows):
    text = "| work | who | CPU, s | wall, s | ns | × | memory, MiB | wrong |\n|---|---|--:|--:|--:|--:|--:|--:|\n"
    for one in (one for one in rows if one["ours"]):
        values, main, cells = one.get("values"), one["ours"][0], []
        for it in [*one["ours"], *one["others"]]:
            who = f"**rosenblatt**, {it.name}" if it in one["ours"] else it.name
            if it.failure:
                cells.append([f"{who}: could not run ({it.failure.replace('|', '/')})", *[""] * 6])
                continue
            # In memory the process also loads the arrays, which tells nothing.
            who += f" (with its imports {seconds(it.process)} s)" if it.process and not values else ""
            times = [run["cpu"] for run in it.runs]
            each, over = ratio(it.epoch, values), ratio(it.cpu, main.cpu)
            cells.append([who, f"{seconds(it.cpu)} ({seconds(min(times))} – {seconds(max(times))})", seconds(it.wall),
                          "" if each is None else f"{1e9 * each:.2f}", "" if over is None else f"{over:.{2 if over < 9.95 else 1}f}",
                          "" if it.memory is None else f"{it.memory:.0f}", "" if it.errors is None else f"{100 * it.errors:.1f} %"])
        what, limit = one.get("limit") or (None, None)
        of_limit = ratio(main.epoch if values else main.cpu, limit)
        if of_limit is not None:
            each = f"{1e9 * limit / values:.2f}" if values else ""
            cells.append([f"limit: {what}; ours is {of_limit:.1f} × that", seconds(limit), "", each, "", "", ""])
        text += "".join(f"| {one['work'] if i == 0 else ''} | {' | '.join(line)} |\n" for i, line in enumerate(cells))
    return text


def growth_table(rows):
    text = "| rows from standard input | rows | CPU, s | µs per row | memory, MiB |\n|---|--:|--:|--:|--:|\n"
    for one in rows:
        for i, it in enumerate(one.get("growth", ())):
            text += f"| {one['work'] if i == 0 else ''} | {it['rows']:,} | {seconds(it['cpu'])} | {1e6 * it['cpu'] / it['rows']:.2f} | {it['memory_mib']:.0f} |\n"
    return text


def picture(rows):
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    _, axes = pyplot.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
    for axis, (figure, title) in zip(axes, (("cpu", "Time of the processor, seconds"), ("memory_mib", "Memory, MiB"))):
        for one, colour, mark in zip((one for one in rows if "growth" in one), ("#0072B2", "#D55E00"), "os"):
            points = [(it["rows"], it[figure]) for it in one["growth"]]
            axis.loglog(*zip(*points), color=colour, marker=mark, label=", ".join(one["work"].split(", ")[1:3]))
        axis.set(title=title, xlabel="rows")
        axis.grid(alpha=0.3)
        axis.legend(frameon=False)
    pyplot.savefig(ROOT / "docs/images/growth.svg", metadata={"Date": None})


def machine():
    def field(file, name):
        found = re.search(rf"^{name}\s*:\s*(.*)$", Path(file).read_text() if Path(file).exists() else "", re.MULTILINE)
        return found and found[1]

    family = field("/proc/cpuinfo", "cpu family")
    rustc = subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout.split()[1]
    version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
    return {
        "processor": (field("/proc/cpuinfo", "model name") or platform.machine()) + (f", family {family}" if family else ""),
        "cores": os.cpu_count(),
        "memory_gib": float((field("/proc/meminfo", "MemTotal") or "0 kB").split()[0]) / 2**20,
        "system": f"{platform.system()} {platform.release()}",
        "versions": dict(sorted({**lines([PYTHON, PEERS, "versions"])[-1], "rosenblatt": version, "rustc": rustc}.items())),
    }


def limits():
    """What the machine can do with one thread."""
    found = {}
    for _ in range(ROUNDS):
        for line in cargo_bench("epochs", "--files", DATA, "near", 0):
            found.setdefault(line["work"], []).append(line["rate"])
    return dict(zip(("read_bytes_per_second", "near_f32", "near_f64"), (median(found[work]) for work in ("read", "near f32", "near f64"))))


def lost(last, rows):
    """The goals that the last run on this kind of processor reached and these figures miss."""
    reached = {(one["id"], goal["goal"]) for one in last["rows"] for goal in one["goals"] if goal["reached"]}
    return [f"{one['work']}: {goal['goal']}: now {goal['value']:.3f} {goal['unit']}" for one in rows for goal in one["goals"]
            if goal["reached"] is False and (one["id"], goal["goal"]) in reached]


def write(rows, of, speed, file):
    """The page between its marks, the picture and the record."""
    measured = [goal for one in rows for goal in one["goals"] if goal["value"] is not None]
    page = ROOT / "docs/performance.md"
    begin, end = "<!-- written by `bench/speed.py`: begin -->\n", "<!-- written by `bench/speed.py`: end -->"
    before, rest = page.read_text("utf-8").split(begin, 1)
    old, after = rest.split(end, 1)
    day = time.strftime("%Y-%m-%d", time.gmtime())
    can = f"One thread reads {speed['read_bytes_per_second'] / 1e9:.1f} GB/s of an array of 1 GiB, and makes {speed['near_f32'] / 1e9:.0f} (`f32`) or {speed['near_f64'] / 1e9:.0f} (`f64`) billion multiplications and additions per second on numbers in the L1 cache."
    parts = {
        "## Targets and results": f"{day}: {of['processor']}, {of['cores']} cores, {of['memory_gib']:.0f} GiB, {of['system']}. {can}\n{sum(goal['reached'] for goal in measured)} of {len(measured)} measured goals are reached.\n\n{goals_table(rows)}",
        # The words before the tables and about the method stay.
        "## Figures": old.split("## Figures\n\n", 1)[1].split("| work |", 1)[0] + figures_table(rows) + "\n" + "".join(f"- {one['note']}\n" for one in rows if one.get("note")),
        "## Growth": "![Time and memory over the number of rows](images/growth.svg)\n\n" + growth_table(rows),
        "## How it was measured": old.split("## How it was measured\n\n", 1)[1].split(" All runs are in", 1)[0]
        + f" All runs are in [{file}](../{file}). Versions: " + ", ".join(f"{name} {version}" for name, version in of["versions"].items()) + ".\n",
    }
    page.write_text(before + begin + "".join(f"{head}\n\n{text}\n" for head, text in parts.items()) + end + after, "utf-8")
    picture(rows)
    kept = [{key: value for key, value in one.items() if key in ("id", "work", "goals", "values", "growth") and value is not None}
            | {who: [it.record() for it in one[who]] for who in ("ours", "others")}
            | ({"limit": {"what": one["limit"][0], "cpu": one["limit"][1]}} if "limit" in one else {}) for one in rows]
    (ROOT / file).write_text(json.dumps({"date": day, "machine": of, "limits": speed, "rows": kept}, indent=2, ensure_ascii=False) + "\n", "utf-8")


def prepare():
    """Builds ours, installs the others; this program then goes on in their environment."""
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", HOME / "venv"], check=True)
    if Path(sys.prefix) != HOME / "venv":
        for package in PACKAGES:
            if subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]).returncode:
                print(package, "cannot be installed")
        sys.exit(subprocess.run([PYTHON, *sys.argv]).returncode)
    for words in (["build", "--release", "--package", "rosenblatt-cli"], ["bench", "--no-run", "--package", "rosenblatt-core", "--bench", "epochs"]):
        subprocess.run(["cargo", *words], cwd=ROOT, check=True)
    from data import make

    make(DATA, SMALLER)


def main(names):
    unknown = {*names} - {work.__name__ for work in WORKS}
    if unknown:
        sys.exit(f"{__doc__}\nnames: {' '.join(work.__name__ for work in WORKS)}")
    prepare()
    speed, rows = limits(), []
    for work in WORKS:
        if not names or work.__name__ in names:
            new = list(work())
            print(f"\n== {work.__name__}\n{figures_table(new)}\n{goals_table(new)}", flush=True)
            rows += new
    wrong = [text for one in rows for text in complaints(one)]
    print(*(f"nonsense: {text}" for text in wrong), sep="\n")
    if QUICK or names or wrong:
        print("a part of the bench, a quick one or nonsense: nothing is written")
        return bool(wrong)
    of = machine()
    file = "record/" + "-".join(re.findall("[a-z0-9]+", of["processor"].lower())) + ".json"
    missed = lost(json.loads((ROOT / file).read_text("utf-8")), rows) if (ROOT / file).exists() else []
    print(*(f"lost: {goal}" for goal in missed), sep="\n")
    if missed and "--accept-losses" not in sys.argv:
        return True
    write(rows, of, speed, file)
    return False


if __name__ == "__main__":
    sys.exit(main([word for word in sys.argv[1:] if not word.startswith("--")]))
