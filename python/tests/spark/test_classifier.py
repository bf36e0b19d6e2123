"""The classifier of Spark learns what the same shards teach in one process."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pyspark.ml import Pipeline, PipelineModel
from pyspark.ml.evaluation import BinaryClassificationEvaluator, MulticlassClassificationEvaluator
from pyspark.ml.feature import VectorAssembler
from pyspark.ml.linalg import Vectors
from pyspark.ml.tuning import CrossValidator, ParamGridBuilder
from scipy import sparse

from rosenblatt import Perceptron, load
from rosenblatt.mixing import fit_shards, split
from rosenblatt.spark import PerceptronClassifier, PerceptronModel
from rosenblatt.spark._packing import PackedShards

from .conftest import noisy

NAMES = list("abcde")


def table(spark, X, y, **columns):
    frame = pd.DataFrame(X, columns=NAMES[: X.shape[1]])
    return spark.createDataFrame(frame.assign(label=y, **columns))


def vectors(spark, X, y, is_sparse):
    def vector(row):
        places = np.flatnonzero(row)
        return Vectors.sparse(len(row), places, row[places]) if is_sparse else Vectors.dense(row)

    rows = [(vector(row), float(label)) for row, label in zip(X, y, strict=True)]
    return spark.createDataFrame(rows, ["features", "label"])


def assert_same(model: PerceptronModel, native: Perceptron) -> None:
    assert model.native().coef_.tobytes() == native.coef_.tobytes()
    assert model.native().intercept_.tobytes() == native.intercept_.tobytes()
    assert model.native().report_ == native.report_
    assert {name: model.summary[name] for name in native.report_} == native.report_


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("keep", ["average", "last"])
def test_vectors_give_the_model_of_one_process(spark, is_sparse, keep):
    X, y = noisy()
    model = PerceptronClassifier(shards=8, maxIter=2, keep=keep).fit(
        vectors(spark, X, y, is_sparse)
    )
    assert_same(model, fit_shards(split(X, y, 8), max_iter=2, keep=keep))


@pytest.mark.parametrize("is_sparse", [False, True])
def test_columns_far_from_zero_are_scaled(spark, tmp_path, is_sparse):
    """The statistics are those of all rows, and the model has the scaling: in Spark, in a file, and on one machine."""
    X, y = noisy()
    X[:, 0] += 1.7e9
    df = vectors(spark, X, y, is_sparse)
    model = PerceptronClassifier(shards=4, maxIter=3).fit(df)
    assert model.native().scale == "auto"
    native = fit_shards(split(X, y.astype(float), 4), max_iter=3)
    assert_same(model, native)
    model.save(str(tmp_path / "model"))
    read = PerceptronModel.load(str(tmp_path / "model"))
    assert_same(read, native)
    scores = native.decision_function(X)
    for each in (model, read):
        rows = each.transform(df).select("prediction", "rawPrediction").collect()
        assert [row.prediction for row in rows] == native.predict(X).tolist()
        raw = np.array([row.rawPrediction.toArray() for row in rows])
        assert raw.tobytes() == np.column_stack([0 - scores, scores]).tobytes()
    assert native.score(X, y) > 0.8
    for scale in (None, "none"):
        plain = PerceptronClassifier(shards=4, maxIter=3, scale=scale)
        assert plain.getScale() == "none"
        plain.save(str(tmp_path / f"{scale}"))
        plain = PerceptronClassifier.load(str(tmp_path / f"{scale}")).fit(df)
        assert_same(plain, fit_shards(split(X, y.astype(float), 4), max_iter=3, scale=None))
    assert plain.native().scale is None
    assert plain.native().score(X, y) < native.score(X, y)


def test_ten_classes_of_text_weights_and_error_mixing(spark):
    X, y = noisy(classes=10)
    names = np.array([f"class {label}" for label in range(10)])[y]
    weights = np.arange(len(y)) % 3 / 2.0
    df = table(spark, X, names, weight=weights)
    estimator = PerceptronClassifier(
        featuresCols=NAMES, weightCol="weight", shards=4, max_iter=2, mixing="errors"
    )
    model = estimator.fit(df)
    shards = split(X, names, 4, sample_weight=weights)
    native = fit_shards(shards, max_iter=2, mixing="errors")
    assert_same(model, native)
    rows = model.transform(df).select("prediction", "rawPrediction").collect()
    assert [row.prediction for row in rows] == native.predict(X).tolist()
    scores = np.array([row.rawPrediction.toArray() for row in rows])
    assert scores.tobytes() == native.decision_function(X).tobytes()


def test_the_seed_has_the_name_of_both_worlds(spark):
    for name in ("seed", "random_state"):
        assert PerceptronClassifier(**{name: 7}).getSeed() == 7


def test_order_of_rows_files_tasks_and_layout_make_no_difference(spark, tmp_path):
    X, y = noisy()
    native = fit_shards(split(X, y, 8), max_iter=2)
    scrambled = np.random.default_rng(5).permutation(len(y))
    df = table(spark, X[scrambled], y[scrambled])
    for number, (files, tasks) in enumerate([(1, 1), (7, 8)]):
        path = str(tmp_path / f"{number}.parquet")
        df.repartition(files).write.parquet(path)
        estimator = PerceptronClassifier(
            featuresCols=NAMES, shards=8, maxIter=2, tasks=tasks, packDir=str(tmp_path / "packed")
        )
        assert_same(estimator.fit(spark.read.parquet(path)), native)
        assert list((tmp_path / "packed").iterdir()) == []
    arrays = df.selectExpr("array(a, b, c, d, e) AS features", "label = 1 AS label")
    assert_same(
        PerceptronClassifier(shards=8, maxIter=2).fit(arrays),
        fit_shards(split(sparse.csr_matrix(X), y == 1, 8), max_iter=2),
    )


def test_a_column_of_shards(spark):
    X, y = noisy(rows=60)
    shard = np.arange(60) % 3
    df = table(spark, X, y, shard=shard)
    model = PerceptronClassifier(
        featuresCols=NAMES, shardCol="shard", shards=3, maxIter=3, update="pa1:0.5", bias="none"
    ).fit(df)
    shards = split(X, y, 3, shard=shard)
    assert_same(model, fit_shards(shards, max_iter=3, update="pa1:0.5", bias="none"))


def test_a_checkpoint_continues_with_another_number_of_tasks(spark, tmp_path, monkeypatch):
    X, y = noisy()
    df = table(spark, X, y)
    common = {"featuresCols": NAMES, "shards": 8, "checkpointDir": str(tmp_path)}
    jobs = []
    run = PackedShards.run

    def named(self, task, name):
        jobs.append(name)
        return run(self, task, name)

    monkeypatch.setattr(PackedShards, "run", named)
    PerceptronClassifier(**common, maxIter=1, tasks=1).fit(df)
    assert jobs == ["the statistics of the features", "epoch 1", "the evaluation"]
    files = list(tmp_path.iterdir())
    assert len(files) == 1
    state = files[0].read_bytes()
    jobs.clear()
    resumed = PerceptronClassifier(**common, maxIter=3, tasks=4).fit(df)
    assert jobs == ["epoch 2", "epoch 3", "the evaluation"]
    assert_same(resumed, fit_shards(split(X, y, 8), max_iter=3))
    with pytest.raises(ValueError, match="the checkpoint has 3 epochs, more than this run makes"):
        PerceptronClassifier(**common, maxIter=2).fit(df)
    # A damaged file is an error, and another run has another file.
    files[0].write_bytes(state[:-1] + bytes([state[-1] ^ 1]))
    with pytest.raises(ValueError, match="is damaged: its checksum does not match"):
        PerceptronClassifier(**common, maxIter=3).fit(df)
    PerceptronClassifier(**common, maxIter=1, keep="last").fit(df)
    assert len(list(tmp_path.iterdir())) == 2
    jobs.clear()
    PerceptronClassifier(**common, maxIter=1, scale="none").fit(df)
    assert jobs == ["epoch 1", "the evaluation"]
    assert len(list(tmp_path.iterdir())) == 3


def test_files_pipelines_and_evaluators(spark, tmp_path):
    X, y = noisy(rows=200)
    df = table(spark, X, y.astype(float)).cache()
    assembler = VectorAssembler(inputCols=NAMES, outputCol="features")
    classifier = PerceptronClassifier(shards=2, maxIter=1)
    fitted = Pipeline(stages=[assembler, classifier]).fit(df)
    native = fit_shards(split(X, y.astype(float), 2), max_iter=1)
    assert_same(fitted.stages[1], native)
    fitted.write().overwrite().save(str(tmp_path / "pipeline"))
    read = PipelineModel.load(str(tmp_path / "pipeline"))
    assert_same(read.stages[1], native)
    predicted = read.transform(df).cache()
    accuracy = MulticlassClassificationEvaluator(metricName="accuracy").evaluate(predicted)
    assert accuracy == pytest.approx(native.score(X, y))
    assert 0.5 < BinaryClassificationEvaluator().evaluate(predicted) <= 1
    native.save(tmp_path / "model")
    again = PerceptronModel.from_native(load(tmp_path / "model"), featuresCols=NAMES)
    assert again.transform(df).where("prediction = label").count() == accuracy * len(y)
    assert again.coefficients.toArray().tolist() == native.coef_[0].tolist()
    classifier.save(str(tmp_path / "estimator"))
    loaded = PerceptronClassifier.load(str(tmp_path / "estimator"))
    assert (loaded.getShards(), loaded.getMaxIter()) == (2, 1)


def test_cross_validation(spark):
    X, y = noisy(rows=200)
    df = table(spark, X, y.astype(float))
    classifier = PerceptronClassifier(featuresCols=NAMES, shards=2, maxIter=1)
    grid = ParamGridBuilder().addGrid(classifier.keep, ["average", "last"]).build()
    metric = MulticlassClassificationEvaluator(metricName="accuracy")
    validator = CrossValidator(
        estimator=classifier, estimatorParamMaps=grid, evaluator=metric, numFolds=2, seed=1
    )
    found = validator.fit(df)
    assert min(found.avgMetrics) > 0.6
    assert found.bestModel.summary["kept"] in ("average", "last")


BAD = [
    ("label", "a + 0.5", {}, "column 'label' of the labels has fractions, such as -99.5; is it"),
    ("label", "int(a * 9)", {}, "column 'label' of the labels has 1200 classes; is it the target"),
    ("label", "1", {}, "column 'label' of the labels has one class, 1"),
    ("label", "nullif(label, 1)", {}, "column 'label' of the labels has nulls; drop"),
    ("label", "array(1)", {}, "column 'label' of the labels has the type array<int>"),
    ("b", "if(a > 0, null, b)", {}, "column 'b' has nulls; drop these rows with df.na.drop"),
    ("b", "if(a > 0, double('nan'), b)", {}, "column 'b' has values that are NaN or infinite"),
    ("b", "'text'", {}, "column 'b' has the type string, expected numbers; encode text"),
    ("b", "9007199254740993", {}, r"column 'b' has whole numbers past 2\*\*53"),
    ("b", "b", {"featuresCols": ["a", "B"]}, "column 'B' of featuresCols does not exist; "),
    (
        "b",
        "b",
        {"shards": 1000},
        "shards is 1000, but there are only 200 rows; leave out shards",
    ),
    ("b", "b", {"shards": 0}, "shards is 0, expected 1 to 100,000"),
    (
        "b",
        "b",
        {"classes": "together"},
        "classes is 'together', expected one of auto, one-vs-rest, joint",
    ),
    ("b", "b", {"bias": "radius"}, "bias='radius' needs all rows"),
    (
        "b",
        "b",
        {"scale": "standard"},
        "scale is 'standard', but shards are scaled as 'auto' or None; for another scaling",
    ),
    ("b", "b", {"keep": "pocket"}, "keep is 'pocket', expected one of auto, average, last"),
    (
        "b",
        "b",
        {"checkpointDir": "hdfs://host/x"},
        "checkpointDir is 'hdfs://host/x', expected a folder",
    ),
    ("w", "-1.0", {"weightCol": "w"}, "column 'w' has negative weights; a weight is at least 0"),
    ("w", "0.0", {"weightCol": "w"}, "column 'label' has no rows to learn from"),
    ("w", "1", {"shardCol": "w"}, "column 'w' has no rows of shard 0, and shards is 2"),
    ("w", "5", {"shardCol": "w"}, "column 'w' has shards outside of 0 to 1"),
    ("w", "1.5", {"shardCol": "w"}, r"column 'w' of shardCol has the type decimal\(2,1\)"),
    ("w", "array(a, b)", {"featuresCols": ["a", "w"]}, "column 'w' has the type array<double>"),
    (
        "w",
        "if(a > 0, array(a), array(a, b))",
        {"featuresCols": ["w"]},
        "column 'w' has rows of different lengths, such as 1 and 2",
    ),
]


@pytest.mark.parametrize(("column", "expression", "parameters", "message"), BAD)
def test_bad_input_is_one_sentence(spark, column, expression, parameters, message):
    rows = 1200 if "a * 9" in expression else 200
    X, y = noisy(rows=rows)
    X[:, 0] = np.arange(rows) - 100.0
    df = table(spark, X, y).selectExpr(
        *(name for name in [*NAMES, "label"] if name != column), f"{expression} AS {column}"
    )
    parameters = {"featuresCols": NAMES, "shards": 2, "maxIter": 1, "tasks": 1, **parameters}
    with pytest.raises(ValueError, match="^" + message):
        PerceptronClassifier(**parameters).fit(df)


def test_a_failure_of_a_job_names_its_cause(spark):
    from pyspark.sql.functions import udf

    X, y = noisy(rows=20)

    @udf("double")
    def broken(value):
        raise KeyError("lost")

    df = table(spark, X, y).withColumn("a", broken("a"))
    with pytest.raises(RuntimeError, match="^the Spark job of packing failed: KeyError: 'lost'$"):
        PerceptronClassifier(featuresCols=NAMES, shards=2).fit(df)


def test_names_of_parameters():
    with pytest.raises(TypeError, match="PerceptronClassifier has no parameter 'penalty'"):
        PerceptronClassifier(penalty=1)
