//! Answers to questions, against the engine and against numbers worked by hand.
#![allow(clippy::unwrap_used)]

mod draw;

use draw::Draw;
use rosenblatt_lab::{Refusal, answer};
use serde_json::{Value, json};

fn ask(question: Value) -> Value {
    let answered = answer(question.to_string().as_bytes(), &|| false);
    let answered = answered.unwrap_or_else(|refusal| panic!("{question}: {refusal}"));
    serde_json::from_slice(&answered).unwrap()
}

fn refused(question: Value) -> Refusal {
    match answer(question.to_string().as_bytes(), &|| false) {
        Err(refusal) => refusal,
        Ok(_) => panic!("{question} was answered"),
    }
}

fn square(signs: [i8; 4]) -> Value {
    json!({"rows": [[0, 0], [0, 1], [1, 0], [1, 1]], "signs": signs})
}

fn and() -> Value {
    square([-1, -1, -1, 1])
}

fn xor() -> Value {
    square([-1, 1, 1, -1])
}

/// The run of docs/lectures/varner.md, by hand: score, mistake, w₁, w₂, b after the visit.
const BY_HAND: [(f64, bool, [f64; 3]); 8] = [
    (0.0, true, [0.0, 0.0, -1.0]),
    (-1.0, false, [0.0, 0.0, -1.0]),
    (-1.0, false, [0.0, 0.0, -1.0]),
    (-1.0, true, [1.0, 1.0, 0.0]),
    (0.0, true, [1.0, 1.0, -1.0]),
    (0.0, true, [1.0, 0.0, -2.0]),
    (-1.0, false, [1.0, 0.0, -2.0]),
    (-1.0, true, [2.0, 1.0, -1.0]),
];

#[test]
fn a_window_tells_each_visit_as_by_hand() {
    let told = ask(json!({"train": {"points": and(), "options": {"order": "given"},
        "window": {"from": 0, "count": 8}}}));
    assert_eq!(told["visits"], 36);
    assert_eq!(told["report"]["updates"], 18);
    assert_eq!(told["report"]["epochs"], 9);
    assert_eq!(told["last"], json!([3.0, 2.0, -4.0]));
    assert_eq!(told["bias_unit"], 1.0);
    let trace = &told["trace"];
    assert_eq!(trace["last"].as_array().unwrap().len(), 9);
    assert_eq!(trace["last"][0], json!([0.0, 0.0, 0.0]));
    assert_eq!(trace["average"][0], Value::Null);
    for (i, (score, mistake, plane)) in BY_HAND.into_iter().enumerate() {
        let row = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]][i % 4];
        assert_eq!(trace["scores_after"][i], plane[0] * row[0] + plane[1] * row[1] + plane[2]);
        assert_eq!(trace["examples"][i], i % 4);
        assert_eq!(trace["scores"][i], score);
        assert_eq!(trace["mistakes"][i], mistake);
        assert_eq!(
            trace["steps"][i],
            if !mistake {
                0.0
            } else if i % 4 == 3 {
                1.0
            } else {
                -1.0
            }
        );
        assert_eq!(trace["last"][i + 1], json!(plane));
    }
    // The mean of the first four: (0,0,−1) three times and (1,1,0).
    assert_eq!(trace["average"][4], json!([0.25, 0.25, -0.75]));
}

/// AROW with r = 2 on (1, 2), +: the variance is 1 + 4 + 1, so α = 1/(6 + 2); each weight moves by αx/a with a = 1, and a grows by
/// x²/2. The second-order perceptron with a = 3 on (1, 1), +: each weight is x/(3 + x²).
#[test]
fn a_window_has_the_precisions_of_a_second_order_rule() {
    let first_visit = |update: &str, x: [f64; 2]| {
        let points = json!({"rows": [x, [0, 0]], "signs": [1, -1]});
        let told = ask(json!({"train": {"points": points, "window": {"from": 0, "count": 1},
            "options": {"order": "given", "update": update, "epochs": 1}}}));
        let trace = told["trace"].clone();
        [&trace["steps"], &trace["last"], &trace["precisions"], &trace["scores_after"]]
            .map(Value::clone)
    };
    assert_eq!(
        first_visit("arow:2", [1.0, 2.0]),
        [
            json!([0.125]),
            json!([[0.0, 0.0, 0.0], [0.125, 0.25, 0.125]]),
            json!([[1.0, 1.0, 1.0], [1.5, 3.0, 1.5]]),
            json!([0.75])
        ]
    );
    assert_eq!(
        first_visit("second-order:3", [1.0, 1.0]),
        [
            json!([1.0]),
            json!([[0.0, 0.0, 0.0], [0.25, 0.25, 0.25]]),
            json!([[3.0, 3.0, 3.0], [4.0, 4.0, 4.0]]),
            json!([0.75])
        ]
    );
    assert_eq!(first_visit("perceptron", [1.0, 1.0])[2], Value::Null);
}

/// The first visits of docs/lectures/lauer.md: b is the threshold.
#[test]
fn a_table_has_the_visits_as_by_hand() {
    let options = json!({"order": "given", "mistake": "label", "keep": "last"});
    let table = |format: &str, more: Value| {
        let mut question =
            json!({"points": and(), "options": options, "format": format, "threshold": true});
        question.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ask(json!({"trace": question}))
    };
    let told = table("csv", json!({}));
    assert_eq!((told["visits"].as_u64(), told["whole"].as_bool()), (Some(24), Some(true)));
    let text = told["text"].as_str().unwrap();
    let lines: Vec<&str> = text.lines().take(4).collect();
    let expected = [
        "epoch,visit,example,x1,x2,y,score,mistake,step,w1,w2,threshold,score_after,alpha",
        ",0,,,,,,,,0,0,0,,",
        "1,1,1,0,0,-1,0,yes,-1,0,0,1,-1,1",
        "1,2,2,0,1,-1,-1,no,0,0,0,1,-1,0",
    ];
    assert_eq!(lines, expected);
    assert_eq!(text.lines().count(), 26);
    let markdown = table("md", json!({"start": [0.0, 0.0, 1.0]}));
    assert!(
        markdown["text"].as_str().unwrap().contains("| 1 | 1 | 1 | (0, 0) | −1 | 1 | yes |"),
        "{markdown}"
    );
    for format in ["tex", "json"] {
        assert_eq!(table(format, json!({}))["visits"], 24);
    }
}

/// XOR never converges: the table has the first visits and says so.
#[test]
fn a_table_has_an_end() {
    let told = ask(
        json!({"trace": {"points": xor(), "options": {"order": "given", "epochs": 100_000}, "format": "csv"}}),
    );
    assert_eq!((told["visits"].as_u64(), told["whole"].as_bool()), (Some(10_000), Some(false)));
    let wide = json!({"rows": [vec![0.0; 17], vec![1.0; 17]], "signs": [1, -1]});
    let refusal = refused(json!({"trace": {"points": wide, "format": "csv"}}));
    assert_eq!(refusal.to_string(), "features of rows with a table: 17, at most 16 are answered");
}

/// What a window tells of a visit does not depend on where the window begins or the run ends.
#[test]
fn windows_and_ends_agree() {
    for options in [
        json!({}),
        json!({"init": "random", "bias": "none", "eta": 0.3}),
        json!({"bias": "radius", "update": "margin:0.5", "mistake": "label"}),
        json!({"kernel": "poly:2", "epochs": 5}),
        json!({"kernel": "rbf:0.5", "bias": "none"}),
    ] {
        let with = |extra: Value| {
            let mut question = json!({"points": and(), "options": options.clone()});
            question.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
            ask(json!({"train": question}))
        };
        let whole = with(json!({"window": {"from": 0, "count": 100}}));
        let visits = whole["visits"].as_u64().unwrap().min(20);
        let (mut updates, mut mistakes) = (0, 0);
        for from in 0..visits {
            let part = with(json!({"until": from + 1, "window": {"from": from, "count": 1}}));
            assert_eq!(part["visits"], from + 1);
            // The last visit of the whole run ends it for its own reason.
            let is_last = whole["visits"] == from + 1;
            let observer = json!("observer");
            let expected = if is_last { &whole["report"]["stopped_by"] } else { &observer };
            assert_eq!(part["report"]["stopped_by"], *expected);
            let (part, whole, i) = (&part["trace"], &whole["trace"], from as usize);
            assert_eq!(
                (&part["updates_before"], &part["mistakes_before"]),
                (&json!(updates), &json!(mistakes))
            );
            for key in ["examples", "scores", "scores_after", "mistakes", "steps"] {
                assert_eq!(part[key][0], whole[key][i], "{options} {key} {i}");
            }
            for key in ["last", "average", "pocket"] {
                if options.get("kernel").is_some() {
                    assert_eq!(part.get(key), None);
                } else {
                    assert_eq!(part[key][0], whole[key][i], "{options} {key} {i}");
                    assert_eq!(part[key][1], whole[key][i + 1], "{options} {key} {i}");
                }
            }
            updates += u64::from(whole["steps"][i] != 0.0);
            mistakes += u64::from(whole["mistakes"][i] == true);
        }
    }
}

/// A score is that of the weights by the rule's own arithmetic: K = (x·z + 1)², steps as told.
#[test]
fn scores_in_a_kernel_space_follow_from_the_steps() {
    let rows = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]];
    let told =
        ask(json!({"train": {"points": xor(), "options": {"kernel": "poly:2", "bias": "none"},
        "window": {"from": 0, "count": 1000}}}));
    assert_eq!(told["report"]["converged"], true);
    let trace = &told["trace"];
    let mut coefficients = [0.0; 4];
    let visits = trace["examples"].as_array().unwrap();
    assert!(visits.len() >= 8);
    for (i, example) in visits.iter().enumerate() {
        let example = example.as_u64().unwrap() as usize;
        let kernel = |j: usize| {
            let product: f64 = rows[j].iter().zip(rows[example]).map(|(a, b)| a * b).sum();
            (product + 1.0) * (product + 1.0)
        };
        let score: f64 = (0..4).map(|j| coefficients[j] * kernel(j)).sum();
        assert_eq!(trace["scores"][i].as_f64().unwrap(), score, "visit {i}");
        coefficients[example] += trace["steps"][i].as_f64().unwrap();
    }
}

/// Also late in runs that do not converge, where correct examples come between the updates: whole numbers, K = (x·z + 1)².
#[test]
fn scores_of_all_visits_in_a_kernel_space_follow_from_the_steps() {
    let mut draw = Draw(7);
    for _ in 0..40 {
        let count = 3 + draw.below(8) as usize;
        let mut coordinate = || draw.below(7) as f64 - 3.0;
        let rows: Vec<[f64; 2]> = (0..count).map(|_| [coordinate(), coordinate()]).collect();
        let signs: Vec<i8> = (0..count)
            .map(|i| if i == 0 || i > 1 && draw.below(2) == 0 { 1 } else { -1 })
            .collect();
        let (bias, unit) = draw.of(&[("unit", 1.0), ("none", 0.0)]);
        let options = json!({"kernel": "poly:2", "bias": bias, "epochs": 30, "mistake": draw.of(&["margin", "label"])});
        let points = json!({"rows": rows, "signs": signs});
        let told = ask(
            json!({"train": {"points": points, "options": options, "window": {"from": 0, "count": 1000}}}),
        );
        let trace = &told["trace"];
        let mut coefficients = vec![0.0; count];
        for (i, example) in trace["examples"].as_array().unwrap().iter().enumerate() {
            let example = example.as_u64().unwrap() as usize;
            let term = |j: usize| {
                let product = rows[j][0] * rows[example][0] + rows[j][1] * rows[example][1] + 1.0;
                coefficients[j] * (product * product + unit)
            };
            let score: f64 = (0..count).map(term).sum();
            assert_eq!(trace["scores"][i].as_f64(), Some(score), "{options} {points} visit {i}");
            coefficients[example] += trace["steps"][i].as_f64().unwrap();
        }
    }
}

/// Places of an answer that hold null, as paths in which every index is `*`.
fn nulls(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Null => found.push(path.to_owned()),
        Value::Array(list) => list.iter().for_each(|one| nulls(one, &format!("{path}[*]"), found)),
        Value::Object(entries) => {
            entries.iter().for_each(|(key, one)| nulls(one, &format!("{path}.{key}"), found))
        }
        _ => {}
    }
}

/// JSON has no NaN and no infinity: the answer would have null in place of them, which a page reads as any number. Null stands
/// only where the contract of the page has it: for the average before the first visit, for the margin of w = 0, and for a
/// radius of a run that is past the range.
#[test]
fn no_number_of_an_answer_is_missing() {
    let numbers = [
        0.0, 1.0, -1.0, 0.5, 3.0, -2.0, 1e150, -1e155, 1e200, -1e300, 1.7e308, 1e-200, -1e-310,
        5e-324,
    ];
    let mut draw = Draw(11);
    let (mut answered, mut past_the_range) = (0, 0);
    for _ in 0..600 {
        let count = 2 + draw.below(5) as usize;
        let sizes = draw.of(&[6, 8, 10, numbers.len()]);
        let rows: Vec<[f64; 2]> =
            (0..count).map(|_| [draw.of(&numbers[..sizes]), draw.of(&numbers[..sizes])]).collect();
        let signs: Vec<i8> = (0..count)
            .map(|i| if i == 0 || i > 1 && draw.below(2) == 0 { 1 } else { -1 })
            .collect();
        let points = json!({"rows": rows, "signs": signs});
        let mut options = json!({"epochs": 5, "bias": draw.of(&["unit", "none", "radius"]), "eta": draw.of(&[1.0, 1.0, 1e150, 1e-150]),
            "keep": draw.of(&["auto", "last", "average", "pocket", "vote"]),
            "update": draw.of(&["perceptron", "margin:1", "pa", "pa1:0.5"]), "init": draw.of(&["zero", "zero", "random"])});
        if let Some(kernel) = draw.of(&[None, None, Some("poly:2"), Some("rbf:1"), Some("linear")])
        {
            options["kernel"] = json!(kernel);
            options["init"] = json!("zero");
        }
        let grid = json!({"x": [-1e160, 1e150], "y": [1e-310, 1e10], "columns": 3, "rows": 2});
        let plane = [draw.of(&numbers), draw.of(&numbers), draw.of(&numbers)];
        for question in [
            json!({"train": {"points": points, "options": options, "window": {"from": 0, "count": 50}, "counts": true,
                "surfaces": {"keep": ["last"], "grid": grid}}}),
            json!({"errors": {"points": points, "planes": [plane, [0, 0, 1]], "margins": true}}),
            json!({"separable": {"points": points, "options": options}}),
            json!({"study": {"points": points, "options": {"epochs": 5}, "runs": 5, "lines": true}}),
            json!({"patterns": {"rows": rows, "labels": signs.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "options": options, "queries": rows}}),
        ] {
            let Ok(answer) = answer(question.to_string().as_bytes(), &|| false) else { continue };
            answered += 1;
            let answer: Value = serde_json::from_slice(&answer).unwrap();
            let mut found = Vec::new();
            nulls(&answer, "", &mut found);
            let of_study = question.get("study").map_or(".report.radius", |_| ".radius");
            let allowed = [".trace.average[*]", ".margins[*]", of_study];
            found.retain(|place| !allowed.contains(&place.as_str()));
            assert!(found.is_empty(), "{question}: {found:?}");
            let scores = answer["trace"]["scores"].as_array().into_iter().flatten();
            past_the_range += scores.filter(|score| score.is_string()).count();
        }
    }
    assert!(answered > 1_000 && past_the_range > 0, "{answered} {past_the_range}");
}

/// One update makes w = 10²⁰⁰, so that the score 10⁴⁰⁰ of the next example is past the range of numbers, and its sign is known.
#[test]
fn a_score_past_the_range_of_numbers_has_a_sign() {
    let points = json!({"rows": [[1e200], [2e200], [-1e200]], "signs": [1, 1, 1]});
    let refusal = refused(json!({"train": {"points": points}}));
    assert!(refusal.to_string().contains("nothing to separate"), "{refusal}");
    let points = json!({"rows": [[1e200], [2e200], [-1e200]], "signs": [1, 1, -1]});
    let told = ask(
        json!({"train": {"points": points, "options": {"order": "given"}, "window": {"from": 0, "count": 3}}}),
    );
    assert_eq!(told["trace"]["scores"], json!([0.0, "positive", "negative"]));
    assert_eq!(told["trace"]["mistakes"], json!([true, false, false]));
}

#[test]
fn surfaces_are_scores_on_the_grid() {
    let grid = json!({"x": [0, 1], "y": [0, 2], "columns": 2, "rows": 3});
    let told = ask(json!({"train": {"points": and(), "options": {"order": "given"},
        "surfaces": {"keep": ["last", "vote"], "grid": grid}}}));
    // 3x + 2y − 4 at (0,0), (1,0), (0,1), (1,1), (0,2), (1,2).
    assert_eq!(told["surfaces"][0]["kept"], "last");
    assert_eq!(told["surfaces"][0]["scores"], json!([-4.0, -1.0, -2.0, 1.0, 0.0, 3.0]));
    // The voters of BY_HAND and after: all vote −1 at (0, 0) where b < 0 or weights were 0 before; the
    // sum of the survivals is the number of visits, 36, so every score is even or odd as 36 is.
    let votes = told["surfaces"][1]["scores"].as_array().unwrap();
    assert_eq!(votes.len(), 6);
    assert!(votes.iter().all(|vote| vote.as_f64().unwrap().abs() <= 36.0));
    assert!(votes[0].as_f64().unwrap() < 0.0 && votes[3].as_f64().unwrap() != 0.0);
}

#[test]
fn the_kept_weights_are_those_that_the_report_judges() {
    for keep in ["last", "average", "pocket", "vote", "auto"] {
        let told = ask(json!({"train": {"points": xor(), "options": {"keep": keep, "epochs": 7}}}));
        let wrong = |plane: &Value| {
            let of = |i: usize| plane[i].as_f64().unwrap();
            let corners = [(0.0, 0.0, -1.0), (0.0, 1.0, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0, -1.0)];
            corners
                .iter()
                .filter(|(x, y, sign)| (of(0) * x + of(1) * y + of(2) >= 0.0) != (*sign > 0.0))
                .count()
        };
        for kept in ["last", "average", "pocket"] {
            assert_eq!(told["report"]["errors"][kept], wrong(&told[kept]), "{keep} {kept}");
        }
        assert_eq!(told["report"]["stopped_by"], "max_epochs");
    }
}

/// The average of a run that converged is that of its 18 visits, which errs, as at every other visit; `train` would continue
/// it by two epochs.
#[test]
fn the_average_is_that_of_the_visits() {
    let points = json!({"rows": [[-2, 0], [-1, 0]], "signs": [1, -1]});
    let question = json!({"points": points, "options": {"order": "given"}, "window": {"from": 0, "count": 100}});
    let told = ask(json!({"train": question}));
    assert_eq!(told["visits"], 18);
    assert_eq!(told["average"], json!([-28.0 / 18.0, 0.0, -26.0 / 18.0]));
    assert_eq!(told["average"], told["trace"]["average"][18]);
    assert_eq!(
        (&told["report"]["errors"]["average"], &told["report"]["converged"]),
        (&json!(1), &json!(true))
    );
}

/// The score of the second point is −2⁻¹⁰⁴: sums and products of `f64` make 0 of it.
#[test]
fn errors_are_counted_by_exact_signs_and_the_reading_of_zero() {
    let (one, near) = (1.0 + f64::EPSILON, 1.0 + 2.0 * f64::EPSILON);
    let points = json!({"rows": [[one, 1.0], [-one, near], [-1.0, -1.0]], "signs": [1, 1, -1]});
    // By the first plane the second point is wrong. By the second plane all scores are 0.
    let planes = json!([[one, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, -1.0]]);
    let counts = |zero: Value| {
        let mut question = json!({"points": points, "planes": planes});
        question.as_object_mut().unwrap().extend(zero.as_object().unwrap().clone());
        ask(json!({"errors": question}))
    };
    assert_eq!(counts(json!({})), json!({"errors": [1, 1, 2]}));
    assert_eq!(counts(json!({"zero": "negative"})), json!({"errors": [1, 2, 2]}));
    let planes = |planes: Value| {
        refused(json!({"errors": {"points": points, "planes": planes}})).to_string()
    };
    assert_eq!(planes(json!([[0, 0, 0], [1, 2]])), "planes[1]: 2 of them, expected 3");
    assert_eq!(planes(json!(vec![[0, 0, 0]; 201])), "planes: 201, at most 200 are answered");
}

/// The points −, +, − on x = 1, with a − on their left and a + on their right: a line touches both classes.
#[test]
fn inseparable_points_touch_or_overlap() {
    let found = ask(json!({"inseparable": {"points": xor(), "work": 1_000_000}}));
    assert_eq!(found["least_errors"], json!({"lower": 1, "upper": 1}));
    assert_eq!(
        (&found["separation"]["separation"], &found["ended"]),
        (&json!("overlap"), &json!(false))
    );
    let rows = json!([[1, 0], [1, 1], [1, 2], [0, 0], [2, 0]]);
    let points = json!({"rows": rows, "signs": [-1, 1, -1, -1, 1]});
    let found = ask(json!({"inseparable": {"points": points, "work": 1_000_000}}));
    assert_eq!(found["separation"]["separation"], "quasi-complete");
    assert_eq!(
        (&found["separation"]["weights"], &found["separation"]["bias"]),
        (&json!(["1", "0"]), &json!("-1"))
    );
    assert_eq!(found["on_line"], 3);
}

#[test]
fn separability_comes_with_its_proof() {
    let no = ask(json!({"separable": {"points": xor()}}));
    assert_eq!((&no["separable"], &no["verified"]), (&json!("no"), &json!(true)));
    assert_eq!(no["certificate"]["rows"].as_array().unwrap().len(), 4);
    let yes = ask(json!({"separable": {"points": and()}}));
    assert_eq!(yes["separable"], "yes");
    // (2, 2), −3: γ = 1/√17, R² + 1 = 3, so 51 mistakes at most; see docs/lectures/varner.md.
    assert!((yes["margin"]["lower"].as_f64().unwrap() - 17f64.powf(-0.5)).abs() < 1e-6);
    assert!((yes["bound"].as_f64().unwrap() - 51.0).abs() < 1e-3);
}

#[test]
fn a_study_counts_its_runs() {
    let told = ask(json!({"study": {"points": and(), "runs": 50}}));
    assert_eq!((&told["runs"], &told["converged"]), (&json!(50), &json!(50)));
    let counts = told["histogram"].as_array().unwrap().iter();
    assert_eq!(counts.map(|bin| bin["count"].as_u64().unwrap()).sum::<u64>(), 50);
    assert!(told["updates"]["max"].as_f64().unwrap() <= told["bound"].as_f64().unwrap());
}

#[test]
fn patterns_are_told_apart() {
    let rows = json!([[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
    let three = ask(json!({"patterns": {"rows": rows, "labels": ["C", "A", "B"],
        "queries": [[2, 0, 0], [0, 0.5, 0.1]]}}));
    assert_eq!(three["classes"], json!(["A", "B", "C"]));
    // Each hyperplane learned alone, so each has its own errors.
    assert_eq!(three["report"]["per_class"][1]["errors"]["average"], 0);
    assert_eq!(three["predictions"][0]["class"], "C");
    assert_eq!(three["predictions"][1]["class"], "A");
    for (query, row) in [[2.0, 0.0, 0.0], [0.0, 0.5, 0.1]].iter().enumerate() {
        for class in 0..3 {
            let plane = &three["planes"][class];
            let of = |i: usize| plane[i].as_f64().unwrap();
            let score: f64 = (0..3).map(|i| of(i) * row[i]).sum::<f64>() + of(3);
            let told = three["predictions"][query]["scores"][class].as_f64().unwrap();
            assert!((score - told).abs() < 1e-12);
        }
    }
    // Two classes share a hyperplane, seen from both sides.
    let two = ask(json!({"patterns": {"rows": [[1, 0], [0, 1]], "labels": ["x", "o"],
        "queries": [[3, 1]]}}));
    let scores = &two["predictions"][0]["scores"];
    assert_eq!(two["predictions"][0]["class"], "x");
    assert_eq!(scores[0].as_f64().unwrap(), -scores[1].as_f64().unwrap());
    assert_eq!(two["planes"].as_array().unwrap().len(), 2);
}

#[test]
fn what_is_no_question_is_refused_with_its_place() {
    let text = |question: Value| refused(question).to_string();
    let rows = |rows: Value| json!({"train": {"points": {"rows": rows, "signs": [1, -1]}}});
    assert!(text(rows(json!([[0, 1], [0, null]]))).starts_with("train.points.rows[1][1]: "));
    assert_eq!(text(rows(json!([[0, 1], [0]]))), "rows[1]: 1 of them, expected 2");
    assert_eq!(text(rows(json!([[0, 1]]))), "signs: 2 of them, expected 1");
    let signs = json!({"separable": {"points": {"rows": [[0], [1]], "signs": [1, 0]}}});
    assert_eq!(text(signs), "points.signs[1]: 0, expected 1 or -1");
    let options = |options: Value| json!({"train": {"points": and(), "options": options}});
    assert!(text(options(json!({"epoch": 3}))).contains("unknown field `epoch`"));
    assert!(text(options(json!({"epochs": 0}))).contains("at least 1"));
    assert!(text(options(json!({"epochs": 100_001}))).contains("at most 100000"));
    assert!(text(options(json!({"eta": -1}))).contains("eta is -1"));
    let with_kernel = json!({"update": "arow:1", "kernel": "rbf:1"});
    assert!(text(options(with_kernel)).contains("no combination of rows"));
    assert!(text(options(json!({"kernel": "poly:x"}))).starts_with("train.options.kernel: "));
    assert!(text(json!({"train": {"points": and(), "until": 0}})).contains("at least 1"));
    assert!(
        text(json!({"study": {"points": and(), "runs": 2, "options": {"order": "given"}}}))
            .contains("the order is `given`")
    );
    for row in [json!([1]), json!([1, 2, 3])] {
        let points = json!({"rows": [row, row], "signs": [1, -1]});
        let grid = json!({"x": [0, 1], "y": [0, 1], "columns": 2, "rows": 2});
        let surfaces = json!({"keep": ["last"], "grid": grid});
        let question = json!({"train": {"points": points, "surfaces": surfaces}});
        assert!(text(question).starts_with("features of points with surfaces: "));
    }
    let queries = vec![[1.0]; 201];
    let patterns =
        json!({"patterns": {"rows": [[1], [2]], "labels": ["a", "b"], "queries": queries}});
    assert!(text(patterns).contains("at most 200"));
    let all: Vec<[f64; 1]> = vec![[1.0]; 5001];
    let many = json!({"separable": {"points": {"rows": all, "signs": vec![1; 5001]}}});
    assert!(matches!(refused(many), Refusal::TooMuch { found: 5001, most: 5000, .. }));
    for text in ["", "{", "[]", "null", r#"{"train":1}"#, r#"{"read":{}}"#, r#"{"train":{}} x"#] {
        let refusal = answer(text.as_bytes(), &|| false).unwrap_err();
        assert!(matches!(refusal, Refusal::Malformed { .. }), "{text}: {refusal}");
    }
    let nan = br#"{"separable": {"points": {"rows": [[NaN]], "signs": [1]}}}"#;
    assert!(matches!(answer(nan, &|| false), Err(Refusal::Malformed { .. })));
    let infinite = br#"{"separable": {"points": {"rows": [[1e999]], "signs": [1]}}}"#;
    assert!(answer(infinite, &|| false).unwrap_err().to_string().contains("out of range"));
}

#[test]
fn every_work_stops_when_told_to() {
    let points = xor();
    for question in [
        json!({"train": {"points": points}}),
        json!({"train": {"points": points, "options": {"kernel": "rbf:1", "bias": "none"}}}),
        json!({"study": {"points": points, "runs": 5}}),
        json!({"errors": {"points": points, "planes": [[1, 1, -1]]}}),
        json!({"patterns": {"rows": [[1], [2]], "labels": ["a", "b"]}}),
        json!({"file": {"name": "x.csv", "text": "x,kind\n1,a\n2,b\n"}}),
    ] {
        let refusal = answer(question.to_string().as_bytes(), &|| true).unwrap_err();
        assert!(matches!(refusal, Refusal::Stopped), "{question}: {refusal}");
    }
    // A search says what it knows when it is stopped.
    let question = json!({"separable": {"points": points}}).to_string();
    let stopped: Value =
        serde_json::from_slice(&answer(question.as_bytes(), &|| true).unwrap()).unwrap();
    assert_eq!(stopped["ended_by"], "stopped");
}

fn is_too_much(question: Value) -> bool {
    let refusal = refused(question);
    let expected =
        "this is more than the 4000000000 steps of about a nanosecond that a page may ask for";
    assert_eq!(refusal.to_string(), expected);
    matches!(refusal, Refusal::TooMuchWork { .. }) && refusal.hint().is_some()
}

/// A vote costs rows times updates; a question that would take minutes is given up by itself.
#[test]
fn a_vote_of_very_many_updates_is_given_up() {
    let rows: Vec<[f64; 2]> = (0..4000).map(|i| [f64::from(i % 61), f64::from(i % 67)]).collect();
    let signs: Vec<i8> = (0..4000).map(|i| if (i * i) % 7 < 3 { 1 } else { -1 }).collect();
    let question = json!({"train": {"points": {"rows": rows, "signs": signs},
        "options": {"keep": "vote", "epochs": 100_000}}});
    assert!(is_too_much(question));
}

/// A picture of a vote whose places are 460 powers of ten apart: the signs take exact sums, which go on from update to update. A
/// picture of more places than the budget pays for is refused at once.
#[test]
fn a_picture_of_a_vote_with_extreme_places_is_within_the_budget() {
    let mut draw = Draw(34);
    let mut coordinate = || draw.below(2_000) as f64 / 997.0 - 1.0;
    let rows: Vec<[f64; 2]> = (0..60).map(|_| [coordinate(), coordinate()]).collect();
    let signs: Vec<i8> = (0..60).map(|i| if i % 2 == 0 { 1 } else { -1 }).collect();
    let question = |side: usize| {
        let grid =
            json!({"x": [1e150, 1e-310], "y": [-1e-310, 1e150], "columns": side, "rows": side});
        json!({"train": {"points": {"rows": rows, "signs": signs}, "options": {"epochs": 400, "eta": 0.1},
            "surfaces": {"keep": ["vote"], "grid": grid}}})
    };
    let answer = ask(question(5));
    assert!(answer["report"]["updates"].as_u64().unwrap() > 5_000);
    assert_eq!(answer["surfaces"][0]["scores"].as_array().unwrap().len(), 25);
    assert!(is_too_much(question(200)));
}

/// The multiplications that an answer cannot do without, by its own numbers: one for each feature of each visit, of each score on the
/// grid, and of each weight vector that has a vote in it.
fn least_work(question: &Value, answer: &Value) -> u64 {
    let train = &question["train"];
    let numbers = 1 + train["points"]["rows"][0].as_array().map_or(0, Vec::len) as u64;
    let report = &answer["report"];
    let [examples, epochs, updates] =
        ["examples", "epochs", "updates"].map(|key| report[key].as_u64().unwrap_or(0));
    let of_keep = |keep: &Value| if keep == "vote" { updates } else { 1 };
    let size = |key: &str| train["surfaces"]["grid"][key].as_u64().unwrap_or(0);
    let kept = train["surfaces"]["keep"].as_array().into_iter().flatten();
    let of_grid = size("columns") * size("rows") * kept.map(of_keep).sum::<u64>();
    (examples * epochs + of_grid) * numbers
}

/// Questions of every kind with numbers at the ends of the range, and with large grids, long runs and many runs: each is
/// answered or refused, and what is answered is no more work than the budget has.
#[test]
fn every_kind_of_question_is_within_the_budget() {
    let numbers = [1e150, -1e150, 1e-310, -1e-310, 5e-324, 1.7e308, 0.0, 1.0, -3.0];
    let mut draw = Draw(12);
    let (mut answered, mut too_much) = (0, 0);
    for round in 0..12 {
        let count = [3, 20, 200][round / 2 % 3];
        // With numbers of one size most runs go to their end, with others many exceed the range.
        let sizes = if round % 2 == 0 { &numbers[..] } else { &[0.0, 1.0, -3.0, 2.5, 0.125] };
        let rows: Vec<[f64; 2]> = (0..count).map(|_| [draw.of(sizes), draw.of(sizes)]).collect();
        let signs: Vec<i8> = (0..count).map(|i| if i % 2 == 0 { 1 } else { -1 }).collect();
        let labels: Vec<&str> = (0..count).map(|i| ["a", "b", "c"][i % 3]).collect();
        let text: String = rows
            .iter()
            .zip(&labels)
            .map(|([x, y], label)| format!("{x:e},{y:e},{label}\n"))
            .collect();
        let points = json!({"rows": rows, "signs": signs});
        let (side, keep) = if round < 6 { (3, "pocket") } else { (200, "vote") };
        let grid =
            json!({"x": [1e150, 1e-310], "y": [-1e-310, 1e150], "columns": side, "rows": side});
        let options = json!({"epochs": if round < 6 { 10 } else { 1_000 }});
        let surfaces = json!({"keep": [keep], "grid": grid});
        for question in [
            json!({"train": {"points": points, "options": options, "surfaces": surfaces}}),
            json!({"train": {"points": points, "options": {"kernel": "poly:3", "epochs": 30}}}),
            json!({"errors": {"points": points, "planes": vec![[1e150, -1e-310, 5e-324]; 4], "margins": true}}),
            json!({"separable": {"points": points}}),
            json!({"inseparable": {"points": points, "work": 10_000_000 >> (round % 4)}}),
            json!({"study": {"points": points, "options": options, "runs": draw.of(&[5, 50])}}),
            json!({"patterns": {"rows": rows, "labels": labels, "options": {"epochs": 30}, "queries": rows}}),
            json!({"file": {"name": "x.csv", "text": text, "header": false}}),
        ] {
            match answer(question.to_string().as_bytes(), &|| false) {
                Ok(answer) => {
                    let answer: Value = serde_json::from_slice(&answer).unwrap();
                    let work = least_work(&question, &answer);
                    assert!(work <= 4_000_000_000, "{work}: {question}");
                    answered += 1;
                }
                Err(Refusal::TooMuchWork { .. }) => too_much += 1,
                Err(Refusal::Stopped) => panic!("stopped without reason: {question}"),
                // Numbers past the range, and points of one place with both labels.
                Err(_) => {}
            }
        }
    }
    assert!(answered > 30 && too_much > 0, "{answered} {too_much}");
}

/// 4,000 points in 100,000 epochs are 400 million visits. The work is counted, so every machine gives them up.
#[test]
fn a_run_of_very_many_visits_is_given_up() {
    let rows: Vec<[f64; 2]> = (0..4000).map(|i| [f64::from(i % 61), f64::from(i % 67)]).collect();
    let signs: Vec<i8> = (0..4000).map(|i| if (i * i) % 7 < 3 { 1 } else { -1 }).collect();
    let points = json!({"rows": rows, "signs": signs});
    for question in [
        json!({"train": {"points": points, "options": {"epochs": 100_000}}}),
        json!({"study": {"points": points, "options": {"epochs": 100_000}, "runs": 1000}}),
        json!({"train": {"points": points, "options": {"kernel": "poly:2", "epochs": 100_000}}}),
        json!({"trace": {"points": points, "options": {"kernel": "poly:2"}, "format": "csv"}}),
    ] {
        assert!(is_too_much(question));
    }
}

/// AND by the margin rule makes 18 updates and ends at w = (3, 2), b = −4. The α follow from these numbers alone:
/// their sum is 18, α₁₁ − α₁₀ = 3, α₁₁ − α₀₁ = 2 and α₁₁ − α₀₀ − α₀₁ − α₁₀ = −4.
#[test]
fn the_updates_on_each_point_are_counted() {
    for (until, counts) in [(Some(1), [1, 0, 0, 0]), (Some(4), [1, 0, 0, 1]), (None, [2, 5, 4, 7])]
    {
        let question = json!({"train": {"points": and(), "until": until, "counts": true,
            "options": {"order": "given", "keep": "last"}}});
        let answer = ask(question);
        assert_eq!(answer["counts"], json!(counts));
        let total: u64 = counts.iter().sum();
        assert_eq!(answer["report"]["updates"], json!(total));
    }
}

/// The last weights of a study are those of its runs, made one by one.
#[test]
fn a_study_has_the_last_weights_of_its_runs() {
    let points = and();
    let study =
        ask(json!({"study": {"points": points, "runs": 5, "lines": true, "options": {"seed": 3}}}));
    let lines = study["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 5);
    for (seed, line) in (3..).zip(lines) {
        let run =
            ask(json!({"train": {"points": points, "options": {"seed": seed, "keep": "last"}}}));
        assert_eq!(&run["last"], line);
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    let question = json!({"train": {"points": xor(), "options": {"init": "random", "seed": 3},
        "window": {"from": 10, "count": 50}}})
    .to_string();
    let first = answer(question.as_bytes(), &|| false).unwrap();
    assert_eq!(first, answer(question.as_bytes(), &|| false).unwrap());
}

/// AND from the line x₁ + x₂ = 1, in the given order, by hand: (0, 1) lies on the line, so w = (1, 0) and b = −2; (1, 1)
/// scores −1, so w = (2, 1) and b = −1.
#[test]
fn a_run_starts_from_given_weights_as_by_hand() {
    let told =
        ask(json!({"train": {"points": and(), "options": {"order": "given"}, "start": [1, 1, -1],
        "window": {"from": 0, "count": 4}}}));
    let trace = &told["trace"];
    assert_eq!(trace["scores"], json!([-1.0, 0.0, -1.0, -1.0]));
    assert_eq!(trace["mistakes"], json!([false, true, false, true]));
    assert_eq!(trace["last"][0], json!([1.0, 1.0, -1.0]));
    assert_eq!(trace["last"][2], json!([1.0, 0.0, -2.0]));
    assert_eq!(trace["last"][4], json!([2.0, 1.0, -1.0]));
    // Novikoff's bound is for runs from zero.
    assert_eq!(told["report"].get("novikoff_bound"), None);
}

#[test]
fn a_run_from_a_separator_makes_no_update() {
    let question = json!({"points": and(), "options": {"order": "given"}, "start": [2, 2, -3]});
    assert_eq!(ask(json!({"train": question}))["report"]["updates"], 0);
    let study = json!({"points": and(), "start": [2, 2, -3], "runs": 5, "lines": true});
    let told = ask(json!({"study": study}));
    assert_eq!(told["per_run"][4]["updates"], 0);
    assert_eq!(told["lines"], json!(vec![[2.0, 2.0, -3.0]; 5]));
}

#[test]
fn initial_weights_must_fit() {
    for (start, options, expected) in [
        (json!([1, 2]), json!({}), "start: 2 of them, expected 3"),
        (json!([1, 2, 3]), json!({"bias": "none"}), "bias"),
        (json!([1, 2, 3]), json!({"kernel": "poly:2"}), "kernel"),
        (json!([1, 2, 3]), json!({"keep": "vote"}), "vote"),
    ] {
        let question = json!({"points": and(), "options": options, "start": start});
        let refusal = refused(json!({"train": question})).to_string();
        assert!(refusal.contains(expected), "{refusal}");
    }
}

/// The scores of the corners by 3x₁ + 4x₂ = 2 are −2, 2, 1 and 5, so (0, 1) is 2/5 beyond the line and (1, 0) is 1/5.
#[test]
fn margins_are_distances_in_the_plane() {
    let planes = json!([[3, 4, -2], [2, 2, -3], [0, 0, 1], [1, 0, -1]]);
    let asked = json!({"points": and(), "planes": planes, "margins": true});
    let told = ask(json!({"errors": asked}));
    assert_eq!(told["errors"], json!([2, 0, 3, 1]));
    for (place, margin) in [(0, -0.4), (1, 1.0 / 8.0_f64.sqrt())] {
        let found = told["margins"][place].as_f64().unwrap();
        assert!((found - margin).abs() < 1e-15, "{found}");
    }
    assert_eq!(told["margins"][2], Value::Null);
    assert_eq!(told["margins"][3], 0.0);
    let without = json!({"points": and(), "planes": [[3, 4, -2]]});
    assert_eq!(ask(json!({"errors": without})), json!({"errors": [2]}));
}
