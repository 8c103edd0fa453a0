"""Shell commands that a sentence rules out: `npm install`, "never push with --force", "only through `make migrate`"."""

from __future__ import annotations

import re
from collections.abc import Iterator

TOOLS = frozenset(
    "npm npx yarn pnpm bun pip pip3 pipenv poetry conda uv docker-compose docker podman kubectl helm terraform tofu"
    " pulumi ansible-playbook git gh svn hg brew apt apt-get yum dnf apk psql mysql mongosh redis-cli sqlite3 pg_dump"
    " pg_restore dropdb createdb aws gcloud az flyctl heroku vercel netlify ssh scp rsync rm curl wget sudo systemctl"
    " cargo mvn gradle gem bundle rake composer artisan dotnet nuget twine cmake ninja bazel flyway liquibase dbmate"
    " goose diesel sqlx direnv asdf nvm pyenv rustup gofmt chmod chown kill pkill killall crontab tee dd".split()
)
"""Programs whose names mean nothing but the program."""
LIBRARIES = frozenset(
    "jest mocha vitest pytest tox nox alembic celery webpack vite eslint prettier black flake8 ruff mypy pylint isort"
    " prisma knex sequelize typeorm cypress playwright tsc ts-node nodemon gulp grunt rollup esbuild parcel".split()
)
"""Programs that are libraries as well: ruled out as both."""
_WORDS = frozenset("make go node python python3 rails next serve test time find flask deno just task sh bash".split())
"""Programs whose names are common words: only with arguments, in code."""
_DESTRUCTIVE = frozenset("rm curl wget kill chmod chown sudo tee dd ssh scp".split())
_ON_WHAT = re.compile(r"\s+(?:on|in|from|against|to|into|for)\b")
_FOLLOWING = re.compile(r"(?:\s+[a-z][a-z-]+(?=[\s.,;:)]|\Z)|\s+--?[a-z][\w-]*)")
_SUBCOMMANDS = frozenset(
    "install add remove run push commit apply upgrade downgrade up down build deploy publish destroy ci exec rebase"
    " merge reset clean pull update init start stop delete prune".split()
)
_OPTION = re.compile(r"--?[A-Za-z][\w-]*\Z")
_GIT_VERBS = re.compile(r"(?i)\b(?P<verb>push|commit|rebase|merge|reset|clean|checkout|pull)(?:e?s|e?d|t?ing)?\b")
_CODE = re.compile(r"`([^`\n]{2,80})`")
_PLACEHOLDER = re.compile(r"[<\[{][^<>\[\]{}]*[>\]}]|\.\.\.|…")
_THROUGH = re.compile(
    r"(?i)\b(?:only|always|exclusively|nur|ausschließlich|uniquement|seulement|solo|sólo|solamente)\s+"
    r"(?:ever\s+)?(?:run\s+|go\s+|done\s+|applied\s+|made\s+)?"
    r"(?:through|via|by|with|using|by running|über|durch|mit|par|avec|con|mediante|por)\s+(?:running\s+)?"
    r"(?P<own>`[^`\n]{2,60}`|make [\w-]+|\.?/?(?:[\w-]+/)*[\w-]+\.sh\b)"
    r"|(?:只能|仅|必须)(?:通过|用|使用)\s*`(?P<zh>[^`\n]{2,60})`|`(?P<ja>[^`\n]{2,60})`\s*(?:のみ|だけ|でのみ)"
)
_MIGRATING = (
    "alembic upgrade|alembic downgrade|manage.py migrate|prisma migrate|knex migrate:latest|sequelize db:migrate"
    "|flyway migrate|liquibase update|dbmate up|goose up|rails db:migrate|rake db:migrate|diesel migration run"
    "|sqlx migrate run|dotnet ef database update|typeorm migration:run|flask db upgrade|atlas migrate apply"
)
_DEPLOYING = (
    "kubectl apply|helm upgrade|helm install|fly deploy|flyctl deploy|vercel deploy|netlify deploy"
    "|serverless deploy|cdk deploy|cap production deploy|gcloud run deploy|gcloud app deploy|sls deploy"
)
_SUBJECTS = (
    (re.compile(r"(?i)\b(?:migrat(?:ions?|es?|ed)|migraci\w+|schema changes?)\b|迁移|マイグレーション"), _MIGRATING),
    (re.compile(r"(?i)\b(?:deploys?|deployed|deployments?|déploiements?|despliegues?)\b|部署|デプロイ"), _DEPLOYING),
)
"""What a subject is otherwise done with, for a rule that names only the one way to do it."""

Command = tuple[str, str]
"""A program, and the words that follow it."""


def command_of(written: str, *, quoted: bool, runs: bool, after: str, clause: str) -> Command | None:
    """Return the command that *written* names, if it names one.

    *runs*: the sentence speaks of running it. *after* is the text that follows it in *clause*.
    """
    words = _PLACEHOLDER.sub(" ", written).split()
    if not words:
        return None
    if _OPTION.match(words[0]):
        return _of_option(words, clause)
    name = words[0].replace("\\", "/").rpartition("/")[2]
    if name.lower() in ("force-push", "force-pushing"):
        return "git", "push --force"
    if name in _DESTRUCTIVE and not any(word[0] != "-" for word in words[1:]) and _ON_WHAT.match(after):
        return None  # `rm -rf` on something: not every one
    if not quoted:
        if name not in TOOLS and name not in LIBRARIES:
            return None
        following = _FOLLOWING.match(after)
        more = following[0].strip() if following else ""
        return name, more if more in _SUBCOMMANDS or more.startswith("-") else ""
    is_script = words[0].startswith(("./", "bin/", "scripts/")) or name.endswith((".sh", ".ps1"))
    known = name in TOOLS or name in LIBRARIES or (name in _WORDS and len(words) > 1)
    has_more = len(words) > 1
    if known or (is_script and (runs or has_more)) or (runs and has_more and re.match(r"[a-z][\w.-]*\Z", name)):
        return name, " ".join(words[1:])
    return None


def is_library(name: str) -> bool:
    """Whether the program *name* is ruled out as a library, too."""
    return name not in TOOLS


def otherwise(clause: str, title: str) -> Iterator[Command]:
    """Yield the commands that are ruled out by a sentence that names the only way: "only through `make migrate`"."""
    match = _THROUGH.search(clause)
    if not match:
        return
    own = next(text for text in match.groups() if text).strip("`")
    for subject, commands in _SUBJECTS:
        if subject.search(clause) or subject.search(title):
            for command in commands.split("|"):
                name, _, rest = command.partition(" ")
                if not own.startswith(command) and command not in own:
                    yield name, rest
            return


def _of_option(words: list[str], clause: str) -> Command | None:
    """Return the command with the option that the clause is about: "never commit with `--no-verify`"."""
    for code in _CODE.findall(clause):
        parts = code.split()
        if parts[0] in TOOLS and not _OPTION.match(code):
            rest = [part for part in parts[1:] if not _OPTION.match(part)]
            return parts[0], " ".join([*rest, *words])
    if verb := _GIT_VERBS.search(clause):
        return "git", " ".join([verb["verb"].lower(), *words])
    return None
