"""The names by which collections are known, in all languages."""

from __future__ import annotations

RETURNING_ELEMENT = frozenset(
    "get pop popleft setdefault popitem __getitem__ send result first last next find at shift get_mut peek remove"
    " findFirst findAny getOrDefault computeIfAbsent First FirstOrDefault Single SingleOrDefault Last LastOrDefault"
    " Find ElementAt TryGetValue front back top poll element max min detect sample fetch"
    " or_insert_with or_default".split()
)
"""Methods of collections that return an element."""
RETURNING_COLLECTION = frozenset(
    "list tuple set frozenset sorted reversed iter deque copy values keys iter_mut into_iter values_mut filter rev skip"
    " take stream toList sort slice concat reverse Where ToList ToArray OrderBy OrderByDescending Skip Take Reverse"
    " select reject sort_by compact uniq collect chain drain entrySet lock unwrap begin end rbegin".split()
)
"""Functions and methods that make one collection of another."""
MAPPINGS = frozenset(
    "dict Mapping MutableMapping defaultdict OrderedDict Map HashMap BTreeMap IndexMap TreeMap LinkedHashMap"
    " ConcurrentHashMap ConcurrentMap WeakMap Record Dictionary IDictionary ConcurrentDictionary IReadOnlyDictionary"
    " SortedDictionary map unordered_map".split()
)
"""Collections whose last type argument is that of the elements."""
