//! Options of reading, and any bytes as a Parquet or Arrow file.

use rosenblatt_data::{
    CharNgrams, Cut, FormatKind, MissingOption, MissingRule, OnError, ReadOptions,
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
    let of_columns = options_of_columns(draw);
    let (rule, column, flags) = (rule(draw), column(draw), draw.byte());
    let [indicator, no_dictionary, few_labels, characters] =
        std::array::from_fn(|flag| flags >> flag & 1 == 1);
    let missing = rule.map(|rule| MissingOption { column, rule, indicator });
    let chars = characters.then_some(CharNgrams { shortest: 1, longest: 3 });
    ReadOptions {
        format: Some(format),
        bits: 4,
        cut: Some(chars.map_or(Cut::Words(2), Cut::Chars)),
        dictionary: !no_dictionary,
        missing: missing.into_iter().collect(),
        max_labels: few_labels.then_some(3),
        on_error,
        ..of_columns
    }
}

fn options_of_columns(draw: &mut Draw<'_>) -> ReadOptions {
    let target = column(draw);
    let [ignore, categorical, text, features, factors] = std::array::from_fn(|_| columns(draw));
    let interactions = if factors.is_empty() { Vec::new() } else { vec![factors] };
    let others = ReadOptions::default();
    ReadOptions { target, ignore, categorical, text, features, interactions, ..others }
}

/// One of the first eight columns, or none.
fn column(draw: &mut Draw<'_>) -> Option<String> {
    Some(draw.below(9)).filter(|&column| column > 0).map(|column| column.to_string())
}

/// Some of the first eight columns.
fn columns(draw: &mut Draw<'_>) -> Vec<String> {
    let set = draw.byte();
    let is_in = |column: &u8| set >> (column - 1) & 1 == 1;
    (1..=8).filter(is_in).map(|column| column.to_string()).collect()
}

/// A rule for missing values, or none.
fn rule(draw: &mut Draw<'_>) -> Option<MissingRule> {
    *draw.of(&[
        None,
        Some(MissingRule::Mean),
        Some(MissingRule::Median),
        Some(MissingRule::Zero),
        Some(MissingRule::Category),
        Some(MissingRule::Drop),
    ])
}
