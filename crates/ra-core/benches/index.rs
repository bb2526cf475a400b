//! Compares a full index with simple loops that put the same parsed sections into tantivy.
//!
//! `cargo bench --bench index -- DIR` measures a tree of your own; without one, a generated tree is used. All take
//! turns, and the medians and their ratios are printed, so a change in the machine's load affects them equally.

#![allow(clippy::print_stdout)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use frostem::{Algorithm, Stemmer};
use ra_core::config::{Config, SystemDirs};
use ra_core::corpus::{Content, WalkDetail, load, walk};
use ra_core::document::{ConversionCache, ParseOptions, parse};
use ra_core::kb::{KnowledgeBase, NoProgress};
use tantivy::schema::{IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{
    LowerCaser, RemoveLongFilter, SimpleTokenizer, TextAnalyzer, Token, TokenFilter, TokenStream, Tokenizer,
};
use tantivy::{Index, IndexWriter, TantivyDocument};

/// The allocator of the program, for everything that is measured.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 5;

/// The work of a simple loop, from the minimum that could be called an index of sections to what a program needs to
/// find other forms of a word and show the text.
#[derive(Clone, Copy)]
struct Loop {
    name: &'static str,
    stems: bool,
    stores: bool,
}

const LOOPS: [Loop; 3] = [
    Loop { name: "words as they are", stems: false, stores: false },
    Loop { name: "words stemmed", stems: true, stores: false },
    Loop { name: "words stemmed, text stored", stems: true, stores: true },
];

fn main() {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let given = std::env::args().skip(1).find(|argument| !argument.starts_with("--")).map(PathBuf::from);
    let tree = given.unwrap_or_else(|| generated(&scratch.path().join("generated")));
    let tree = tree.canonicalize().expect("a directory");
    let kb = knowledge_base(&tree, scratch.path());
    let sections = sections(&kb);
    let bytes: usize = sections.iter().map(|section| section.2.len()).sum();
    println!("{}: {} sections, {:.1} MB", tree.display(), sections.len(), bytes as f64 / 1e6);
    let mut ours = Vec::new();
    let mut theirs = LOOPS.map(|_| Vec::new());
    for _ in 0..ROUNDS {
        ours.push(timed(|| {
            kb.rebuild(&NoProgress).expect("an index");
        }));
        for (way, times) in LOOPS.into_iter().zip(&mut theirs) {
            times.push(timed(|| straight_loop(way, &sections, scratch.path())));
        }
    }
    let ours = median(ours);
    println!("ra, walk and parse included: {ours:.2?}");
    for (way, times) in LOOPS.into_iter().zip(theirs) {
        let time = median(times);
        println!(
            "straight loop, {}: {time:.2?}, ra by it {:.2}",
            way.name,
            ours.as_secs_f64() / time.as_secs_f64()
        );
    }
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn knowledge_base(tree: &Path, scratch: &Path) -> KnowledgeBase {
    let project = scratch.join("project");
    fs::create_dir_all(&project).expect("a directory");
    let text = format!("root = true\n[trees]\ntree = {:?}\n", tree.to_string_lossy());
    fs::write(project.join(".ra.toml"), text).expect("a file");
    let places =
        SystemDirs { cwd: project, home: None, cache: scratch.join("cache"), temp: scratch.join("temp") };
    KnowledgeBase::open(Config::load(&places, &[]).expect("a configuration"))
}

/// Returns every section of the tree as path, heading and text.
fn sections(kb: &KnowledgeBase) -> Vec<(String, String, String)> {
    let tree = &kb.config().trees[0];
    let mut sections = Vec::new();
    let conversions = ConversionCache::in_index(&kb.config().index_dir, kb.config().converters.clone());
    for file in walk(tree, WalkDetail::Documents).files {
        let loaded = load(&tree.root.join(&file.path), &conversions).expect("a file");
        let Content::Text(text, _) = loaded.content else { continue };
        let options = ParseOptions {
            kind: kb.config().converters.kind_of(&file.path),
            file_name: &file.path,
            chunk_at_headings: true,
        };
        let outline = parse(&text, &options).outline;
        for ord in outline.chunks(&text) {
            let title = outline.node(ord).map(|node| node.title.clone()).unwrap_or_default();
            sections.push((file.path.clone(), title, outline.body(ord, &text)));
        }
    }
    sections
}

fn straight_loop(way: Loop, sections: &[(String, String, String)], scratch: &Path) {
    let folder = tempfile::tempdir_in(scratch).expect("a temporary directory");
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(if way.stems { "stemmed" } else { "default" })
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let mut options = TextOptions::default().set_indexing_options(indexing);
    if way.stores {
        options = options.set_stored();
    }
    let fields = ["path", "title", "body"].map(|name| schema.add_text_field(name, options.clone()));
    let index = Index::create_in_dir(folder.path(), schema.build()).expect("an index");
    let stemmed = TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(40))
        .filter(LowerCaser)
        .filter(Stem)
        .build();
    index.tokenizers().register("stemmed", stemmed);
    let mut writer: IndexWriter = index.writer_with_num_threads(2, 48 << 20).expect("a writer");
    for (path, title, body) in sections {
        let mut entry = TantivyDocument::default();
        for (field, text) in fields.into_iter().zip([path, title, body]) {
            entry.add_text(field, text);
        }
        writer.add_document(entry).expect("an entry");
    }
    writer.commit().expect("a commit");
    writer.wait_merging_threads().expect("merged segments");
}

/// Stems English words like tantivy's own filter, with the same crate. This workspace builds tantivy without it.
#[derive(Clone, Copy)]
struct Stem;

impl TokenFilter for Stem {
    type Tokenizer<T: Tokenizer> = Stemming<T>;

    fn transform<T: Tokenizer>(self, inner: T) -> Stemming<T> {
        Stemming { inner }
    }
}

#[derive(Clone)]
struct Stemming<T> {
    inner: T,
}

impl<T: Tokenizer> Tokenizer for Stemming<T> {
    type TokenStream<'a> = Stems<T::TokenStream<'a>>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Self::TokenStream<'a> {
        let stemmer = Stemmer::new(Algorithm::English);
        Stems { inner: self.inner.token_stream(text), stemmer, stem: String::new() }
    }
}

struct Stems<S> {
    inner: S,
    stemmer: Stemmer,
    stem: String,
}

impl<S: TokenStream> TokenStream for Stems<S> {
    fn advance(&mut self) -> bool {
        let more = self.inner.advance();
        if more {
            let word = &mut self.inner.token_mut().text;
            self.stem.clear();
            self.stem.push_str(&self.stemmer.stem(word));
            std::mem::swap(word, &mut self.stem);
        }
        more
    }

    fn token(&self) -> &Token {
        self.inner.token()
    }

    fn token_mut(&mut self) -> &mut Token {
        self.inner.token_mut()
    }
}

/// Creates a tree of documents whose words follow a long-tailed distribution, like real ones.
fn generated(root: &Path) -> PathBuf {
    let mut seed = 1u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as f64 / f64::from(1u32 << 31)
    };
    for nr in 0..2000 {
        let mut text = format!("---\ntitle: Document {nr}\n---\n\n");
        for section in 0..8 {
            text.push_str(&format!("## Section {section}\n\n"));
            for _ in 0..80 {
                // The product makes small numbers, and so some words, much more common than others.
                let word = (next() * next() * 20_000.0) as u32;
                text.push_str(&format!("w{word} "));
            }
            text.push_str("\n\n");
        }
        let path = root.join(format!("{}/{nr}.md", nr % 50));
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("a file");
    }
    root.to_owned()
}
