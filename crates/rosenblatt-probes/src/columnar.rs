//! Options of reading, and any bytes as a Parquet or Arrow file.

use rosenblatt_data::{
    CharNgrams, FormatKind, Hashing, MissingOption, MissingRule, OnError, ReadOptions,
};

use crate::{draw::Draw, readers::learned, seeds::OPTIONS};

/// Parquet.
pub(crate) fn parquet(bytes: &[u8]) {
    read_as(FormatKind::PARQUET, bytes);
}

/// Arrow, as a file or a stream.
pub(crate) fn arrow(bytes: &[u8]) {
    read_as(FormatKind::ARROW, bytes);
}

/// The first bytes draw the options, the others are the file.
fn read_as(format: FormatKind, bytes: &[u8]) {
    let (drawn, file) = bytes.split_at(bytes.len().min(OPTIONS));
    learned(file, &options(format, &mut Draw(drawn)));
}

/// Bytes of zeros are the options by default. Columns go by their positions.
fn options(format: FormatKind, draw: &mut Draw<'_>) -> ReadOptions {
    let on_error = *draw.of(&[OnError::Stop, OnError::Skip, OnError::Blank]);
    let target = Some(draw.below(9)).filter(|&column| column > 0);
    let mut columns = || {
        let set = draw.byte();
        (1..=8).filter(move |column| set >> (column - 1) & 1 == 1).map(|column| column.to_string())
    };
    let [ignore, categorical, text, features, factors] =
        std::array::from_fn(|_| columns().collect::<Vec<String>>());
    let rules = [
        MissingRule::Mean,
        MissingRule::Median,
        MissingRule::Zero,
        MissingRule::Category,
        MissingRule::Drop,
    ];
    let rule = draw.below(rules.len() + 1).checked_sub(1).map(|rule| rules[rule]);
    let column = Some(draw.below(9)).filter(|&column| column > 0);
    let [indicator, no_dictionary, decimals, few_labels, characters] = {
        let flags = draw.byte();
        std::array::from_fn(|flag| flags >> flag & 1 == 1)
    };
    let missing =
        |rule| MissingOption { column: column.map(|column| column.to_string()), rule, indicator };
    ReadOptions {
        format: Some(format),
        target: target.map(|column| column.to_string()),
        ignore,
        categorical,
        text,
        features,
        interactions: if factors.is_empty() { Vec::new() } else { vec![factors] },
        hashing: Hashing {
            bits: 4,
            ngrams: 2,
            chars: characters.then_some(CharNgrams { shortest: 1, longest: 3 }),
        },
        dictionary: !no_dictionary,
        missing: rule.map(missing).into_iter().collect(),
        decimals,
        max_labels: few_labels.then_some(3),
        on_error,
        ..ReadOptions::default()
    }
}
