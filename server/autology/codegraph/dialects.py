"""How languages differ in what names mean; what they have in common is in :mod:`autology.codegraph.resolution`."""

from __future__ import annotations

import builtins
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """One language, or several that share their files and their rules of name resolution."""

    name: str
    endings: tuple[str, ...]
    builtins: frozenset[str] = frozenset()
    """Names that the language itself defines."""
    common_methods: frozenset[str] = frozenset()
    """Methods of the language's own objects: a call of one on an unknown object tells nothing."""
    explicit_imports: bool = True
    """Every name of the project is defined in the file or imported; any other is external."""
    implicit_this: bool = False
    """A method refers to members of its class without naming an object."""
    wrapper_types: frozenset[str] = frozenset()
    """Generic types that are treated as their argument: ``Optional[Store]`` as ``Store``."""
    passthrough_methods: frozenset[str] = frozenset()
    """Methods of wrappers that return what is wrapped."""
    open_classes: bool = False
    """A class may be defined in several files."""
    structural_types: bool = False
    """A class implements an interface by having its methods, without naming it."""
    global_types: bool = False
    """A type name that cannot be resolved means the only type of that name in the project."""
    parentheses: bool = True
    """A call needs parentheses; else naming a method calls it."""


_PYTHON_TYPES = (
    str,
    bytes,
    list,
    dict,
    set,
    tuple,
    int,
    float,
    BaseException,
    io.TextIOWrapper,
    io.BytesIO,
    re.Pattern,
)
PYTHON = Dialect(
    "python",
    (".py",),
    builtins=frozenset(dir(builtins)),
    common_methods=frozenset(name for type in _PYTHON_TYPES for name in dir(type))
    | frozenset(dir(re.compile("").match("")))
    | _words("exists is_file is_dir mkdir unlink touch resolve iterdir glob"),
    explicit_imports=False,
    wrapper_types=_words("Optional Union Annotated Final ClassVar Awaitable Required NotRequired"),
    structural_types=True,
)
JAVASCRIPT = Dialect(
    "javascript",
    (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"),
    builtins=_words(
        "console window document process require module exports setTimeout setInterval clearTimeout clearInterval"
        " setImmediate queueMicrotask fetch parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent"
        " Promise Object Array String Number Boolean Symbol BigInt Map Set WeakMap WeakSet Date RegExp Error TypeError"
        " RangeError JSON Math Reflect Proxy Intl URL URLSearchParams Buffer globalThis undefined eval structuredClone"
        " describe it test expect beforeEach afterEach beforeAll afterAll before after jest vi Function AbortController"
    ),
    common_methods=_words(
        "then catch finally push pop shift unshift slice splice concat join map filter reduce reduceRight forEach some"
        " every find findIndex findLast flat flatMap includes indexOf lastIndexOf sort reverse keys values entries has"
        " get set add delete clear toString valueOf hasOwnProperty call apply bind split replace replaceAll match"
        " matchAll trim trimStart trimEnd startsWith endsWith padStart padEnd repeat charAt charCodeAt codePointAt"
        " substring substr toLowerCase toUpperCase localeCompare normalize test exec on once off emit addListener"
        " removeListener addEventListener removeEventListener toFixed getTime toISOString log warn error info debug"
        " next return throw at fill from of assign freeze stringify parse resolve reject all race write end pipe read"
        " querySelector appendChild createElement setAttribute getAttribute focus preventDefault stopPropagation json"
        " text send status toBe toEqual toThrow not abort"
    ),
    explicit_imports=False,
    wrapper_types=_words(
        "Promise Readonly Partial Required NonNullable Awaited PromiseLike Omit Pick DeepPartial Ref MutableRefObject"
    ),
    passthrough_methods=_words("then catch finally bind"),
)
GO = Dialect(
    "go",
    (".go",),
    builtins=_words(
        "append cap clear close complex copy delete imag len make max min new panic print println real recover any bool"
        " byte comparable error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64"
        " uintptr nil true false iota"
    ),
    common_methods=_words(
        "Error String Write Read Close Lock Unlock RLock RUnlock Len Less Swap Add Done Wait Unwrap Is As Format Fatal"
        " Fatalf Errorf Error Log Logf Run Helper Skip Bytes WriteString Reset Parallel Cleanup Name Scan Next"
    ),
    structural_types=True,
)
RUST = Dialect(
    "rust",
    (".rs",),
    common_methods=_words(
        "clone unwrap expect into from as_ref as_mut iter iter_mut into_iter map map_err and_then ok ok_or ok_or_else"
        " unwrap_or unwrap_or_else unwrap_or_default is_some is_none is_ok is_err push pop len is_empty get get_mut"
        " insert remove contains contains_key entry or_insert or_insert_with or_default extend collect filter"
        " filter_map find any all fold next peek take skip rev zip enumerate chain cloned copied"
        " count sum min max first last"
        " to_string to_owned to_vec as_str as_bytes as_slice trim split starts_with ends_with replace parse chars bytes"
        " lines fmt eq ne cmp partial_cmp hash drop deref borrow borrow_mut lock read write flush send recv join spawn"
        " default try_into try_from min_by max_by sort sort_by sort_by_key sort_unstable dedup retain drain truncate"
        " clear append swap reserve capacity with_capacity as_deref display exists is_file is_dir wrapping_add"
        " checked_add saturating_sub position flat_map flatten for_each last_mut windows chunks step_by"
    ),
    wrapper_types=_words(
        "Box Rc Arc RefCell Cell Mutex RwLock Option Result Cow Pin MutexGuard RwLockReadGuard RwLockWriteGuard Ref"
        " RefMut Weak OnceCell OnceLock LazyLock ManuallyDrop"
    ),
    passthrough_methods=_words(
        "unwrap expect clone as_ref as_mut borrow borrow_mut lock read write ok unwrap_or_default unwrap_or_else"
        " unwrap_or ok_or ok_or_else map_err as_deref as_deref_mut take cloned copied to_owned into_inner get_mut deref"
        " context with_context upgrade downgrade"
    ),
)
JAVA = Dialect(
    "java",
    (".java",),
    common_methods=_words(
        "equals hashCode toString getClass add get put remove size isEmpty contains containsKey iterator stream map"
        " filter collect forEach orElse orElseThrow isPresent ifPresent of length charAt substring split trim append"
        " close run call accept apply test compareTo name ordinal values valueOf getMessage printStackTrace println"
        " printf format next hasNext clear addAll keySet entrySet getKey getValue set read write flush start join wait"
        " notify getName intValue longValue toArray sort of build"
    ),
    implicit_this=True,
    wrapper_types=_words(
        "Optional CompletableFuture Future Supplier AtomicReference ThreadLocal WeakReference Provider"
    ),
    passthrough_methods=_words("get orElse orElseThrow orElseGet join"),
)
C = Dialect(
    "c",
    (".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".ipp", ".inl"),
    common_methods=_words(
        "size empty begin end push_back emplace_back pop_back insert erase find clear at front back data c_str length"
        " substr append reset get release lock unlock first second str count reserve resize emplace swap load store"
        " push pop top what value has_value value_or"
    ),
    explicit_imports=False,
    implicit_this=True,
    wrapper_types=_words("unique_ptr shared_ptr weak_ptr optional reference_wrapper atomic Ref RefPtr scoped_ptr"),
    passthrough_methods=_words("get lock value operator-> release load"),
    global_types=True,
)
CSHARP = Dialect(
    "csharp",
    (".cs",),
    common_methods=_words(
        "Equals GetHashCode ToString GetType Add Remove Contains ContainsKey TryGetValue Select Where First Last Any"
        " All FirstOrDefault Single SingleOrDefault ToList ToArray ToDictionary OrderBy GroupBy"
        " Count Sum Max Min Concat"
        " Clear Insert IndexOf Dispose Invoke Write WriteLine Read ReadLine Append Split Trim Replace StartsWith"
        " EndsWith Substring Join Format ConfigureAwait GetAwaiter Wait Start Stop Close Flush Parse TryParse"
    ),
    implicit_this=True,
    wrapper_types=_words("Task ValueTask Nullable Lazy IOptions Func Ref WeakReference"),
    passthrough_methods=_words("ConfigureAwait Value Result"),
    open_classes=True,
)
RUBY = Dialect(
    "ruby",
    (".rb", ".rake"),
    builtins=_words(
        "puts print p pp require require_relative raise lambda proc loop rand sleep format sprintf printf gets exit"
        " abort attr_reader attr_writer attr_accessor include extend prepend private public"
        " protected module_function catch"
        " throw block_given? freeze binding caller at_exit warn Integer Float String Array Hash Rational Complex fail"
        " alias_method define_method private_constant private_class_method describe it context let before after"
        " subject expect autoload"
    ),
    common_methods=_words(
        "each map select reject find inject reduce each_with_index each_with_object to_s to_a to_h to_i to_f to_sym"
        " to_str inspect new nil? empty? any? all? none? include? key? size length count first last"
        " push pop shift unshift"
        " join split gsub sub match match? strip downcase upcase freeze dup clone is_a? kind_of? respond_to? send"
        " public_send instance_variable_get call merge merge! fetch dig keys values delete sort sort_by uniq compact"
        " flatten flat_map zip group_by min max sum tap then class method name start_with? end_with? concat replace"
        " hash eql? equal? instance_of? values_at each_pair each_key each_value collect detect write read close open"
        " puts print message backtrace add get set update save parse run"
    ),
    explicit_imports=False,
    implicit_this=True,
    open_classes=True,
    parentheses=False,
)
PHP = Dialect(
    "php",
    (".php",),
    common_methods=_words(
        "get set has add remove all count toArray push pop map filter each first last find create save delete update"
        " where getMessage getCode format current next key valid rewind offsetGet offsetSet jsonSerialize bind call"
    ),
    explicit_imports=False,
)
DIALECTS = (PYTHON, JAVASCRIPT, GO, RUST, JAVA, C, CSHARP, RUBY, PHP)
_BY_ENDING: Mapping[str, Dialect] = {ending: dialect for dialect in DIALECTS for ending in dialect.endings}


def dialect_of(path: str) -> Dialect | None:
    """Return the dialect of a file by its name; None where it is not source code."""
    name = path.rpartition("/")[2]
    return _BY_ENDING.get(name[name.rfind(".") :]) if "." in name else None


def without_ending(path: str) -> str:
    """Return *path* without the file name extension of its language."""
    return path[: path.rindex(".")] if dialect_of(path) else path
