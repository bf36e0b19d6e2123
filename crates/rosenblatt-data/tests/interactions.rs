//! Products of columns, against a program that follows the definition.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

use std::{collections::BTreeMap, io::Cursor};

use proptest::prelude::*;
use rosenblatt_core::data::{Row, Rows};
use rosenblatt_data::{
    Dataset, Encoder, FormatKind, OnError, ReadError, ReadOptions, Reader, Source, read,
    schema::Inputs,
};

const HEADER: &str = "a,b,c,t,y\n";

fn source(text: &str) -> Source {
    Source::stream("data", Cursor::new(text.as_bytes().to_vec())).unwrap()
}

/// The columns `a` and `b` are numbers, `c` has categories and `t` words; `a` may lack a number.
fn options(interactions: &[&[&str]], bits: u8) -> ReadOptions {
    let named = |list: &&[&str]| list.iter().map(|&name| name.to_owned()).collect();
    ReadOptions {
        format: Some(FormatKind::CSV),
        text: vec!["t".to_owned()],
        features: ["a", "b", "c"].map(str::to_owned).to_vec(),
        missing: vec!["a=median+indicator".parse().unwrap()],
        bits,
        interactions: interactions.iter().map(named).collect(),
        ..ReadOptions::default()
    }
}

/// The entries of each row that are not 0.
fn entries(rows: &Rows<'_>) -> Vec<BTreeMap<usize, f64>> {
    let entries = |row: Row<'_>| {
        let mut all = BTreeMap::new();
        row.for_each(|j, x| all.extend((x != 0.0).then_some((j, x))));
        all
    };
    rows.iter().map(entries).collect()
}

/// The number of features of each column.
fn widths(dataset: &Dataset) -> Vec<usize> {
    let Inputs::Columns(columns) = &dataset.schema.inputs else { panic!("a table has columns") };
    columns.features.iter().map(rosenblatt_data::schema::Column::features).collect()
}

/// The finalized FNV-1a hash of eight bytes.
fn hash(number: usize) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in (number as u64).to_le_bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        hash = (hash ^ hash >> 33).wrapping_mul(factor);
    }
    hash ^ hash >> 33
}

/// The rows with the products of the columns of each pair, one feature after the other.
fn multiplied(plain: &Dataset, pairs: &[[usize; 2]], bits: u8) -> Vec<BTreeMap<usize, f64>> {
    let widths = widths(plain);
    let first = |column: usize| widths[..column].iter().sum::<usize>();
    let mut rows = entries(&plain.rows);
    for row in &mut rows {
        let own = row.clone();
        let mut start = first(widths.len());
        for &[one, other] in pairs {
            let count = widths[one] * widths[other];
            let is_hashed = count > 1 << bits;
            for i in 0..widths[one] {
                for j in 0..widths[other] {
                    let value = |feature| own.get(&feature).copied().unwrap_or(0.0);
                    let product = value(first(one) + i) * value(first(other) + j);
                    let number = i * widths[other] + j;
                    let hash = hash(number);
                    let (place, sign) = match is_hashed {
                        true => (hash as usize % (1 << bits), 1.0 - 2.0 * (hash >> 63) as f64),
                        false => (number, 1.0),
                    };
                    *row.entry(start + place).or_insert(0.0) += sign * product;
                }
            }
            start += count.min(1 << bits);
        }
        row.retain(|_, x| *x != 0.0);
    }
    rows
}

fn table() -> impl Strategy<Value = String> {
    let number = prop_oneof![Just(String::new()), (-9..9i32).prop_map(|a| format!("{a}.5"))];
    let row = (number, -3..3i32, "[pqr]", "[u-z]( [u-z]){0,4}", 0..2u8);
    proptest::collection::vec(row, 1..9).prop_map(|rows| {
        let line = |(a, b, c, t, y)| format!("{a},{b},{c},{t},{y}\n");
        HEADER.to_owned() + "2.5,1,p,u,0\n" + &rows.into_iter().map(line).collect::<String>()
    })
}

proptest! {
    /// Few bits hash all pairs with texts, and three bits those of categories, too.
    #[test]
    fn products_are_those_of_the_definition(text in table(), bits in prop_oneof![1..4u8, 8..11u8]) {
        let plain = read(source(&text), &options(&[], bits)).unwrap();
        // The order of the names does not matter, nor does it that a pair is named twice.
        let lists: &[&[&str]] = &[&["c", "b"], &["t", "a", "c"], &["c", "a"]];
        let pairs = [[0, 2], [0, 3], [1, 2], [2, 3]];
        let dataset = read(source(&text), &options(lists, bits)).unwrap();
        prop_assert_eq!(entries(&dataset.rows), multiplied(&plain, &pairs, bits));
        let (names, features) = (dataset.schema.feature_names(), dataset.rows.features());
        prop_assert_eq!(names.len(), features);
        prop_assert_eq!(dataset.schema.feature_directions().len(), features);
        prop_assert_eq!(dataset.schema.features(), features);
        // Predictions read the same rows.
        let mut batches = Reader::for_model(source(&text), &options(&[], 1), &dataset.schema, None).unwrap();
        let again = Encoder::new(&dataset.schema).encode_batch(batches.next().unwrap().unwrap()).rows;
        prop_assert_eq!(entries(&again), entries(&dataset.rows));
        // With a median of other rows, the products are those of that median.
        if let Some(filled) = dataset.filled_by(&[0]) {
            let plain = plain.filled_by(&[0]).unwrap();
            prop_assert_eq!(entries(&filled.rows), multiplied(&plain, &pairs, bits));
            prop_assert_eq!(filled.rows.features(), features);
        }
    }
}

fn numbers(interactions: &[&str]) -> ReadOptions {
    let list = interactions.iter().map(|&name| name.to_owned()).collect();
    ReadOptions {
        format: Some(FormatKind::CSV),
        interactions: vec![list],
        ..ReadOptions::default()
    }
}

/// 0 times a negative number is 0, so that equal rows have equal bits.
#[test]
fn numbers_stay_dense() {
    let dataset =
        read(source("a,b,c,y\n2,3,-4,1\n0,5,-6,0\n"), &numbers(&["b", "c", "a"])).unwrap();
    assert!(!dataset.rows.is_sparse());
    assert_eq!(dataset.schema.feature_names(), ["a", "b", "c", "a * b", "a * c", "b * c"]);
    let mut values = Vec::new();
    dataset.rows.iter().for_each(|row| row.for_each(|_, x| values.push(x.to_bits())));
    let expected = [2.0, 3.0, -4.0, 6.0, -8.0, -12.0, 0.0, 5.0, -6.0, 0.0, 0.0, -30.0f64];
    assert_eq!(values, expected.map(f64::to_bits));
}

/// The names follow the columns, the first of which changes slowest.
#[test]
fn products_have_names() {
    let options = ReadOptions { bits: 2, ..numbers(&["n", "c", "d"]) };
    let dataset = read(source("d,n,c,y\nu,2,q,1\nv,3,p,0\nw,3,p,0\n"), &options).unwrap();
    let names = dataset.schema.feature_names();
    let expected = ["d=u", "d=v", "d=w", "n", "c=p", "c=q", "d=u * n", "d=v * n", "d=w * n"];
    assert_eq!(names[..9], expected);
    assert_eq!(names[9..], ["d * c#0", "d * c#1", "d * c#2", "d * c#3", "n * c=p", "n * c=q"]);
}

#[test]
fn a_number_that_is_too_large_is_a_fault_of_its_row() {
    let text = "a,b,y\n1,2,0\n3,-3.2e147,1\n1,1,1\n";
    let error = read(source(text), &numbers(&["a", "b"])).unwrap_err().to_string();
    assert_eq!(
        error,
        "data:3:3: `-3.2e147` in column `b` is too large to be multiplied: an interaction takes numbers up to \
         2^490 (3.19e147)"
    );
    let skip = ReadOptions { on_error: OnError::Skip, ..numbers(&["a", "b"]) };
    let dataset = read(source(text), &skip).unwrap();
    assert_eq!((dataset.rows.len(), dataset.notes.skipped), (2, 1));
    assert!(read(source(text), &numbers(&["b", "a"])).is_err());
    // The largest product of all, and as many digits as it has.
    let text = "a,b,y\n3.196670515523576e147,3.196670515523576e147,0\n1,1,1\n";
    assert!(read(source(text), &numbers(&["a", "b"])).is_ok());
}

#[test]
fn columns_that_cannot_be_multiplied() {
    let text = "a,b,y\n1,2,0\n3,4,1\n";
    let error = |names: &[&str]| read(source(text), &numbers(names)).unwrap_err();
    assert!(matches!(error(&["a", "z"]), ReadError::NoSuchColumn { .. }));
    assert!(matches!(error(&["a", "y"]), ReadError::InteractionOfNoFeature { .. }));
    for names in [&["a"][..], &["a", "a"], &["a", "b", "1"], &[""]] {
        assert!(matches!(error(names), ReadError::InteractionOfOne { .. }), "{names:?}");
    }
    let ignored = ReadOptions { ignore: vec!["a".to_owned()], ..numbers(&["a", "b"]) };
    let error = read(source(text), &ignored).unwrap_err();
    assert!(matches!(error, ReadError::InteractionOfNoFeature { .. }), "{error}");
    let few = ReadOptions { max_features: 11, ..numbers(&["t", "u"]) };
    let text = "t,u,a,y\na,a,1,1\nb,b,2,1\nc,c,3,0\nd,d,4,0\n";
    let error = read(source(text), &few).unwrap_err().to_string();
    let expected = "data: 25 features, 16 of them products of two columns, the limit is 11";
    assert_eq!(error, expected);
}
