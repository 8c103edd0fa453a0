"""Records in markdown, reStructuredText, AsciiDoc, Org and MediaWiki, read as fields and sections."""
