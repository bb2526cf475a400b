//! `ra config`: the effective settings and their sources.

use crate::sandbox::Sandbox;

fn project() -> Sandbox {
    Sandbox::with(&[
        ("~/.ra.toml", "[settings]\ndefault_limit = 5\n\n[trees]\nglobal = \"~/docs\"\n"),
        (
            ".ra.toml",
            "[search]\nstemmer = \"German\"\ncutoff_ratio = 0\nsynonyms = { ra = [\"Forschungshilfe\"] }\n[trees]\nlocal = \"./docs\"\nshared = { path = \"../shared\", ignore = false, exclude = \"old/\" }\n\n\
             [[include]]\ntree = \"global\"\npattern = \"**/rust/**\"\n\n[context.patterns]\n\"src/**\" = [\"http\", \"REST\"]\n\n\
             [[context.rules]]\nmatch = \"src/db/**\"\nterms = [\"pool\"]\ninclude = [\"local:db.md\"]\n",
        ),
    ])
}

#[test]
fn every_value_is_shown_with_what_set_it() {
    let shown = project().run(&["config"]);
    assert!(shown.contains("\n  search.semantic                 true      built-in default\n"), "{shown}");
    // The defaults are those of `defaults.toml`, whose tests are in the library.
    let is_default = |line: &&str| {
        let tables = ["  settings.", "  search.", "  context."];
        line.ends_with("built-in default") && tables.iter().any(|table| line.starts_with(table))
    };
    let changed: Vec<&str> = shown.lines().filter(|line| !is_default(line)).collect();
    insta::assert_snapshot!(changed.join("\n"), @r#"
    exit code 0
    --- stdout
    [base]/project/.ra.toml
    [base]/home/.ra.toml

    Values:
      key                             value     set by
      settings.default_limit          5         [base]/home/.ra.toml:2
      search.limit                    5         [base]/home/.ra.toml:2
      search.stemmer                  "german"  [base]/project/.ra.toml:2
      search.cutoff_ratio             0.0       [base]/project/.ra.toml:3

    Trees:
      global = [base]/home/docs (global)
        [base]/home/.ra.toml:5
        include "**/rust/**"  [base]/project/.ra.toml:11
      local = [base]/project/docs (local)
        [base]/project/.ra.toml:6
      shared = [base]/shared (local, outside the project, ignore files not honored)
        [base]/project/.ra.toml:7
        exclude "old/"  [base]/project/.ra.toml:7

    Synonyms:
      words                set by
      ra, Forschungshilfe  [base]/project/.ra.toml:4

    Context patterns:
      glob     terms              set by
      *.rs     rust               built-in default
      *.py     python             built-in default
      *.tsx    typescript, react  built-in default
      *.jsx    javascript, react  built-in default
      *.ts     typescript         built-in default
      *.js     javascript         built-in default
      *.go     golang             built-in default
      *.rb     ruby               built-in default
      *.ex     elixir             built-in default
      *.exs    elixir             built-in default
      *.clj    clojure            built-in default
      *.hs     haskell            built-in default
      *.ml     ocaml              built-in default
      *.swift  swift              built-in default
      *.kt     kotlin             built-in default
      *.java   java               built-in default
      *.c      c                  built-in default
      *.cpp    cpp                built-in default
      *.h      c, cpp             built-in default
      *.hpp    cpp                built-in default
      src/**   http, REST         [base]/project/.ra.toml:14

    Context rules:
      src/db/**  [base]/project/.ra.toml:16
        terms pool
        include local:db.md
    "#);
}

#[test]
fn only_what_was_changed_can_be_shown() {
    insta::assert_snapshot!(project().run(&["config", "--changed"]), @r#"
    exit code 0
    --- stdout
    [base]/project/.ra.toml
    [base]/home/.ra.toml

    Values:
      key                     value     set by
      settings.default_limit  5         [base]/home/.ra.toml:2
      search.limit            5         [base]/home/.ra.toml:2
      search.stemmer          "german"  [base]/project/.ra.toml:2
      search.cutoff_ratio     0.0       [base]/project/.ra.toml:3

    Trees:
      global = [base]/home/docs (global)
        [base]/home/.ra.toml:5
        include "**/rust/**"  [base]/project/.ra.toml:11
      local = [base]/project/docs (local)
        [base]/project/.ra.toml:6
      shared = [base]/shared (local, outside the project, ignore files not honored)
        [base]/project/.ra.toml:7
        exclude "old/"  [base]/project/.ra.toml:7

    Synonyms:
      words                set by
      ra, Forschungshilfe  [base]/project/.ra.toml:4

    Context patterns:
      glob    terms       set by
      src/**  http, REST  [base]/project/.ra.toml:14

    Context rules:
      src/db/**  [base]/project/.ra.toml:16
        terms pool
        include local:db.md
    "#);
}

#[test]
fn programs_get_the_same_as_json() {
    insta::assert_snapshot!(project().run(&["config", "--changed", "--json"]), @r#"
    exit code 0
    --- stdout
    {
      "version": 1,
      "files": [
        "[base]/home/.ra.toml",
        "[base]/project/.ra.toml"
      ],
      "values": [
        {
          "key": "settings.default_limit",
          "value": 5,
          "source": "[base]/home/.ra.toml:2"
        },
        {
          "key": "search.limit",
          "value": 5,
          "source": "[base]/home/.ra.toml:2"
        },
        {
          "key": "search.stemmer",
          "value": "german",
          "source": "[base]/project/.ra.toml:2"
        },
        {
          "key": "search.cutoff_ratio",
          "value": 0.0,
          "source": "[base]/project/.ra.toml:3"
        }
      ],
      "trees": [
        {
          "name": "global",
          "path": "[base]/home/docs",
          "scope": "global",
          "outside_project": false,
          "ignore": true,
          "include": [
            {
              "glob": "**/rust/**",
              "source": "[base]/project/.ra.toml:11"
            }
          ],
          "exclude": [],
          "source": "[base]/home/.ra.toml:5"
        },
        {
          "name": "local",
          "path": "[base]/project/docs",
          "scope": "local",
          "outside_project": false,
          "ignore": true,
          "include": [],
          "exclude": [],
          "source": "[base]/project/.ra.toml:6"
        },
        {
          "name": "shared",
          "path": "[base]/shared",
          "scope": "local",
          "outside_project": true,
          "ignore": false,
          "include": [],
          "exclude": [
            {
              "glob": "old/",
              "source": "[base]/project/.ra.toml:7"
            }
          ],
          "source": "[base]/project/.ra.toml:7"
        }
      ],
      "patterns": [
        {
          "glob": "src/**",
          "terms": [
            "http",
            "REST"
          ],
          "source": "[base]/project/.ra.toml:14"
        }
      ],
      "rules": [
        {
          "match": [
            "src/db/**"
          ],
          "terms": [
            "pool"
          ],
          "trees": [],
          "include": [
            "local:db.md"
          ],
          "source": "[base]/project/.ra.toml:16"
        }
      ],
      "synonyms": [
        {
          "words": [
            "ra",
            "Forschungshilfe"
          ],
          "source": "[base]/project/.ra.toml:4"
        }
      ]
    }
    "#);
    let all = project().json(&["config"]);
    assert_eq!(all["version"], 1);
    let shown = project().run(&["config"]);
    let (_, values) = shown.split_once("set by\n").expect("a table of values");
    let count = values.lines().take_while(|line| !line.is_empty()).count();
    assert_eq!(all["values"].as_array().map(Vec::len), Some(count));
}

#[test]
fn without_a_file_the_directory_itself_is_the_tree() {
    insta::assert_snapshot!(Sandbox::new().run(&["config", "--changed"]), @"
    exit code 0
    --- stdout
    no configuration file applies here

    Trees:
      local = [base]/project (local)
        implied: no tree is configured
    ");
}

#[test]
fn the_defaults_are_a_file_that_can_be_used() {
    let sandbox = Sandbox::new();
    let output = sandbox.command().args(["config", "--defaults"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("# The default of every key."), "{text}");
    sandbox.write(".ra.toml", text);
    assert!(sandbox.run(&["check"]).contains("warning: local: [base]/project: has no documents"));
}

#[test]
fn choices_that_exclude_each_other_are_usage_errors() {
    for args in [
        &["config", "--defaults", "--changed"][..],
        &["config", "--defaults", "--json"],
        &["--json", "config", "--defaults"],
    ] {
        assert!(Sandbox::new().run(args).starts_with("exit code 2\n--- stderr\nerror: "), "{args:?}");
    }
}
