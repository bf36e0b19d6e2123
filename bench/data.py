"""The data of the bench: seeded, of the shapes that others were measured on. What is there already is used again."""

import numpy as np

WORDS, DRAWS = 50_000, 79  # features of the text set, and how many words a row draws
MARGIN = 0.05
# How a table spells its numbers: what follows the set's name in that of the file, the form in words, the separator, a cell.
FORMS = [
    ("", "six decimals", ",", lambda row, column, x: repr(round(x, 6))),
    ("-17", "17 digits", ",", lambda row, column, x: repr(x)),
    ("-e18", "`%.18e`", ",", lambda row, column, x: f"{x:.18e}"),
    ("-time", "a column of timestamps", ",", lambda row, column, x: repr(round(x, 6)) if column else str(1_700_000_000 + 37 * row)),
    ("-blank", "`, `", ", ", lambda row, column, x: repr(round(x, 6))),
]


def dense(folder, name, rows, features, noise, seed, forms=()):
    """Normal features in single precision; the sign of a random direction, turned over for a share of the rows. Without
    noise, rows nearer to the hyperplane than MARGIN are moved away from it."""
    draw = np.random.default_rng(seed)
    direction = draw.normal(size=features)
    direction /= np.linalg.norm(direction)
    x = draw.normal(size=(rows, features))
    distance = x @ direction
    side = np.where(distance >= 0, 1.0, -1.0)
    if not noise:
        near = np.abs(distance) < MARGIN
        x[near] += MARGIN * side[near, None] * direction
    y = np.where(draw.random(rows) < noise, -side, side)
    x = x.astype("<f4")
    np.save(folder / f"{name}-x.npy", x)
    np.save(folder / f"{name}-y.npy", y)
    for suffix, _, separator, cell in forms:
        with open(folder / f"{name}{suffix}.csv", "w") as file:
            file.write(separator.join(["label", *(f"f{j}" for j in range(features))]) + "\n")
            for i, row in enumerate(x):
                cells = (cell(i, j, value) for j, value in enumerate(row.tolist()))
                file.write(separator.join([f"{y[i]:g}", *cells]) + "\n")


def text(folder, rows):
    """Rows like texts: few of many words, the probability of a word falling with its rank as 1/(rank + 20); counts weighted
    by tf-idf, rows of length 1; the sign of a random direction of which nine in ten entries are 0, 3 % turned over."""
    draw = np.random.default_rng(5)
    words = draw.permutation(WORDS)
    low, high = np.log(20), np.log(20 + WORDS)
    indices, counts, offsets = [], [], [0]
    for _ in range(rows):
        ranks = np.exp(low + (high - low) * draw.random(DRAWS)) - 20
        drawn, times = np.unique(words[np.minimum(ranks.astype(int), WORDS - 1)], return_counts=True)
        indices.append(drawn)
        counts.append(times + draw.geometric(0.7, len(drawn)) - 1)
        offsets.append(offsets[-1] + len(drawn))
    offsets, indices, counts = np.array(offsets), np.concatenate(indices), np.concatenate(counts)
    idf = np.log((1 + rows) / (1 + np.bincount(indices, minlength=WORDS))) + 1
    values = (1 + np.log(counts)) * idf[indices]
    values = np.round(values / np.repeat(np.sqrt(np.add.reduceat(values**2, offsets[:-1])), np.diff(offsets)), 6)
    direction = draw.normal(size=WORDS) * (draw.random(WORDS) < 0.1)
    scores = np.add.reduceat(values * direction[indices], offsets[:-1])
    y = np.where((scores >= np.median(scores)) != (draw.random(rows) < 0.03), 1.0, -1.0)
    for part, array in (("offsets", offsets.astype("<i8")), ("indices", indices.astype("<i4")), ("values", values), ("y", y)):
        np.save(folder / f"text-{part}.npy", array)
    for name, head in (("text.svm", "{:+g}"), ("text.vw", "{:g} |")):
        with open(folder / name, "w") as file:
            for i, label in enumerate(y):
                span = slice(offsets[i], offsets[i + 1])
                cells = (f" {j + 1}:{v!r}" for j, v in zip(indices[span].tolist(), values[span].tolist()))
                file.write(head.format(label) + "".join(cells) + "\n")


def pixels(folder, name, rows, seed):
    """Pictures like handwritten figures: ten shapes of strokes, each time bent, shifted and noisy; the class is whether the
    number of the shape is even. Of 784 pixels about a third are not 0."""
    shapes = np.random.default_rng(6).uniform([0.15, 0.08], [0.85, 0.92], (10, 6, 2))
    draw = np.random.default_rng(seed)
    at = np.stack(np.meshgrid(np.arange(28), np.arange(28)), -1).reshape(-1, 1, 2)
    kinds = draw.integers(10, size=rows)
    x = np.empty((rows, 784), "<f4")
    for row, kind in enumerate(kinds):
        corners = 24 * (shapes[kind] + 0.07 * draw.normal(size=(6, 2))) + 4 * draw.random(2)
        start, line = corners[:-1], np.diff(corners, axis=0)
        along = np.clip(((at - start) * line).sum(-1) / np.maximum((line**2).sum(-1), 1e-9), 0, 1)
        distance = np.linalg.norm(at - start - along[..., None] * line, axis=-1).min(1)
        ink = np.minimum(1.5 - distance / 2.8, 1)
        x[row] = np.round(np.where(ink > 0, np.clip(ink + 0.15 * draw.normal(size=784), 0, 1), 0), 4)
    np.save(folder / f"{name}-x.npy", x)
    np.save(folder / f"{name}-y.npy", np.where(kinds % 2 == 0, 1.0, -1.0))


def make(folder, smaller):
    """Makes what is missing, every set with a so many times smaller number of rows."""
    sets = {
        "wide": lambda name: dense(folder, name, 20_000 // smaller, 2_000, 0, 1),
        "separable": lambda name: dense(folder, name, 100_000 // smaller, 100, 0, 1),
        "long": lambda name: dense(folder, name, 1_000_000 // smaller, 28, 0.1, 2, FORMS[:1]),
        "forms": lambda name: dense(folder, name, 100_000 // smaller, 28, 0.1, 8, FORMS),
        "clear": lambda name: dense(folder, name, 1_000_000 // smaller, 28, 0, 7),
        "text": lambda name: text(folder, 200_000 // smaller),
        "pixels": lambda name: pixels(folder, name, 10_000 // smaller, 3),
        "pixels-test": lambda name: pixels(folder, name, 10_000 // smaller, 4),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, write in sets.items():
        finished = folder / f"{name}.finished"
        if not finished.exists():
            print("making the set", name)
            write(name)
            finished.touch()
