"""The estimator of `pyspark.ml` and its model."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from pyspark.ml import Estimator, Model
from pyspark.ml.functions import array_to_vector
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import (
    HasFeaturesCol,
    HasLabelCol,
    HasMaxIter,
    HasPredictionCol,
    HasRawPredictionCol,
    HasSeed,
    HasWeightCol,
)
from pyspark.ml.util import (
    DefaultParamsReadable,
    DefaultParamsReader,
    DefaultParamsWritable,
    DefaultParamsWriter,
    MLReadable,
    MLReader,
    MLWritable,
    MLWriter,
)
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from .._files import load as load_native
from .._perceptron import Perceptron
from ..mixing import DEFAULTS, FitTask, Mixing
from ._columns import ColumnError, Columns, Features
from ._packing import CheckpointFile, PackedShards

_log = logging.getLogger("rosenblatt.spark")

# A line of progress after the first epoch, and after each of so many.
_EPOCHS_PER_LINE = 5

_P = TypeVar("_P", bound="_Columns")


def _param(name: str, doc: str, converter: Callable[[Any], Any]) -> Any:
    return Param(Params._dummy(), name, doc, typeConverter=converter)  # type: ignore[no-untyped-call]


def _shards(value: Any) -> int | str:
    return "auto" if value == "auto" else TypeConverters.toInt(value)


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part.title() for part in others)


class _Columns(HasFeaturesCol, HasPredictionCol, HasRawPredictionCol):
    """The parameters of the estimator and its model, with a setter for each."""

    featuresCols: Any = _param(
        "featuresCols", "columns of numbers, instead of featuresCol", TypeConverters.toListString
    )

    def __init__(self, **parameters: Any) -> None:
        super().__init__()
        self._setDefault(**self._defaults())
        self.setParams(**parameters)

    def _defaults(self) -> dict[str, Any]:
        return {}

    def setParams(self: _P, **parameters: Any) -> _P:
        """Set parameters, by the names of Spark (``maxIter``) or in snake case (``max_iter``).

        Parameters
        ----------
        **parameters
            The values; None has no effect, but ``scale=None`` is "none". ``random_state`` is another name of ``seed``.

        Returns
        -------
        PerceptronClassifier or PerceptronModel
            The stage itself.
        """
        known = {param.name for param in self.params}
        for name, value in parameters.items():
            own = "seed" if name == "random_state" else _camel(name)
            if own not in known:
                raise TypeError(
                    f"{type(self).__name__} has no parameter {name!r}, only {', '.join(sorted(known))}"
                )
            if value is not None or own == "scale":
                self._set(**{own: value})
        return self

    def _set(self: _P, **parameters: Any) -> _P:
        # Parameters of Spark have no None.
        if "scale" in parameters and parameters["scale"] is None:
            parameters["scale"] = "none"
        return super()._set(**parameters)

    def __getattr__(self, name: str) -> Any:
        """Return ``setNAME`` or ``getNAME`` of a parameter."""
        kind, own = name[:3], name[3:4].lower() + name[4:]
        # A lookup of the class only, because an instance without its attributes is copied as well.
        if kind not in ("set", "get") or not isinstance(getattr(type(self), own, None), Param):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if kind == "get":
            return lambda: self.getOrDefault(own)
        return lambda value: self._set(**{own: value})

    def _value(self, name: str) -> Any:
        param = self.getParam(name)
        return self.getOrDefault(param) if self.isDefined(param) else None

    def _features(self, schema: st.StructType) -> Features:
        names = self._value("featuresCols")
        if names is None:
            return Features.of_schema(schema, [self.getFeaturesCol()], "featuresCol")
        if not names:
            raise ValueError("featuresCols is empty, expected the names of columns")
        return Features.of_schema(schema, names, "featuresCols")


_OF_RUN = ("keep", "order", "update", "bias", "mistake", "zero", "eta0", "classes")
"""The parameters that have the same name and meaning for `Mixing`."""


class PerceptronClassifier(
    _Columns,
    HasLabelCol,
    HasWeightCol,
    HasMaxIter,
    HasSeed,
    Estimator,  # type: ignore[type-arg]
    DefaultParamsReadable,  # type: ignore[type-arg]
    DefaultParamsWritable,
):
    """A perceptron that learns from a DataFrame, as an estimator of `pyspark.ml`.

    The defaults are those of `rosenblatt.Perceptron`. The model depends on the rows, the parameters and the number of
    shards alone. It is identical for every number of machines and tasks, every order of the rows, and dense or sparse
    vectors. `rosenblatt.mixing.fit_shards` learns it without Spark.

    One job counts the rows, and one packs them into shards. One shard then learns in a single job, and the model is
    that of `rosenblatt.Perceptron` for the rows in the order of `rosenblatt.mixing.split`. Of several shards, a job
    takes the statistics by which features are scaled. Then each epoch is one job: every shard makes a pass from the
    same weights, and the driver mixes the results (McDonald, Hall & Mann 2010). The logger ``rosenblatt.spark`` tells
    at the level ``INFO`` how far a fit is.

    Parameters
    ----------
    featuresCol : str, default="features"
        A column of vectors, dense or sparse, or of arrays of numbers.

    featuresCols : list of str
        Columns of numbers, instead of `featuresCol`.

    labelCol : str, default="label"
        Text, numbers or booleans, at most 1,000 classes.

    weightCol : str
        Factors of the learning rate. A weight of 0 leaves a row out.

    predictionCol, rawPredictionCol : str, default="prediction", "rawPrediction"
        The columns that the model adds. Predictions are text or booleans for such labels, otherwise ``double``. Raw
        predictions are the exact scores, rounded once; with two classes −s and s.

    shards : int or "auto", default="auto"
        The number of shards. It is a part of the model: another number gives other weights. ``"auto"`` is one for every
        2²⁴ rows and values that are not 0, or with `shardCol` as many as it names.

    maxIter : int
        The maximum number of epochs. By default the run ends where more epochs rarely help, after at most 40 for data
        that are not tiny.

    keep : {"auto", "average", "last"}, default="auto"
        The model is the average of all weights, or the last weights. ``"auto"`` is the average, and right on all rows
        after a run that converged, as for `rosenblatt.Perceptron`.

    mixing : {"uniform", "errors"}, default="uniform"
        Whether all shards have equal shares in the mixed weights, or shares in proportion to their updates.

    order : {"shuffle", "given"}, default="shuffle"
        Whether each epoch has its own random order of the rows of a shard, or that of their hashes.

    seed : int, default=0
        The seed of these orders.

    update, bias, mistake, zero, eta0
        As for `rosenblatt.Perceptron`, with ``bias`` one of "unit", "unit:S" and "none".

    scale : {"auto", "none"}, default="auto"
        As for `rosenblatt.Perceptron`, by the statistics of all shards; "none" leaves rows as they are. For another
        scaling, put a scaler of Spark before the estimator.

    classes : {"auto", "one-vs-rest", "joint"}, default="auto"
        How more than two classes are learned, as for `rosenblatt.Perceptron`: jointly with ``keep="auto"``.

    shardCol : str
        A column with the number of the shard of each row, from 0. By default it follows from a hash of the features.

    checkpointDir : str
        A folder in which the driver stores the run after each epoch. A run with equal rows and parameters continues
        there, on any cluster, to an identical model. The run of a single shard is one job and is not stored.

    packDir : str
        A folder that all executors share, for the packed shards; a fit deletes its files at its end. By default
        executors use Spark's own storage, and Spark packs a shard again if it is lost.

    tasks : int
        The number of tasks of a job, by default twice the number of cores. It does not change the model.

    Examples
    --------
    >>> from rosenblatt.spark import PerceptronClassifier
    >>> classifier = PerceptronClassifier(featuresCols=["length", "width"], labelCol="species")
    >>> model = classifier.fit(df)  # doctest: +SKIP
    >>> model.transform(df).select("prediction")  # doctest: +SKIP
    """

    shards: Any = _param("shards", "the number of shards, a part of the model, or auto", _shards)
    keep: Any = _param("keep", "the weights of the model", TypeConverters.toString)
    mixing: Any = _param("mixing", "the shares of the shards", TypeConverters.toString)
    order: Any = _param("order", "the order of the rows of a shard", TypeConverters.toString)
    update: Any = _param("update", "the update rule", TypeConverters.toString)
    bias: Any = _param("bias", "what an update adds to the bias", TypeConverters.toString)
    mistake: Any = _param("mistake", "whether a score of 0 is a mistake", TypeConverters.toString)
    zero: Any = _param("zero", "the class of a score of 0", TypeConverters.toString)
    eta0: Any = _param("eta0", "the learning rate", TypeConverters.toFloat)
    scale: Any = _param("scale", "how features are scaled", TypeConverters.toString)
    classes: Any = _param("classes", "how several classes are learned", TypeConverters.toString)
    shardCol: Any = _param("shardCol", "the number of the shard", TypeConverters.toString)
    checkpointDir: Any = _param("checkpointDir", "a folder of the driver", TypeConverters.toString)
    packDir: Any = _param("packDir", "a folder that executors share", TypeConverters.toString)
    tasks: Any = _param("tasks", "the number of tasks of a job", TypeConverters.toInt)

    def _defaults(self) -> dict[str, Any]:
        of_run = {name: DEFAULTS[name] for name in (*_OF_RUN, "scale")}
        seed = DEFAULTS["random_state"]
        return {**of_run, "shards": "auto", "mixing": "uniform", "seed": seed}

    def _run_parameters(self) -> dict[str, Any]:
        values = {name: self._value(name) for name in (*_OF_RUN, "mixing")}
        rest = {
            "scale": None if self._value("scale") == "none" else self._value("scale"),
            "random_state": self._value("seed"),
            "max_iter": self._value("maxIter"),
        }
        return {**values, **rest}

    def _check(self) -> None:
        """Raise `ValueError` for a parameter that needs no data."""
        for name in ("shards", "tasks"):
            value = self._value(name)
            if value not in (None, "auto") and not 1 <= value <= 100_000:
                raise ValueError(f"{name} is {value}, expected 1 to 100,000")
        Mixing([0, 1], 1, **self._run_parameters())

    def _fit(self, dataset: DataFrame) -> PerceptronModel:
        self._check()
        schema = dataset.schema
        columns = Columns.of_schema(
            schema,
            self._features(schema),
            self.getLabelCol(),
            self._value("weightCol") or None,
            self._value("shardCol"),
        )
        packed = PackedShards(
            dataset,
            columns,
            self._value("shards"),
            tasks=self._value("tasks"),
            pack_dir=self._value("packDir"),
        )
        try:
            native, summary = self._learned(packed)
        finally:
            packed.release()
        kind = schema[self.getLabelCol()].dataType
        if columns.features.kind == "numbers":
            native.feature_names_in_ = np.array(columns.features.names, dtype=object)
        model = PerceptronModel._of(native, _prediction_type(kind), summary)
        return self._copyValues(model)

    def _learned(self, packed: PackedShards) -> tuple[Perceptron, dict[str, Any]]:
        """Learn from the packed shards."""
        parameters = self._run_parameters()
        mixing = Mixing(packed.classes, packed.features, **parameters)
        is_mixed = len(packed.numbers) > 1
        if is_mixed:
            native = self._mixed(packed, mixing, parameters)
        else:
            native = packed.run(FitTask(mixing.estimator()), "the run")[0]
        report = native.report_
        _log.info("%d epochs, %s errors on the rows", report["epochs"], report["training_errors"])
        # The theorem is about one learning rate for all rows.
        has_theorem = is_mixed and len(packed.classes) == 2 and self._value("weightCol") is None
        summary = {
            **report,
            "updates_per_epoch": native.history_["updates"].tolist(),
            "shards": packed.shards,
            "shards_with_rows": len(packed.numbers),
            "mixing": parameters["mixing"],
            "mixing_bounds": mixing.bounds(report) if has_theorem else {},
        }
        return native, summary

    def _mixed(
        self, packed: PackedShards, mixing: Mixing, parameters: dict[str, Any]
    ) -> Perceptron:
        """Run the epochs of several shards."""
        file = None
        if self._value("checkpointDir") is not None:
            # Another maximum number of epochs continues the run.
            rest = {name: value for name, value in parameters.items() if name != "max_iter"}
            key = [rest, packed.classes.tolist(), packed.features, packed.numbers, packed.digests]
            file = CheckpointFile(self._value("checkpointDir"), [packed.shards, *key])
            state = file.read()
            if state is not None:
                mixing.restore(state)
        statistics = mixing.statistics()
        if statistics is not None:
            mixing.end_statistics(packed.run(statistics, "the statistics of the features"))
        while mixing.continues():
            passes = packed.run(mixing.task(), f"epoch {mixing.epochs + 1}")
            mixing.end_epoch(passes)
            if mixing.epochs == 1 or mixing.epochs % _EPOCHS_PER_LINE == 0:
                mistakes = sum(sum(each.mistakes) for each in passes)
                _log.info("epoch %d: %d mistakes on %d rows", mixing.epochs, mistakes, packed.rows)
            if file is not None:
                file.write(mixing.to_bytes())
        return mixing.finish(packed.run(mixing.evaluation(), "the evaluation"))


def _prediction_type(kind: st.DataType) -> str:
    """Return the type of predictions: numbers are ``double``, as evaluators of Spark expect."""
    if isinstance(kind, (st.StringType, st.BooleanType)):
        return kind.simpleString()
    return "double"


class PerceptronModel(
    _Columns,
    HasLabelCol,
    HasWeightCol,
    Model,
    MLReadable,  # type: ignore[type-arg]
    MLWritable,
):
    """The model of a `PerceptronClassifier`, or of any linear `rosenblatt.Perceptron`.

    Attributes
    ----------
    summary : dict
        The report of the run with the keys of ``rosenblatt train --json``, and ``updates_per_epoch``, ``shards``,
        ``shards_with_rows``, ``mixing`` and the ``mixing_bounds`` on its mistakes or epochs. Margins, radius and
        bounds are those of the scaled rows.
    """

    _native: Perceptron
    _type: str
    summary: dict[str, Any]

    @classmethod
    def _of(cls, native: Perceptron, kind: str, summary: dict[str, Any]) -> PerceptronModel:
        model = cls()
        model._native, model._type, model.summary = native, kind, summary
        return model

    @classmethod
    def from_native(cls, perceptron: Perceptron, **parameters: Any) -> PerceptronModel:
        """Make a model for Spark of a perceptron that was fitted or loaded without Spark.

        Parameters
        ----------
        perceptron : Perceptron
            A fitted perceptron without a kernel and a vote.

        **parameters
            The columns: `featuresCol` or `featuresCols`, `predictionCol`, `rawPredictionCol`.

        Returns
        -------
        PerceptronModel
            The model.
        """
        if not hasattr(perceptron, "coef_"):
            raise ValueError("expected a fitted perceptron with weights in feature space")
        kind = perceptron.classes_.dtype.kind
        name = {"U": "string", "O": "string", "b": "boolean"}.get(kind, "double")
        return cls._of(perceptron, name, dict(perceptron.report_)).setParams(**parameters)

    def native(self) -> Perceptron:
        """Return the model as `rosenblatt.Perceptron`, for rows outside of Spark and for files."""
        return self._native

    @property
    def numFeatures(self) -> int:
        """The number of features."""
        return int(self._native.n_features_in_)

    @property
    def numClasses(self) -> int:
        """The number of classes."""
        return len(self._native.classes_)

    @property
    def coefficients(self) -> Any:
        """The weights of two classes, as a vector of Spark."""
        from pyspark.ml.linalg import Vectors

        if self.numClasses != 2:
            raise ValueError("there is one vector of weights per class; use native().coef_")
        return Vectors.dense(self._native.coef_[0])

    @property
    def intercept(self) -> float:
        """The bias of two classes."""
        if self.numClasses != 2:
            raise ValueError("there is one bias per class; use native().intercept_")
        return float(self._native.intercept_[0])

    def _transform(self, dataset: DataFrame) -> DataFrame:
        features = self._features(dataset.schema)
        expected = int(self._native.n_features_in_)
        if features.kind == "numbers" and features.width != expected:
            names = ", ".join(map(repr, features.names[:8]))
            raise ValueError(
                f"featuresCols names {features.width} columns ({names}), the model has {expected} features"
            )
        result = _predictor(features, self._native, self._type)(*features.selected())
        # A column for both, so that each row is scored once.
        both = f"{self.uid}_output"
        frame = dataset.withColumn(both, result)
        raw, prediction = self.getRawPredictionCol(), self.getPredictionCol()
        if raw:
            frame = frame.withColumn(raw, array_to_vector(sf.col(both)["scores"]))
        if prediction:
            frame = frame.withColumn(prediction, sf.col(both)["prediction"])
        return frame.drop(both)

    def copy(self, extra: Any = None) -> PerceptronModel:
        """Return a copy with other parameters.

        Parameters
        ----------
        extra : dict, optional
            Parameters of the copy.

        Returns
        -------
        PerceptronModel
            The copy.
        """
        copied: PerceptronModel = super().copy(extra)
        return copied

    def write(self) -> MLWriter:
        """Return the writer of the model."""
        return _ModelWriter(self)

    @classmethod
    def read(cls) -> MLReader[PerceptronModel]:
        """Return the reader of models."""
        return _ModelReader()


def _predictor(features: Features, native: Perceptron, kind: str) -> Any:
    """Return the function of Spark from the columns of the features to prediction and scores."""
    width = int(native.n_features_in_)
    classes, count = native.classes_, len(native.classes_)
    classifier = native._current_classifier()
    if not classifier.is_prepared:
        # Such a classifier cannot be pickled, but its weights can.
        weights = native._weights()
        classifier = None
    else:
        weights = None
    zero = native._run.zero
    to_arrow = {"string": pa.string(), "boolean": pa.bool_()}.get(kind, pa.float64())

    def predict(*arrays: pa.Array) -> pa.Array:
        from rosenblatt import _native

        matrix = features.matrix(list(arrays))
        found = matrix[3] if isinstance(matrix, tuple) else matrix.shape[1]
        rows = len(arrays[0])
        if found != width and rows:
            raise ColumnError(features.names[0], f"has {found} features", f"the model has {width}")
        model = classifier or _native.Classifier.linear(*weights)
        codes, scores = model.predict(matrix, count, scores=True, zero=zero)
        scores = scores.reshape(rows, -1)
        if count == 2:
            scores = np.column_stack([0.0 - scores[:, 0], scores[:, 0]])
        offsets = pa.array(np.arange(rows + 1, dtype=np.int32) * count)
        lists = pa.ListArray.from_arrays(offsets, pa.array(scores.ravel()))
        labels = pa.array(classes[codes].tolist(), type=pa.string() if kind == "string" else None)
        return pa.StructArray.from_arrays(
            [labels.cast(to_arrow), lists], names=["prediction", "scores"]
        )

    returned = f"struct<prediction:{kind},scores:array<double>>"
    return sf.arrow_udf(_with_hints(predict), returned)


def _with_hints(function: Callable[..., Any]) -> Callable[..., Any]:
    """Spark finds the kind of a function by its hints, which must be types instead of text."""
    function.__annotations__ = {"arrays": pa.Array, "return": pa.Array}
    return function


class _ModelWriter(MLWriter):
    """Writes the metadata, and the model file of `rosenblatt` as the only row of a table."""

    def __init__(self, model: PerceptronModel) -> None:
        super().__init__()
        self._model = model

    def saveImpl(self, path: str) -> None:
        spark, model = self.sparkSession, self._model
        extra = {"predictionType": model._type, "summary": model.summary}
        DefaultParamsWriter.saveMetadata(model, path, spark, extraMetadata=extra)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "model")
            model._native.save(file)
            with open(file, "rb") as opened:
                content = opened.read()
        table = spark.createDataFrame([(bytearray(content),)], "model binary").coalesce(1)
        table.write.parquet(os.path.join(path, "data"))


class _ModelReader(MLReader["PerceptronModel"]):
    def load(self, path: str) -> PerceptronModel:
        spark = self.sparkSession
        metadata = DefaultParamsReader.loadMetadata(path, spark)
        row = spark.read.parquet(os.path.join(path, "data")).first()
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "model")
            with open(file, "wb") as opened:
                opened.write(row["model"])  # type: ignore[index]
            native: Any = load_native(file)
        model = PerceptronModel._of(native, metadata["predictionType"], metadata["summary"])
        model._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(model, metadata)
        return model
