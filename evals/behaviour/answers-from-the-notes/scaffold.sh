#!/bin/bash
# A shop whose notes say where its sessions live.
set -e
git init -q .
folder=.autology/nodes/decisions
mkdir -p "$folder" src
printf 'def open_session(): ...\n' > src/sessions.py
cat > "$folder/5b0c2f1e-7d3a-4c5e-9f60-1a2b3c4d5e6f.md" <<'NOTE'
---
id: 5b0c2f1e-7d3a-4c5e-9f60-1a2b3c4d5e6f
type: decision
title: Sessions live in Redis
tags: [sessions]
confidence: 0.9
created: 2026-01-05T10:00:00Z
modified: 2026-01-05T10:00:00Z
source: manual
status: active
references: [src/sessions.py]
---

# Sessions live in Redis

## Context
Sessions must outlive a restart of the shop.

## Decision
Sessions live in Redis, nowhere else.

## Alternatives
Memcached: no failover, so a restart of one machine would log everybody out.
NOTE
