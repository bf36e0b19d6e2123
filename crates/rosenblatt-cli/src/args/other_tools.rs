//! The options of other tools, and what they are called here.

/// Words of other tools, without dashes and in lower case with `-` for `_`, and the option with its value that does the same. An option
/// stands where the command has it: of several rows with one word, the first that fits counts.
const WORDS: [(&[&str], &str); 45] = [
    (&["label", "label-column", "label-col", "y", "class", "class-column"], "--target COLUMN"),
    (&["response", "outcome", "dependent", "target-column", "by"], "--target COLUMN"),
    (&["test", "test-size", "test-split", "train-test-split", "split"], "--holdout 0.2"),
    (&["val", "valid", "validation", "validation-split", "validation-fraction"], "--holdout 0.2"),
    (&["cv", "fold", "kfold", "k-fold", "n-folds", "n-splits", "k"], "--folds 5"),
    (&["repeat", "n-repeats", "cv-repeats"], "--folds 5 --repeats N"),
    (&["cross-validation", "cross-validate", "xval", "stratify"], "--folds 5"),
    (&["max-iter", "max-iterations", "iterations", "iter", "n-iter"], "--epochs N"),
    (&["epoch", "n-epochs", "num-epochs", "max-epochs", "passes"], "--epochs N"),
    (&["lr", "learning-rate", "eta0", "rate", "step-size"], "--eta RATE"),
    (&["c"], "--update pa1:C"),
    (&["loss", "algorithm", "rule", "method"], "--update RULE"),
    (&["alpha", "lambda", "reg", "regularization", "weight-decay", "l2"], "--penalty l2:ALPHA"),
    (&["l1", "lasso"], "--penalty l1:ALPHA"),
    (&["l1-ratio", "elastic-net", "elasticnet"], "--penalty elasticnet:ALPHA:RATIO"),
    (&["sep", "separator", "delim", "fs", "field-separator"], "--delimiter CHAR"),
    (&["csv"], "--format csv"),
    (&["tsv", "tab", "tabs"], "--delimiter tab"),
    (&["dec", "decimal-comma", "decimal-point", "decimal-separator"], "--decimal comma"),
    (&["drop", "exclude", "remove", "skip", "ignore-column", "drop-columns"], "--ignore COLUMN"),
    (&["ignore-columns", "skip-columns", "id", "id-column", "index-col"], "--ignore COLUMN"),
    (&["random-state", "random-seed", "rng", "random"], "--seed N"),
    (&["verbose", "v", "debug", "show-progress"], "--progress"),
    (&["silent", "q"], "--quiet"),
    (&["na", "na-values", "null", "nulls", "nan", "missing-value"], "--missing-values WORD"),
    (&["impute", "imputer", "fillna", "fill", "dropna", "na-rm"], "--missing mean"),
    (&["standardize", "standardise", "standard-scaler", "zscore", "scaler"], "--scale standard"),
    (&["min-max", "minmax", "scaling", "rescale"], "--scale minmax"),
    (&["norm", "unit-norm"], "--normalise l2"),
    (&["skip-header", "no-headers", "noheader", "header-none"], "--no-header"),
    (&["jobs", "n-jobs", "j", "nthreads", "num-threads", "cores", "workers"], "--threads N"),
    (&["out", "save", "model", "save-model", "model-out", "output-model"], "--output FILE"),
    (&["average", "averaged"], "--keep average"),
    (&["shuffle"], "--order shuffle"),
    (&["no-shuffle"], "--order given"),
    (&["early-stopping", "n-iter-no-change", "tol"], "--holdout 0.2 --patience 5"),
    (&["probability", "probabilities", "proba", "calibration"], "--calibrate temperature"),
    (&["probability", "probabilities", "predict-proba"], "--proba"),
    (&["balanced", "balance", "class-weights", "weights"], "--class-weight balanced"),
    (&["degree", "poly"], "--kernel poly:DEGREE"),
    (&["gamma", "rbf"], "--kernel rbf:GAMMA"),
    (&["one-hot", "onehot", "dummies", "factor", "category", "nominal"], "--categorical COLUMN"),
    (&["text-column", "bag-of-words", "vectorizer"], "--text COLUMN"),
    (&["intercept", "fit-intercept", "no-intercept", "no-bias"], "--bias none"),
    (&["pos-label", "positive-class", "pos"], "--positive LABEL"),
];

/// What an option of another tool is called here, of those that `has` says the command has.
pub(super) fn meant(typed: &str, has: impl Fn(&str) -> bool) -> Option<&'static str> {
    let word = typed.split('=').next()?.trim_start_matches('-').replace('_', "-").to_lowercase();
    let option = |meant: &str| meant.split(' ').next().unwrap_or_default().to_owned();
    let fits = |&&(words, meant): &&(&[&str], &str)| {
        words.contains(&word.as_str()) && has(option(meant).trim_start_matches('-'))
    };
    WORDS.iter().find(fits).map(|&(_, meant)| meant)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::{args::parse, error::CliError};

    fn hint(line: &str) -> String {
        match parse(line.split(' ').map(OsString::from).collect()) {
            Err(CliError::Usage { hint, .. }) => hint.unwrap_or_default(),
            _ => panic!("`{line}` is a command"),
        }
    }

    /// What is proposed is what the command takes, once the words in capitals have values.
    #[test]
    fn each_proposal_is_an_option_of_some_command() {
        for (words, meant) in WORDS {
            let values = [
                ("COLUMN", "a"),
                ("RATE", "0.1"),
                ("ALPHA", "0.1"),
                ("RATIO", "0.5"),
                ("RULE", "pa"),
            ];
            let more = [
                ("WORD", "none"),
                ("CHAR", ";"),
                ("FILE", "m"),
                ("DEGREE", "2"),
                ("GAMMA", "1"),
                ("LABEL", "yes"),
                ("pa1:C", "pa1:1"),
                (" N", " 3"),
            ];
            let typed = values
                .into_iter()
                .chain(more)
                .fold(meant.to_owned(), |line, (word, value)| line.replace(word, value));
            let commands = ["train d.csv", "predict m d.csv"];
            let is_taken = |command: &&str| {
                let line = format!("{command} {typed}");
                parse(line.split(' ').map(OsString::from).collect()).is_ok()
            };
            assert!(commands.iter().any(is_taken), "{typed}");
            let word = words[0];
            let is_proposed =
                |command: &&str| hint(&format!("{command} --{word} 1")).contains(meant);
            assert!(commands.iter().any(is_proposed), "--{word}");
        }
    }

    #[test]
    fn words_of_other_tools_lead_to_the_option_that_does_the_same() {
        for (typed, meant) in [
            ("--label y", "--target COLUMN"),
            ("--max-iter 3", "--epochs N"),
            ("--max_iter=3", "--epochs N"),
            ("--test 0.2", "--holdout 0.2"),
            ("--sep ;", "--delimiter CHAR"),
            ("--cv 5", "--folds 5"),
            ("--C 1", "--update pa1:C"),
            ("--lr 0.1", "--eta RATE"),
            ("--drop id", "--ignore COLUMN"),
            ("--random-state 1", "--seed N"),
            ("--verbose", "--progress"),
            ("--csv", "--format csv"),
            ("--na x", "--missing-values WORD"),
            ("--standardize", "--scale standard"),
            ("--probability", "--calibrate temperature"),
        ] {
            let found = hint(&format!("train d.csv {typed}"));
            assert_eq!(found, format!("did you mean `{meant}`?"), "{typed}");
        }
        assert_eq!(hint("predict m d.csv --probability"), "did you mean `--proba`?");
        // A misspelled option of this command is found by its letters.
        assert_eq!(hint("train d.csv --epohcs 3"), "did you mean `--epochs`?");
    }
}
