"""The perceptron on Apache Spark, with an identical model on every cluster.

- `PerceptronClassifier` is an `Estimator` of `pyspark.ml`, and `PerceptronModel` its model.
- `separable` decides with a proof whether a hyperplane separates two classes of a DataFrame.

`rosenblatt.mixing.fit_shards` learns an identical model without Spark. This package needs
``pip install "./python[spark]"``, from a clone, on the driver and on every executor.
"""

try:
    import pyarrow
    import pyspark
    from pyspark.sql.functions import arrow_udf as _arrow_udf  # type: ignore[attr-defined]
except ImportError as error:
    raise ImportError(
        'rosenblatt.spark needs PySpark 4.1 or later and PyArrow: pip install "./python[spark]" in a clone'
    ) from error

from ._classifier import PerceptronClassifier, PerceptronModel
from ._separable import SparkSeparability, separable

__all__ = ["PerceptronClassifier", "PerceptronModel", "SparkSeparability", "separable"]

del _arrow_udf, pyarrow, pyspark
