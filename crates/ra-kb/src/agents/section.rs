//! The generated section, and the skill. Agents read them at every start, so they are short.

use ra_core::tokens;

use super::block;
use super::tree_summary::{self, Tree};

const SECTION: &str = include_str!("section.md");
const SKILL: &str = include_str!("skill.md");

/// The maximum number of tokens of a block without templates, and of a skill.
const SECTION_BUDGET: usize = 600;
const SKILL_BUDGET: usize = 800;

/// The line that identifies a skill as ours.
const SKILL_MARK: &str = "<!-- ra:skill ";

/// The file name of a skill.
pub(crate) const SKILL_FILE: &str = "SKILL.md";

/// Returns the generated section.
pub(crate) fn section(trees: &[Tree]) -> String {
    let markers = tokens::count(block::BEGIN) + tokens::count(block::END) + 2;
    fill(SECTION, trees, SECTION_BUDGET - markers)
}

/// Returns the text of a skill in a folder with this name.
pub(crate) fn skill(folder: &str, trees: &[Tree]) -> String {
    // The name must be that of the folder, but not every folder name is a valid skill name.
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let valid = (1..=64).contains(&folder.len()) && folder.chars().all(fits) && folder != "-";
    fill(&SKILL.replace("{name}", if valid { folder } else { "ra" }), trees, SKILL_BUDGET)
}

/// True if a file is a skill that `ra` has written.
pub(crate) fn is_our_skill(bytes: &[u8]) -> bool {
    bytes.split(|byte| *byte == b'\n').any(|line| line.starts_with(SKILL_MARK.as_bytes()))
}

/// Fills in the list of trees, with as much detail as fits into fewer than `budget` tokens.
fn fill(text: &str, trees: &[Tree], budget: usize) -> String {
    tree_summary::fit(trees.len(), budget - 1, |count, width| {
        text.replace("{trees}", &tree_summary::list(trees, count, width))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tree_summary::TreeSummary;
    use super::*;

    fn cost(text: &str) -> usize {
        let block = block::write(None, text).unwrap();
        tokens::count(&String::from_utf8(block).unwrap())
    }

    fn tree(name: String, topic: &str) -> Tree {
        Tree { name, holds: TreeSummary::Topics(vec![topic.to_owned(); 9]) }
    }

    #[test]
    fn the_section_costs_less_than_promised_whatever_the_trees() {
        let long: Vec<Tree> =
            (0..50).map(|nr| tree(format!("{nr}-{}", "long-name-".repeat(12)), "Some title")).collect();
        let wide: Vec<Tree> =
            (0..50).map(|nr| tree(format!("{nr}{}", "鬱".repeat(60)), "驫麤鬱籲爨")).collect();
        let short: Vec<Tree> = (0..50).map(|nr| tree(format!("t{nr}"), "Title")).collect();
        for trees in [&[][..], &short[..1], &short, &long, &wide] {
            assert!(cost(&section(trees)) < 600, "{}", section(trees));
            assert!(tokens::count(&skill("ra", trees)) < SKILL_BUDGET);
            assert!(!section(trees).contains('{'), "{}", section(trees));
        }
        let lines = section(&long);
        assert!(lines.contains("- `0-long-name-"), "{lines}");
        let named = lines.lines().filter(|line| line.starts_with("- `") && line.ends_with("…`")).count();
        assert!(named >= 3, "{lines}");
        assert!(lines.contains(&format!("- and {} more, which `ra ls trees` lists", 50 - named)), "{lines}");
    }

    #[test]
    fn a_skill_has_the_name_of_its_folder() {
        for (folder, name) in [("ra", "ra"), ("project-docs", "project-docs"), ("My Skill", "ra"), ("", "ra")]
        {
            let text = skill(folder, &[]);
            assert!(text.starts_with(&format!("---\nname: {name}\ndescription: ")), "{text}");
            assert!(is_our_skill(text.as_bytes()) && is_our_skill(text.replace('\n', "\r\n").as_bytes()));
        }
        assert!(!is_our_skill(b"---\nname: ra\n---\n\nMine.\n"));
    }
}
