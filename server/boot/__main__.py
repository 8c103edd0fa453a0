"""The entry point of the executable, and the fast exit for hooks without output."""

# Python 3.8 syntax, here and in autology_boot: the interpreter that starts this may be too old for the program. A hook
# pays for every import: sys and os are already loaded; others are imported when needed.
import os
import sys

ARCHIVE = os.path.dirname(os.path.abspath(__file__))


def main():
    arguments = sys.argv[1:]
    sys.argv[0] = ARCHIVE
    if len(arguments) > 1 and arguments[0] == "hook" and not arguments[1].startswith("-"):
        run_hook(arguments[1])
    else:
        from autology_boot import application

        sys.exit(application.run(ARCHIVE, arguments))


def run_hook(event):
    """Run the hook *event*. Whatever fails, the session continues: exit code 0 and a line in the log."""
    code = 0
    try:
        raw = sys.stdin.buffer.read()
        if not would_stay_silent(event, raw):
            from autology_boot import hooks

            code = hooks.run(ARCHIVE, event, raw)
    except BaseException as problem:
        report(event, problem)
    # Not sys.exit: an orderly shutdown of the interpreter would dominate a silent hook's time.
    os._exit(code)


def would_stay_silent(event, raw):
    """Whether the raw input alone shows that the hook would stay silent; false when in doubt."""
    prefilter = PREFILTERS.get(event)
    if prefilter is not None and not prefilter(raw):
        return True
    may_speak_in = RULES.get(event)
    folders = [os.environ.get("CLAUDE_PROJECT_DIR"), os.getcwd()]
    if b'"cwd"' in raw:
        folders.append(working_folder(raw))
        if folders[-1] is None:
            return False
    for folder in set(folders):
        project = folder and (project_above(folder) or project_above(os.path.realpath(folder)))
        if project and (may_speak_in is None or may_speak_in(project, raw)):
            return False
    return True


def may_edit_a_file(raw):
    return b"_path" in raw


def may_speak_of_a_commit(raw):
    if b"commit" in raw or (b"gh" in raw and b"pr" in raw):
        return True
    # JSON may write any letter as \u00XX; the lower-case ones begin with 6 and 7.
    return b"\\u006" in raw or b"\\u007" in raw


# Beginnings of generated prompts and client commands, a subset of those in autology.text.user_words.by_machine.
BY_MACHINE = (b"/", b"!", b"<task-", b"<system-", b"<command-", b"<local-", b"<bash-", b"[Request interrupted")


# What makes two words a question.
ASKING = (b"?", b"why", b"reason", b"rationale", b"decision", b"verdict")


def may_ask_for_the_past(raw):
    prompt = text_of(raw, b'"prompt"')
    if prompt is None or prompt.startswith(BY_MACHINE):
        return prompt is None
    # A backslash may hide anything; in Chinese one word may be a question.
    words = len(prompt.split())
    if words > 2 or b"\\" in prompt or not prompt.isascii():
        return True
    # Two ASCII words are a question only with such a mark: `celery decision?`, not `try again`.
    return words == 2 and any(mark in prompt.lower() for mark in ASKING)


def may_run_a_command(raw):
    return b'"command"' in raw


def rules_out_its_words(project, raw):
    """Whether a command that is ruled out in *project* has all its words in *raw*; autology.index.command_words."""
    path = os.path.join(project, ".autology", "cache", "ruled-out-commands")
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        lines = file.read(200000).splitlines()
    # JSON may write any letter as \u00XX; the lower-case ones begin with 6 and 7.
    if b"\\u006" in raw or b"\\u007" in raw:
        return bool(lines)
    for line in lines:
        for word in line.split():
            if word not in raw:
                break
        else:
            return True
    return False


# By event; autology.hook_events names them too, but loading it would take as long as all of this.
PREFILTERS = {
    "post-commit": may_speak_of_a_commit,
    "pre-command": may_run_a_command,
    "pre-edit": may_edit_a_file,
    "prompt-submit": may_ask_for_the_past,
}
# By event, for what the project itself decides.
RULES = {"pre-command": rules_out_its_words}


def working_folder(raw):
    """Return the input's "cwd" if it can be read from the bytes, else None."""
    value = text_of(raw, b'"cwd"')
    if value is None or b"\\" in value.replace(b"\\\\", b""):
        return None
    return value.replace(b"\\\\", b"\\").decode("utf-8")


def text_of(raw, key):
    """Return the bytes of *key*'s text value, up to the first quotation mark, else None."""
    if raw.count(key) != 1:
        return None
    value = raw[raw.index(key) + len(key) :].lstrip(b" \t\r\n")
    if value[:1] != b":":
        return None
    value = value[1:].lstrip(b" \t\r\n")
    end = value.find(b'"', 1)
    return value[1:end] if value[:1] == b'"' and end >= 0 else None


def project_above(folder):
    """Return *folder* or one above it with an .autology folder, else None; autology.places.closest decides later."""
    while not os.path.isdir(os.path.join(folder, ".autology")):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    return folder


def report(event, problem):
    try:
        from autology_boot import log

        log.write("hook " + event, problem)
    except BaseException:
        pass  # Nowhere to report it: a hook's output is the client's, and its log cannot be written.


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        os._exit(130)  # pressed before there was anything to stop
