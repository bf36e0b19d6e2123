//! The order of the examples and the initial weights.
//!
//! # The random stream
//! The stream is part of a model's identity and so never changes. It is ChaCha with 8 rounds. The 256-bit key is the
//! seed as 8 little-endian bytes followed by zeros. The 64-bit stream number depends on the purpose:
//!
//! - stream 0 for the initial weights (2⁶² + h for hyperplane h > 0);
//! - stream `e` for the order of epoch `e` (from 1), or for the example that it visits ([`Order::Mistaken`]);
//! - stream 2⁶³ − 1 for the examples on which a vote is judged;
//! - stream 2⁶⁴ − 1 − c for dealing out the examples of class c ([`split`](crate::split));
//! - stream 2⁶³ + h/2 for the random time of a row that a voted model scores ([`keep`](crate::keep)), where h is the
//!   FNV-1a hash of the row's nonzero entries, each as the number of the feature (from 0) and the bits of the value,
//!   both as 8 little-endian bytes.
//!
//! So the order of an epoch depends only on the seed, the epoch and the number of examples.
//!
//! An epoch's order is the Fisher–Yates shuffle (Knuth, TAOCP 2, algorithm 3.4.2P) of 0..n: for i from n − 1 down to 1,
//! swap places i and j, where j is uniform in 0..=i. A uniform integer is the high half of a 64×64-bit product, made
//! unbiased by Lemire's rejection (*ACM TOMACS* 29, 2019).

use std::sync::Arc;

use chacha20::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::{data::Scaling, hyperplane::Hyperplane, simd::prefetch};

/// The order of the examples within an epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// A new random order in each epoch, from the seed.
    #[default]
    Shuffle,
    /// The order in which the examples were given.
    Given,
    /// An epoch looks at all examples with the weights as they are and visits one of the mistakes, drawn from the seed. If
    /// there are no more mistakes than allowed, it visits none (Abu-Mostafa, Magdon-Ismail & Lin, *Learning from Data*,
    /// 2012, section 1.1.2). [`reference`](crate::reference) defines such a run.
    Mistaken,
}

/// The initial weights and bias.
///
/// JSON stores only the name: `zero`, `random` or `given`. So `given` reads as an empty list, which cannot start a run
/// but can continue one from its checkpoint.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(from = "Word", into = "Word")]
pub enum Init {
    /// All weights are zero.
    #[default]
    Zero,
    /// Uniform on [−1, 1), from the seed: first the bias (drawn even if it is not learned), then the weights in the
    /// order of the features.
    Random,
    /// These hyperplanes, one per hyperplane of the run, with one weight per feature. Without a bias their bias must be
    /// 0.
    Given(Arc<[Hyperplane]>),
}

/// The names in JSON.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Zero,
    Random,
    Given,
}

impl From<Word> for Init {
    fn from(word: Word) -> Self {
        match word {
            Word::Zero => Init::Zero,
            Word::Random => Init::Random,
            Word::Given => Init::Given(Arc::new([])),
        }
    }
}

impl From<Init> for Word {
    fn from(init: Init) -> Self {
        match init {
            Init::Zero => Word::Zero,
            Init::Random => Word::Random,
            Init::Given(_) => Word::Given,
        }
    }
}

impl Order {
    /// Sets `places` to the order of epoch `epoch` (from 1) for `places.len()` examples.
    pub fn arrange(self, seed: u64, epoch: u64, places: &mut [usize]) {
        for (i, place) in places.iter_mut().enumerate() {
            *place = i;
        }
        if self == Order::Shuffle {
            shuffle(seed, epoch, places);
        }
    }
}

/// The example that epoch `epoch` (from 1) visits by [`Order::Mistaken`]: one of these, each equally likely.
///
/// # Panics
/// Without examples.
pub fn choose(seed: u64, epoch: u64, mistaken: &[usize]) -> usize {
    mistaken[below(&mut generator(seed, epoch), mistaken.len() as u64) as usize]
}

/// Shuffles with the numbers of one stream.
pub(crate) fn shuffle(seed: u64, stream: u64, places: &mut [usize]) {
    /// Random numbers are drawn this many swaps ahead, so that the places can be prefetched.
    const AHEAD: usize = 64;
    let mut generator = generator(seed, stream);
    let mut others = [0; AHEAD];
    // The number of places without a random number yet.
    let mut open = places.len();
    while open > 1 {
        let others = &mut others[..AHEAD.min(open - 1)];
        for (n, other) in (0..=open as u64).rev().zip(others.iter_mut()) {
            *other = below(&mut generator, n) as usize;
            prefetch::some(places, *other, 1);
        }
        for &mut other in others {
            open -= 1;
            places.swap(open, other);
        }
    }
}

/// The stream of [`sample`].
const SAMPLE: u64 = (1 << 63) - 1;

/// `size` of `n` places in ascending order, each such set equally likely.
pub(crate) fn sample(seed: u64, n: usize, size: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..n).collect();
    shuffle(seed, SAMPLE, &mut places);
    places.truncate(size);
    places.sort_unstable();
    places
}

/// A uniform number below `n` for the row with this hash; 0 if `n` is 0.
pub(crate) fn random_time(seed: u64, hash: u64, n: u64) -> u64 {
    let mut generator = generator(seed, (1 << 63) + (hash >> 1));
    if n == 0 { 0 } else { below(&mut generator, n) }
}

impl Init {
    /// The name: `zero`, `random` or `given`.
    pub fn name(&self) -> &'static str {
        match self {
            Init::Zero => "zero",
            Init::Random => "random",
            Init::Given(_) => "given",
        }
    }

    /// The initial weights of scaled features. Given weights are converted, unless they are those of another number of
    /// features, which is an error of the run.
    pub(crate) fn scaled(&self, scaling: &Scaling) -> Init {
        let scaled = |plane: &Hyperplane| match plane.weights.len() == scaling.features() {
            true => plane.scaled(scaling),
            false => plane.clone(),
        };
        match self {
            Init::Given(planes) => Init::Given(planes.iter().map(scaled).collect()),
            other => other.clone(),
        }
    }

    /// The initial hyperplane with this number. Zeros replace a given one that is missing or has another width.
    pub(crate) fn hyperplane(
        &self,
        seed: u64,
        number: usize,
        features: usize,
        with_bias: bool,
    ) -> Hyperplane {
        match self {
            Init::Zero => Hyperplane::zero(features),
            Init::Random => {
                let stream = if number == 0 { 0 } else { (1 << 62) + number as u64 };
                let mut generator = generator(seed, stream);
                let bias = symmetric(&mut generator);
                let weights = (0..features).map(|_| symmetric(&mut generator)).collect();
                Hyperplane { weights, bias: if with_bias { bias } else { 0.0 } }
            }
            Init::Given(planes) => {
                let Some(Hyperplane { weights, bias }) = planes.get(number) else {
                    return Hyperplane::zero(features);
                };
                // No weight is ever −0.
                let mut weights: Vec<f64> = weights.iter().map(|weight| weight + 0.0).collect();
                weights.resize(features, 0.0);
                Hyperplane { weights, bias: if with_bias { bias + 0.0 } else { 0.0 } }
            }
        }
    }
}

fn generator(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut generator = ChaCha8Rng::from_seed(key);
    generator.set_stream(stream);
    generator
}

/// A uniform integer below `n`, which is positive.
#[inline]
fn below(generator: &mut impl Rng, n: u64) -> u64 {
    let mut draw = || {
        let product = u128::from(generator.next_u64()) * u128::from(n);
        ((product >> 64) as u64, product as u64)
    };
    let (mut high, mut low) = draw();
    if low < n {
        let rejected = n.wrapping_neg() % n;
        while low < rejected {
            (high, low) = draw();
        }
    }
    high
}

/// A multiple of 2⁻⁵² uniform on [−1, 1); 0 is +0.
fn symmetric(generator: &mut impl Rng) -> f64 {
    (generator.next_u64() >> 11) as f64 * f64::EPSILON - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(seed: u64, epoch: u64, n: usize) -> Vec<usize> {
        let mut places = vec![0; n];
        Order::Shuffle.arrange(seed, epoch, &mut places);
        places
    }

    /// The first words of ChaCha8 with key 0 and stream 0 (the published keystream
    /// 3e00ef2f 895f40d6 7f5bb8e8 1f09a5a1 …, read as little-endian words).
    #[test]
    fn the_generator_is_chacha8() {
        let mut generator = generator(0, 0);
        assert_eq!(
            generator.next_u64().to_le_bytes(),
            [0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6]
        );
        assert_eq!(
            generator.next_u64().to_le_bytes(),
            [0x7f, 0x5b, 0xb8, 0xe8, 0x1f, 0x09, 0xa5, 0xa1]
        );
    }

    /// Pinned values: a change here changes every shuffled model. A separate program computed the orders from the
    /// description above.
    #[test]
    fn the_stream_is_pinned() {
        assert_eq!(order(0, 1, 10), [8, 5, 0, 6, 1, 3, 4, 2, 9, 7]);
        assert_eq!(order(0, 2, 10), [1, 7, 4, 8, 2, 3, 6, 0, 5, 9]);
        assert_eq!(order(7, 1, 10), [3, 1, 0, 6, 8, 4, 5, 7, 2, 9]);
    }

    /// Each of three examples has a third of the seeds: 1000, within five standard deviations of a binomial.
    #[test]
    fn every_mistake_is_equally_likely() {
        let mut counts = [0; 3];
        (0..3000).for_each(|seed| counts[choose(seed, 7, &[0, 1, 2])] += 1);
        assert!(counts.iter().all(|&count: &i32| (count - 1000).abs() < 130), "{counts:?}");
        assert_eq!(choose(0, 1, &[41]), 41);
    }

    /// Pinned values, computed by a separate program.
    #[test]
    fn the_choice_is_pinned() {
        let mistaken: Vec<usize> = (0..10).collect();
        let chosen: Vec<usize> = (1..=10).map(|epoch| choose(7, epoch, &mistaken)).collect();
        assert_eq!(chosen, [9, 0, 6, 2, 0, 7, 0, 7, 6, 0]);
    }

    /// Implements the module's description directly.
    #[test]
    fn numbers_drawn_ahead_make_the_same_order() {
        for n in (0..200).chain([1000, 4097]) {
            let mut generator = generator(9, 5);
            let mut naive: Vec<usize> = (0..n).collect();
            for i in (1..n).rev() {
                naive.swap(i, below(&mut generator, i as u64 + 1) as usize);
            }
            assert_eq!(order(9, 5, n), naive);
        }
    }

    #[test]
    fn every_order_is_equally_likely() {
        let mut counts = std::collections::BTreeMap::new();
        for epoch in 1..=6000 {
            *counts.entry(order(3, epoch, 3)).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 6);
        // Five standard deviations of a binomial with n = 6000, p = 1/6.
        assert!(counts.values().all(|&count: &i32| (count - 1000).abs() < 145), "{counts:?}");
    }

    #[test]
    fn in_json_the_first_weights_are_a_word() {
        let given = Init::Given(vec![Hyperplane { weights: vec![1.0], bias: 2.0 }].into());
        for (init, read) in [
            (Init::Zero, Init::Zero),
            (Init::Random, Init::Random),
            (given, Init::Given(Arc::new([]))),
        ] {
            let text = serde_json::to_string(&init).unwrap();
            assert_eq!(text, format!("\"{}\"", init.name()));
            assert_eq!(serde_json::from_str::<Init>(&text).unwrap(), read);
        }
    }

    #[test]
    fn given_weights_are_never_minus_zero() {
        let plane = Hyperplane { weights: vec![-0.0, 1.5], bias: -0.0 };
        let given = Init::Given(vec![Hyperplane::zero(2), plane].into());
        let Hyperplane { weights, bias } = given.hyperplane(0, 1, 2, true);
        let numbers = [weights[0], weights[1], bias].map(f64::to_bits);
        assert_eq!(numbers, [0.0, 1.5, 0.0].map(f64::to_bits));
    }

    #[test]
    fn random_weights_do_not_depend_on_what_follows() {
        let narrow = Init::Random.hyperplane(5, 0, 3, true);
        let wide = Init::Random.hyperplane(5, 0, 8, true);
        assert_eq!(narrow.weights, wide.weights[..3]);
        assert_eq!(narrow.bias, wide.bias);
        assert!(wide.weights.iter().all(|w| (-1.0..1.0).contains(w)));
        assert_eq!(Init::Random.hyperplane(5, 0, 3, false).bias, 0.0);
    }
}
