"""Words that engineers use for each other, words that are opposites, and words that exclude each other.

Written as a thesaurus, a line a meaning: the rule that reads it says how well it covers text that it was not tuned on.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

_ALIKE = """
database db
kubernetes k8s
repository repo
environment env
variable var
environmentvariable envvar
configuration config cfg conf setting
certificate cert
directory folder dir
administrator admin
application app
service svc
documentation doc docs
specification spec
authentication auth authn login signin
authorization authz
parameter param
argument arg
reference ref
identifier id
integer int
character char
message msg
package pkg
function func
library lib
dependency depend rely
development dev
production prod live
staging stage
infrastructure infra
operations ops
information info
maximum max
minimum min
average avg mean
temporary temp tmp
statistics stats
synchronous sync
asynchronous async
oom outofmemory
spof singlepointoffailure
pr pullrequest mergerequest mr
lb loadbalancer
ci continuousintegration
idp identityprovider
pk primarykey
fk foreignkey
ttl timetolive
ui userinterface
os operatingsystem
cpu processor
ram memory
sla servicelevelagreement
vm virtualmachine
adr architecturedecisionrecord
iac infrastructureascode
sso singlesignon
mfa 2fa multifactorauthentication twofactorauthentication
gc garbagecollector garbagecollection
frontend clientside
backend serverside server
healthcheck
large big huge bulky
small tiny little
quick fast rapid swift
begin start launch commence kickoff
stop halt shutdown discontinue
end finish complete conclude
create add introduce insert
delete remove drop erase purge strip eliminate wipe clear
modify change alter adjust edit switch
replace supersede swap substitute
upgrade bump
rename
move relocate migrate
show display render present
hide conceal
store keep save persist hold live retain reside
write record
get fetch retrieve obtain read load
send transmit deliver dispatch emit
arrive receive
choose select pick decide opt
prefer favour favor
use utilize employ
allow permit support enable let accept
need require must demand
try attempt
retry
fix repair resolve correct solve mend
fail break crash
bug defect
problem issue trouble
incident outage
error exception fault
cause reason
because since as due owing
abort timeout
truncate
take last need
own belong
maintain look
lead head
team squad group crew
developer engineer programmer
user
customer client
customer
company corporate organization organisation firm
check verify validate test
inspect examine
ensure guarantee
call invoke
call phone ring
execute run
job task
return respond answer reply
response
request
query
expect assume presume suppose believe
assumption
grow increase rise raise up
shrink decrease reduce lower decline cut shorten
exceed above
outgoing outbound
incoming inbound
concurrent parallel simultaneous
flaky intermittent unstable
sequence sequential serial
multiple many several
every each all
approximately roughly around about circa nearly almost
only just solely merely exclusively
often frequent
currently now presently today
previous prior former earlier
immediately instantly
usually normally typically generally
automatically automatic
manual manually hand
visible see view
unavailable down
available up online
screen display monitor
consumption usage utilization
generate produce
publish release ship
deploy rollout
rollback revert undo
announce
approve sign
approval
review
reviewer review
merge
block
expose provide offer
contain include comprise hold
share
connect
encrypt
rotate
revoke
drain empty
page alert notify
ask
whether if when
legacy old outdated
split divide partition separate
speed performance
faster speedup
slower slowdown
latency delay
route direct forward
fall
rate
sign
lock
cache
host
bucket
disk storage
file
folder
path
web
page
guide manual handbook
plan schedule intend
guideline rule policy convention
owner own
compress compression
skip omit ignore bypass
count tally
result outcome
purpose goal aim
advantage benefit
drawback disadvantage downside
night nightly
morning
hour hourly
use via through
output write
communicate speak talk
calculate compute recalculate recompute
combine merge join unify consolidate
postpone defer delay
simple easy
hard difficult tough
important crucial essential vital
protect secure guard
happen occur
improve enhance
degrade worsen
hang freeze stick
restart reboot
outdated stale obsolete
duplicate repeat
unique distinct
empty blank
reject refuse deny decline
handle process treat
manage administer
link attach
detect discover find identify notice
measure benchmark
warn alert notify page
limit cap restrict
spread distribute
sort order
search lookup
compile build
clone copy
restore recover
broken defective
sound audio
image picture photo
price cost
buy purchase
staff employee
whole entire complete full
common frequent
rare seldom
amount quantity
period interval duration
connection link
endpoint route url
click press
type kind
flag toggle
secret credential
password passphrase
permission right privilege
license licence
contract agreement
vendor supplier provider
alert alarm
threshold limit
spike surge
deprecate
mandatory required
describe document doc explain
refresh update renew
drop fall
freed free
shrink small
appear show print
regardless ignore
acknowledge ack confirm
arrange organize organise
oversee supervise
estimate guess
bump raise
mix blend
job cronjob
recently lately
immediately right
patch patching
majority most
hash hashing
"""

_OPPOSITE = """
! enable turnon activate / disable turnoff deactivate
increase raise grow rise gain bump extend lengthen prolong / decrease reduce shrink shorten fall decline
faster fast speedup quick accelerate / slower slow slowdown decelerate
! work succeed pass / fail
add create introduce insert / remove delete drop strip eliminate erase purge clear
gt above exceed / lt below under
atleast / atmost
! allow permit support let / forbid prohibit ban deny disallow prevent unsupported
include / exclude
! valid wellformed / invalid malformed
! correct right / incorrect wrong
! available / unavailable
! reach reachable / unreachable
! able possible / unable impossible
! known / unknown
! used / unused
! present exist / missing absent lack
! encrypted / unencrypted
encrypt / decrypt
open / close
lock / unlock
connect / disconnect
! accept / reject refuse
start begin launch / stop halt discontinue end finish
attach / detach
mount / unmount
install / uninstall
subscribe / unsubscribe
required mandatory / optional
! safe / unsafe
! stable / unstable flaky
! expected / unexpected
grant / revoke
pause / resume
expand / collapse
push / pull
import / export
upload / download
encode / decode
compress / decompress uncompress
show / hide
! visible / invisible
! deterministic / nondeterministic
! blocking / nonblocking
mutable / immutable
! sorted / unsorted
! signed / unsigned
online / offline
best / worst
larger large big bigger greater / smaller small tiny
longer long / shorter short
higher high / lower low
more / less fewer
easier easy simple / harder difficult hard complex
newer / older
early earlier / late later
cheap cheaper / expensive
heavy heavier / light lighter
wide wider / narrow narrower
strong stronger / weak weaker
double / halve
on / off
inside / outside
online / offline
better / worse
"""

_APART = """
staging production development qa sandbox preprod canary preview
unit integration smoke e2e regression acceptance load
primary replica secondary standby leader follower master slave
frontend backend
client server
read write
reader writer
public private internal external
inbound outbound
incoming outgoing
user admin owner guest tenant member moderator operator
anonymous authenticated authorized
json xml yaml csv toml parquet avro protobuf
parallel sequence
old new
small large
first last second third
input output
request response
login logout
create update delete
get post put patch head
debug info warn warning error fatal trace
monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december
morning noon afternoon evening night midnight
day week month year hour minute second quarter
daily weekly monthly yearly hourly nightly
table column row index view trigger
key value
primarykey foreignkey
eager lazy
left right
top bottom
horizontal vertical
upper lower
source target destination
parent child
sender receiver
producer consumer
publisher subscriber
buyer seller
email sms push phone
windows macos linux android ios
chrome firefox safari edge
postgresql mysql mariadb sqlite oracle mongodb dynamodb cassandra redis memcached
kafka rabbitmq sqs nats
http https ssh ftp tcp udp grpc rest graphql soap websocket
python java go rust ruby php javascript typescript kotlin swift scala
react vue angular svelte
aws azure gcp
north south east west
encrypt sign hash
full incremental differential partial
symmetric asymmetric
minimum maximum average median
min max
success failure
major minor patch
critical high medium low
hot cold warm
soft hard
stateful stateless
static dynamic
local remote global
sync async
header body footer
cpu memory disk network
double triple halve
some all none
mobile desktop tablet
light dark
proposed accepted rejected deprecated superseded
open closed resolved
planned shipped
men women
expand contract
rollback rollout
share store
month
domain layer
space
"""

_IRREGULAR = """
run ran running
write wrote written writing
take took taken taking
go went gone
send sent
keep kept
build built
choose chose chosen
hold held
rise rose risen
fall fell fallen
break broke broken
lose lost
make made making
find found
lead led
leave left
know knew known
begin began begun
grow grew grown
show shown
draw drew drawn
throw threw thrown
give gave given
see saw seen
speak spoke spoken
think thought
bring brought
buy bought
catch caught
teach taught
come came
become became
do did done does
have had has
mean meant
shrink shrank shrunk
spend spent
sell sold
tell told
feel felt
get got gotten
forget forgot forgotten
drive drove driven
hide hid hidden
freeze froze frozen
steal stole stolen
wear wore worn
lie lay
pay paid
say said
index indices indexes
person people
child children
datum data
criterion criteria
dependency dependencies
policy policies
query queries
library libraries
repository repositories
bus buses
address addresses
access accesses
process processes
cache caching caches
use used using uses
drop dropped dropping
plan planned planning
stop stopped stopping
skip skipped skipping
strip stripped stripping
map mapped mapping
log logged logging logs
tag tagged tagging
ship shipped shipping
swap swapped swapping
wrap wrapped wrapping
set setting
cut cutting
split splitting
commit committed committing
occur occurred occurring
permit permitted permitting
prefer preferred preferring
transfer transferred transferring
depend dependency dependencies dependent
deploy deployment deployments
require requirement requirements
approve approval approvals
consume consumption
assume assumption assumptions
expire expiry expiration
decide decision
delay latency
retrieve retrieval
remove removal
fail failure failures
configure configuration
"""

_PHRASES = """
environment variable = environmentvariable
env var = environmentvariable
out of memory = oom
single point of failure = spof
pull request = pr
merge request = pr
load balancer = lb
load balancers = lb
continuous integration = ci
identity provider = idp
primary key = primarykey
primary keys = primarykey
foreign key = foreignkey
foreign keys = foreignkey
time to live = ttl
user interface = ui
operating system = os
garbage collector = gc
garbage collection = gc
single sign on = sso
health check = healthcheck
health checks = healthcheck
front end = frontend
back end = backend
back off = backoff
server side = backend
on the server = backend
client side = frontend
in the browser = browser
roll back = rollback
rolled back = rollback
rolling back = rollback
rolls back = rollback
roll out = rollout
rolled out = rollout
turn on = enable
turned on = enable
turning on = enable
turns on = enable
switching on = enable
switches on = enable
turning off = disable
turns off = disable
switching off = disable
switches off = disable
two factor authentication = mfa
multi factor authentication = mfa
was lowered = decreased
lowered = decreased
switch on = enable
switched on = enable
turn off = disable
turned off = disable
switch off = disable
switched off = disable
log in = login
logged in = login
logs in = login
logging in = login
sign in = login
log out = logout
logged out = logout
cut off = truncate
time out = timeout
times out = timeout
timed out = timeout
timing out = timeout
shut down = stop
shuts down = stop
shutting down = stop
set up = setup
back up = backup
backed up = backup
backs up = backup
swap out = replace
go up = increase
goes up = increase
went up = increase
go down = decrease
goes down = decrease
went down = decrease
speed up = faster
speeds up = faster
speeding up = faster
slow down = slower
slows down = slower
slowing down = slower
slowed down = slower
end up = become
ends up = become
end up in = go to
get rid of = remove
look up = lookup
in parallel = parallel
at the same time = parallel
in sequence = sequence
one after another = sequence
one by one = sequence
no longer = notanymore
not any more = notanymore
not anymore = notanymore
at least = atleast
no less than = atleast
not less than = atleast
no fewer than = atleast
a minimum of = atleast
at minimum = atleast
at most = atmost
a maximum of = atmost
at maximum = atmost
no more than = atmost
not more than = atmost
up to = atmost
more than = gt
greater than = gt
larger than = gt
bigger than = gt
longer than = gt
higher than = gt
less than = lt
fewer than = lt
smaller than = lt
shorter than = lt
lower than = lt
rather than = insteadof
instead of = insteadof
in place of = insteadof
in favor of = infavorof
in favour of = infavorof
prior to = before
as soon as = after
due to = because
because of = because
as a result of = because
owing to = because
so that = because
in order to = to
make sure = ensure
makes sure = ensure
able to = can
allowed to = may
has to = must
have to = must
needs to = must
need to = must
ought to = should
supposed to = should
is going to = will
are going to = will
plan to = will
plans to = will
a lot of = many
lots of = many
a number of = many
a few = some
visible to = see by
accessible to = reach by
free of = without
support for = support
a couple of = 2
fail intermittently = flaky
fails intermittently = flaky
intermittently fail = flaky
fail sporadically = flaky
fails sporadically = flaky
fail randomly = flaky
fails randomly = flaky
fail at random = flaky
a dependency of = depend by
a prerequisite of = require by
a prerequisite for = require by
the owner of = own
for the time being = currently
for now = currently
point of contact = contact
the majority of = most
as far as we can tell = apparently
even if = evenif
even when = evenif
even though = evenif
as well as = and
such as = like
for example = like
at the moment = currently
right now = currently
"""

FILLER = frozenset(
    """a an the this that these those there here it its they them their he she his her we our us you your i my me
    is are was were be been being am do does did done doing have has had having will would shall
    to of in on at by for from with into onto via per as and or but so then also too both either if when while where
    which who whom whose what how than well very really quite rather simply basically actually essentially just now
    please note remember remark reminder fyi that's it's let lets somebody someone one ones thing things like
    get gets got make makes made making go goes take takes taken use uses used using
    todo fix fixed known assumption assume risk bug issue decision decided note summary postmortem conclusion fact
    because since though although however therefore thus hence thereby after before once until whenever during
    afterwards finally first next again itself themselves himself any such same own some
    currently presently unfortunately generally usually obviously apparently seems seem seemingly appears
    convention discussion working way case order means kind sort must should need needs
    can could may might cannot not no never without nor neither over instead rather insteadof enough
    evenif every each all around about approximately roughly become happen happens found remain remains stay
    stays always anymore thanks thank aware believe tell far anyone anybody everyone everybody still else
    set run runs other others talk talks whether between among across against along toward towards""".split()
)
"""Words that a statement may have or lack and say the same; those that turn it round are looked at by themselves."""

NEGATIONS = frozenset(
    "not no never notanymore avoid cannot without nor neither none nobody nothing unless otherwise nowhere".split()
)
CERTAIN = frozenset("will".split())
STRONG = frozenset("always must shall mandatory".split())
ADVICE = frozenset("should recommended".split())
CHANCE = frozenset("may might could possibly perhaps maybe sometimes occasionally probably likely".split())
SHARES = frozenset("most half few majority third quarter".split())
PLANNED = frozenset("will planned upcoming scheduled plan intend".split())
HAPPENED = frozenset("already shipped completed finished done was were".split())
ORDERED = frozenset("then afterwards finally subsequently".split())
LIGHT = frozenset(
    "service version minimum maximum new rule system component tool module project team"
    " write cover plus mean time place site part item".split()
)
"""Words that say little by themselves."""

NUMBERS = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen twenty".split()
    )
} | {
    "single": "1",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "ninety": "90",
    "hundred": "100",
    "thousand": "1000",
}

MONTHS = {
    name[:length]: number
    for number, name in enumerate(
        "january february march april may june july august september october november december".split(), 1
    )
    for length in (3, len(name))
} | {"sept": 9}


def _lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return what the forms of one English word share, near enough to compare by."""
    if word in _FORMS:
        return _FORMS[word]
    for ending, least, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= least:
            word = word[: -len(ending)] + instead
            break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 4 else word


_ENDINGS = (
    ("eed", 1, "eed"),
    ("isations", 3, "is"),
    ("izations", 3, "iz"),
    ("isation", 3, "is"),
    ("ization", 3, "iz"),
    ("ations", 4, "at"),
    ("ation", 4, "at"),
    ("ments", 4, ""),
    ("ment", 4, ""),
    ("sses", 2, "ss"),
    ("ies", 2, "y"),
    ("ied", 2, "y"),
    ("ions", 4, ""),
    ("ion", 4, ""),
    ("ings", 3, ""),
    ("ing", 3, ""),
    ("edly", 3, ""),
    ("ed", 3, ""),
    ("ally", 4, ""),
    ("ly", 4, ""),
    ("xes", 2, "x"),
    ("ches", 2, "ch"),
    ("shes", 2, "sh"),
    ("ss", 1, "ss"),
    ("us", 2, "us"),
    ("is", 2, "is"),
    ("s", 2, ""),
)
_FORMS: dict[str, str] = {}
_FORMS.update({form: stem(line[0]) for line in _lines(_IRREGULAR) for form in line})
for _line in _lines(_IRREGULAR):
    _FORMS.setdefault(_line[0], stem(_line[0]))

PARTICIPLES = frozenset(form for line in _lines(_IRREGULAR) for form in line[1:])
_STRONG = frozenset(
    "run write take go send keep build choose hold rise fall break lose make find lead leave know begin grow show see"
    " get give come become bring buy catch draw drive feel forget freeze hide lay lie pay say sell speak spend steal"
    " teach tell think throw wear shrink wrap".split()
)
VERBS = frozenset(form for line in _lines(_IRREGULAR) if line[0] in _STRONG for form in line)
"""Forms of verbs that show it, beside those in `ed`."""

MEANINGS: dict[str, frozenset[int]] = {}
"""A stem, and the lines above that it is on: what shares one means the same."""
for _number, _line in enumerate(_lines(_ALIKE)):
    for _word in _line:
        MEANINGS[stem(_word)] = MEANINGS.get(stem(_word), frozenset()) | {_number}

SIGNS: dict[str, tuple[str, int, bool]] = {}
"""A stem that has an opposite: what the two are about, which side it is, and whether `not` makes it the other."""
for _text in _OPPOSITE.strip().splitlines():
    _plus, _minus = (side.split() for side in _text.removeprefix("! ").split("/"))
    for _word, _sign in chain(((word, 1) for word in _plus), ((word, -1) for word in _minus)):
        SIGNS.setdefault(stem(_word), (stem(_plus[0]), _sign, _text.startswith("!")))

LIGHT |= frozenset(map(stem, LIGHT))
FILLER_STEMS = frozenset(map(stem, FILLER)) - SIGNS.keys()

CLASSES: dict[str, frozenset[int]] = {}
"""A stem, and the families of words excluding each other that it is of."""
for _number, _line in enumerate(_lines(_APART)):
    for _word in _line:
        CLASSES[stem(_word)] = CLASSES.get(stem(_word), frozenset()) | {_number}

PHRASES: dict[tuple[str, ...], tuple[str, ...]] = {}
"""Words in a row, and the ones that they are read as."""
for _text in _PHRASES.strip().splitlines():
    _said, _meant = _text.split(" = ")
    PHRASES[tuple(_said.split())] = tuple(_meant.split())
LONGEST_PHRASE = max(map(len, PHRASES))
