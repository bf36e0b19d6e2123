//! A certificate from anyone, about points that are drawn from the same bytes.

use rosenblatt_core::data::{Examples, Rows, Sign};
use rosenblatt_proofs::{Certificate, MOST_DIGITS, verify};

use crate::{
    draw::Draw,
    exact::{Points, is_proof},
};

/// Points, then a certificate as text or drawn. The checker says yes to proofs, and to nothing else.
pub(crate) fn certificate(bytes: &[u8]) {
    let mut draw = Draw(bytes);
    let points = points(&mut draw);
    let certificate = match draw.0 {
        [b'{', ..] => serde_json::from_slice(draw.0).ok(),
        _ => Some(drawn(&mut draw, &points)),
    };
    let Some(certificate) = certificate else { return };
    let rows = Rows::dense(points.rows.concat(), points.features()).unwrap();
    let sign = |&sign: &i8| if sign == 1 { Sign::Plus } else { Sign::Minus };
    let signs: Vec<Sign> = points.signs.iter().map(sign).collect();
    let examples = Examples::new(&rows, &signs).unwrap();
    let verified = verify(&certificate, &examples);
    let expected = is_proof(&certificate, &points) && is_short(&certificate, &points);
    assert_eq!(verified.is_ok(), expected, "{certificate:?}: {verified:?}");
}

fn points(draw: &mut Draw<'_>) -> Points {
    let (features, n) = (1 + draw.below(3), 1 + draw.below(7));
    let row = |draw: &mut Draw<'_>| draw.numbers(features);
    let rows = (0..n).map(|_| row(draw)).collect();
    let signs = draw.byte();
    Points { rows, signs: (0..n).map(|i| if signs >> i & 1 == 1 { 1 } else { -1 }).collect() }
}

fn drawn(draw: &mut Draw<'_>, points: &Points) -> Certificate {
    let kind = draw.byte();
    let with_bias = kind & 2 == 0;
    if kind & 5 == 4 {
        let weights = (0..points.features()).map(|_| draw.text()).collect();
        return Certificate::YesInIntegers { with_bias, weights, bias: draw.text() };
    }
    if kind & 1 == 0 {
        let weights = (0..points.features()).map(|_| draw.any_number()).collect();
        return Certificate::Yes { with_bias, weights, bias: draw.any_number() };
    }
    let n = draw.below(6);
    Certificate::No {
        with_bias,
        rows: (0..n).map(|_| draw.below(9)).collect(),
        multipliers: (0..n).map(|_| draw.text()).collect(),
    }
}

/// Whether it is within what the checker reads: d + 2 rows, and numbers that end.
fn is_short(certificate: &Certificate, points: &Points) -> bool {
    match certificate {
        Certificate::Yes { .. } => true,
        Certificate::YesInIntegers { weights, bias, .. } => {
            weights.iter().chain([bias]).all(|text| text.len() <= MOST_DIGITS)
        }
        Certificate::No { rows, multipliers, .. } => {
            rows.len() <= points.features() + 2
                && multipliers.iter().all(|text| text.len() <= MOST_DIGITS)
        }
    }
}
