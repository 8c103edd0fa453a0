"""Records in any form: markdown, reStructuredText, AsciiDoc, Org, MediaWiki and header blocks, as fields and sections."""
