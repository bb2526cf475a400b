//! The configuration as callers get it: the files of a test environment, merged and resolved.

use std::collections::BTreeSet;
use std::fs;

use ra_core::Error;
use ra_core::config::{Config, DEFAULTS, KEYS, LayerOrigin, Override, SystemDirs, TreeScope, Value};

use crate::test_env::TestEnv;

const GLOBAL: &str = include_str!("fixtures/documented-global.toml");
const PROJECT: &str = include_str!("fixtures/documented-project.toml");
const SEARCH: &str = include_str!("fixtures/documented-search.toml");

/// Returns the roots of the trees as tests write paths, by name.
fn trees(env: &TestEnv, config: &Config) -> Vec<(String, String, TreeScope)> {
    let tree = |tree: &ra_core::config::Tree| (tree.name.to_string(), env.name(&tree.root), tree.scope);
    config.trees.iter().map(tree).collect()
}

fn globs(config: &Config, tree: &str) -> Vec<String> {
    let tree = config.tree(tree).expect("a tree of that name");
    tree.filter.include().iter().map(|pattern| pattern.glob.clone()).collect()
}

fn terms<'a>(config: &'a Config, glob: &str) -> Option<&'a [String]> {
    config
        .context
        .patterns
        .iter()
        .find(|pattern| pattern.globs == [glob])
        .map(|pattern| pattern.terms.as_slice())
}

/// Returns the words that the context patterns add for a file.
fn words(config: &Config, file: &str) -> Vec<String> {
    let matching = config.context.patterns.iter().filter(|pattern| pattern.matching(file).is_some());
    matching.flat_map(|pattern| pattern.terms.clone()).collect()
}

fn value(config: &Config, path: &str) -> Option<Value> {
    config.values.iter().find(|set| set.key.path() == path).map(|set| set.value.clone())
}

fn origin(config: &Config, path: &str) -> Option<LayerOrigin> {
    config.values.iter().find(|set| set.key.path() == path).map(|set| set.source.origin.clone())
}

#[test]
fn the_documented_global_example_loads_and_every_value_is_seen() {
    // Each value of the example is changed to one that isn't the default, so the test sees the value of the file.
    let changed = [
        ("default_limit = 5 ", "default_limit = 6 "),
        ("local_boost = 1.5", "local_boost = 1.75"),
        ("chunk_at_headings = true", "chunk_at_headings = false"),
        ("max_chunk_size = 50000", "max_chunk_size = 40_000"),
        ("fuzzy_distance = 1", "fuzzy_distance = 2"),
        ("stemmer = \"english\"", "stemmer = \"french\""),
        ("limit = 10", "limit = 11"),
        ("min_term_frequency = 2", "min_term_frequency = 3"),
        ("min_word_length = 4", "min_word_length = 5"),
        ("max_word_length = 30", "max_word_length = 31"),
        ("sample_size = 50000", "sample_size = 0xC351"),
        ("\"*.rs\" = [\"rust\"]", "\"*.rs\" = [\"ferris\"]"),
    ];
    let mut text = GLOBAL.to_owned();
    for (from, to) in changed {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
    }
    let env = TestEnv::with(&[("home/.ra.toml", GLOBAL)]);
    let plain = env.config("home/work");
    env.write("home/.ra.toml", text);
    let config = env.config("home/work");

    assert_eq!((plain.search.limit, config.search.limit), (5, 6));
    assert_eq!((plain.settings.local_boost, config.settings.local_boost), (1.5, 1.75));
    assert_eq!((plain.settings.chunk_at_headings, config.settings.chunk_at_headings), (true, false));
    assert_eq!((plain.settings.max_chunk_size, config.settings.max_chunk_size), (50_000, 40_000));
    assert_eq!((plain.search.fuzzy_distance, config.search.fuzzy_distance), (1, 2));
    assert_eq!((plain.search.stemmer.as_str(), config.search.stemmer.as_str()), ("english", "french"));
    assert_eq!((plain.context.limit, config.context.limit), (10, 11));
    assert_eq!((plain.context.min_term_frequency, config.context.min_term_frequency), (2, 3));
    assert_eq!((plain.context.min_word_length, config.context.min_word_length), (4, 5));
    assert_eq!((plain.context.max_word_length, config.context.max_word_length), (30, 31));
    assert_eq!((plain.context.sample_size, config.context.sample_size), (50_000, 50_001));
    assert_eq!((words(&plain, "a.rs"), words(&config, "a.rs")), (vec!["rust".into()], vec!["ferris".into()]));
    assert_eq!(words(&config, "deep/in/app.tsx"), ["typescript", "react"]);
    assert_eq!(words(&config, "x.h"), ["c", "cpp"]);
    let expected = [("global".to_owned(), "home/docs".to_owned(), TreeScope::Global)];
    assert_eq!(trees(&env, &config), expected);

    env.write("home/.ra.toml", GLOBAL.replace("fuzzy = true", "fuzzy = false"));
    assert_eq!(env.config("home/work").search.fuzzy_distance, 0);
}

#[test]
fn the_documented_project_example_loads_on_top_of_the_global_one() {
    let env = TestEnv::with(&[("home/.ra.toml", GLOBAL), ("home/work/.ra.toml", PROJECT)]);
    let config = env.config("home/work");
    assert_eq!(
        trees(&env, &config),
        [
            ("global".to_owned(), "home/docs".to_owned(), TreeScope::Global),
            ("local".to_owned(), "home/work/docs".to_owned(), TreeScope::Local),
        ]
    );
    assert_eq!(globs(&config, "global"), ["**/rust/**", "**/git/**"]);
    assert_eq!(globs(&config, "local"), ["**/*"]);
    for (file, expected) in [
        ("src/api/handlers.rs", &["rust", "http", "handlers", "routing", "REST"][..]),
        ("src/auth/deep/a.py", &["python", "authentication", "security", "jwt"]),
        ("src/db/x", &["database", "queries", "migrations"]),
        ("tests/x.c", &["c", "testing", "fixtures"]),
        ("other/src/api/x", &[]),
    ] {
        assert_eq!(words(&config, file), expected, "{file}");
    }
    let files: Vec<String> = config.files.iter().map(|file| env.name(file)).collect();
    assert_eq!(files, ["home/.ra.toml", "home/work/.ra.toml"]);
}

#[test]
fn the_documented_search_parameters_can_be_set_for_search_and_context() {
    let env = TestEnv::with(&[("work/.ra.toml", SEARCH)]);
    let config = env.config("work");
    let (search, context) = (&config.search, &config.context);
    assert_eq!((search.limit, search.fuzzy_distance, search.stemmer.as_str()), (7, 0, "german"));
    assert_eq!((search.pipeline.cutoff_ratio, search.pipeline.max_candidates), (0.5, Some(40)));
    assert_eq!(search.pipeline.aggregation_threshold, 0.75);
    assert_eq!((context.limit, context.pipeline.cutoff_ratio), (8, 0.1));
    assert_eq!((context.pipeline.max_candidates, context.pipeline.aggregation_threshold), (Some(30), 0.25));
}

#[test]
fn context_takes_from_search_what_it_does_not_set() {
    let text = "[search]\ncutoff_ratio = 0.6\nmax_candidates = 9\n[context]\nmax_candidates = 12\n";
    let env = TestEnv::with(&[("work/.ra.toml", text)]);
    let pipeline = env.config("work").context.pipeline;
    assert_eq!((pipeline.cutoff_ratio, pipeline.max_candidates), (0.6, Some(12)));
    assert_eq!(pipeline.aggregation_threshold, 0.5);
}

#[test]
fn the_nearest_file_decides_each_scalar_by_itself() {
    let env = TestEnv::with(&[
        ("home/.ra.toml", "[search]\nlimit = 1\nfuzzy_distance = 0\nstemmer = \"dutch\"\n"),
        ("home/a/.ra.toml", "[search]\nlimit = 2\nfuzzy_distance = 2\n"),
        ("home/a/b/.ra.toml", "\n[search]\nlimit = 3\n"),
    ]);
    for (cwd, limit, distance, stemmer) in [
        ("home/a/b/c", 3, 2, "dutch"),
        ("home/a/b", 3, 2, "dutch"),
        ("home/a/x", 2, 2, "dutch"),
        ("home/x", 1, 0, "dutch"),
        ("elsewhere", 1, 0, "dutch"),
    ] {
        let config = env.config(cwd);
        let search = &config.search;
        assert_eq!(
            (search.limit, search.fuzzy_distance, search.stemmer.as_str()),
            (limit, distance, stemmer)
        );
    }
    let config = env.config("home/a/b");
    let set = config.values.iter().find(|set| set.key.path() == "search.limit").unwrap();
    assert_eq!(set.source.line, 3);
    assert_eq!(set.source.origin, LayerOrigin::Local(env.path("home/a/b/.ra.toml").into()));
    assert_eq!(
        origin(&config, "search.stemmer"),
        Some(LayerOrigin::Global(env.path("home/.ra.toml").into()))
    );
    assert_eq!(origin(&config, "search.fuzzy"), Some(LayerOrigin::BuiltIn));
}

#[test]
fn trees_are_merged_by_name_and_the_nearest_definition_counts_whole() {
    let env = TestEnv::with(&[
        ("home/.ra.toml", "[trees]\nshared = \"~/docs\"\nonly = \"./only\"\n"),
        (
            "home/a/.ra.toml",
            "[trees.shared]\npath = \"docs\"\ninclude = [\"*.rst\"]\nexclude = \"old/\"\nignore = false\n",
        ),
        ("home/a/b/.ra.toml", "[trees]\nshared = \"notes\"\n"),
    ]);
    let far = env.config("elsewhere");
    assert_eq!(
        far.tree("shared").map(|tree| (env.name(&tree.root), tree.scope, tree.ignore)),
        Some(("home/docs".into(), TreeScope::Global, true))
    );
    let middle = env.config("home/a");
    let tree = middle.tree("shared").unwrap();
    assert_eq!(
        (env.name(&tree.root), tree.scope, tree.ignore),
        ("home/a/docs".into(), TreeScope::Local, false)
    );
    assert_eq!(globs(&middle, "shared"), ["*.rst"]);
    assert_eq!(tree.filter.exclude()[0].glob, "old/");
    let near = env.config("home/a/b");
    let tree = near.tree("shared").unwrap();
    assert_eq!(
        (env.name(&tree.root), tree.scope, tree.ignore),
        ("home/a/b/notes".into(), TreeScope::Local, true)
    );
    assert!(tree.filter.include().is_empty() && tree.filter.exclude().is_empty());
    assert_eq!(near.tree("only").map(|tree| tree.scope), Some(TreeScope::Global));
}

#[test]
fn include_patterns_follow_each_other_from_the_farthest_file_to_the_nearest() {
    let include = |tree: &str, glob: &str| format!("[[include]]\ntree = \"{tree}\"\npattern = \"{glob}\"\n");
    let env = TestEnv::new();
    env.write("home/.ra.toml", format!("{}[trees]\ndocs = \"~/docs\"\n", include("docs", "one/**")));
    env.write("work/.ra.toml", format!("{}{}", include("docs", "two/**"), include("docs", "three/**")));
    env.write(
        "work/deep/.ra.toml",
        format!(
            "[trees]\nmore = {{ path = \".\", include = [\"own/**\"] }}\n{}{}",
            include("docs", "four/**"),
            include("more", "added/**")
        ),
    );
    assert_eq!(globs(&env.config("home"), "docs"), ["one/**"]);
    assert_eq!(globs(&env.config("work"), "docs"), ["one/**", "two/**", "three/**"]);
    let deep = env.config("work/deep");
    assert_eq!(globs(&deep, "docs"), ["one/**", "two/**", "three/**", "four/**"]);
    assert_eq!(globs(&deep, "more"), ["own/**", "added/**"]);
    let place = &deep.tree("docs").unwrap().filter.include()[2].source;
    assert_eq!((place.line, place.origin.file()), (6, Some(env.path("work/.ra.toml").as_path())));
}

#[test]
fn context_patterns_are_merged_and_the_nearest_entry_of_a_glob_counts() {
    let env = TestEnv::with(&[
        ("home/.ra.toml", "[context.patterns]\n\"*.rs\" = [\"a\"]\n\"*.zig\" = [\"zig\"]\n"),
        (
            "work/.ra.toml",
            "[context.patterns]\n\"*.rs\" = [\"b\", \"c\"]\n\"src/**\" = \"one\"\n\"*.py\" = []\n",
        ),
    ]);
    let config = env.config("work");
    assert_eq!(terms(&config, "*.rs"), Some(&["b".to_owned(), "c".to_owned()][..]));
    assert_eq!(words(&config, "src/x.zig"), ["zig", "one"]);
    assert_eq!(words(&config, "x.py"), Vec::<String>::new());
    assert_eq!(words(&config, "x.go"), ["golang"]);
    assert_eq!(words(&env.config("elsewhere"), "x.rs"), ["a"]);
}

#[test]
fn synonyms_are_merged_and_the_nearest_entry_of_a_word_counts() {
    let env = TestEnv::with(&[
        ("home/.ra.toml", "[search.synonyms]\nb = [\"one\"]\na = [\"two\"]\n"),
        ("work/.ra.toml", "[search.synonyms]\nc = \"three\"\nb = [\"four\", \"five six\"]\n"),
    ]);
    let config = env.config("work");
    let words: Vec<String> = config.search.synonyms.iter().map(|group| group.words.join("=")).collect();
    assert_eq!(words, ["b=four=five six", "a=two", "c=three"]);
    let place = &config.search.synonyms[0].source;
    assert_eq!((place.line, place.origin.file()), (3, Some(env.path("work/.ra.toml").as_path())));
}

#[test]
fn root_stops_the_walk_upwards_but_not_the_global_file() {
    let env = TestEnv::with(&[
        ("home/.ra.toml", "[trees]\nmine = \"~/docs\"\n"),
        ("a/.ra.toml", "[trees]\nfar = \"docs\"\n[search]\nlimit = 3\n"),
        ("a/b/.ra.toml", "root = true\n[trees]\nnear = \"docs\"\n"),
        ("a/b/c/.ra.toml", "root = false\n[trees]\nnearest = \"docs\"\n"),
    ]);
    let names = |cwd: &str| -> Vec<String> {
        env.config(cwd).trees.iter().map(|tree| tree.name.to_string()).collect()
    };
    assert_eq!(names("a"), ["far", "mine"]);
    assert_eq!(names("a/b"), ["mine", "near"]);
    assert_eq!(names("a/b/c"), ["mine", "near", "nearest"]);
    assert_eq!(env.config("a/b/c").search.limit, 10);
}

#[test]
fn paths_are_resolved_against_the_file_that_names_them() {
    let env = TestEnv::new();
    let absolute = env.path("elsewhere/docs");
    for (written, resolved) in [
        ("docs", "work/project/docs"),
        ("./docs", "work/project/docs"),
        ("docs/", "work/project/docs"),
        ("./docs/../notes/./x", "work/project/notes/x"),
        (".", "work/project"),
        ("../shared/docs", "work/shared/docs"),
        ("../../x", "x"),
        ("~/docs", "home/docs"),
        ("~/../x", "x"),
        (absolute.to_str().unwrap(), "elsewhere/docs"),
    ] {
        env.write("work/project/.ra.toml", format!("[trees]\nt = {written:?}\n"));
        let config = env.config("work/project/src/deep");
        assert_eq!(config.trees[0].root, env.path(resolved), "{written}");
    }
}

#[test]
fn a_home_is_only_asked_for_when_it_is_needed() {
    let env = TestEnv::with(&[
        ("a/.ra.toml", "[trees]\nt = \"docs\"\n"),
        ("b/.ra.toml", "[trees]\nt = \"~/docs\"\n"),
    ]);
    let places = |cwd: &str| SystemDirs { home: None, ..env.places(cwd) };
    assert_eq!(Config::load(&places("a"), &[]).unwrap().trees.len(), 1);
    let error = Config::load(&places("b"), &[]).unwrap_err();
    assert!(error.to_string().contains("b/.ra.toml:2: `~` cannot be resolved"), "{error}");
    env.write("b/.ra.toml", "[trees]\nt = \"~someone/docs\"\n");
    assert!(env.problems("b")[0].message.contains("`~name` is not supported"));
}

#[test]
fn the_global_file_stays_global_when_the_walk_meets_it() {
    let env = TestEnv::with(&[
        ("home/.ra.toml", "root = true\n[trees]\nt = \"docs\"\n[search]\nlimit = 4\n"),
        (".ra.toml", "[search]\nlimit = 5\n"),
    ]);
    for cwd in ["home", "home/deep/below"] {
        let config = env.config(cwd);
        assert_eq!(config.trees[0].scope, TreeScope::Global, "{cwd}");
        // A file above the home directory is like that of any other project and overrides the global one.
        assert_eq!(config.search.limit, 5, "{cwd}");
        assert_eq!(config.files, [env.path("home/.ra.toml"), env.path(".ra.toml")]);
    }
}

#[cfg(unix)]
#[test]
fn a_home_behind_a_link_is_recognized() {
    let env = TestEnv::with(&[("disk/user/.ra.toml", "[trees]\nt = \"docs\"\n")]);
    env.link(env.path("disk/user"), "linked");
    let places = SystemDirs { home: Some(env.path("linked")), ..env.places("disk/user/work") };
    let config = Config::load(&places, &[]).unwrap();
    assert_eq!((config.files.len(), config.trees[0].scope), (1, TreeScope::Global));
}

#[test]
fn the_general_limit_is_the_default_of_the_search_limit() {
    for (global, project, limit, line) in [
        ("", "", 10, 11),
        ("default_limit = 3", "", 3, 2),
        ("", "[settings]\ndefault_limit = 4", 4, 2),
        ("default_limit = 3", "[search]\nlimit = 20", 20, 2),
        ("default_limit = 3\n[search]\nlimit = 20", "[settings]\ndefault_limit = 4", 20, 4),
        ("default_limit = 3\n[search]\nlimit = 10", "", 10, 4),
    ] {
        let env = TestEnv::new();
        env.write("home/.ra.toml", format!("[settings]\n{global}\n"));
        env.write("work/.ra.toml", project);
        let config = env.config("work");
        assert_eq!(config.search.limit, limit, "{global} {project}");
        // The shown value is the effective one.
        assert_eq!(value(&config, "search.limit"), Some(Value::Int(limit as i64)));
        let shown = config.values.iter().find(|set| set.key.path() == "search.limit").unwrap();
        assert!(
            shown.source.origin == LayerOrigin::BuiltIn || shown.source.line == line,
            "{global} {project}"
        );
        assert_eq!(
            shown.source.origin == LayerOrigin::BuiltIn,
            limit == 10 && !global.contains("limit = 10")
        );
    }
}

#[test]
fn the_index_is_in_the_cache_under_the_name_of_what_it_is_of() {
    let cases: &[(&[&str], &str, &str)] = &[
        (&["home/projects/foo/.ra.toml"], "home/projects/foo/src", "foo"),
        (&["home/projects/foo/.ra.toml", "home/.ra.toml"], "home/projects/foo", "foo"),
        (&["a/.ra.toml", "a/b/.ra.toml"], "a/b/c", "b"),
        (&["a/.ra.toml", "a/b/.ra.toml"], "a/x", "a"),
        (&["home/.ra.toml"], "home/projects/foo", "home"),
        (&["home/.ra.toml"], "elsewhere", "home"),
    ];
    for (files, cwd, name) in cases {
        let env = TestEnv::new();
        for file in *files {
            env.write(file, "[trees]\nt = \"docs\"\n");
        }
        let config = env.config(cwd);
        let index = env.name(&config.index_dir);
        assert!(index.starts_with(&format!("home/.cache/ra/{name}-")), "{files:?} {cwd} {index}");
        let fallback = env.name(&config.fallback_dir);
        assert!(fallback.starts_with("tmp/ra-") && fallback.contains(&format!("/{name}-")), "{fallback}");
    }
}

#[test]
fn without_a_configuration_the_work_tree_or_the_directory_is_the_tree() {
    for (git, cwd, project) in [
        (None, "work/sub", "work/sub"),
        (Some("work/.git/HEAD"), "work/sub/deep", "work"),
        // In a linked work tree, `.git` is a file.
        (Some("work/sub/.git"), "work/sub/deep", "work/sub"),
    ] {
        let env = TestEnv::new();
        git.inspect(|path| env.write(path, ""));
        let config = env.config(cwd);
        let expected = [("local".to_owned(), project.to_owned(), TreeScope::Local)];
        assert_eq!(trees(&env, &config), expected);
        assert!(config.trees[0].source.is_none() && config.trees[0].ignore && !config.trees[0].outside);
        assert_eq!(config.project, env.path(project));
        // Nothing is written into a directory that nobody configured.
        let cache = env.path("home/.cache/ra");
        assert!(config.index_dir.starts_with(&cache), "{}", config.index_dir.display());
    }
}

#[test]
fn projects_of_one_name_do_not_share_a_cache() {
    let env = TestEnv::new();
    let index = |cwd: &str| env.config(cwd).index_dir;
    assert_ne!(index("a/docs"), index("b/docs"));
    assert_eq!(index("a/docs"), index("a/docs"));
    let name = index("a/docs").file_name().unwrap().to_string_lossy().into_owned();
    assert!(name.starts_with("docs-"), "{name}");
}

#[test]
fn a_global_file_without_trees_leaves_the_implied_tree() {
    let env = TestEnv::with(&[("home/.ra.toml", "[search]\nlimit = 3\n")]);
    let config = env.config("work");
    assert!(config.trees[0].source.is_none() && config.search.limit == 3);
}

#[test]
fn the_home_directory_and_what_is_above_it_are_no_tree_unless_named() {
    let env = TestEnv::with(&[("home/notes/a.md", "x")]);
    for cwd in ["home", ""] {
        let refused = env.config_with(cwd, &[]).expect_err("too much");
        assert!(matches!(refused, Error::NoTree { .. }), "{refused}");
    }
    assert!(env.config_with("home/notes", &[]).is_ok());
    env.write("home/.ra.toml", "[trees]\nall = \"~\"\n");
    assert_eq!(env.config("home").trees.len(), 1);
}

#[test]
fn a_project_names_no_hidden_directory_outside_itself_and_no_home() {
    let env = TestEnv::new();
    for directory in ["home/.ssh", "home/notes", "work/.github", "home/.p/q/docs", "home/.p/notes"] {
        env.directory(directory);
    }
    for (project, path, fine) in [
        ("work", "~/.ssh", false),
        ("work", "~/.claude/projects", false),
        ("work", "../home/.ssh", false),
        ("work", "~", false),
        ("work", "/", false),
        ("work", "..", false),
        ("work", "~/notes", true),
        ("work", ".github", true),
        // In the home directory, hidden directories above the project count, too.
        ("home/.p/q", "../notes", false),
        ("home/.p/q", "..", false),
        ("work", ".git", false),
        ("work", "x/.git/hooks", false),
        ("home/.p/q", "docs", true),
    ] {
        env.write(&format!("{project}/.ra.toml"), format!("[trees]\nt = \"{path}\"\n"));
        let problems = env.problems(project);
        assert_eq!(problems.is_empty(), fine, "{path}: {problems:?}");
        fs::remove_file(env.path(&format!("{project}/.ra.toml"))).unwrap();
        env.write("home/.ra.toml", format!("[trees]\nt = \"{path}\"\n"));
        assert!(env.problems("work").is_empty(), "the user's own word: {path}");
        fs::remove_file(env.path("home/.ra.toml")).unwrap();
    }
}

#[test]
fn a_project_opens_no_tree_of_others_to_more_than_documents() {
    let env = TestEnv::with(&[
        ("home/.ra.toml", "[trees]\nglobal = \"~/work\"\n"),
        (
            "p/.ra.toml",
            "[trees]\nown = \".\"\n[[include]]\ntree = \"global\"\npattern = \".env\"\n\
                        [[include]]\ntree = \"global\"\npattern = \"*.pem\"\n\
                        [[include]]\ntree = \"global\"\npattern = \"rust/**\"\n\
                        [[include]]\ntree = \"own\"\npattern = \"*.pem\"\n",
        ),
    ]);
    let config = env.config("p");
    let (global, own) = (config.tree("global").unwrap(), config.tree("own").unwrap());
    for (path, taken) in [("a/.env", false), ("id.pem", false), ("rust/a.md", true), ("git/a.md", false)] {
        assert_eq!(global.filter.verdict(path).is_document(), taken, "{path}");
    }
    assert!(!global.filter.enters_hidden() && own.filter.verdict("id.pem").is_document());
}

#[test]
fn a_glob_that_nests_too_deeply_is_a_problem_and_no_crash() {
    let deep = |levels: usize| format!("{}x{}", "{a,".repeat(levels), "}".repeat(levels));
    for (levels, fine) in [(8, true), (9, false), (200, false), (100_000, false)] {
        for text in [
            format!("[trees]\nt = {{ path = \".\", exclude = [\"{}\"] }}\n", deep(levels)),
            format!("[context.patterns]\n\"{}\" = [\"x\"]\n", deep(levels)),
        ] {
            assert_eq!(TestEnv::with(&[("p/.ra.toml", &text)]).problems("p").is_empty(), fine, "{levels}");
        }
    }
    let env = TestEnv::with(&[("p/.ra.toml", "[trees]\nt = \".\"\n"), ("p/a.md", "x"), ("p/.git/HEAD", "")]);
    env.write("p/.gitignore", deep(100_000));
    assert_eq!(
        ra_core::corpus::walk(&env.config("p").trees[0], ra_core::corpus::WalkDetail::Documents).files.len(),
        1
    );
}

#[cfg(unix)]
#[test]
fn a_link_does_not_make_a_hidden_directory_a_tree() {
    let env =
        TestEnv::with(&[("work/.ra.toml", "[trees]\nt = \"docs\"\n"), ("home/.ssh/notes.md", "secret")]);
    env.link(env.path("home/.ssh"), "work/docs");
    let problems = env.problems("work");
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].message, "the tree `t` is in a hidden directory outside the project");
}

#[cfg(unix)]
#[test]
fn a_configuration_that_is_a_link_out_of_the_project_is_refused() {
    let env = TestEnv::with(&[
        ("home/.aws/credentials", "aws_secret_access_key = wJalrXUtnFEMI\n"),
        ("work/.git/HEAD", ""),
        ("work/.env", "TOKEN=secret\n"),
        ("work/shared/ra.toml", "[search]\nlimit = 7\n"),
        ("work/shared/.ra.toml", "[search]\nlimit = 7\n"),
        ("other/ra.toml", "[search]\nlimit = 7\n"),
    ]);
    for (target, fine) in [
        ("home/.aws/credentials", false),
        ("other/ra.toml", false),
        ("work/.env", false),
        ("work/shared/ra.toml", false),
        ("work/shared/.ra.toml", true),
        ("missing", true),
    ] {
        env.link(env.path(target), "work/.ra.toml");
        match env.config_with("work", &[]) {
            Ok(_) => assert!(fine, "{target}"),
            Err(error) => {
                assert!(!fine && matches!(error, Error::LinkOut { .. }), "{target}: {error}");
                assert!(!format!("{error:?}").contains("secret"), "{error:?}");
            }
        }
        fs::remove_file(env.path("work/.ra.toml")).unwrap();
    }
    // The user's own configuration may link anywhere.
    env.link(env.path("other/ra.toml"), "home/.ra.toml");
    assert_eq!(env.config("work").search.limit, 7);
}

#[cfg(unix)]
#[test]
fn a_configuration_that_is_no_regular_file_or_too_large_is_an_error() {
    let env = TestEnv::new();
    env.write("work/.ra.toml", vec![b'#'; (2 << 20) + 1]);
    let error = env.config_with("work", &[]).expect_err("too large");
    assert!(error.to_string().contains("read the configuration"), "{error}");
    fs::remove_file(env.path("work/.ra.toml")).unwrap();
    let pipe = env.path("work/.ra.toml");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(env.config_with("work", &[]).is_err());
}

#[test]
fn trees_outside_the_project_that_names_them_are_marked() {
    let env = TestEnv::with(&[("home/.ra.toml", "[trees]\nglobal = \"../far\"\n")]);
    env.write(
        "work/.ra.toml",
        "[trees]\ninside = \"docs\"\nitself = \".\"\noutside = \"../far\"\nhome = \"~/x\"\nworkmate = \"../work-2\"\n",
    );
    env.directory("work-2");
    let config = env.config("work/deep");
    let outside: Vec<&str> =
        config.trees.iter().filter(|tree| tree.outside).map(|tree| tree.name.as_str()).collect();
    assert_eq!(outside, ["home", "outside", "workmate"]);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_out_of_the_project_does_not_hide_it() {
    let env = TestEnv::with(&[(
        "work/.ra.toml",
        "[trees]\nt = { path = \"docs\", include = [\"*.key\", \".ssh/**\"] }\n",
    )]);
    env.directory("far");
    env.link(env.path("far"), "work/docs");
    let tree = env.config("work").trees[0].clone();
    assert!(tree.outside && !tree.filter.enters_hidden());
    // A cloned project must not be able to read anything but documents elsewhere.
    assert!(!tree.filter.verdict("id.key").is_document());
}

#[test]
fn flags_are_the_top_layer() {
    let env = TestEnv::with(&[("work/.ra.toml", "[search]\nlimit = 3\n[settings]\ndefault_limit = 4\n")]);
    let flag = |value| Override { table: "search", name: "limit", flag: "--limit", value };
    let config = env.config_with("work", &[flag(Value::Int(8)), flag(Value::Int(9))]).unwrap();
    assert_eq!(
        (config.search.limit, origin(&config, "search.limit")),
        (9, Some(LayerOrigin::Flag("--limit")))
    );
    for value in
        [Value::Int(0), Value::Int(1001), Value::Int(-1), Value::Float(2.5), Value::Text("many".into())]
    {
        match env.config_with("work", &[flag(value.clone())]) {
            Err(Error::Flag { flag: "--limit", message }) => {
                assert_eq!(message, format!("expected a whole number from 1 to 1000, found {value}"));
            }
            other => panic!("{value}: {other:?}"),
        }
    }
}

#[test]
fn every_key_has_its_default_in_one_file() {
    // These have no default of their own: one is a flag, the others default to the value of another key.
    let optional = BTreeSet::from([
        "root",
        "settings.default_limit",
        "context.max_tokens",
        "search.max_candidates",
        "context.cutoff_ratio",
        "context.max_candidates",
        "context.aggregation_threshold",
    ]);
    let env = TestEnv::new();
    let config = env.config("work");
    let set: BTreeSet<String> = config.values.iter().map(|set| set.key.path()).collect();
    let all: BTreeSet<String> = KEYS.iter().map(|key| key.path()).collect();
    let missing: BTreeSet<&str> = all.difference(&set).map(String::as_str).collect();
    assert_eq!(missing, optional);
    assert!(config.values.iter().all(|set| set.source.origin == LayerOrigin::BuiltIn));

    let written: toml::Table = DEFAULTS.parse().unwrap();
    let mut keys = BTreeSet::new();
    scalars("", &written, &mut keys);
    assert_eq!(keys, set);
    // The optional keys are mentioned, so the file documents every key except `root`.
    for key in KEYS.iter().filter(|key| key.name != "root") {
        assert!(DEFAULTS.contains(key.name), "{}", key.path());
    }
}

fn scalars(path: &str, table: &toml::Table, keys: &mut BTreeSet<String>) {
    for (name, value) in table {
        let full = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        match value {
            toml::Value::Table(_) if full == "context.patterns" || full == "search.synonyms" => {}
            toml::Value::Table(inner) => scalars(&full, inner, keys),
            _ => {
                keys.insert(full);
            }
        }
    }
}

#[test]
fn the_defaults_are_themselves_a_valid_file() {
    let env = TestEnv::with(&[("work/.ra.toml", DEFAULTS)]);
    let config = env.config("work");
    assert!(config.values.iter().all(|set| set.source.origin != LayerOrigin::BuiltIn));
    assert_eq!(format!("{:?}", config.search), format!("{:?}", env.config("elsewhere").search));
}

#[test]
fn every_language_is_accepted_in_any_case() {
    for language in ra_core::config::STEMMERS {
        let env = TestEnv::new();
        env.write("work/.ra.toml", format!("[search]\nstemmer = \"{}\"\n", language.to_uppercase()));
        assert_eq!(env.config("work").search.stemmer, *language);
    }
    assert_eq!(ra_core::config::STEMMERS.len(), 20);
}

#[test]
fn a_directory_called_like_the_file_is_not_one() {
    let env = TestEnv::new();
    env.directory("work/.ra.toml");
    assert!(env.config("work").files.is_empty());
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_fine() {
    let env = TestEnv::with(&[("work/.ra.toml", "\u{feff}[search]\r\nlimit = 3\r\n")]);
    assert_eq!(env.config("work").search.limit, 3);
}
