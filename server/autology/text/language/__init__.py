"""Natural language: tokens, stems, time expressions, statements."""
