//! The figures as a page: tables in Markdown, put between two marks of docs/performance.md.

use std::{fs, path::Path};

use super::{
    Failure,
    machine::{Limits, Machine},
    measure::Outcome,
    record,
    row::{Bound, Goal, Row, ratio},
};

const BEGIN: &str = "<!-- written by `cargo xtask bench`: begin -->";
const END: &str = "<!-- written by `cargo xtask bench`: end -->";

/// Puts the figures into the page; what is outside of the marks stays.
pub(super) fn write(
    root: &Path,
    machine: &Machine,
    limits: &Limits,
    rows: &[Row],
) -> Result<(), Failure> {
    let path = root.join("docs/performance.md");
    let page = replaced(&fs::read_to_string(&path)?, &section(machine, limits, rows))?;
    Ok(fs::write(path, page)?)
}

/// The page with a new part between the marks.
fn replaced(old: &str, new: &str) -> Result<String, Failure> {
    let (before, rest) = old.split_once(BEGIN).ok_or("docs/performance.md has lost its marks")?;
    let (_, after) = rest.split_once(END).ok_or("docs/performance.md has lost its last mark")?;
    Ok(format!("{before}{BEGIN}\n{new}{END}{after}"))
}

fn section(machine: &Machine, limits: &Limits, rows: &[Row]) -> String {
    let versions: Vec<String> =
        machine.versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let notes: String =
        rows.iter().filter_map(|row| row.note).map(|note| format!("- {note}\n")).collect();
    let reached =
        rows.iter().flat_map(|row| &row.goals).filter(|goal| goal.reached() == Some(true));
    let all = rows.iter().flat_map(|row| &row.goals).filter(|goal| goal.value.is_some());
    format!(
        "## Targets and results\n\n\
         {date}: {processor}, {cores} cores, {memory:.0} GiB, {system}. {limits}\n\
         {reached} of {all} measured goals are reached.\n\n\
         {goals}\n\
         ## Figures\n\n\
         CPU is CPU time (user + system, all threads): the median of the runs, with minimum and maximum in brackets; \
         wall is wall-clock time; *ns* is the CPU time per stored value of each epoch after the first; × is CPU over \
         ours. Memory is the peak. *Wrong* is the share of misclassified rows, of the training rows or, for the \
         kernel, of other rows; it shows that no tool is fast with a worse model.\n\n\
         {figures}\n\
         {notes}\n\
         ## Growth\n\n\
         ![Time and memory over the number of rows](images/growth.svg)\n\n\
         {growth}\n\
         ## How it was measured\n\n\
         `cargo xtask bench` makes the data, installs the other tools from PyPI and runs all tools on the same work \
         in turns; the figures are medians. Files are in the page cache. Ours is the release build, for files as a \
         whole process. The time of the other tools ends with the model and begins after their imports or, in \
         brackets, with their process. Goals for files compare whole processes; the column × leaves the imports out. \
         For epochs in memory the arrays are loaded; ours includes the radius, and the errors and margins of the \
         report. The loop with rounded sums is part of the bench: it uses the same rows, orders and registers, and \
         the sign of a rounded sum instead of the exact one. Unlike ours, it does not scan for the next mistake. So \
         it is another algorithm, and the difference is not the cost of exactness. All runs are in \
         [{record}](../{record}). Versions: {versions}.\n\n",
        date = machine.date,
        processor = machine.processor,
        cores = machine.cores,
        memory = machine.memory,
        system = machine.system,
        limits = limits.text(),
        all = all.count(),
        reached = reached.count(),
        goals = goals(rows),
        figures = figures(rows),
        growth = growth(rows),
        versions = versions.join(", "),
        record = record::file(machine),
    )
}

/// What must be reached, a line a goal.
pub(super) fn goals(rows: &[Row]) -> String {
    let mut text = String::from("| work | target | result | reached |\n|---|---|---|---|\n");
    for row in rows {
        for (i, goal) in row.goals.iter().enumerate() {
            let work = if i == 0 { row.work.as_str() } else { "" };
            let (value, reached) = judged(goal);
            text += &format!("| {work} | {} | {value} | {reached} |\n", goal.text);
        }
    }
    text
}

fn judged(goal: &Goal) -> (String, &'static str) {
    let Some(value) = goal.value else { return ("not measured".to_owned(), "") };
    let (Bound::AtMost(bound) | Bound::AtLeast(bound)) = goal.bound;
    let reached = if goal.reached() == Some(true) { "yes" } else { "**no**" };
    // As many digits as it takes to be seen on the right side of the bound.
    let fewest = if bound >= 10.0 { 1 } else { 2 };
    let shown = (fewest..9).map(|digits| format!("{value:.digits$}"));
    let is_told = |text: &String| value == bound || text.parse() != Ok(bound);
    let shown = shown.into_iter().find(is_told).unwrap_or_else(|| value.to_string());
    (format!("{shown} {}", goal.unit), reached)
}

/// Who took what, a line a contender.
pub(super) fn figures(rows: &[Row]) -> String {
    let mut text = String::from(
        "| work | who | CPU, s | wall, s | ns | × | memory, MiB | wrong |\n|---|---|--:|--:|--:|--:|--:|--:|\n",
    );
    for row in rows.iter().filter(|row| !row.ours.is_empty()) {
        let mut lines: Vec<String> = Vec::new();
        let main = row.ours.first().and_then(Outcome::cpu);
        for (outcome, who) in row
            .ours
            .iter()
            .map(|outcome| (outcome, format!("**rosenblatt**, {}", outcome.name)))
            .chain(row.others.iter().map(|outcome| (outcome, outcome.name.clone())))
        {
            lines.push(line(row, outcome, &who, main));
        }
        if let (Some((what, seconds)), Some(of_limit)) = (&row.limit, row.of_limit()) {
            let each =
                row.values.map_or(String::new(), |values| format!("{:.2}", 1e9 * seconds / values));
            let text = format!("limit: {what}; ours is {of_limit:.1} × that");
            lines.push(format!(" {text} | {} | | {each} | | | |", seconds_of(*seconds)));
        }
        for (i, line) in lines.into_iter().enumerate() {
            text += &format!("| {} |{line}\n", if i == 0 { row.work.as_str() } else { "" });
        }
    }
    text
}

fn line(row: &Row, outcome: &Outcome, who: &str, main: Option<f64>) -> String {
    if let Some(why) = &outcome.failure {
        return format!(" {who}: could not run ({}) | | | | | | |", why.replace('|', "/"));
    }
    let shown =
        |value: Option<f64>, show: &dyn Fn(f64) -> String| value.map(show).unwrap_or_default();
    let each = ratio(outcome.epoch(), row.values).map(|seconds| 1e9 * seconds);
    let cpu = outcome.cpu().zip(outcome.spread()).map(|(median, (least, most))| {
        format!("{} ({} – {})", seconds_of(median), seconds_of(least), seconds_of(most))
    });
    let cells = [
        cpu.unwrap_or_default(),
        shown(outcome.wall(), &seconds_of),
        shown(each, &|ns| format!("{ns:.2}")),
        shown(ratio(outcome.cpu(), main), &|times| {
            if times < 9.95 { format!("{times:.2}") } else { format!("{times:.1}") }
        }),
        shown(outcome.memory(), &|memory| format!("{memory:.0}")),
        shown(outcome.errors(), &|errors| format!("{:.1} %", 100.0 * errors)),
    ];
    // In memory the process also loads the arrays, which tells nothing.
    let whole = outcome.median(|run| run.process).filter(|_| row.values.is_none());
    let whole = whole.map(|seconds| format!(" (with its imports {} s)", seconds_of(seconds)));
    format!(" {who}{} | {} |", whole.unwrap_or_default(), cells.join(" | "))
}

fn seconds_of(seconds: f64) -> String {
    match seconds {
        ..0.1 => format!("{seconds:.4}"),
        ..1.0 => format!("{seconds:.3}"),
        _ => format!("{seconds:.2}"),
    }
}

fn growth(rows: &[Row]) -> String {
    let mut text = String::from(
        "| rows from standard input | rows | CPU, s | µs per row | memory, MiB |\n|---|--:|--:|--:|--:|\n",
    );
    for row in rows {
        for (i, point) in row.growth.iter().enumerate() {
            let work = if i == 0 { row.work.as_str() } else { "" };
            text += &format!(
                "| {work} | {} | {} | {:.2} | {:.0} |\n",
                thousands(point.rows),
                seconds_of(point.cpu),
                1e6 * point.cpu / point.rows as f64,
                point.memory
            );
        }
    }
    text
}

/// A number with commas between thousands.
pub(super) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::{super::measure::Sample, *};

    #[test]
    fn what_is_outside_of_the_marks_stays() {
        let old = format!("before\n{BEGIN}\nold\n{END}\nafter\n");
        let new = replaced(&old, "new\n").unwrap();
        assert_eq!(new, format!("before\n{BEGIN}\nnew\n{END}\nafter\n"));
        assert!(replaced("no marks", "").is_err());
        let page = fs::read_to_string(crate::root().join("docs/performance.md")).unwrap();
        assert!(replaced(&page, "").is_ok());
    }

    #[test]
    fn a_goal_is_judged_by_its_bound() {
        let goal = |value| Goal::at_most(6.0, "×", "", Some(value));
        assert_eq!(judged(&goal(6.0)), ("6.00 ×".to_owned(), "yes"));
        assert_eq!(judged(&goal(6.004)), ("6.004 ×".to_owned(), "**no**"));
        assert_eq!(judged(&Goal::at_most(6.0, "×", "", None)).1, "");
    }

    #[test]
    fn a_model_that_is_nonsense_is_told() {
        let of = |name: &str, errors| {
            let mut outcome = Outcome::new(name);
            outcome.push(Ok(Sample { errors: Some(errors), ..Sample::default() }));
            outcome
        };
        let row = |ours, other| Row {
            ours: vec![of("one thread", ours)],
            others: vec![of("another", other), of("a third", 0.0)],
            worst: Some(0.3),
            alike: Some(("another", 0.05)),
            ..Row::default()
        };
        assert!(row(0.2, 0.25).complaints().is_empty());
        assert_eq!(row(0.2, 0.26).complaints().len(), 1);
        assert_eq!(row(0.31, 0.3).complaints().len(), 1);
    }

    #[test]
    fn thousands_have_commas() {
        assert_eq!([0, 999, 1_000, 2_000_000].map(thousands), ["0", "999", "1,000", "2,000,000"]);
    }
}
