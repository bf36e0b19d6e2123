//! What people read when all goes well.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, agree, idx, own_data, root};

fn desk() -> Desk {
    Desk::with(&[
        ("and.csv", &own_data("and.csv")),
        ("xor.csv", &own_data("xor.csv")),
        ("iris.csv", &own_data("iris.csv")),
        ("sonar.csv", &own_data("sonar.csv")),
        ("colours.csv", "colour,size,y\nred,1,good\nblue,2,bad\nred,3,good\ngreen,4,bad\n"),
        ("new-colours.csv", "id,size,colour\n1,1,red\n2,2,violet\n"),
        ("messy.csv", "# measured in May\na,b,y\n1,2,0\nx,2,0\n3,,1\n4,4,1\n"),
        ("sizes.csv", "a,b,y\n1,9000,0\n2,8000,1\n3,7000,0\n4,9500,1\n5,8100,1\n"),
        ("positions.csv", "0,0,-1\n0,1,-1\n1,0,-1\n1,1,1\n"),
        (
            "mail.tsv",
            "kind\ttext\tday\nspam\tFree entry, FREE!\t1\nham\tSee you at home\t2\nspam\tfree prize\t3\nham\t\t4\n",
        ),
        ("new-mail.tsv", "text\nfree home\nsee\n"),
        ("wide.svm", "1 1:1 2:1\n-1 1:-1 9:5\n"),
        ("narrow.svm", "1 1:1 2:1\n-1 1:-1\n"),
    ])
}

#[test]
fn training() {
    insta::assert_snapshot!(desk().session(&[
        "train iris.csv --positive Iris-setosa -o setosa.model",
        "train sonar.csv",
        "train xor.csv --order given --epochs 5",
        "train and.csv --order given --bias radius --mistake label --eta 0.5",
        "train and.csv --order given --bias none --keep pocket --epochs 20",
        "train and.csv --order given --allow-mistakes 1 --init random --seed 3",
        "train messy.csv --on-error skip:50% --keep average --no-compare",
        "train and.csv --order given --epochs 8",
        "train and.csv --order given --update margin:2 --eta 2",
        "train and.csv --order given --update pa1:0.5 --epochs 3 --class-weight 1=2",
        "train and.csv --order given --update arow:1 --epochs 3",
        "train sonar.csv --update second-order:1 --epochs 3 --scale none",
        "train sizes.csv --epochs 30",
        "train iris.csv --positive Iris-virginica --epochs 50 --hard 3",
        "train iris.csv --positive Iris-virginica --epochs 20 --folds 5",
        "train iris.csv --positive Iris-virginica --epochs 20 --holdout 0.2",
        "train narrow.svm --quiet",
        "train sonar.csv --order given --epochs 1 --progress",
    ]));
}

/// Kernels, votes, several classes, early stopping, baselines.
#[test]
fn the_family() {
    let desk = desk();
    desk.write(
        "new-iris.csv",
        "sepal_length,sepal_width,petal_length,petal_width\n5,3,1,0.2\n6,3,5,2\n",
    );
    insta::assert_snapshot!(desk.session(&[
        "train xor.csv --order given --kernel poly:2 -o xor.model",
        "show xor.model",
        "predict xor.model xor.csv --scores",
        "train iris.csv --epochs 100 --scale standard -o iris.model",
        "show iris.model --top 2",
        "evaluate iris.model iris.csv --baseline",
        "predict iris.model new-iris.csv --scores",
        "train iris.csv --epochs 20 --kernel rbf:0.5 --keep vote -o voted.model --hard 2",
        "show voted.model --top 3",
        "predict voted.model new-iris.csv --scores",
        "predict voted.model new-iris.csv --scores --by last-normalised",
        "evaluate voted.model iris.csv --by average --quiet",
        "train iris.csv --class-weight balanced --update margin:1 --epochs 10 --folds 5",
        "train sonar.csv --scale standard --holdout 0.25 --patience 5",
        "train sonar.csv --kernel rbf:0.5 --keep pocket --epochs 3 --no-compare",
    ]));
}

/// Means of many classes with many features are not kept; the model says so where they are asked for.
#[test]
fn class_means_have_a_limit() {
    let desk = Desk::new();
    desk.write("wide.svm", "0 1:1\n1 2:1\n2 2000000:1\n");
    desk.succeed("train wide.svm --epochs 3 --keep last --no-compare -o wide.model");
    assert!(desk.read("wide.model").len() < 3 * 2_000_000 * 8 + 10_000);
    let text = desk.succeed("evaluate wide.model wide.svm --baseline");
    assert!(text.contains("the class means were too large to be kept in the model"), "{text}");
    assert!(text.contains("always saying 0"), "{text}");
    let line = "evaluate wide.model wide.svm --baseline --json";
    let evaluation: serde_json::Value = serde_json::from_str(&desk.succeed(line)).unwrap();
    assert!(evaluation["baseline"].get("prototype_errors").is_none(), "{evaluation}");
}

/// What a program reads of several classes.
#[test]
fn classes_as_json() {
    let desk = desk();
    let mut report = desk.report("train iris.csv --epochs 3 --keep last -o iris.model");
    assert!(report["seconds"].take().as_f64().unwrap() >= 0.0);
    insta::assert_snapshot!(serde_json::to_string_pretty(&report).unwrap());
    let line = "evaluate iris.model iris.csv --json --baseline";
    let evaluation: serde_json::Value = serde_json::from_str(&desk.succeed(line)).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&evaluation).unwrap());
    let shown: serde_json::Value =
        serde_json::from_str(&desk.succeed("show iris.model --json")).unwrap();
    assert_eq!(shown["per_class"].as_array().unwrap().len(), 3);
    desk.succeed("train xor.csv --order given --kernel poly:2 -o xor.model");
    let shown: serde_json::Value =
        serde_json::from_str(&desk.succeed("show xor.model --json")).unwrap();
    let counts = shown["support"].as_array().unwrap().iter().map(|row| row["counts"][0].as_u64());
    assert_eq!(counts.sum::<Option<u64>>(), shown["report"]["updates"].as_u64());
}

/// The object of the contract; the time is the only number that may differ from run to run.
#[test]
fn training_as_json() {
    let desk = desk();
    let mut report = desk.report("train and.csv --order given -o and.model");
    assert!(report["seconds"].take().as_f64().unwrap() >= 0.0);
    insta::assert_snapshot!(serde_json::to_string_pretty(&report).unwrap());
}

#[test]
fn models_in_use() {
    let desk = desk();
    desk.succeed("train iris.csv --positive Iris-setosa --scale standard -o setosa.model");
    desk.succeed("train colours.csv -o colours.model");
    desk.succeed("train narrow.svm -o narrow.model");
    desk.succeed("train positions.csv --no-header --class-weight 1=2 -o positions.model");
    insta::assert_snapshot!(desk.session(&[
        "show setosa.model",
        "evaluate setosa.model iris.csv",
        "evaluate setosa.model iris.csv --json",
        "show colours.model --top 2",
        "predict colours.model new-colours.csv --scores",
        "predict colours.model new-colours.csv -q -o labels.txt",
        "train mail.tsv --text text --target kind --ngrams 2 -o mail.model",
        "show mail.model --top 4",
        "predict mail.model new-mail.tsv --scores",
        "train mail.tsv --text text --target kind --features day --bits 3 --no-dictionary",
        "predict narrow.model wide.svm",
        "predict positions.model and.csv --header",
        "--version",
    ]));
    assert_eq!(desk.read("labels.txt"), b"good\ngood\n");
}

/// Labels in a second file: it is found by its name, and the report says so.
#[test]
fn images() {
    let desk = desk();
    desk.write(
        "t-images-idx3-ubyte",
        idx(8, &[4, 2, 2], &[9, 0, 0, 1, 0, 9, 1, 0, 8, 0, 0, 0, 0, 7, 0, 0]),
    );
    desk.write("t-labels-idx1-ubyte", idx(8, &[4], &[3, 5, 3, 5]));
    desk.write("unnamed", idx(0x0b, &[1, 2, 2], &[0, 1, 1, 0, 0, 0, 0xff, 0xff]));
    insta::assert_snapshot!(desk.session(&[
        "train t-images-idx3-ubyte -o images.model",
        "train unnamed --labels t-labels-idx1-ubyte",
        "evaluate images.model t-images-idx3-ubyte",
        "evaluate images.model t-images-idx3-ubyte --labels t-labels-idx1-ubyte --json -q",
        "predict images.model unnamed --scores",
        "show images.model",
    ]));
}

#[test]
fn help() {
    insta::assert_snapshot!(desk().session(&["--help", "train -h", "train --help"]));
}

/// The short help fits on a page, and names every option that the long one explains.
#[test]
fn the_short_help_is_short_and_whole() {
    let desk = Desk::new();
    let all = desk.succeed("--help");
    let (_, commands) = all.split_once("Commands:\n").unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let commands = commands.filter(|line| !line.starts_with("   "));
    let commands: Vec<&str> = commands
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() > 10);
    for command in commands {
        let [short, long] = ["-h", "--help"].map(|help| desk.succeed(&format!("{command} {help}")));
        assert!(short.lines().count() <= 60, "{command}: {}", short.lines().count());
        let options = long.lines().filter_map(|line| {
            let words = line.trim_start().strip_prefix("--").map(|rest| format!("--{rest}"));
            let words = words.or_else(|| {
                line.trim_start().split_once(", --").map(|(_, rest)| format!("--{rest}"))
            });
            words?.split([' ', '[']).next().map(str::to_owned)
        });
        for option in options.filter(|option| long.contains(&format!("{option} "))) {
            assert!(short.contains(&option), "{command} -h lacks {option}");
        }
    }
}

/// A folder with the irises, and the commands of the README's sessions.
fn readme_sessions() -> (Desk, String) {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("data")).unwrap();
    desk.write("data/iris.csv", own_data("iris.csv"));
    (desk, std::fs::read_to_string(root().join("README.md")).unwrap())
}

/// The first command of the README prints what stands below it; a line `…` stands for any lines.
#[test]
fn the_report_of_the_readme_is_current() {
    let (desk, readme) = readme_sessions();
    let (_, after) = readme.split_once("$ cargo run -- ").unwrap();
    let (command, after) = after.split_once('\n').unwrap();
    let (shown, _) = after.split_once("$ ").unwrap();
    let lines =
        |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    let printed = desk.succeed(command);
    assert!(agree(&lines(shown), &lines(&printed)), "{printed}");
}

/// The other commands of the README, in their order, succeed.
#[test]
fn the_commands_of_the_readme_run() {
    let (desk, readme) = readme_sessions();
    let commands: Vec<&str> =
        readme.lines().filter_map(|line| line.strip_prefix("$ rosenblatt ")).collect();
    assert_eq!(commands.len(), 5);
    for command in commands {
        desk.succeed(command.split(" #").next().unwrap());
    }
}

/// The figures for users, in the README and on their own page, are those of the laboratory notes.
#[test]
fn the_figures_for_users_are_those_of_the_notes() {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).unwrap();
    let notes = read("docs/accuracy.md") + &read("docs/performance.md");
    let (readme, page) = (read("README.md"), read("docs/how-good-how-fast.md"));
    // The parts of one line of the notes, and what users see of them: in the README too, and on their page.
    let lines: [(&[&str], &[&str], &[&str]); 6] = [
        (
            &["sum of seconds |", "| 80.20 (2.439 s)", "| 79.95 (8.951 s)", "| 80.23 (2.583 s)"],
            &["80.20%", "80.23%", "2.4 s", "2.6 s"],
            &["79.95%", "9.0 s"],
        ),
        (&["best of the last 3 | 72 of 86"], &[], &["72 of 86"]),
        (
            &["**rosenblatt**, one thread | 0.336 (", "| 17 | 17.4 %"],
            &["0.34 s", "17.4%"],
            &["17 MiB"],
        ),
        (&["| Vowpal Wabbit (", "| 0.907 (", "| 49 | 12.3 %"], &["0.91 s", "12.3%"], &["49, "]),
        (&["| scikit-learn (", "| 4.01 (", "| 424 | 18.2 %"], &["4.0 s", "18.2%"], &["424, "]),
        (&["| LIBLINEAR (", "| 5.18 (", "| 553 | 12.7 %"], &[], &["5.2 s", "553 MiB", "12.7%"]),
    ];
    for (parts, in_both, on_page) in lines {
        assert!(
            notes.lines().any(|line| parts.iter().all(|part| line.contains(part))),
            "{parts:?}"
        );
        assert!(in_both.iter().all(|figure| readme.contains(figure)), "README: {in_both:?}");
        assert!(in_both.iter().chain(on_page).all(|figure| page.contains(figure)), "{parts:?}");
    }
}
