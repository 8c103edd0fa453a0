"""A command that was ruled out is recognised however the line runs it, and is not taken for a mention of it."""

from __future__ import annotations

import pytest

from autology.text.shell.ruled_out import ruled_out

RULES = [
    ("npm", "install"),
    ("alembic", "upgrade"),
    ("git", "push --force"),
    ("git", "commit --no-verify"),
    ("docker", "compose down -v"),
    ("docker-compose", ""),
    ("pip", "install"),
    ("psql", "$PROD_URL"),
]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("npm install", 0),
        ("cd web && npm i left-pad", 0),
        ("env CI=1 npm install", 0),
        ("sudo npm install", 0),
        ("bash -c 'npm install'", 0),
        ("npm --prefix web install", 0),
        ("uv run alembic upgrade head", 1),
        ("python -m alembic -c a.ini upgrade head", 1),
        ("git push -f", 2),
        ("git -C x push origin main --force", 2),
        ("git commit -nm x", 3),
        ("docker compose -f a.yml down --volumes", 4),
        ("docker-compose up", 5),
        ("pip3 install x", 6),
        ("psql $PROD_URL -c 'select 1'", 7),
        ("true; (time pip install x)", 6),
    ],
)
def test_a_command_that_goes_against_a_rule(line: str, rule: int) -> None:
    assert ruled_out(line, RULES) == [rule]


@pytest.mark.parametrize(
    "line",
    [
        "pnpm install",
        "npm run build",
        "npm view install",
        "echo npm install",
        "grep -rn 'npm install' docs",
        "git commit -m 'never push --force or --no-verify'",
        "git push --force-with-lease",
        "git push -- --force",
        "docker compose down",
        "alembic history # not upgrade",
        "git rm docker-compose.yml",
        "npm install --help",
        "uv pip install x",
        "psql -d test",
        "git add npm install",
        "",
        "'" * 50,
    ],
)
def test_a_command_that_goes_against_none(line: str) -> None:
    assert ruled_out(line, RULES) == []
