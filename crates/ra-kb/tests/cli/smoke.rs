//! The first commands that a new user runs.

use crate::sandbox::Sandbox;

#[test]
fn init_then_check() {
    let sandbox = Sandbox::with(&[("docs/guide.md", "# Guide\n\nHello.\n")]);
    insta::assert_snapshot!(sandbox.run(&["init"]), @r"
    exit code 0
    --- stdout
    wrote [base]/project/.ra.toml
    next: name your trees in it, then run `ra check`
    ");
    insta::assert_snapshot!(sandbox.run(&["check"]), @r"
    exit code 0
    --- stdout
    checked 1 document in 1 tree: 1 chunk
    index: missing
    no problems
    ");
}
