"""Detect spam: scikit-learn converts words to features, and a perceptron classifies them."""

# %% [markdown]
# Without an argument, it uses generated messages. It also reads a file with lines `label<TAB>text`,
# such as the SMS Spam Collection of the UCI repository: `python text.py SMSSpamCollection`.

# %%
import random
import sys
import warnings
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import HashingVectorizer, TfidfVectorizer
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline

from rosenblatt import Perceptron

PLAIN = "are you home for dinner tonight | call me after the meeting | see you at the station | \
thanks for the lovely evening | can you win the match on sunday | the doctor is free on monday"
SPAM = "you have won a free prize call now | claim your cash prize today | urgent your free ticket \
is waiting | reply now to win cash | free entry in our prize draw | call this number to claim"
COMMON = "please hello today now maybe really soon thanks call ok later friend week time"


def made(count: int) -> tuple[list[str], list[str]]:
    """Return messages of one phrase and some common words, with 2% label noise."""
    chance = random.Random(7)
    labels = [chance.choice(["ham", "ham", "ham", "spam"]) for _ in range(count)]
    phrases = {"ham": PLAIN.split(" | "), "spam": SPAM.split(" | ")}
    texts = []
    for label in labels:
        words = chance.choice(phrases[label]).split() + chance.choices(COMMON.split(), k=5)
        texts.append(" ".join(chance.sample(words, k=len(words) - 3)))
    flip = {"ham": "spam", "spam": "ham"}
    return texts, [flip[label] if chance.random() < 0.02 else label for label in labels]


if len(sys.argv) > 1:
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    labels, texts = zip(*(line.split("\t", 1) for line in lines), strict=True)
else:
    texts, labels = made(1500)
train, test, y, y_test = train_test_split(
    texts, labels, test_size=0.25, random_state=0, stratify=labels
)
print(f"{len(train):,} messages to learn from, {len(test):,} to test")

# %% [markdown]
# With wrong labels, a run may never converge. The last weights then follow the latest examples, and
# the average of all weights is the better model.

# %%
warnings.simplefilter("ignore", ConvergenceWarning)  # that mistakes remain is expected here
for keep in ("last", "average"):
    learner = Perceptron(keep=keep, max_iter=20)
    model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), learner).fit(train, y)
    print(f"{keep:8} {model.score(test, y_test):.1%} of the test right")

# %% [markdown]
# Each weight belongs to a word.

# %%
names = model[0].get_feature_names_out()
order = np.argsort(model[-1].coef_[0])
print("most spam:", ", ".join(names[order[:-7:-1]]))
print("most ham: ", ", ".join(names[order[:6]]))

# %% [markdown]
# Hashing needs no dictionary, so new words need no new fit.

# %%
hashed = make_pipeline(HashingVectorizer(n_features=2**16), Perceptron(keep="average", max_iter=20))
print(f"hashed   {cross_val_score(hashed, texts, labels, cv=4).mean():.1%} right, of four folds")
