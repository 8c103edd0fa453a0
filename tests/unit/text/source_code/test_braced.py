"""Definitions in languages with braces: found whatever they look like, whole, and not where they are only spoken of."""

from __future__ import annotations

import pytest

from autology.text.source_code.rewritten_code import definition

DEFINED = {
    "a.java": "class A {\n  @Override\n  Map<S, X> run(int a,\n    int b) throws E {\n    return one(a);\n  }\n}\n",
    "a.kt": "class A {\n    override fun run(a: Int): Int {\n        return one(a)\n    }\n}\n",
    "a.ts": "export class A {\n  private async run<T>(a: T): Promise<T> {\n    return one(a)\n  }\n}\n",
    "a.js": "app.run = function run(a) {\n  return one(a);\n};\n",
    "b.js": "const api = {\n  run: async (a) => {\n    return one(a)\n  },\n}\n",
    "a.c": "static PyObject *\nrun(Self *self,\n    X *a)\n{\n#ifdef X\n    two();\n#endif\n    return one(a);\n}\n",
    "a.cc": "template <typename T>\nvoid A::run(T a) const {\n  if (a) { one(a); }\n}\n",
    "a.rs": "impl A {\n    #[inline]\n    pub(crate) fn run(&self, a: u8) -> u8 {\n        one(a)\n    }\n}\n",
    "a.h": "#define run(a) \\\n  do { \\\n    one(a); \\\n  } while (0)\n",
    "b.h": "typedef struct {\n  int one;\n} run;\n",
    "a.go": "func (a *A) run(b int) int {\n\treturn one(b)\n}\n",
}


@pytest.mark.parametrize("path", DEFINED)
def test_a_definition_is_the_same_in_another_form_and_another_when_its_inside_is(path: str) -> None:
    text = DEFINED[path]
    before = definition(text, "run", path)
    assert "one" in before
    assert definition(f"// A comment.\n\nother();\n{text}", "run", path) == before
    assert definition(text.replace("one", "other"), "run", path) not in (before, ())
    assert definition(text.replace("run", "walk"), "run", path) == ()


def test_annotations_and_the_return_type_belong_to_a_definition() -> None:
    for path, was, now in (
        ("a.java", "@Override", "@Test"),
        ("a.c", "PyObject *\n", "int\n"),
        ("a.rs", "inline", "cold"),
    ):
        text = DEFINED[path]
        assert definition(text.replace(was, now, 1), "run", path) != definition(text, "run", path)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.js", "run(a)\nif (b) {\n  c()\n}\n"),
        ("a.js", "describe('run', () => {\n  it('runs', () => { run() })\n})\n"),
        ("a.java", "class A {\n  void go() {\n    return run(a);\n  }\n}\n"),
        ("a.c", "struct run *make(void)\n{\n  return 0;\n}\n"),
        ("a.c", "int run(int a);\n"),
        ("a.c", 'char *a = "run(x) {";\n'),
    ],
)
def test_a_use_of_a_name_is_not_a_definition(path: str, text: str) -> None:
    assert definition(text, "run", path) == ()


def test_brackets_that_never_close_end_nothing() -> None:
    assert definition("void run() {\n  if (a {\n", "run", "a.c")
    assert definition("void run(" * 2_000, "run", "a.c") == ()
