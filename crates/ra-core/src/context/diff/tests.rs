//! Diffs of all kinds, and properties that hold for every text.

use proptest::prelude::*;

use super::*;

/// Returns one line per file: its paths, and its lines with their marks.
fn shown(text: &str) -> String {
    let diff = parse(text);
    let mut out: Vec<String> = Vec::new();
    for file in &diff.files {
        let name = |path: &Option<String>| path.clone().unwrap_or("-".to_owned());
        let mut line = format!("{} > {}", name(&file.old), name(&file.new));
        if file.is_binary {
            line.push_str(" binary");
        }
        for hunk in &file.hunks {
            line.push_str(&format!(" @{}", hunk.heading));
            for (mark, lines) in [(' ', &hunk.context), ('-', &hunk.removed), ('+', &hunk.added)] {
                lines.iter().for_each(|found| line.push_str(&format!(" {mark}{found}")));
            }
        }
        out.push(line);
    }
    out.extend(diff.problems.iter().map(|problem| format!("!{} {}", problem.line, problem.message)));
    out.join("\n")
}

const SIMPLE: &str = "diff --git a/src/x.rs b/src/x.rs\nindex 1..2 100644\n--- a/src/x.rs\n+++ b/src/x.rs\n\
    @@ -1,3 +1,3 @@ fn main()\n one\n-two\n+zwei\n three\n";

#[test]
fn changes_are_read() {
    let with_returns = SIMPLE.replace('\n', "\r\n");
    let shown_simple = "src/x.rs > src/x.rs @fn main()  one  three -two +zwei";
    for text in [
        SIMPLE,
        &with_returns,
        &format!("commit 12\nAuthor: A <a@b>\n\n    --- not\n    +++ this\n\n{SIMPLE}-- \n2.40.0\n"),
        &SIMPLE.replace("a/src", "i/src").replace("b/src", "w/src"),
        &SIMPLE.replace("a/src", "src").replace("b/src", "src"),
        &SIMPLE[SIMPLE.find("---").unwrap()..],
        &SIMPLE.replace("+zwei\n", "+zwei\n\\ No newline at end of file\n"),
    ] {
        assert_eq!(shown(text), shown_simple, "{text}");
    }
    assert_eq!(shown(&SIMPLE.repeat(2)), format!("{shown_simple}\n{shown_simple}"));
}

#[test]
fn headers_are_understood() {
    for (text, expected) in [
        ("diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n", "o > n"),
        ("diff --git a/o b/n\nsimilarity index 90%\ncopy from o\ncopy to n\n", "o > n"),
        ("diff --git a/x y b/x y\nold mode 100644\nnew mode 100755\n", "x y > x y"),
        ("diff --git a/x b/x\nnew file mode 100644\nindex 0..0\n", "- > x"),
        ("diff --git a/x b/x\ndeleted file mode 100644\nindex 0..0\n", "x > -"),
        ("diff --git a/x b/x\nnew file mode 1\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n", "- > x @ +a"),
        (
            "diff --git a/x b/x\ndeleted file mode 1\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
            "x > - @ -a",
        ),
        ("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a", "- > x @ +a"),
        (
            "diff --git a/x.png b/x.png\nindex 1..2\nBinary files a/x.png and b/x.png differ\n",
            "x.png > x.png binary",
        ),
        ("diff --git a/x b/x\nnew file mode 1\nBinary files /dev/null and b/x differ\n", "- > x binary"),
        (
            "Binary files old/x and new/x differ\n--- a\n+++ b\n@@ -1 +1 @@\n-c\n+d\n",
            "old/x > new/x binary\na > b @ -c +d",
        ),
        (
            "diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 3\nKcmZo\n\nliteral 0\nHc\n\n",
            "x > x binary",
        ),
        (
            "diff --git \"a/sp\\303\\244ce.md\" \"b/sp\\303\\244ce.md\"\n--- \"a/sp\\303\\244ce.md\"\n+++ \"b/sp\\303\\244ce.md\"\n@@ -1 +1 @@\n-a\n+b\n",
            "späce.md > späce.md @ -a +b",
        ),
        ("--- x.c\t2024-01-01 10:00\n+++ x.c\t2024-01-02\n@@ -5 +5 @@\n-a\n+b\n", "x.c > x.c @ -a +b"),
        ("diff --git a/a.c a/a.c\n--- a/a.c\n+++ a/a.c\n@@ -1 +1 @@\n-x\n+y\n", "a/a.c > a/a.c @ -x +y"),
        (
            "diff --git a/a/o b/b/n\nrename from a/o\nrename to b/n\n--- a/a/o\n+++ b/b/n\n@@ -1 +1 @@\n-x\n+y\n",
            "a/o > b/n @ -x +y",
        ),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn lines_are_counted() {
    for (text, expected) in [
        ("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a\n+++ b\n d\n", "x > x @  d --- a +++ b"),
        ("--- x\n+++ x\n@@ -1,1 +1,1 @@\n--- a\n+++ b\n@@ -9 +9 @@\n-c\n+d\n", "x > x @ --- a +++ b @ -c +d"),
        ("--- x\n+++ x\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", "x > x @  a   -b +c"),
        ("--- x\n+++ x\n@@ -1 +1,2 @@\n a\n+diff --git a/y b/y\n", "x > x @  a +diff --git a/y b/y"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn merges_are_read() {
    let text = "diff --cc src/x\nindex 1,2..3\n--- a/src/x\n+++ b/src/x\n@@@ -1,3 -1,2 +1,3 @@@ f\n  a\n- b\n -c\n++d\n +e\n";
    assert_eq!(shown(text), "src/x > src/x @f  a -b -c +d +e");
    let text = "diff --cc x\n--- a/x\n+++ b/x\n@@@ -1,2 -1,2 +1,2 @@@\n  a\n- b\n -c\n++d\n";
    assert_eq!(shown(text), "x > x @  a -b -c +d");
}

#[test]
fn what_is_wrong_is_told() {
    for (text, expected) in [
        ("", "!1 the diff is empty"),
        ("\n \n", "!1 the diff is empty"),
        ("just text\n", "!1 no diff was found"),
        ("\x1b[1mdiff --git a/x b/x\x1b[m\n", "!1 no diff was found, because the text is colored"),
        (
            "--- x\n+++ x\n@@ -1,3 +1,3 @@\n a\n-b\n",
            "x > x @  a -b\n!3 the hunk ends early, 2 lines are missing",
        ),
        ("@@ -1 +1 @@\n-a\n+b\n", "!1 the hunk comes before the name of a file"),
        ("--- x\n+++ x\n@@ -1 @@\n-a\n", "x > x\n!3 the hunk header cannot be read"),
        ("diff --git what is this\n", "!1 the header names no file"),
        (
            "--- x\n+++ x\n@@ -1,9 +1,9 @@\n a\n--- y\n+++ y\n@@ -1 +1 @@\n-b\n+c\n",
            "x > x @  a\ny > y @ -b +c\n!3 the hunk ends early, 8 lines are missing",
        ),
        (
            "--- x\n+++ x\n@@ -1,9 +1,9 @@\n a\ndiff --git a/y b/y\nold mode 1\n",
            "x > x @  a\ny > y\n!3 the hunk ends early, 8 lines are missing",
        ),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn the_path_is_the_new_one() {
    let paths = |text| parse(text).files.iter().map(|file| file.path().to_owned()).collect::<Vec<_>>();
    assert_eq!(paths("diff --git a/o b/n\nrename from o\nrename to n\n"), ["n"]);
    assert_eq!(paths("diff --git a/o b/o\ndeleted file mode 1\n"), ["o"]);
}

/// A diff and its expected parse.
fn valid() -> impl Strategy<Value = (String, Vec<(String, usize, usize, usize)>)> {
    let line = prop_oneof![Just(' '), Just('-'), Just('+')];
    let content =
        prop_oneof![Just("--- a/x"), Just("+++ b/x"), Just("@@ -1 +1 @@"), Just("é"), Just(""), Just("\r")];
    let lines = proptest::collection::vec((line, content), 1..8);
    proptest::collection::vec(("[a-d]{1,3}( [a-d])?\\.md", lines), 1..4).prop_map(|files| {
        let mut text = String::new();
        let mut expected = Vec::new();
        for (path, lines) in files {
            let count = |mark: char| lines.iter().filter(|(found, _)| *found == mark).count();
            let (context, removed, added) = (count(' '), count('-'), count('+'));
            text += &format!("diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n");
            text += &format!("@@ -1,{} +1,{} @@ h\n", context + removed, context + added);
            lines.iter().for_each(|(mark, content)| text += &format!("{mark}{content}\n"));
            expected.push((path, context, removed, added));
        }
        (text, expected)
    })
}

proptest! {
    #[test]
    fn valid_diffs_are_read_as_they_are((text, expected) in valid()) {
        let diff = parse(&text);
        let count = |hunk: &Hunk<'_>| (hunk.context.len(), hunk.removed.len(), hunk.added.len());
        let found: Vec<_> = diff.files.iter().map(|file| {
            let (context, removed, added) = file.hunks.first().map(count).unwrap_or_default();
            (file.path().to_owned(), context, removed, added)
        }).collect();
        prop_assert_eq!(&diff.problems, &[]);
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn spoilt_diffs_are_read_without_panic(
        (text, _) in valid(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 0usize..4, "[ +\\-@\n\"\\\\é\ta0-9]"), 1..6),
    ) {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, change, new) in changes {
            let at = at.index(chars.len() + 1);
            let new = new.chars().next().unwrap_or('x');
            match change {
                0 if at < chars.len() => { chars.remove(at); }
                1 if at < chars.len() => chars[at] = new,
                2 => chars.truncate(at),
                _ => chars.insert(at, new),
            }
        }
        let text: String = chars.into_iter().collect();
        let diff = parse(&text);
        let lines = text.matches('\n').count() + 1;
        prop_assert!(diff.files.iter().all(|file| !file.path().is_empty()));
        prop_assert!(diff.problems.iter().all(|problem| (1..=lines).contains(&problem.line)));
        prop_assert!(!diff.files.is_empty() || !diff.problems.is_empty());
    }

    #[test]
    fn any_text_will_do(text in "(diff --git |diff --cc |--- |\\+\\+\\+ |@@ |@@@ |-1|\\+1|,|[ab]/|\"|\\\\|\n|\r|é|Binary files | and | differ|rename from ){0,30}") {
        let _ = parse(&text);
    }
}
