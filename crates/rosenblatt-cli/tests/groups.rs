//! `--group`: rows of a group are held out together.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::Desk;

/// Twelve groups of one to four equal rows, of random classes.
fn rows() -> String {
    let number = |i: usize| (0..=i).fold(1, |x, _| x * 7 % 1009);
    let rows = |group: usize| {
        let class = if number(group) > 504 { "up" } else { "down" };
        let (x, y) = (number(group + 50), number(group + 90));
        format!("g{group},{x},{y},{class}\n").repeat(1 + group % 4)
    };
    "who,x,y,class\n".to_owned() + &(0..12).map(rows).collect::<String>()
}

#[test]
fn the_column_is_no_feature() {
    let desk = Desk::with(&[("rows.csv", &rows())]);
    let grouped = desk.report("train rows.csv --group who --folds 3 -o grouped.model");
    assert_eq!(grouped["features"], 2);
    desk.succeed("train rows.csv --ignore who -q -o ignored.model");
    assert_eq!(
        desk.succeed("predict grouped.model rows.csv --scores"),
        desk.succeed("predict ignored.model rows.csv --scores")
    );
    let apart = desk.report("train rows.csv --ignore who --folds 3");
    assert_ne!(grouped["folds"], apart["folds"]);
}

/// With two groups of one row each class, the hold-out of a group is that group.
#[test]
fn whole_groups_are_held_out() {
    let desk = Desk::with(&[(
        "rows.csv",
        "x,who,class\n1,a,p\n2,a,q\n3,b,p\n4,b,q\n5,b,q\n6,a,p\n7,a,q\n8,b,p\n",
    )]);
    let report = desk.report("train rows.csv --group who --holdout 0.5");
    assert_eq!((&report["examples"], &report["holdout"]["examples"]), (&4.into(), &4.into()));
    assert_eq!(report["guarantee"]["withheld"], "grouped");
    let json = desk.succeed("train rows.csv --group 2 --holdout 0.5 --json --no-timing");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), {
        let mut named = report;
        named.as_object_mut().unwrap().remove("seconds");
        named
    });
}

/// Of rows in the order of time the last ones are held out: the model is that of the first rows alone, and its accuracy no
/// statement about a random sample.
#[test]
fn the_last_rows_are_held_out() {
    let row = |i: usize| {
        format!("{},{},{}\n", i % 7, i % 5, if (i % 7 > 3) ^ (i > 90) { "up" } else { "down" })
    };
    let rows: Vec<String> = (0..100).map(row).collect();
    let (first, last) = rows.split_at(80);
    let table = |rows: &[String]| "x,y,class\n".to_owned() + &rows.concat();
    let desk = Desk::with(&[
        ("all.csv", &table(&rows)),
        ("first.csv", &table(first)),
        ("last.csv", &table(last)),
    ]);
    let report = desk.report("train all.csv --holdout last:20% -o all.model");
    desk.succeed("train first.csv -q -o first.model");
    assert_eq!(
        desk.succeed("predict all.model last.csv --scores"),
        desk.succeed("predict first.model last.csv --scores")
    );
    let judged = desk.report("evaluate first.model last.csv");
    let holdout = &report["holdout"];
    assert_eq!((&holdout["examples"], &holdout["last"]), (&20.into(), &true.into()));
    assert_eq!(holdout["errors"], judged["errors"]);
    assert_eq!(report["guarantee"]["withheld"], "last");
    let text = desk.succeed("train all.csv --holdout last:0.2");
    assert!(text.contains("of the last 20 examples, held out ("), "{text}");
    assert!(text.contains("the last examples are no random sample of all"), "{text}");
    let drawn = desk.report("train all.csv --holdout 20%");
    assert_eq!(drawn["holdout"], desk.report("train all.csv --holdout 0.2")["holdout"]);
    assert_eq!(drawn["holdout"].get("last"), None);
    let told = desk.run("train all.csv --holdout last:20% --group x").stderr;
    assert!(told.contains("parts the rows of a group"), "{told}");
    let told = desk.run("train all.csv --holdout first:20%").stderr;
    assert!(told.contains("0.2, 20% or last:20%"), "{told}");
}

/// A row without a number is left out, and so is a row that cannot be read: the cells of the others stay with their rows.
#[test]
fn rows_that_are_left_out_take_their_cells_with_them() {
    let text = "x,who,class\n1,a,p\n,z,p\n2,a,q\nbad,z,q\n3,b,p\n4,b,q\n";
    let json = "{\"x\":1,\"who\":\"a\",\"class\":\"p\"}\n{\"x\":null,\"who\":\"z\",\"class\":\"p\"}\n\
                {\"x\":2,\"who\":\"a\",\"class\":\"q\"}\n{\"x\":3,\"who\":\"b\",\"class\":\"p\"}\n\
                {\"x\":4,\"who\":\"b\",\"class\":\"q\"}\n";
    let desk = Desk::with(&[("rows.csv", text), ("rows.jsonl", json)]);
    for line in ["rows.csv --on-error skip:50%", "rows.jsonl"] {
        let report = desk.report(&format!("train {line} --missing drop --group who --holdout 0.5"));
        assert_eq!(
            (&report["examples"], &report["holdout"]["examples"]),
            (&2.into(), &2.into()),
            "{line}"
        );
    }
}

/// A column that another option names as a feature is one, too; it is never the label.
#[test]
fn the_column_is_a_feature_if_it_is_named_as_one() {
    let text = "x,who,class\n1,a,p\n2,a,q\n3,b,p\n4,b,q\n5,c,q\n6,c,p\n";
    let last = "x,class,who\n1,p,a\n2,q,a\n3,p,b\n4,q,b\n5,q,c\n6,p,c\n";
    let desk = Desk::with(&[("rows.csv", text), ("last.csv", last)]);
    for (line, features) in [
        ("rows.csv --group who", 1),
        ("rows.csv --group who --categorical who", 4),
        ("rows.csv --group who --features x,who", 4),
        ("rows.csv --group who --text who", 1 << 18),
        ("last.csv --group who --categorical who --target class", 4),
        ("last.csv --group who --categorical who --ignore who --target class", 1),
    ] {
        let report = desk.report(&format!("train {line} --holdout 0.4 -o m.model"));
        assert_eq!(report["features"], features, "{line}");
        assert_eq!(
            (&report["examples"], &report["holdout"]["examples"]),
            (&4.into(), &2.into()),
            "{line}"
        );
        assert_eq!(report["classes"], serde_json::json!(["p", "q"]), "{line}");
        desk.succeed("predict m.model rows.csv");
    }
}

/// Of a class in one group, every example is held out, by a model without it. All examples in one group cannot be.
#[test]
fn a_class_in_one_group_is_no_obstacle() {
    let rows: String = (0..40)
        .map(|i| {
            format!(
                "{},g{},{}\n",
                i * i % 37,
                i / 4,
                ["p", "q", "r"][if i < 4 { 2 } else { i % 2 }]
            )
        })
        .collect();
    let desk = Desk::with(&[
        ("rows.csv", &format!("x,who,class\n{rows}")),
        ("one.csv", "x,who,class\n1,a,p\n2,a,q\n3,a,p\n"),
    ]);
    let report = desk.report("train rows.csv --group who --folds 4");
    let few = &report["folds"]["few"][0];
    assert_eq!(
        (&few["class"], &few["examples"], &few["folds"]),
        (&"r".into(), &4.into(), &1.into())
    );
    let done = desk.run("train one.csv --group who --folds 2");
    assert_eq!(done.code, 2);
    assert!(
        done.stderr.contains("the examples are of 1 group, too few for 2 parts"),
        "{}",
        done.stderr
    );
    assert!(done.stderr.contains("leave out `--group`"), "{}", done.stderr);
}

#[test]
fn several_files_have_one_list_of_groups() {
    let desk = Desk::with(&[
        ("one.csv", "x,who,class\n1,a,p\n2,a,q\n"),
        ("two.csv", "x,who,class\n3,b,p\n4,b,q\n5,a,p\n"),
    ]);
    let report = desk.report("train one.csv two.csv --group who --holdout 0.4");
    assert_eq!((&report["examples"], &report["holdout"]["examples"]), (&3.into(), &2.into()));
}

#[test]
fn what_cannot_be_is_refused() {
    let desk = Desk::with(&[
        ("rows.csv", &rows()),
        ("gap.csv", "x,who,class\n1,a,p\n2,,q\n"),
        ("rows.libsvm", "1 1:2\n-1 1:3\n"),
    ]);
    for (line, message) in [
        ("rows.csv --group who", "and none are"),
        ("rows.csv --group whom --folds 3", "no column `whom`"),
        ("rows.csv --group class --folds 3", "`class` is ignored"),
        ("rows.csv --group who --folds 13", "the examples are of 12 groups, too few for 13 parts"),
        ("rows.csv --group who --folds 3 --memory 100", "the rows exceed `--memory`"),
        ("gap.csv --group who --holdout 0.5", "gap.csv: example 2: the cell of `who` is empty"),
        ("rows.libsvm --group who --folds 3", "LIBSVM data have no columns"),
    ] {
        let done = desk.run(&format!("train {line} -o no.model"));
        assert_eq!(done.code, 2, "{line}");
        assert!(done.stderr.contains(message), "{line}: {}", done.stderr);
        assert!(!desk.files().contains(&"no.model".to_owned()), "{line}");
    }
}
