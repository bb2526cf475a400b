//! Judged queries: JSON lines for an existing knowledge base, or a test set in the BEIR layout with its own documents.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Deserializer};

use crate::error::{Error, Result};
use crate::files::{self, MAX_DOCUMENT_BYTES};
use crate::text::collapse;

/// A query with its correct answers.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedQuery {
    /// The query.
    pub query: String,
    /// The ids of the relevant documents or sections, each with its grade.
    pub relevant: Vec<(String, f64)>,
    /// Texts that answer it. If there are any, a printed passage counts only if it contains one.
    pub answers: Vec<String>,
}

/// A test set with its own documents.
#[derive(Clone, Debug, Default)]
pub struct TestSet {
    /// The documents, each as the path and text of a file.
    pub documents: Vec<(String, String)>,
    /// The queries.
    pub judged: Vec<JudgedQuery>,
}

impl JudgedQuery {
    /// Returns the grade of a result; 0 if it wasn't judged.
    pub fn grade(&self, id: &str) -> f64 {
        self.relevant.iter().find(|(known, _)| known == id).map_or(0.0, |(_, grade)| *grade)
    }

    /// Returns the grades of everything relevant.
    pub fn grades(&self) -> Vec<f64> {
        self.relevant.iter().map(|(_, grade)| *grade).collect()
    }

    /// Returns the judgments by page; the grade of a page is that of its most relevant section.
    pub fn by_page(&self) -> JudgedQuery {
        let mut relevant: Vec<(String, f64)> = Vec::new();
        for (id, grade) in &self.relevant {
            let page = id.split_once('#').map_or(id.as_str(), |(page, _)| page);
            match relevant.iter_mut().find(|(known, _)| known == page) {
                Some((_, best)) => *best = best.max(*grade),
                None => relevant.push((page.to_owned(), *grade)),
            }
        }
        JudgedQuery { relevant, ..self.clone() }
    }

    /// True if a text contains an answer, whatever white space either has.
    pub(super) fn is_answered_by(&self, text: &str) -> bool {
        let text = collapse(text);
        self.answers.iter().any(|answer| text.contains(&collapse(answer)))
    }

    /// Reads a file of JSON lines: `{"query": "…", "relevant": ["id", …], "answers": ["text", …]}`. The answers are
    /// optional, and `{"relevant": {"id": 2, …}}` gives grades.
    pub fn read(path: &Path) -> Result<Vec<JudgedQuery>> {
        let lines: Vec<JudgedLine> = json_lines(path)?;
        Ok(lines
            .into_iter()
            .map(|line| JudgedQuery {
                query: line.query,
                relevant: match line.relevant {
                    Relevant::Ids(ids) => ids.into_iter().map(|id| (id, 1.0)).collect(),
                    Relevant::Grades(grades) => grades.into_iter().collect(),
                },
                answers: line.answers,
            })
            .collect())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JudgedLine {
    #[serde(deserialize_with = "query")]
    query: String,
    relevant: Relevant,
    #[serde(default)]
    answers: Vec<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Relevant {
    Ids(Vec<String>),
    Grades(BTreeMap<String, f64>),
}

#[derive(Deserialize)]
struct CorpusLine {
    #[serde(rename = "_id")]
    id: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
struct QueryLine {
    #[serde(rename = "_id")]
    id: String,
    #[serde(deserialize_with = "query")]
    text: String,
}

/// Deserializes a query and checks that it is valid.
fn query<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    crate::query::parse(&text).map_err(serde::de::Error::custom)?;
    Ok(text)
}

impl TestSet {
    /// Reads a directory in the BEIR layout. Its documents become markdown files named after their ids, so results are
    /// named `tree:path`.
    pub fn read(directory: &Path, tree: &str) -> Result<TestSet> {
        let corpus: Vec<CorpusLine> = json_lines(&directory.join("corpus.jsonl"))?;
        let queries: Vec<QueryLine> = json_lines(&directory.join("queries.jsonl"))?;
        let mut paths: HashMap<String, String> = HashMap::new();
        let mut documents = Vec::with_capacity(corpus.len());
        for line in corpus {
            let path = document_path(&line.id);
            // A JSON string is also a YAML string.
            let title = serde_json::Value::String(line.title);
            documents.push((path.clone(), format!("---\ntitle: {title}\n---\n\n{}\n", line.text)));
            paths.insert(line.id, path);
        }
        let mut relevant: HashMap<String, Vec<(String, f64)>> = HashMap::new();
        let qrels = directory.join("qrels");
        let listing = fs::read_dir(&qrels).map_err(|error| Error::io("read", &qrels, error))?;
        let mut files: Vec<_> = listing.flatten().map(|entry| entry.path()).collect();
        files.sort();
        for file in files {
            for (query, document, grade) in read_judgments(&file)? {
                let id = paths.get(&document).map_or(document, |path| format!("{tree}:{path}"));
                relevant.entry(query).or_default().push((id, grade));
            }
        }
        let judged = queries.into_iter().filter_map(|query| {
            let relevant = relevant.remove(&query.id)?;
            Some(JudgedQuery { query: query.text, relevant, answers: Vec::new() })
        });
        Ok(TestSet { documents, judged: judged.collect() })
    }
}

/// Returns the path of a document's file: its id, with characters that file names can't contain escaped.
pub fn document_path(id: &str) -> String {
    let mut path = String::with_capacity(id.len() + 3);
    for part in id.split('/').filter(|part| !part.is_empty()) {
        if !path.is_empty() {
            path.push('/');
        }
        for c in part.chars() {
            match c {
                c if c.is_alphanumeric() || matches!(c, '-' | '_' | ' ' | '+') => path.push(c),
                '.' if !part.starts_with('.') => path.push('.'),
                c => path.push_str(&format!("%{:02x}", c as u32)),
            }
        }
    }
    path + ".md"
}

fn read_judgments(file: &Path) -> Result<Vec<(String, String, f64)>> {
    let text = files::read_text(file, MAX_DOCUMENT_BYTES).map_err(|error| Error::io("read", file, error))?;
    let mut all = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let mut cells = line.split('\t');
        let (Some(query), Some(document), Some(grade)) = (cells.next(), cells.next(), cells.next()) else {
            return Err(malformed(file, number + 1, "expected query, document and grade, apart by tabs"));
        };
        match grade.trim().parse::<f64>() {
            Ok(grade) if grade > 0.0 => all.push((query.to_owned(), document.to_owned(), grade)),
            Ok(_) => {}
            // The first line may be a header.
            Err(_) if number == 0 => {}
            Err(_) => return Err(malformed(file, number + 1, "the grade is not a number")),
        }
    }
    Ok(all)
}

fn json_lines<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Vec<T>> {
    let text = files::read_text(path, MAX_DOCUMENT_BYTES).map_err(|error| Error::io("read", path, error))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line).map_err(|error| {
                // The parser sees each line as a separate text and would report line 1.
                let why = error.to_string().replace(" at line 1 column ", " at column ");
                malformed(path, number + 1, &why)
            })
        })
        .collect()
}

fn malformed(file: &Path, line: usize, why: &str) -> Error {
    Error::Malformed { file: file.to_owned(), line, message: why.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_become_paths_that_can_be_written() {
        for (id, path) in [
            ("concepts/pod", "concepts/pod.md"),
            ("CA.pl", "CA.pl.md"),
            ("[", "%5b.md"),
            ("../etc", "%2e%2e/etc.md"),
            ("a//b", "a/b.md"),
            (".hidden", "%2ehidden.md"),
        ] {
            assert_eq!(document_path(id), path);
        }
    }
}
