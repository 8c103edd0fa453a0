"""What stands in the slots of the forms, drawn from a seed: passwords and codes, and names, versions and hashes."""

from __future__ import annotations

import base64
import re
import string
from random import Random

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALNUM, HEX = LOWER + UPPER + DIGITS, DIGITS + "abcdef"
WORDS = (
    "amber anchor apple arrow autumn badger banana basket beacon berlin blanket bottle bridge butter cactus camera"
    " candle carpet castle cheese cherry coffee copper cotton dragon eagle ember falcon forest fridge galaxy garden"
    " ginger granite guitar hammer harbor hazel helmet island ivory jacket jungle kernel kettle ladder lemon lizard"
    " lunar magnet mango maple marble meadow mirror monkey needle nickel oliver orange otter oyster panda paper"
    " pepper phoenix pillow pirate planet pocket pony quartz rabbit raven river rocket saddle salmon scarlet shadow"
    " silver spider spring summer sunset tiger timber tulip turtle valley velvet violet walnut whisper window winter"
    " wizard yellow zebra sommer blume vogel fenster katze hund kaffee garten soleil maison fleur chien gato perro"
    " casa sol luna verano juventus arsenal liverpool bayern michael jessica daniel laura marco sophie"
).split()
NAMES = "Anna Ben Carla Dmitri Elena Farid Grace Hugo Ines Jonas Kenji Lara Mehmet Nina Olaf Petra Quinn Rosa".split()
USERS = (
    "admin root deploy backup jsmith m.keller svc_app readonly postgres app1 anna.b ops ubuntu pi service-account"
    " test01 web_user dba nagios guest2 administrator k.tanaka"
).split()
SERVICES = (
    "Grafana Jenkins GitLab Nextcloud Jira Confluence Proxmox Synology Stripe Twilio Hetzner Cloudflare SAP Zabbix"
    " Keycloak Mailgun Netflix OpenVPN MySQL Postgres Redis Mattermost Wordpress Shopify Datev AWS Azure"
).split()
DOORS = "door;alarm;safe;gate;garage;front door;locker;office;server room;key box;vault;bike shed;lobby".split(";")
SIGNS = "!#$%&*?@^~+-_."


def letters(rng: Random, size: int, some: str = ALNUM) -> str:
    return "".join(rng.choices(some, k=size))


def chosen(rng: Random) -> str:
    """A password as people choose them."""
    one, two = rng.choice(WORDS), rng.choice(WORDS)
    digits = letters(rng, rng.choice((1, 2, 2, 3, 4)), DIGITS)
    year = str(rng.randrange(1970, 2027))
    return rng.choice(
        (
            f"{one.title()}{year}{rng.choice('!?#.$*')}",
            f"{one.title()}{rng.choice('-_.!#')}{two.title()}{digits}",
            f"{one.title()}{two.title()}{digits}",
            f"{one}{rng.choice('!@#$%&*-_.')}{two}{digits}",
            f"{one}{digits}{rng.choice(SIGNS)}",
            f"{one.title()}{digits}",
            f"{one.title()}{rng.choice('!@#$*')}{digits}",
            f"{digits}{one.title()}{two.title()}{rng.choice('!?*')}",
            f"{one.upper()}{rng.choice('-_#')}{digits}{two}",
            leet(one.title() + two) + rng.choice(("", "!", digits)),
            f"{one.title()}!{two.title()}?{digits}",
            f"{one}{two.title()}{rng.choice('!$%')}",
        )
    )


def leet(word: str) -> str:
    return word.translate(str.maketrans("aeiost", "@310$7"))


def made(rng: Random) -> str:
    """A password as machines make them."""
    size = rng.randrange(8, 25)
    return rng.choice(
        (
            lambda: letters(rng, size),
            lambda: letters(rng, size),
            lambda: letters(rng, size, ALNUM + SIGNS),
            lambda: letters(rng, size, ALNUM + "!#%*+~?.-"),
            lambda: letters(rng, size, LOWER + DIGITS),
            lambda: letters(rng, size, UPPER + DIGITS),
            lambda: "-".join(letters(rng, 4) for _ in range(rng.randrange(3, 5))),
            lambda: "-".join(letters(rng, 6, LOWER + DIGITS) for _ in range(3)),
        )
    )()


def password(rng: Random) -> str:
    return chosen(rng) if rng.random() < 0.5 else made(rng)


def token(rng: Random) -> str:
    size = rng.choice((16, 20, 24, 26, 32, 32, 36, 40, 43, 48, 64))
    some = rng.choice((ALNUM, ALNUM, ALNUM + "-_", ALNUM + "+/", HEX, LOWER + DIGITS))
    prefix = rng.choice(("", "", "", "", letters(rng, 2, LOWER) + "_", letters(rng, 4, LOWER) + "-"))
    return prefix + letters(rng, size, some)


def phrase(rng: Random) -> str:
    return " ".join(rng.sample(WORDS, rng.choice((4, 5, 6, 12))))


def grouped(rng: Random) -> str:
    some = rng.choice((DIGITS, LOWER + DIGITS, UPPER + DIGITS, HEX, LOWER))
    size, parts = rng.choice(((4, 2), (4, 2), (5, 2), (4, 3), (8, 1), (10, 1), (4, 4), (5, 5)))
    return rng.choice("--- ").join(letters(rng, size, some) for _ in range(parts))


def based(rng: Random) -> str:
    return base64.b64encode(rng.randbytes(rng.choice((16, 24, 32, 32, 64)))).decode()


def uuid(rng: Random) -> str:
    text = letters(rng, 32, HEX)
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def host(rng: Random) -> str:
    name = rng.choice(("db01", "web-2", "git", "mail", "nas", "jump", "api", "vpn", "k8s-prod-3", "fs02"))
    return f"{name}.{rng.choice(WORDS)}{rng.choice(('.com', '.io', '.de', '.lan', '.internal', '.net'))}"


def ident(rng: Random) -> str:
    return "_".join(rng.sample(WORDS, rng.choice((1, 2, 2, 3)))) + rng.choice(("", "", "", "2", "_v2", "_id"))


def camel(rng: Random) -> str:
    text = "".join(word.title() for word in rng.sample(WORDS, rng.choice((2, 3))))
    return rng.choice((text, text[0].lower() + text[1:], text + "2", "OAuth2" + text, text + "V2Api"))


def version(rng: Random) -> str:
    text = ".".join(str(rng.randrange(30)) for _ in range(rng.choice((2, 3, 3))))
    return rng.choice(("", "v", "")) + text + rng.choice(("", "", "-rc1", "-beta.2", "+git" + letters(rng, 7, HEX)))


def file(rng: Random) -> str:
    ending = rng.choice((".zip", ".pdf", "_v2.xlsx", ".kdbx", "-2024.tar.gz", ".pem", ".ovpn", ".py", ".md"))
    return rng.choice(WORDS) + ending


def path(rng: Random) -> str:
    return "/" + "/".join(rng.sample(WORDS, 2)) + "/" + file(rng)


def date(rng: Random) -> str:
    year, month, day = rng.randrange(2018, 2027), rng.randrange(1, 13), rng.randrange(1, 29)
    return rng.choice((f"{year}-{month:02}-{day:02}", f"{day:02}.{month:02}.{year}", f"{month}/{day}/{year}"))


def clock(rng: Random) -> str:
    return f"{rng.randrange(24):02}:{rng.randrange(60):02}" + rng.choice(("", f":{rng.randrange(60):02}"))


MAKERS = {
    "P": password,
    "T": token,
    "H": lambda rng: letters(rng, rng.choice((24, 32, 40, 64)), HEX),
    "B": based,
    "L": lambda rng: letters(rng, rng.randrange(8, 17), LOWER + UPPER),
    "PIN": lambda rng: letters(rng, rng.choice((4, 4, 4, 5, 6, 6, 8)), DIGITS),
    "PUK": lambda rng: letters(rng, 8, DIGITS),
    "PHR": phrase,
    "GRP": grouped,
    "B32": lambda rng: letters(rng, rng.choice((16, 26, 32)), UPPER + "234567"),
    "BIG": lambda rng: "-".join(letters(rng, 6, DIGITS) for _ in range(8)),
    "name": lambda rng: rng.choice(NAMES),
    "user": lambda rng: rng.choice(USERS),
    "svc": lambda rng: rng.choice(SERVICES),
    "door": lambda rng: rng.choice(DOORS),
    "word": lambda rng: rng.choice(WORDS) + rng.choice(("", "", "-" + rng.choice(WORDS), "2")),
    "host": host,
    "ip": lambda rng: ".".join(str(rng.randrange(1, 255)) for _ in range(4)),
    "email": lambda rng: f"{rng.choice(USERS)}@{host(rng)}",
    "date": date,
    "time": clock,
    "n": lambda rng: str(rng.randrange(1, 10 ** rng.choice((1, 2, 3, 4, 5, 6)))),
    "n4": lambda rng: letters(rng, 4, DIGITS),
    "n5": lambda rng: letters(rng, 5, DIGITS),
    "port": lambda rng: str(rng.choice((22, 80, 443, 3306, 5432, 6379, 8080, 8443, 25565))),
    "phone": lambda rng: rng.choice(("+49 170 ", "0171-", "+1 555 ")) + letters(rng, 7, DIGITS),
    "sha": lambda rng: letters(rng, 40, HEX),
    "short": lambda rng: letters(rng, rng.choice((7, 8)), HEX),
    "hex32": lambda rng: letters(rng, 32, HEX),
    "sha256": lambda rng: letters(rng, 64, HEX),
    "b64": lambda rng: base64.b64encode(rng.randbytes(64)).decode(),
    "fp": lambda rng: letters(rng, 43, ALNUM + "+/"),
    "uuid": uuid,
    "ver": version,
    "ticket": lambda rng: f"{rng.choice(('OPS', 'INC', 'WEB', 'PLAT', 'SEC'))}-{rng.randrange(10, 99999)}",
    "path": path,
    "file": file,
    "ident": ident,
    "camel": camel,
    "env": lambda rng: ident(rng).upper(),
    "serial": lambda rng: letters(rng, 3, UPPER) + letters(rng, rng.choice((5, 8)), UPPER + DIGITS),
    "model": lambda rng: rng.choice(("gpt-4o", "RTX3080", "llama-3.1-70b", "MiniLM-L6-v2", "i7-1260P", "ESP32-S3")),
    "k8s": lambda rng: letters(rng, 10, LOWER + DIGITS) + "-" + letters(rng, 5, LOWER + DIGITS),
    "dash": lambda rng: letters(rng, 9),
}
_SLOT = re.compile(r"%\{(\w+)\}")


def filled(form: str, rng: Random) -> tuple[str, list[str]]:
    """Return *form* with its slots filled, and the secrets in it."""
    secrets: list[str] = []

    def fill(slot: re.Match[str]) -> str:
        value = MAKERS[slot[1]](rng)
        if slot[1].isupper():
            secrets.append(value)
        return value

    return _SLOT.sub(fill, form), secrets


POINTERS = (
    *"$PASSWORD ${DB_PASS} <password> **** ******** xxxx changeme YOUR_KEY_HERE {{secret}} %PASS% <your-token>".split(),
    *"... null process.env.SECRET os.environ['TOKEN'] vault:kv/app#pw REDACTED".split(),
    *("see 1Password", "in the vault", "on paper", "the one you know", "(sent separately)"),
)


def emptied(form: str, rng: Random) -> str:
    """Return *form* with a pointer to a secret, or a placeholder, in each slot for one."""
    return filled(_SLOT.sub(lambda slot: rng.choice(POINTERS) if slot[1].isupper() else slot[0], form), rng)[0]
