//! A remedy in the options of this command.

use std::fmt;

use rosenblatt_data::{DateOrder, Decimal, Encoding, Header, NumberForm, Problem, Remedy};

use super::{command_line::shell_word, reading::quoted};

/// An option, as users write it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Addition {
    Flag(&'static str),
    Value(&'static str, String),
    /// A value of a list.
    Item(&'static str, String),
}

impl fmt::Display for Addition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Addition::Flag(option) => f.write_str(option),
            Addition::Value(option, value) => write!(f, "{option} {}", shell_word(value)),
            Addition::Item(option, value) => write!(f, "{option} {}", quoted(value)),
        }
    }
}

/// The options with which the command carries out a remedy of reading.
pub(crate) fn options_of(remedy: &Remedy) -> Vec<Addition> {
    let one = |option, word: &str| Addition::Value(option, word.to_owned());
    vec![match remedy {
        Remedy::Target(column) => one("--target", column),
        Remedy::Encoding(Encoding::Utf8) => one("--encoding", "utf-8"),
        Remedy::Encoding(Encoding::Latin1) => one("--encoding", "latin1"),
        Remedy::Encoding(Encoding::Utf16) => one("--encoding", "utf-16"),
        Remedy::Separator(separator) => Addition::Value("--delimiter", separator_word(*separator)),
        Remedy::Header(Header::Absent) => Addition::Flag("--no-header"),
        Remedy::Header(_) => Addition::Flag("--header"),
        Remedy::PlainQuotes => Addition::Flag("--no-quotes"),
        Remedy::Comment(sign) => Addition::Value("--comment", sign.to_string()),
        Remedy::ZeroBased => Addition::Flag("--zero-based"),
        Remedy::Text(column) => Addition::Item("--text", column.clone()),
        Remedy::Categorical(column) => Addition::Item("--categorical", column.clone()),
        Remedy::Ignore(column) => Addition::Item("--ignore", column.clone()),
        Remedy::MissingValue(text) => Addition::Item("--missing-values", text.clone()),
        Remedy::FillMissing => Addition::Item("--missing", "median".to_owned()),
        Remedy::Form { column, form } => return of_form(column, form),
        Remedy::SkipRows => one("--on-error", "skip"),
        Remedy::SkipShare { percent } => Addition::Value("--on-error", format!("skip:{percent}%")),
        Remedy::Run { .. } => return Vec::new(),
    }]
}

/// A remedy as it is typed.
pub(crate) fn typed(remedy: &Remedy) -> String {
    match remedy {
        Remedy::Run { option, value } => format!("--{} {value}", option.replace('_', "-")),
        remedy => options_of(remedy).iter().map(Addition::to_string).collect::<Vec<_>>().join(" "),
    }
}

/// What each remedy of a problem does, as one sentence.
pub(super) fn sentence(problem: &Problem) -> String {
    let clauses: Vec<String> = problem.remedies().iter().map(|one| clause(one, problem)).collect();
    clauses.join(", ")
}

/// What a remedy of a problem with a column does.
fn clause(remedy: &Remedy, problem: &Problem) -> String {
    let options = typed(remedy);
    let is_of_cell = matches!(problem, Problem::NotANumber { .. } | Problem::NumberInText { .. });
    let does = match remedy {
        Remedy::Ignore(_) => "leaves the column out",
        Remedy::Text(_) => "learns from its words",
        Remedy::Categorical(_) if matches!(problem, Problem::ManyValues { .. }) => {
            "makes a feature of each value"
        }
        Remedy::Categorical(_) => "reads every cell as a category",
        Remedy::SkipRows if is_of_cell => "leaves out the row",
        Remedy::SkipRows => "leaves out such rows",
        Remedy::MissingValue(text) => {
            let text = quoted(text);
            return format!("`{options}` reads {text} as missing");
        }
        _ => "resolves it",
    };
    format!("`{options}` {does}")
}

/// The options that read numbers of a column in this form.
fn of_form(column: &str, form: &NumberForm) -> Vec<Addition> {
    let dates = form.dates.map(|order| match order {
        DateOrder::Ymd => "ymd",
        DateOrder::Dmy => "dmy",
        DateOrder::Mdy => "mdy",
        DateOrder::Time => "time",
    });
    let decimal = (form.decimal == Decimal::Comma).then_some("comma");
    let thousands = form.thousands.map(|separator| match separator {
        ',' => "comma".to_owned(),
        '.' => "point".to_owned(),
        ' ' => "space".to_owned(),
        other => other.to_string(),
    });
    let value = |option, word: Option<String>| Some(Addition::Value(option, word?));
    let options = [
        value("--dates", dates.map(str::to_owned)),
        value("--decimal", decimal.map(str::to_owned)),
        value("--thousands", thousands),
        form.unit.as_ref().map(|_| Addition::Item("--units", column.to_owned())),
    ];
    options.into_iter().flatten().collect()
}

/// A separator of cells as `--delimiter` takes it.
fn separator_word(separator: char) -> String {
    match separator {
        ';' => "semicolon".to_owned(),
        '\t' => "tab".to_owned(),
        ' ' => "space".to_owned(),
        other => other.to_string(),
    }
}
