//! The figures of the paper, its tables 2 and 3, as secondary notes give them: without the column T = 30, and with a
//! last digit that is not guaranteed.

/// The epochs of the columns.
pub(super) const COLUMNS: [f64; 6] = [0.1, 1.0, 2.0, 3.0, 4.0, 10.0];

/// The rows of errors, in the order of the tallies, as the paper calls them.
pub(super) const ROWS: [&str; 7] = [
    "vote",
    "average (unnormalised)",
    "average (normalised)",
    "last (unnormalised)",
    "last (normalised)",
    "random (unnormalised)",
    "random (normalised)",
];

/// One column: test errors in per cent in the order of [`ROWS`], where known, and the counts.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) errors: [Option<f64>; 7],
    pub(super) support: f64,
    pub(super) mistakes: f64,
}

const fn column(errors: [Option<f64>; 7], support: u32, mistakes: u32) -> Column {
    Column { errors, support: support as f64, mistakes: mistakes as f64 }
}

/// The means of the columns of several runs.
pub(super) fn means(runs: &[Vec<Column>]) -> Vec<Column> {
    let mean = |of: &dyn Fn(&[Column]) -> f64| {
        runs.iter().map(|run| of(run)).sum::<f64>() / runs.len() as f64
    };
    let column = |place: usize| Column {
        errors: std::array::from_fn(|tally| {
            Some(mean(&|run| run[place].errors[tally].unwrap_or(f64::NAN)))
        }),
        support: mean(&|run| run[place].support),
        mistakes: mean(&|run| run[place].mistakes),
    };
    (0..COLUMNS.len()).map(column).collect()
}

/// The paper's columns for the degrees 1 to 6.
pub(super) static PAPER: [[Column; 6]; 6] = [
    // d = 1
    [
        column(
            [Some(10.7), Some(10.9), Some(10.9), Some(16.0), Some(15.4), Some(22.0), Some(21.5)],
            2_489,
            3_342,
        ),
        column(
            [Some(8.5), Some(8.7), Some(8.5), Some(14.7), Some(14.1), Some(15.7), Some(15.2)],
            19_795,
            25_461,
        ),
        column(
            [Some(8.3), Some(8.5), Some(8.3), Some(13.6), Some(13.1), Some(14.7), Some(14.2)],
            24_263,
            48_431,
        ),
        column(
            [Some(8.2), Some(8.4), Some(8.2), Some(13.9), Some(13.5), Some(14.3), Some(13.8)],
            26_704,
            70_915,
        ),
        column(
            [Some(8.2), Some(8.3), Some(8.2), Some(13.7), Some(13.2), Some(14.1), Some(13.6)],
            28_322,
            93_090,
        ),
        column(
            [Some(8.1), Some(8.3), Some(8.1), Some(13.5), Some(13.0), Some(13.8), Some(13.2)],
            32_994,
            223_657,
        ),
    ],
    // d = 2
    [
        column(
            [Some(6.0), Some(6.0), Some(6.2), Some(8.6), Some(8.4), Some(13.4), Some(13.2)],
            1_639,
            2_150,
        ),
        column(
            [Some(2.8), Some(2.8), Some(3.0), Some(4.0), Some(3.9), Some(5.9), Some(5.9)],
            8_190,
            10_201,
        ),
        column(
            [Some(2.4), Some(2.4), Some(2.5), Some(3.4), Some(3.3), Some(4.7), Some(4.7)],
            9_888,
            15_290,
        ),
        column(
            [Some(2.2), Some(2.2), Some(2.3), Some(3.0), Some(3.0), Some(4.1), Some(4.1)],
            10_818,
            19_093,
        ),
        column(
            [Some(2.1), Some(2.1), Some(2.2), Some(2.7), Some(2.7), Some(3.8), Some(3.8)],
            11_424,
            22_100,
        ),
        column(
            [Some(1.8), Some(1.9), Some(1.9), Some(2.3), Some(2.3), Some(2.9), Some(2.9)],
            12_963,
            32_451,
        ),
    ],
    // d = 3
    [
        column([Some(5.4), Some(5.3), None, Some(6.9), None, Some(11.6), None], 1_460, 1_937),
        column([Some(2.3), Some(2.3), None, Some(3.1), None, Some(4.9), None], 6_774, 8_475),
        column([Some(1.9), Some(1.9), None, Some(2.5), None, Some(3.7), None], 8_073, 11_739),
        column([Some(1.8), Some(1.8), None, Some(2.2), None, Some(3.2), None], 8_715, 13_757),
        column([Some(1.7), Some(1.7), None, Some(2.0), None, Some(2.9), None], 9_102, 15_129),
        column([Some(1.6), Some(1.6), None, Some(1.7), None, Some(2.2), None], 9_883, 18_422),
    ],
    // d = 4
    [
        column([Some(5.4), None, None, None, None, None, None], 1_406, 1_882),
        column([Some(2.2), None, None, None, None, None, None], 6_338, 7_977),
        column([Some(1.8), None, None, None, None, None, None], 7_453, 10_543),
        column([Some(1.7), None, None, None, None, None, None], 7_944, 11_933),
        column([Some(1.6), None, None, None, None, None, None], 8_214, 12_780),
        column([Some(1.6), None, None, None, None, None, None], 8_673, 14_375),
    ],
    // d = 5
    [
        column([Some(5.7), None, None, None, None, None, None], 1_439, 1_953),
        column([Some(2.2), None, None, None, None, None, None], 6_327, 8_044),
        column([Some(1.8), None, None, None, None, None, None], 7_367, 10_379),
        column([Some(1.7), None, None, None, None, None, None], 7_788, 11_563),
        column([Some(1.6), None, None, None, None, None, None], 7_990, 12_215),
        column([Some(1.6), None, None, None, None, None, None], 8_295, 13_234),
    ],
    // d = 6
    [
        column([Some(6.0), None, None, None, None, None, None], 1_488, 2_034),
        column([Some(2.5), None, None, None, None, None, None], 6_521, 8_351),
        column([Some(2.0), None, None, None, None, None, None], 7_572, 10_764),
        column([Some(1.8), None, None, None, None, None, None], 7_947, 11_892),
        column([Some(1.8), None, None, None, None, None, None], 8_117, 12_472),
        column([Some(1.7), None, None, None, None, None, None], 8_284, 13_108),
    ],
];
