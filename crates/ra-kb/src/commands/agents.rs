//! `ra agents`: writes files that teach agents to use `ra`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ra_core::config::TreeScope;
use ra_core::kb::{Freshness, KnowledgeBase};

use super::Session;
use crate::agents::{self, Client, ConfigScope, Goal, PlannedChange, Tree, TreeSummary};
use crate::answers::{AgentFiles, McpConfig};
use crate::args::AgentsArgs;
use crate::error::{CliError, Result};

pub(super) fn run(session: &mut Session, args: &AgentsArgs) -> Result<ExitCode> {
    if let Some(client) = args.mcp_config {
        return mcp_config(session, args, client);
    }
    let kb = session.knowledge_base()?;
    let project = kb.config().project.clone();
    let files = files(session, args, &project);
    let (text, index) = match (args.remove, &args.skill) {
        (true, _) => (String::new(), None),
        (_, skill) => {
            let (trees, freshness) = trees(session, &kb)?;
            let text = match skill {
                None => agents::join(&project, session.places.home.as_deref(), &agents::section(&trees))?,
                Some(_) => agents::skill(&folder(&files), &trees),
            };
            (text, Some(freshness))
        }
    };
    if args.stdout {
        session.printer.show(&AgentFiles::printed(whole(&text, args)?, index))?;
        return Ok(ExitCode::SUCCESS);
    }
    let goal = match (&args.skill, args.remove) {
        (None, false) => Goal::Block(&text),
        (None, true) => Goal::NoBlock,
        (Some(_), false) => Goal::Skill(&text),
        (Some(_), true) => Goal::NoSkill,
    };
    let changes = agents::plan(&files, &place(session, args, &project), goal)?;
    let shown = AgentFiles::new(&changes, &project, index);
    write(session, args, &changes, goal, shown)
}

/// Prints the entry for a client, writes it to the client's file, or takes it out again.
fn mcp_config(session: &mut Session, args: &AgentsArgs, client: Client) -> Result<ExitCode> {
    let project = session.config()?.project;
    let config = client.config(&project);
    if !(args.write || args.remove || args.diff) {
        if args.quiet {
            return Err(CliError::new("`--quiet` needs `--write` or `--remove` with `--mcp-config`")
                .hint("leave it out to print the entry"));
        }
        let entry = agents::add_entry(None, &config).map_err(CliError::new)?;
        session.printer.show(&McpConfig::new(client, &config, entry))?;
        return Ok(ExitCode::SUCCESS);
    }
    let home = session.places.home.clone();
    let Some(path) = config.path(&project, home.as_deref()) else {
        return Err(CliError::new(format!("{} is in the home directory, which is not known", config.file))
            .hint("set HOME"));
    };
    let place = home.filter(|_| config.place == ConfigScope::User).unwrap_or(project.clone());
    let goal = if args.remove { Goal::NoEntry(&config) } else { Goal::Entry(&config) };
    let changes = agents::plan(&[path], &place, goal)?;
    write(session, args, &changes, goal, AgentFiles::new(&changes, &project, None))
}

/// Applies planned changes unless `--diff` asks only to see them, and shows them.
fn write(
    session: &mut Session,
    args: &AgentsArgs,
    changes: &[PlannedChange],
    goal: Goal<'_>,
    mut shown: AgentFiles,
) -> Result<ExitCode> {
    if !args.diff {
        agents::apply(changes, goal)?;
        shown.done();
    }
    if args.quiet {
        shown.hide_diffs();
    }
    session.printer.show(&shown)?;
    Ok(ExitCode::SUCCESS)
}

/// The files that the flags select.
fn files(session: &Session, args: &AgentsArgs, project: &Path) -> Vec<PathBuf> {
    match &args.skill {
        Some(Some(folder)) => vec![session.places.cwd.join(folder).join(agents::SKILL_FILE)],
        Some(None) => vec![project.join(".claude/skills/ra").join(agents::SKILL_FILE)],
        None => {
            let wanted = [
                ("AGENTS.md", true),
                ("CLAUDE.md", args.claude || args.all),
                ("GEMINI.md", args.gemini || args.all),
            ];
            wanted.into_iter().filter(|(_, wanted)| *wanted).map(|(name, _)| project.join(name)).collect()
        }
    }
}

/// The directory that must contain the files after links are resolved: the project, or the folder that the user
/// names.
fn place(session: &Session, args: &AgentsArgs, project: &Path) -> PathBuf {
    match &args.skill {
        Some(Some(folder)) if !session.places.cwd.join(folder).starts_with(project) => {
            session.places.cwd.join(folder)
        }
        _ => project.to_owned(),
    }
}

/// The name of the folder that contains a skill.
fn folder(files: &[PathBuf]) -> String {
    let folder = files.first().and_then(|file| file.parent()).and_then(Path::file_name);
    folder.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Summarizes every tree, local ones first. The written files belong to the project and may be published, so
/// they name no documents of trees outside of it.
fn trees(session: &Session, kb: &KnowledgeBase) -> Result<(Vec<Tree>, Freshness)> {
    let (documents, freshness) = kb.documents(&[], &session.progress())?;
    let tree = |tree: &ra_core::config::Tree| Tree {
        name: tree.name.to_string(),
        holds: match tree.scope {
            TreeScope::Global => TreeSummary::Personal,
            TreeScope::Local if kb.config().lies_outside(tree) => TreeSummary::Outside,
            TreeScope::Local => {
                let own = documents.iter().filter(|document| document.id.tree == tree.name);
                TreeSummary::Topics(agents::topics(
                    own.map(|found| (found.id.path.as_str(), found.title.as_str())),
                ))
            }
        },
    };
    let (local, global): (Vec<_>, Vec<_>) =
        kb.config().trees.iter().partition(|tree| tree.scope == TreeScope::Local);
    Ok((local.into_iter().chain(global).map(tree).collect(), freshness))
}

/// Returns the text as a new file would contain it.
fn whole(text: &str, args: &AgentsArgs) -> Result<String> {
    if args.skill.is_some() {
        return Ok(text.to_owned());
    }
    let file = agents::write_block(None, text).map_err(|problem| CliError::new(problem.message))?;
    Ok(String::from_utf8_lossy(&file).into_owned())
}
