"""The perceptron on Apache Spark, with an identical model on every cluster.

- `PerceptronClassifier` is an `Estimator` of `pyspark.ml`, and `PerceptronModel` its model.
- `separable` decides with a proof whether a hyperplane separates two classes of a DataFrame.

`rosenblatt.mixing.fit_shards` learns an identical model without Spark. This package needs what the
extra ``spark`` installs, on the driver and on every executor: PySpark, PyArrow and pandas.
"""

from .._extras import installation

try:
    import pyarrow
    import pyspark
    from pyspark.sql.functions import arrow_udf as _arrow_udf  # type: ignore[attr-defined]
except ImportError as error:
    raise ImportError(
        f"rosenblatt.spark needs PySpark 4.1 or later and PyArrow: {installation('spark')}"
    ) from error

from ._classifier import PerceptronClassifier, PerceptronModel
from ._separable import SparkSeparability, separable

__all__ = ["PerceptronClassifier", "PerceptronModel", "SparkSeparability", "separable"]

del _arrow_udf, installation, pyarrow, pyspark
