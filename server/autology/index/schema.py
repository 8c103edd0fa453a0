"""The tables of the SQLite index."""

from autology.index.readonly import VERSION
from autology.text import tokens

STAMP = VERSION * 1000 + tokens.VERSION
"""The value of ``PRAGMA user_version``: schema version and tokenizer version."""

# Posting lists are stored in segments (postings.py). The word sequence of a passage is stored separately, two bytes a
# word: phrases are looked for in the few passages that contain all their words.
TABLES = f"""
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE source(
  rowid INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
  type TEXT NOT NULL, title TEXT NOT NULL, title_key TEXT NOT NULL, status TEXT NOT NULL, decision_status TEXT,
  confidence REAL NOT NULL, created TEXT NOT NULL, modified TEXT NOT NULL,
  session TEXT, origin TEXT, path TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, project TEXT, language TEXT,
  authors TEXT NOT NULL DEFAULT '', trust TEXT NOT NULL DEFAULT 'user',
  org TEXT, scope_project TEXT, branch TEXT, expires_at TEXT, changed TEXT);
CREATE INDEX source_title ON source(title_key);
CREATE INDEX source_modified ON source(modified DESC, id);
CREATE INDEX source_session ON source(session) WHERE session IS NOT NULL;
CREATE INDEX source_origin ON source(origin) WHERE origin IS NOT NULL;
CREATE INDEX source_expiry ON source(expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX source_changed ON source(id, changed) WHERE changed IS NOT NULL;
CREATE INDEX source_kind ON source(type, status, decision_status);
CREATE TABLE problem(
  path TEXT PRIMARY KEY, reason TEXT NOT NULL, size INTEGER, mtime_ns INTEGER, kind TEXT) WITHOUT ROWID;
CREATE TABLE tag(tag TEXT, source INTEGER, PRIMARY KEY(tag, source)) WITHOUT ROWID;
CREATE INDEX tag_source ON tag(source);
CREATE TABLE reference(path TEXT, source INTEGER, PRIMARY KEY(path, source)) WITHOUT ROWID;
CREATE INDEX reference_source ON reference(source);
CREATE TABLE rule(
  term TEXT, what TEXT, source INTEGER, detail TEXT, PRIMARY KEY(term, what, source, detail)) WITHOUT ROWID;
CREATE INDEX rule_command ON rule(term, detail) WHERE what = 'command';
CREATE INDEX rule_source ON rule(source);
CREATE TABLE alias(alias TEXT, source INTEGER, PRIMARY KEY(alias, source)) WITHOUT ROWID;
CREATE INDEX alias_source ON alias(source);
CREATE TABLE title_word(word TEXT, source INTEGER, PRIMARY KEY(word, source)) WITHOUT ROWID;
CREATE INDEX title_word_source ON title_word(source);
CREATE TABLE edge(
  source TEXT, type TEXT, target TEXT, confidence REAL, description TEXT, kind TEXT,
  PRIMARY KEY(source, type, target)) WITHOUT ROWID;
CREATE INDEX edge_target ON edge(target, type);
CREATE TABLE passage(
  rowid INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, start INTEGER, stop INTEGER, heading TEXT,
  words BLOB);
CREATE INDEX passage_source ON passage(source);
CREATE TABLE meaning(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, passage INTEGER NOT NULL UNIQUE, kind TEXT NOT NULL,
  code BLOB NOT NULL, row BLOB NOT NULL);
CREATE TABLE unencoded(
  source INTEGER PRIMARY KEY, kind TEXT NOT NULL, passages INTEGER NOT NULL, texts BLOB NOT NULL);
CREATE TABLE project(rowid INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE);
CREATE TABLE transcript(
  rowid INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, session TEXT NOT NULL, size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL, offset INTEGER NOT NULL, end INTEGER NOT NULL, proof TEXT NOT NULL,
  broken INTEGER NOT NULL, copied INTEGER NOT NULL);
CREATE TABLE turn(id INTEGER PRIMARY KEY, transcript INTEGER NOT NULL, start INTEGER NOT NULL);
CREATE TABLE chunk(
  source INTEGER PRIMARY KEY, transcript INTEGER NOT NULL, position INTEGER NOT NULL, exchange TEXT NOT NULL,
  turn TEXT NOT NULL, trust TEXT NOT NULL, until TEXT NOT NULL, folder TEXT NOT NULL, question TEXT NOT NULL,
  branch TEXT, agent TEXT, path TEXT, participants TEXT NOT NULL, text TEXT NOT NULL);
CREATE UNIQUE INDEX chunk_position ON chunk(transcript, position);
CREATE INDEX chunk_exchange ON chunk(exchange);
CREATE TABLE model(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, passage INTEGER NOT NULL UNIQUE, kind TEXT NOT NULL,
  code BLOB NOT NULL, row BLOB NOT NULL);
CREATE INDEX model_kind ON model(kind);
CREATE TABLE due(passage INTEGER PRIMARY KEY, kind TEXT NOT NULL, taken REAL NOT NULL);
CREATE TABLE segment(
  rowid INTEGER PRIMARY KEY AUTOINCREMENT, field TEXT NOT NULL, kind TEXT NOT NULL, many INTEGER NOT NULL,
  total INTEGER NOT NULL, least INTEGER NOT NULL, last INTEGER NOT NULL, texts BLOB NOT NULL, sources BLOB NOT NULL,
  lengths BLOB NOT NULL, projects BLOB NOT NULL, words BLOB);
CREATE TABLE block(
  rowid INTEGER PRIMARY KEY, segment INTEGER NOT NULL, first TEXT NOT NULL, words BLOB NOT NULL);
CREATE UNIQUE INDEX block_first ON block(segment, first);
CREATE TABLE gone(segment INTEGER PRIMARY KEY, many INTEGER NOT NULL, total INTEGER NOT NULL, alive BLOB NOT NULL);
PRAGMA user_version = {STAMP};
"""
