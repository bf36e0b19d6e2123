//! `rosenblatt completions` and `rosenblatt man`: texts for a shell and for `man`, made from the arguments.

use clap::CommandFactory;

use crate::{
    args::{Arguments, CompletionsArgs, ManArgs},
    error::CliError,
    output,
};

pub(crate) fn completions(arguments: &CompletionsArgs) -> Result<(), CliError> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "rosenblatt", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}

pub(crate) fn man(arguments: &ManArgs) -> Result<(), CliError> {
    let mut all = Arguments::command();
    all.build();
    let command = match &arguments.command {
        None => all,
        Some(name) => {
            let names = all.get_subcommands().map(clap::Command::get_name);
            let near = rosenblatt_data::similar(name, names);
            let unknown = || CliError::Usage {
                message: format!("no command `{name}`"),
                hint: near.map(|near| format!("did you mean `{near}`?")),
            };
            all.find_subcommand(name).ok_or_else(unknown)?.clone()
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    output::print(&String::from_utf8_lossy(&page))
}
