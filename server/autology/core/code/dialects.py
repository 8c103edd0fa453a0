"""How the languages differ in what names mean; what they have in common is in ``names`` and ``resolve``."""

from __future__ import annotations

import builtins
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class Dialect:
    """What names mean in one language, or in several that share their files.

    *offered* are names that the language has, *common* methods that its own objects have: a call of one of them on an
    unknown object says nothing. In a *closed* language every name of the project is told by the file or its imports.
    In one that is *bare*, a method names another of its class without an object. Types of *wrapping* stand for what
    is in them, as methods of *passing* give the object they are called on. A class may be *reopened* in several
    files; in a *structural* language it implements an interface without saying so. Where types are *announced*,
    one that nothing tells is the only one of its name; where a call needs no *brackets*, a method named is called.
    """

    name: str
    endings: tuple[str, ...]
    offered: frozenset[str] = frozenset()
    common: frozenset[str] = frozenset()
    closed: bool = True
    bare: bool = False
    wrapping: frozenset[str] = frozenset()
    passing: frozenset[str] = frozenset()
    reopened: bool = False
    structural: bool = False
    announced: bool = False
    brackets: bool = True


_PYTHON_KINDS = (
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
    offered=frozenset(dir(builtins)),
    common=frozenset(name for kind in _PYTHON_KINDS for name in dir(kind))
    | frozenset(dir(re.compile("").match("")))
    | _words("exists is_file is_dir mkdir unlink touch resolve iterdir glob"),
    closed=False,
    wrapping=_words("Optional Union Annotated Final ClassVar Awaitable Required NotRequired"),
    structural=True,
)
SCRIPT = Dialect(
    "javascript",
    (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"),
    offered=_words(
        "console window document process require module exports setTimeout setInterval clearTimeout clearInterval"
        " setImmediate queueMicrotask fetch parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent"
        " Promise Object Array String Number Boolean Symbol BigInt Map Set WeakMap WeakSet Date RegExp Error TypeError"
        " RangeError JSON Math Reflect Proxy Intl URL URLSearchParams Buffer globalThis undefined eval structuredClone"
        " describe it test expect beforeEach afterEach beforeAll afterAll before after jest vi Function AbortController"
    ),
    common=_words(
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
    closed=False,
    wrapping=_words(
        "Promise Readonly Partial Required NonNullable Awaited PromiseLike Omit Pick DeepPartial Ref MutableRefObject"
    ),
    passing=_words("then catch finally bind"),
)
GO = Dialect(
    "go",
    (".go",),
    offered=_words(
        "append cap clear close complex copy delete imag len make max min new panic print println real recover any bool"
        " byte comparable error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64"
        " uintptr nil true false iota"
    ),
    common=_words(
        "Error String Write Read Close Lock Unlock RLock RUnlock Len Less Swap Add Done Wait Unwrap Is As Format Fatal"
        " Fatalf Errorf Error Log Logf Run Helper Skip Bytes WriteString Reset Parallel Cleanup Name Scan Next"
    ),
    structural=True,
)
RUST = Dialect(
    "rust",
    (".rs",),
    common=_words(
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
    wrapping=_words(
        "Box Rc Arc RefCell Cell Mutex RwLock Option Result Cow Pin MutexGuard RwLockReadGuard RwLockWriteGuard Ref"
        " RefMut Weak OnceCell OnceLock LazyLock ManuallyDrop"
    ),
    passing=_words(
        "unwrap expect clone as_ref as_mut borrow borrow_mut lock read write ok unwrap_or_default unwrap_or_else"
        " unwrap_or ok_or ok_or_else map_err as_deref as_deref_mut take cloned copied to_owned into_inner get_mut deref"
        " context with_context upgrade downgrade"
    ),
)
JAVA = Dialect(
    "java",
    (".java",),
    common=_words(
        "equals hashCode toString getClass add get put remove size isEmpty contains containsKey iterator stream map"
        " filter collect forEach orElse orElseThrow isPresent ifPresent of length charAt substring split trim append"
        " close run call accept apply test compareTo name ordinal values valueOf getMessage printStackTrace println"
        " printf format next hasNext clear addAll keySet entrySet getKey getValue set read write flush start join wait"
        " notify getName intValue longValue toArray sort of build"
    ),
    bare=True,
    wrapping=_words("Optional CompletableFuture Future Supplier AtomicReference ThreadLocal WeakReference Provider"),
    passing=_words("get orElse orElseThrow orElseGet join"),
)
C = Dialect(
    "c",
    (".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".ipp", ".inl"),
    common=_words(
        "size empty begin end push_back emplace_back pop_back insert erase find clear at front back data c_str length"
        " substr append reset get release lock unlock first second str count reserve resize emplace swap load store"
        " push pop top what value has_value value_or"
    ),
    closed=False,
    bare=True,
    wrapping=_words("unique_ptr shared_ptr weak_ptr optional reference_wrapper atomic Ref RefPtr scoped_ptr"),
    passing=_words("get lock value operator-> release load"),
    announced=True,
)
CSHARP = Dialect(
    "csharp",
    (".cs",),
    common=_words(
        "Equals GetHashCode ToString GetType Add Remove Contains ContainsKey TryGetValue Select Where First Last Any"
        " All FirstOrDefault Single SingleOrDefault ToList ToArray ToDictionary OrderBy GroupBy"
        " Count Sum Max Min Concat"
        " Clear Insert IndexOf Dispose Invoke Write WriteLine Read ReadLine Append Split Trim Replace StartsWith"
        " EndsWith Substring Join Format ConfigureAwait GetAwaiter Wait Start Stop Close Flush Parse TryParse"
    ),
    bare=True,
    wrapping=_words("Task ValueTask Nullable Lazy IOptions Func Ref WeakReference"),
    passing=_words("ConfigureAwait Value Result"),
    reopened=True,
)
RUBY = Dialect(
    "ruby",
    (".rb", ".rake"),
    offered=_words(
        "puts print p pp require require_relative raise lambda proc loop rand sleep format sprintf printf gets exit"
        " abort attr_reader attr_writer attr_accessor include extend prepend private public"
        " protected module_function catch"
        " throw block_given? freeze binding caller at_exit warn Integer Float String Array Hash Rational Complex fail"
        " alias_method define_method private_constant private_class_method describe it context let before after"
        " subject expect autoload"
    ),
    common=_words(
        "each map select reject find inject reduce each_with_index each_with_object to_s to_a to_h to_i to_f to_sym"
        " to_str inspect new nil? empty? any? all? none? include? key? size length count first last"
        " push pop shift unshift"
        " join split gsub sub match match? strip downcase upcase freeze dup clone is_a? kind_of? respond_to? send"
        " public_send instance_variable_get call merge merge! fetch dig keys values delete sort sort_by uniq compact"
        " flatten flat_map zip group_by min max sum tap then class method name start_with? end_with? concat replace"
        " hash eql? equal? instance_of? values_at each_pair each_key each_value collect detect write read close open"
        " puts print message backtrace add get set update save parse run"
    ),
    closed=False,
    bare=True,
    reopened=True,
    brackets=False,
)
PHP = Dialect(
    "php",
    (".php",),
    common=_words(
        "get set has add remove all count toArray push pop map filter each first last find create save delete update"
        " where getMessage getCode format current next key valid rewind offsetGet offsetSet jsonSerialize bind call"
    ),
    closed=False,
)
DIALECTS = (PYTHON, SCRIPT, GO, RUST, JAVA, C, CSHARP, RUBY, PHP)
_BY_ENDING: Mapping[str, Dialect] = {ending: dialect for dialect in DIALECTS for ending in dialect.endings}


def dialect_of(path: str) -> Dialect | None:
    """Return what is spoken in a file with that name; None where it is no source."""
    name = path.rpartition("/")[2]
    return _BY_ENDING.get(name[name.rfind(".") :]) if "." in name else None


def without_ending(path: str) -> str:
    """Return *path* without the ending that tells its language."""
    dialect = dialect_of(path)
    return path[: path.rindex(".")] if dialect else path
