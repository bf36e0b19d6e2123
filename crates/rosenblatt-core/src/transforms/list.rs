//! The list of the options of a preparation. The command and the Python package take names, values, defaults and help from
//! it; a test compares it with [`PrepareOptions`](super::PrepareOptions).

use crate::options::{OptionInfo, OptionValues, Word};

const fn word(name: &'static str, help: &'static str) -> Word {
    Word { name, help }
}

/// All options of a preparation, in the order of the help.
pub static PREPARE_OPTIONS: [OptionInfo; 4] = [
    OptionInfo {
        name: "scale",
        help: "Scale the features; the model stores the scaling and applies it in predictions",
        placeholder: "SCALE",
        default: None,
        values: OptionValues::Words(&[
            word(
                "auto",
                "As `standard` where fewer than half of the rows are 0; divide any other feature by the root mean square of its \
                 other values",
            ),
            word("none", "Use the features as they are"),
            word(
                "standard",
                "Mean 0 and standard deviation 1; features of 0 and one other value become 0 and ±1",
            ),
            word("maxabs", "Divide each feature by its largest size"),
            word("minmax", "From 0 to 1"),
        ]),
    },
    OptionInfo {
        name: "weighting",
        help: "Weight counts, such as those of words, before the scaling: count (as they are), binary (1), log (1 + ln of the \
               count) or tfidf (the count times the inverse document frequency, learned from the training rows); the model does \
               it in predictions too",
        placeholder: "WEIGHTING",
        default: Some("count"),
        values: OptionValues::Words(&[
            word("count", ""),
            word("binary", ""),
            word("log", ""),
            word("tfidf", ""),
        ]),
    },
    OptionInfo {
        name: "document_frequency",
        help: "Leave out features that are not 0 in fewer than MIN or more than MAX of the training rows, such as rare words; \
               each a number of rows or a percentage, such as 2:50%, 2: or :50%",
        placeholder: "MIN:MAX",
        default: None,
        values: OptionValues::Forms(|| vec!["MIN:MAX".to_owned()]),
    },
    OptionInfo {
        name: "normalise",
        help: "Divide each row by its length, after the scaling: l2 (Euclidean), l1 (the sum of the absolute values) or max \
               (the largest absolute value); the model does it in predictions too",
        placeholder: "LENGTH",
        default: None,
        values: OptionValues::Words(&[
            word("none", ""),
            word("l2", ""),
            word("l1", ""),
            word("max", ""),
        ]),
    },
];
