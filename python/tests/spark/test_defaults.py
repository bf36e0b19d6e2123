"""Spark as a beginner writes it: no parameters, few rows."""

from __future__ import annotations

import logging
import os

import numpy as np
import pytest
from pyspark.ml import Pipeline, PipelineModel
from pyspark.ml.evaluation import MulticlassClassificationEvaluator
from pyspark.ml.feature import Imputer, StringIndexer, VectorAssembler
from pyspark.ml.tuning import CrossValidator, ParamGridBuilder
from pyspark.sql import functions as sf
from sklearn.datasets import load_iris

from rosenblatt import Perceptron, _shards
from rosenblatt.mixing import DEFAULTS, fit_shards, split
from rosenblatt.spark import PerceptronClassifier, separable
from rosenblatt.spark._packing import PackedShards

from .conftest import noisy
from .test_classifier import NAMES, assert_same, table, vectors

MEASURES = ["sepal_length", "sepal_width", "petal_length", "petal_width"]


@pytest.fixture(scope="module")
def iris(spark):
    """150 rows with the names of the species."""
    loaded = load_iris(as_frame=True)
    frame = loaded.data.set_axis(MEASURES, axis=1)
    return spark.createDataFrame(frame.assign(species=loaded.target_names[loaded.target]))


@pytest.fixture
def jobs(monkeypatch):
    """The names of the jobs on packed shards."""
    names = []
    run = PackedShards.run

    def named(self, task, name):
        names.append(name)
        return run(self, task, name)

    monkeypatch.setattr(PackedShards, "run", named)
    return names


def rows_of(df):
    """The rows as one machine gets them."""
    frame = df.toPandas()
    return frame[MEASURES].to_numpy(), frame["species"].to_numpy().astype(str)


def test_iris_without_parameters(iris, jobs):
    """One job trains, and the model is that of the perceptron for the rows in the order of their hashes."""
    assembler = VectorAssembler(inputCols=MEASURES, outputCol="features")
    df = assembler.transform(iris.withColumnRenamed("species", "label"))
    model = PerceptronClassifier().fit(df)
    assert jobs == ["the run"]
    assert model.transform(df).where("prediction = label").count() >= 145
    (shard,) = split(*rows_of(iris))
    here = Perceptron().fit(shard.matrix, shard.classes[shard.codes])
    assert_same(model, here)
    assert (model.summary["shards"], model.summary["mixing_bounds"]) == (1, {})
    again = PerceptronClassifier().fit(df.repartition(7).orderBy("petal_width"))
    assert_same(again, here)


def test_a_pipeline_is_saved_and_loaded(iris, tmp_path):
    indexer = StringIndexer(inputCol="species", outputCol="label")
    assembler = VectorAssembler(inputCols=MEASURES, outputCol="features")
    fitted = Pipeline(stages=[indexer, assembler, PerceptronClassifier()]).fit(iris)
    fitted.write().overwrite().save(str(tmp_path / "iris"))
    loaded = PipelineModel.load(str(tmp_path / "iris"))
    found = loaded.transform(iris)
    assert found.where("prediction = label").count() >= 145
    before = fitted.transform(iris).select("prediction", "rawPrediction").collect()
    assert found.select("prediction", "rawPrediction").collect() == before
    PerceptronClassifier().save(str(tmp_path / "estimator"))
    estimator = PerceptronClassifier.load(str(tmp_path / "estimator"))
    assert (estimator.getShards(), estimator.getKeep(), estimator.getClasses()) == ("auto",) * 3


def test_cross_validation_of_the_number_of_epochs(iris):
    df = StringIndexer(inputCol="species", outputCol="label").fit(iris).transform(iris)
    classifier = PerceptronClassifier(featuresCols=MEASURES)
    validator = CrossValidator(
        estimator=classifier,
        estimatorParamMaps=ParamGridBuilder().addGrid(classifier.maxIter, [1, 10]).build(),
        evaluator=MulticlassClassificationEvaluator(metricName="accuracy"),
        numFolds=3,
        seed=0,
    )
    found = validator.fit(df)
    assert max(found.avgMetrics) > 0.9
    assert found.bestModel.transform(df).where("prediction = label").count() >= 140


def test_without_a_column_of_vectors_the_columns_are_named(iris):
    with pytest.raises(
        ValueError,
        match="^column 'features' of featuresCol .* name columns of numbers with featuresCols$",
    ):
        PerceptronClassifier(labelCol="species").fit(iris)


def test_nulls_are_named_and_filled(iris):
    holes = iris.withColumn(
        "petal_width", sf.when(sf.col("petal_length") > 2, sf.col("petal_width"))
    )
    classifier = PerceptronClassifier(featuresCols=MEASURES, labelCol="species")
    with pytest.raises(
        ValueError, match="^column 'petal_width' has nulls; drop these rows with df.na"
    ):
        classifier.fit(holes)
    imputer = Imputer(inputCols=MEASURES, outputCols=MEASURES)
    filled = Pipeline(stages=[imputer, classifier]).fit(holes)
    assert filled.transform(holes).where("prediction = species").count() > 100


def test_the_defaults_are_those_of_the_perceptron():
    classifier = PerceptronClassifier()
    names = ("keep", "order", "update", "bias", "mistake", "zero", "eta0", "scale", "classes")
    given = {name: classifier.getOrDefault(name) for name in names}
    assert given == {name: DEFAULTS[name] for name in names}
    assert classifier.getSeed() == DEFAULTS["random_state"]
    assert not classifier.isDefined("maxIter")


@pytest.mark.parametrize("layout", ["dense", "sparse", "arrays", "columns"])
def test_the_number_of_shards_is_that_of_split(spark, monkeypatch, layout):
    """Small shards, so that the rows have several: as many as the rows of weight above 0 and their values fill."""
    monkeypatch.setattr(_shards, "_LARGE_SHARD", 700)
    X, y = noisy()
    weights = np.arange(len(y)) % 3 / 2.0
    shards = split(X, y, sample_weight=weights)
    kept = weights > 0
    assert len(shards) == -(-(kept.sum() + np.count_nonzero(X[kept])) // 700) == 3
    df = table(spark, X, y, weight=weights)
    estimator = PerceptronClassifier(weightCol="weight", maxIter=2)
    if layout == "columns":
        estimator.setFeaturesCols(NAMES)
    elif layout == "arrays":
        df = df.withColumn("features", sf.array(*NAMES))
    else:
        rows = vectors(spark, X, y, layout == "sparse").toPandas()["features"]
        df = spark.createDataFrame(list(zip(rows, y.tolist(), weights.tolist(), strict=True)))
        df = df.toDF("features", "label", "weight")
    model = estimator.fit(df)
    assert_same(model, fit_shards(shards, max_iter=2))
    assert model.summary["shards"] == 3


def test_a_column_of_shards_says_how_many(spark):
    X, y = noisy(rows=60)
    shard = np.arange(60) % 3
    df = table(spark, X, y, shard=shard)
    model = PerceptronClassifier(featuresCols=NAMES, shardCol="shard", maxIter=3).fit(df)
    assert_same(model, fit_shards(split(X, y, shard=shard), max_iter=3))


def test_rows_with_many_zeros_are_packed_as_sparse_ones(spark):
    X, y = noisy()
    X[:, 1:] = 0
    dense, packed = [], []
    for shards in (1, 4):
        df = table(spark, X, y)
        dense.append(PerceptronClassifier(featuresCols=NAMES, shards=shards, maxIter=2).fit(df))
        packed.append(fit_shards(split(X, y, shards), max_iter=2))
    for model, native in zip(dense, packed, strict=True):
        assert_same(model, native)


def test_several_classes_are_learned_jointly_from_several_shards(iris):
    classifier = PerceptronClassifier(
        featuresCols=MEASURES, labelCol="species", shards=3, maxIter=10
    )
    native = fit_shards(split(*rows_of(iris), 3), max_iter=10)
    assert_same(classifier.fit(iris), native)
    assert native.score(*rows_of(iris)) > 0.9


def test_a_line_of_progress_every_few_epochs(iris, caplog):
    caplog.set_level(logging.INFO, logger="rosenblatt.spark")
    classifier = PerceptronClassifier(
        featuresCols=MEASURES, labelCol="species", shards=2, maxIter=11
    )
    classifier.fit(iris)
    begins = [
        "packed 150 rows into 2 shards",
        "epoch 1: ",
        "epoch 5: ",
        "epoch 10: ",
        "11 epochs, ",
    ]
    messages = [record.getMessage() for record in caplog.records]
    assert len(messages) == len(begins)
    assert all(map(str.startswith, messages, begins))
    assert messages[1].endswith(" mistakes on 150 rows")


def test_separable_without_parameters(iris):
    df = iris.where("species != 'setosa'")
    assert not separable(df, featuresCols=MEASURES, labelCol="species")
    assert separable(iris, featuresCols=MEASURES, labelCol="species", positive="setosa")


def test_workers_without_the_package(spark, iris, tmp_path, monkeypatch):
    """The workers run a Python in which the import of rosenblatt fails as if it were not installed."""
    (tmp_path / "rosenblatt.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'rosenblatt'\", name='rosenblatt')\n"
    )
    other = tmp_path / "python"
    executable = os.environ["PYSPARK_PYTHON"]
    other.write_text(f'#!/bin/sh\ncd "{tmp_path}" && exec "{executable}" "$@"\n')
    other.chmod(0o755)
    monkeypatch.setattr(spark.sparkContext, "pythonExec", str(other))
    classifier = PerceptronClassifier(featuresCols=MEASURES, labelCol="species")
    with pytest.raises(
        RuntimeError,
        match="No module named 'rosenblatt'; the workers need .* set PYSPARK_PYTHON to",
    ):
        classifier.fit(iris)
