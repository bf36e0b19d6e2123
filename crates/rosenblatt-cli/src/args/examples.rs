//! The examples at the end of each `--help`. A test runs them.

pub(super) const ALL: &str = "\
Examples:
  rosenblatt train iris.csv --folds 5 -o iris.model    learn a model, and measure its accuracy
  rosenblatt predict iris.model new-iris.csv           write a label for each row
  rosenblatt help train                                list the options of a command";

pub(super) const TRAIN: &str = "\
Examples:
  rosenblatt train iris.csv -o iris.model
  rosenblatt train iris.csv --target species --ignore petal_width --folds 5
  rosenblatt train xor.csv --kernel poly:2 -o xor.model";

pub(super) const PREDICT: &str = "\
Examples:
  rosenblatt predict iris.model new-iris.csv -o labels.txt
  rosenblatt predict iris.model new-iris.csv --output-format csv --id petal_length
  rosenblatt predict iris.model new-iris.csv --on-error blank
  rosenblatt train and.csv -o and.model
  rosenblatt predict and.model and.csv --scores --margins";

pub(super) const EVALUATE: &str = "\
Examples:
  rosenblatt evaluate iris.model iris.csv
  rosenblatt evaluate iris.model iris.csv --baseline --json";

pub(super) const COMPARE: &str = "\
Examples:
  rosenblatt train iris.csv --epochs 1 -o short.model
  rosenblatt compare short.model iris.model iris.csv";

pub(super) const SEPARABLE: &str = "\
Examples:
  rosenblatt separable xor.csv --certificate proof.json
  rosenblatt separable xor.csv --verify proof.json
  rosenblatt separable xor.csv --weak";

pub(super) const SHOW: &str = "\
Examples:
  rosenblatt show iris.model --top 5";

pub(super) const STUDY: &str = "\
Examples:
  rosenblatt study and.csv --runs 20
  rosenblatt study and.csv --sweep margin --runs 2 --plot margin.svg";

pub(super) const CHECK: &str = "\
Examples:
  rosenblatt train and.csv --notes lauer --trace and.md
  rosenblatt check and.csv and.md --notes lauer";

pub(super) const PACK: &str = "\
Examples:
  rosenblatt pack iris.csv -o iris.arrow";

pub(super) const PLOT: &str = "\
Examples:
  rosenblatt plot iris.csv iris.model -o iris.svg
  rosenblatt plot iris.csv iris.model --x petal_length --y petal_width -o petals.svg
  rosenblatt plot and.csv and.model --distances --foot 4 -o and.svg
  rosenblatt plot and.csv and.model --curves -o curves.svg";

pub(super) const EXPORT: &str = "\
Examples:
  rosenblatt export iris.model -o iris.onnx";

pub(super) const LAB: &str = "\
Examples:
  rosenblatt lab
  rosenblatt lab iris.csv
  rosenblatt lab iris.csv --notes lauer";

pub(super) const COMPLETIONS: &str = "\
Examples:
  rosenblatt completions bash
  rosenblatt completions zsh";

pub(super) const MAN: &str = "\
Examples:
  rosenblatt man
  rosenblatt man train";
