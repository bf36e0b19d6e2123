//! The short help, `-h`: the options of a command that a newcomer needs, and only the names of those in groups.

use clap::Command;

/// The group that is listed last: the options of the algorithms of lectures.
pub(super) const LECTURES: &str = "Lectures";

/// The width of the list of names.
const WIDTH: usize = 92;

/// The definition of all commands, with their short help.
pub(super) fn with_short_help(all: Command) -> Command {
    all.mut_subcommands(short)
}

fn short(command: Command) -> Command {
    let groups = groups(&command);
    if groups.is_empty() {
        return command;
    }
    let name = command.get_name().to_owned();
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let width = groups.iter().map(|(heading, _)| heading.len()).max().unwrap_or(0) + 4;
    let lines: String =
        groups.iter().map(|(heading, names)| listed(heading, names, width)).collect();
    let more = format!("More options, which `rosenblatt {name} --help` explains:\n{lines}");
    command
        .mut_args(|arg| {
            let is_grouped = arg.get_help_heading().is_some();
            arg.hide_short_help(is_grouped)
        })
        .after_help(format!("{more}\n{examples}").trim_end().to_owned())
        .after_long_help(examples)
}

/// The headings of groups, with the names of their options; the lectures come last.
fn groups(command: &Command) -> Vec<(String, Vec<String>)> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
        let (Some(heading), Some(name)) = (arg.get_help_heading(), arg.get_long()) else {
            continue;
        };
        let name = format!("--{name}");
        match groups.iter_mut().find(|(known, _)| known == heading) {
            Some((_, names)) => names.push(name),
            None => groups.push((heading.to_owned(), vec![name])),
        }
    }
    groups.sort_by_key(|(heading, _)| heading == LECTURES);
    groups
}

/// A group on lines of at most [`WIDTH`] characters.
fn listed(heading: &str, names: &[String], width: usize) -> String {
    let (mut text, mut column) = (format!("  {heading:<0$}", width - 2), width);
    for (place, name) in names.iter().enumerate() {
        if place > 0 && column + name.len() + 1 > WIDTH {
            text.push_str(&format!("\n{:width$}", ""));
            column = width;
        } else if place > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(name);
        column += name.len();
    }
    text + "\n"
}
