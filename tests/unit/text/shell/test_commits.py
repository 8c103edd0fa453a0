"""A commit is seen in whatever way the shell lets one be spelled, and nowhere else."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.text.shell.parsing import UNKNOWN
from autology.text.shell.vcs_calls import commits_and_pulls

MESSAGE_BY_SUBSTITUTION = """git add -A && git commit -m "$(cat <<'EOF'
Fix the parser: it's :) (unbalanced "quotes' and `ticks`
$(not run) ;; done

Co-Authored-By: Someone <a@b>
EOF
)"
"""

COMMITS = [
    "git commit -m x",
    "git commit",
    "git -C d commit -m x",
    "git -c user.name=x -c user.email=y commit",
    "git --git-dir=.git --work-tree=. commit",
    "git --no-pager -p commit",
    "A=b C=d git commit",
    "env A=b git commit",
    "env -i PATH=/bin git commit",
    "env -u X git commit",
    "env -S 'git commit -m x'",
    "/usr/bin/git commit",
    "'/c/Program Files/Git/bin/git.exe' commit",
    "git.exe commit",
    "command git commit",
    "exec git commit",
    "builtin command git commit",
    "nohup git commit",
    "nice -n 5 git commit",
    "time git commit",
    "timeout 30 git commit",
    "timeout -k 5 30s git commit",
    "stdbuf -oL git commit",
    "sudo git commit",
    "sudo -u dev -E git commit",
    "sudo -H bash -c 'git commit'",
    'bash -c "git commit -m x"',
    "bash -lc 'cd d && git commit -m \"a b\"'",
    "sh -ec 'git commit'",
    "zsh -c \"bash -c 'git commit'\"",
    "env A=b bash -c 'git commit'",
    "cmd /c git commit -m x",
    'pwsh -Command "git commit -m x"',
    "eval 'git commit -m x'",
    "eval git commit",
    "cd d && git commit",
    "cd d; git commit",
    "cd d\ngit commit",
    "true && git add . && git commit -m x || true",
    "git add .;git commit",
    "(git commit)",
    "(cd d && git commit -m x)",
    "{ git commit; }",
    "git commit -m x | cat",
    "yes | git commit",
    "git commit &",
    "! git commit",
    "for f in a b; do git commit -m $f; done",
    "while read f; do git add $f; git commit -m $f; done < list",
    "if git diff --quiet; then true; else git commit -am x; fi",
    "case $x in a|b) git commit;; *) echo no;; esac",
    "case $x in (a) true;; esac; git commit",
    "f() { git commit; }; f",
    "function f { git commit; }; f",
    "out=$(git commit -m x)",
    "out=`git commit -m x`",
    'echo "done: $(git commit -m x)"',
    "hash=${x:-$(git commit)}",
    "git commit -F - <<EOF\nmessage with ' and (\nEOF",
    "git commit -F - <<'E O F'\nmessage\nE O F\n",
    "cat > f <<EOF\ngit log\nEOF\ngit commit",
    "cat <<-EOF > f\n\tx\n\tEOF\ngit commit",
    MESSAGE_BY_SUBSTITUTION,
    "bash <<EOF\ngit commit\nEOF",
    "cat <<EOF | bash\ngit commit\nEOF",
    'bash <<< "git commit"',
    "echo 'git commit' | sh",
    "echo x # comment\ngit commit",
    "git \\\n  commit",
    "git 'commit' -m x",
    "g''it com\\mit",
    '"git" "commit"',
    "$'git' commit",
    "git commit -m 'a; b && c | d'",
    "xargs -n 1 git commit < list",
    "echo a | xargs -I {} git commit -m {}",
    "find . -name x -exec git commit {} \\;",
    "uv run git commit",
    "op run -- git commit",
    "$GIT commit -m x",
    "G=git; $G commit",
    "a=(1 2 3); git commit",
    "[[ $a =~ ^(x|y)$ ]] && git commit",
    "(( i << 2 )); git commit",
    "x=$(( 1 << 2 )); git commit",
    "2>&1 git commit",
    "git commit > log 2>&1",
    "git commit &> log",
    "diff <(git log) <(git show) ; git commit",
    "set -e\n\ngit status\n\tgit commit -m 'x'\n",
    "git commit --amend --no-edit",
    "git commit -m 'unterminated",
    'git add . && git commit -m "fix: don\'t $(date) \\"x\\""',
]

NOT_COMMITS = [
    'echo "git commit"',
    "echo git commit",
    "echo 'x && git commit'",
    "git commit-tree abc",
    "git commit-graph write",
    "git log --grep commit",
    "git log --grep=commit",
    "git show commit",
    "git -C commit status",
    "git help commit",
    "git commit --dry-run",
    "git commit --help",
    "git config alias.c commit",
    "# git commit",
    "ls # && git commit",
    "grep -r 'git commit' .",
    "rg git commit",
    "cat <<EOF > f\ngit commit\nEOF",
    "cat <<'EOF'\ngit commit\nEOF\nls",
    "legit commit",
    "git-commit-hook commit",
    "command -v git commit",
    "which git commit",
    "git stash; echo commit",
    "git\ncommit",
    "git; commit",
    "printf '%s' \"git commit\" > f",
    "sed -i 's/git commit/x/' f",
    "bash script.sh 'git commit'",
    "",
    "   ",
]


@pytest.mark.parametrize("line", COMMITS)
def test_a_commit_is_seen_in_every_spelling(line: str) -> None:
    commits, pulls = commits_and_pulls(line, {})
    assert len(commits) == 1
    assert pulls == []


@pytest.mark.parametrize("line", NOT_COMMITS)
def test_commands_that_only_resemble_a_commit_are_not_commits(line: str) -> None:
    assert commits_and_pulls(line, {}) == ([], [])


PLACES = [
    ("git commit", "", ""),
    ("git -C d commit", "", "d"),
    ("git -C d -C e commit", "", "d/e"),
    ("git -C d -C /e commit", "", "/e"),
    ("cd d && git commit", "d", ""),
    ("cd d && cd e && git commit", "d/e", ""),
    ("cd d && cd /e && git commit", "/e", ""),
    ("cd -- d; git -C e commit", "d", "e"),
    ("cd; git commit", "~", ""),
    ("cd d && cd - && git commit", "", ""),
    ("(cd d && ls); git commit", "", ""),
    ("x=$(cd d && ls); git commit", "", ""),
    ("x=`cd d`; git commit", "", ""),
    ("bash -c 'cd d'; git commit", "", ""),
    ("eval cd d; git commit", "d", ""),
    ("(cd d && git commit)", "d", ""),
    ("bash -c 'cd d && git commit'", "d", ""),
    ("pushd d; git commit; popd", "d", ""),
    ("pushd d; popd; git commit", "", ""),
    ("env -C d git commit", "d", ""),
    ("sudo --chdir=d git commit", "d", ""),
    ("D=sub; cd $D && git commit", "sub", ""),
    ('D=sub; cd "${D}/x" && git commit', "sub/x", ""),
    ('cd "$HOME/x" && git commit', "/home/dev/x", ""),
    ('cd "$PWD/x" && git commit', "./x", ""),
    ("cd 'a b' && git commit", "a b", ""),
    ("cd a\\ b && git commit", "a b", ""),
    ("cd $(git rev-parse --show-toplevel) && git commit", UNKNOWN, ""),
    ("git -C $OTHER commit", "", UNKNOWN),
]


@pytest.mark.parametrize(("line", "moved", "inside"), PLACES)
def test_the_folder_that_a_commit_runs_in_is_followed(line: str, moved: str, inside: str) -> None:
    (commit,), _ = commits_and_pulls(line, {"HOME": "/home/dev"})
    assert (commit.moved, commit.inside) == (moved, inside)


@pytest.mark.parametrize(
    "line",
    [
        "git --git-dir=g commit",
        "git --git-dir g commit",
        "GIT_DIR=g git commit",
        "export GIT_DIR=g; git commit",
        "env GIT_DIR=g git commit",
    ],
)
def test_a_git_folder_that_is_named_is_known(line: str) -> None:
    (commit,), _ = commits_and_pulls(line, {})
    assert commit.git_dir == "g"


def test_several_commits_of_one_command_line_are_distinguished() -> None:
    commits, _ = commits_and_pulls("git -C a commit -m x && git -C b commit -m y; (cd c; git commit)", {})
    assert [(c.moved, c.inside) for c in commits] == [("", "a"), ("", "b"), ("c", "")]


PULLS = [
    ("gh pr create --fill", "create", ""),
    ("gh pr create --title 'gh pr merge' --body \"$(cat <<'EOF'\nit's\nEOF\n)\"", "create", ""),
    ("gh -R o/r pr create", "create", ""),
    ("cd d && GH_TOKEN=x gh pr new", "create", ""),
    ("gh pr merge 12 --squash", "merge", "12"),
    ("gh pr merge --squash -b text 12", "merge", "12"),
    ("bash -c 'gh pr merge 12'", "merge", "12"),
    ("gh pr merge", "merge", ""),
]


@pytest.mark.parametrize(("line", "action", "which"), PULLS)
def test_pull_requests_are_seen(line: str, action: str, which: str) -> None:
    commits, (pull,) = commits_and_pulls(line, {})
    assert commits == []
    assert (pull.action, pull.which) == (action, which)


@pytest.mark.parametrize(
    "line",
    [
        "gh pr view 12",
        "gh pr list",
        "gh issue create",
        "echo 'gh pr create'",
        "gh pr create --dry-run",
        "gh pr merge --help",
        "gh repo create pr",
    ],
)
def test_other_gh_commands_are_not_pull_requests(line: str) -> None:
    assert commits_and_pulls(line, {}) == ([], [])


@pytest.mark.parametrize(
    ("line", "certain"),
    [
        ("gh pr merge 5 --squash", True),
        ("gh pr merge 5 -sd", True),
        ("cd d && gh pr merge 5 -m", True),
        ("git push; gh pr merge 5 -r", True),
        ("gh pr merge 5 --squash && echo done", True),
        ("gh pr merge 5 --squash\n# done\n", True),
        ("gh pr merge 5 --squash; echo done", False),
        ("gh pr merge 5 --squash\necho done", False),
        ("gh pr merge 5 --squash || true", False),
        ("gh pr merge 5 --squash | cat", False),
        ("gh pr merge 5 --squash &", False),
        ("! gh pr merge 5 --squash", False),
        ("if gh pr merge 5 --squash; then :; fi", False),
        ("(gh pr merge 5 --squash); true", False),
        ("gh pr merge 5 --squash --auto", False),
        ("gh pr merge 5", False),
    ],
)
def test_the_line_s_success_is_the_merge_s_only_where_nothing_else_decides_it(line: str, certain: bool) -> None:
    _, (pull,) = commits_and_pulls(line, {})
    assert pull.silent_success is certain


@given(st.text(alphabet="git comm-C$(){}[]`'\"\\|&;<>\n#= EOFcd!*?~x0\t", max_size=200))
def test_no_line_is_too_broken_to_read(line: str) -> None:
    commits_and_pulls(line, {})


@given(st.text(max_size=100))
def test_quoted_commands_are_not_treated_as_executed(text: str) -> None:
    quoted = "'" + text.replace("'", "'\\''") + "'"
    assert commits_and_pulls(f"echo {quoted} git commit", {}) == ([], [])
    assert len(commits_and_pulls(f"git commit -m {quoted}", {})[0]) == 1


HOSTILE = [
    *("(", "$(", "`", '"$(', "{ ", "${", "<<E\n", "a && ", "bash -c '", "case x in a) ", "'", '"', "\\", "$"),
    *("x=(", "<(", "((", "git commit;", "cd d;", "x|", "f() {", "eval ", "sudo ", "echo a|sh|", "a=b;", "a=b c|"),
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_hostile_line_costs_no_more_than_its_length(unit: str) -> None:
    began = time.process_time()
    commits_and_pulls(unit * (200_000 // len(unit)), {})
    # A quadratic reader takes minutes of the processor here, this one a second or two.
    assert time.process_time() - began < 5
