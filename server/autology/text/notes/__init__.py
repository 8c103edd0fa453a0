"""Notes as files: frontmatter, fields, merging, and the formats of other tools."""
