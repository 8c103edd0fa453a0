#!/bin/bash
# A project that has a folder for notes, and none in it.
set -e
git init -q .
mkdir -p .autology/nodes
printf '# Shop\n' > README.md
