"""The same small program in every language that the code graph reads."""

# ruff: noqa: E501 - short files stand in one line
from __future__ import annotations

from textwrap import dedent

PROGRAMS: dict[str, dict[str, str]] = {
    "Python": {
        "db.py": "class Db:\n    def open(self): ...\n    def twin(self): ...\nclass Other:\n    def twin(self): ...\n",
        "base.py": """
            from abc import ABC
            class Base:
                def ping(self): ...
            class Saver(ABC):
                def save(self): ...
            """,
        "store.py": """
            from base import Base, Saver
            from db import Db
            def helper(): ...
            class Store(Base, Saver):
                def __init__(self, db: Db):
                    self.db = db
                def save(self):
                    self.db.open()
                    self.ping()
                    helper()
            """,
        "app.py": """
            from store import Store
            def run(store: Store, it):
                store.save()
                it.twin()
            def start():
                Store(None).save()
            """,
    },
    "JavaScript": {
        "db.js": "export class Db { open() {} twin() {} }\nexport class Other { twin() {} }\n",
        "base.js": "export class Base { ping() {} }\n",
        "store.js": """
            import { Base } from './base';
            import { Db } from './db.js';
            function helper() {}
            export class Store extends Base {
              constructor() { super(); this.db = new Db(); }
              save() { this.db.open(); this.ping(); helper(); }
            }
            """,
        "app.js": """
            const { Store } = require('./store');
            function run(it, kind = Store) { const store = new Store(); store.save(); it.twin(); }
            const start = () => new Store().save();
            """,
    },
    "TypeScript": {
        "src/db.ts": "export class Db { open(): void {} twin() {} }\nexport class Other { twin() {} }\n",
        "src/base.ts": "export abstract class Base { ping() {} }\nexport interface Saver { save(): void }\n",
        "src/store.ts": """
            import { Base, type Saver } from './base';
            import { Db } from './db';
            function helper() {}
            export class Store extends Base implements Saver {
              constructor(private db: Db) { super(); }
              save(): void { this.db.open(); this.ping(); helper(); }
            }
            """,
        "src/index.ts": "export { Store as Shop } from './store';\n",
        "src/app.ts": """
            import { Shop as Store } from '.';
            export function run(store: Store, it: any) { store.save(); it.twin(); }
            export const start = () => { new Store(null).save(); };
            """,
    },
    "TSX": {
        "db.ts": "export class Db { open(): void {} twin() {} }\nexport class Other { twin() {} }\n",
        "store.tsx": """
            import { Db } from './db';
            class Base { ping() {} }
            interface Saver { save(): void }
            function helper() {}
            export class Store extends Base implements Saver {
              db = new Db();
              save() { this.db.open(); this.ping(); helper(); }
            }
            """,
        "app.tsx": """
            import { Store } from './store';
            export function run(store: Store, it: any) { store.save(); it.twin(); return <div onClick={() => start()} />; }
            export function start() { new Store().save(); }
            """,
    },
    "Go": {
        "go.mod": "module example.com/shop\n\ngo 1.22\n",
        "db/db.go": "package db\ntype Db struct{}\nfunc (d *Db) open2() {}\nfunc (d *Db) Open() {}\nfunc (d Db) Twin() {}\n",
        "store/base.go": "package store\ntype Base struct{}\nfunc (b *Base) Ping() {}\ntype Saver interface { Save(); Ping() }\n",
        "store/store.go": """
            package store
            import "example.com/shop/db"
            type Other struct{}
            func (o Other) Twin() {}
            func helper() {}
            type Store struct {
                Base
                db *db.Db
            }
            func (s *Store) Save() { s.db.Open(); s.Ping(); helper() }
            """,
        "app/app.go": """
            package app
            import st "example.com/shop/store"
            func Run(store *st.Store, it any) { store.Save(); it.Twin() }
            func Start() { s := &st.Store{}; s.Save() }
            """,
    },
    "Rust": {
        "shop/Cargo.toml": '[package]\nname = "my-shop"\n',
        "shop/src/lib.rs": "pub mod base;\npub mod db;\npub mod store;\n",
        "shop/src/db.rs": "pub struct Db;\nimpl Db { pub fn open(&self) {} pub fn twin(&self) {} }\npub struct Other;\nimpl Other { pub fn twin(&self) {} }\n",
        "shop/src/base.rs": "pub trait Base { fn ping(&self) {} }\npub trait Saver: Base { fn save(&self); }\n",
        "shop/src/store.rs": """
            use crate::base::{Base, Saver};
            use super::db::Db;
            use std::sync::Arc;
            fn helper() {}
            pub struct Store { db: Arc<Db> }
            impl Base for Store {}
            impl Saver for Store {
                fn save(&self) { self.db.open(); self.ping(); helper(); }
            }
            impl Store { pub fn new() -> Self { todo!() } }
            """,
        "app/src/main.rs": """
            use my_shop::base::Saver;
            use my_shop::store::Store;
            fn run(store: &Store, it: &dyn Any) { store.save(); let x = |y| y.twin(); }
            fn start() { let s = Store::new(); assert_eq!(s.save(), ()); }
            """,
    },
    "Java": {
        "shop/Db.java": "package shop;\npublic class Db { public void open() {} void twin() {} }\nclass Other { void twin() {} }\n",
        "shop/Base.java": "package shop;\nabstract class Base { void ping() {} }\ninterface Saver { void save(); }\n",
        "shop/Store.java": """
            package shop;
            import static shop.tool.Tools.helper;
            public class Store extends Base implements Saver {
                private final Db db = new Db();
                @Override public void save() { db.open(); ping(); helper(); }
            }
            """,
        "shop/tool/Tools.java": "package shop.tool;\npublic final class Tools { public static void helper() {} }\n",
        "app/App.java": """
            package app;
            import shop.Store;
            class App {
                static void run(Store store) { store.save(); each(it -> it.twin()); }
                void start() { var s = new Store(); s.save(); }
                void each(Object o) {}
            }
            """,
    },
    "C": {
        "db.h": "struct db { int x; };\nvoid open_db(struct db *d);\n",
        "db.c": '#include "db.h"\nvoid open_db(struct db *d) {}\nvoid twin(void) {}\n',
        "other.c": "void twin(void) {}\n",
        "store.h": '#include "db.h"\ntypedef struct store { struct db *db; } Store;\nvoid save(Store *s);\n',
        "store.c": '#include "store.h"\n#include <stdio.h>\nstatic void helper(void) {}\nvoid save(Store *s) { open_db(s->db); helper(); }\n',
        "app.c": '#include "store.h"\nvoid run(Store *store) { save(store); twin(); }\nint start(void) { Store s; save(&s); return 0; }\n',
    },
    "C++": {
        "include/db.hpp": "namespace shop {\nclass Db { public: void open(); void twin() {} };\nclass Other { public: void twin() {} };\n}\n",
        "src/db.cpp": '#include "db.hpp"\nvoid shop::Db::open() {}\n',
        "include/base.hpp": "namespace shop { class Base { public: virtual void ping() {} }; }\n",
        "include/store.hpp": """
            #include "base.hpp"
            namespace shop {
            class Db;
            class Store : public Base {
             public:
              explicit Store(Db* db);
              void save();
             private:
              Db* db_;
            };
            }
            """,
        "src/store.cpp": """
            #include "store.hpp"
            #include "db.hpp"
            namespace shop {
            static void helper() {}
            Store::Store(Db* db) : db_(db) {}
            void Store::save() { db_->open(); ping(); helper(); }
            }
            """,
        "src/app.cpp": """
            #include "../include/store.hpp"
            template <typename T> void run(shop::Store& store, T it) { store.save(); it.twin(); }
            int start() { auto s = std::make_unique<shop::Store>(nullptr); s->save(); return 0; }
            """,
    },
    "C#": {
        "Db.cs": "namespace Shop;\npublic class Db { public void open() {} public void twin() {} }\nclass Other { public void twin() {} }\n",
        "Base.cs": "namespace Shop { public abstract class Base { protected void ping() {} } public interface Saver { void save(); } }\n",
        "Store.cs": "using System;\nnamespace Shop;\npublic partial class Store : Base, Saver { private readonly Db _db = new(); public void save() { _db.open(); ping(); helper(); } }\n",
        "Store.Helper.cs": "namespace Shop;\npublic partial class Store { void helper() {} }\n",
        "App.cs": """
            using Shop;
            namespace App;
            class App {
                static void run(Store store) { store.save(); Call(it => it.twin()); }
                void start() { var s = new Store(); s?.save(); }
            }
            """,
    },
    "Ruby": {
        "lib/shop/db.rb": "module Shop\n  class Db\n    def open; end\n    def twin; end\n  end\n  class Other\n    def twin; end\n  end\nend\n",
        "lib/shop/base.rb": "module Shop\n  class Base\n    def ping; end\n  end\n  module Saver\n    def helper; end\n  end\nend\n",
        "lib/shop/store.rb": """
            require_relative 'base'
            require 'shop/db'
            module Shop
              class Store < Base
                include Saver
                def initialize
                  @db = Db.new
                end
                def save
                  @db.open
                  ping
                  helper
                end
              end
            end
            """,
        "app.rb": """
            require_relative 'lib/shop/store'
            def run(it, kind = Shop::Store)
              Shop::Store.new.save
              it.twin
            end
            def start
              s = Shop::Store.new
              s.save
            end
            """,
    },
    "PHP": {
        "src/Db.php": "<?php\nnamespace Shop;\nclass Db { function open() {} function twin() {} }\nclass Other { function twin() {} }\n",
        "src/Base.php": "<?php\nnamespace Shop;\nabstract class Base { function ping() {} }\ninterface Saver { function save(): void; }\n",
        "src/tools.php": "<?php\nnamespace Shop\\Tools;\nfunction helper() {}\n",
        "src/Store.php": """
            <?php
            namespace Shop;
            use function Shop\\Tools\\helper;
            final class Store extends Base implements Saver {
                public function __construct(private Db $db) {}
                public function save(): void { $this->db->open(); $this->ping(); helper(); }
            }
            """,
        "app.php": """
            <?php
            use Shop\\Store;
            function run(Store $store, $it) { $store->save(); $it->twin(); }
            function start() { $s = new Store(null); $s->save(); }
            """,
    },
}  # fmt: skip
"""By language: a shop with a Store that extends Base and is a Saver; its save calls the Db's open, ping and helper.

Elsewhere run and start call save, and run calls twin on something unknown, which two have.
"""


def program(language: str) -> dict[str, str]:
    """Return the files of the program in *language*."""
    return {path: dedent(text).lstrip("\n") for path, text in PROGRAMS[language].items()}
