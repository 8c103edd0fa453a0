-- What the index holds of every file. Numbers are a space's own and never used twice.
create table autology.source(
  space uuid not null references autology.space on delete cascade, number bigint not null, id text collate "C" not null,
  kind text collate "C" not null, type text collate "C" not null, title text not null, title_key text collate "C" not null, status text not null,
  decision_status text, confidence float8 not null, created text collate "C" not null, modified text collate "C" not null, session text collate "C",
  origin text, path text collate "C" not null, size bigint not null, mtime_ns bigint not null, project text, language text,
  authors text not null default '', trust text not null default 'user', org text, scope_project text, branch text collate "C",
  expires_at text collate "C", told_by text not null default session_user, primary key(space, number), unique(space, id),
  unique(space, path));
create index source_title on autology.source(space, title_key);
create index source_modified on autology.source(space, modified desc, id);
create index source_session on autology.source(space, session) where session is not null;
create index source_kind on autology.source(space, kind, type, status);

create table autology.problem(
  space uuid not null references autology.space on delete cascade, path text collate "C" not null, reason text not null,
  size bigint not null, mtime_ns bigint not null, kind text collate "C" not null, primary key(space, path));
create table autology.remark(
  space uuid not null references autology.space on delete cascade, name text collate "C" not null, text text not null,
  primary key(space, name));

create table autology.tag(space uuid not null, tag text collate "C" not null, source bigint not null,
  primary key(space, tag, source), foreign key(space, source) references autology.source on delete cascade);
create index tag_source on autology.tag(space, source);
create table autology.reference(space uuid not null, path text collate "C" not null, source bigint not null,
  primary key(space, path, source), foreign key(space, source) references autology.source on delete cascade);
create index reference_source on autology.reference(space, source);
create table autology.alias(space uuid not null, alias text collate "C" not null, source bigint not null,
  primary key(space, alias, source), foreign key(space, source) references autology.source on delete cascade);
create index alias_source on autology.alias(space, source);
create table autology.title_word(space uuid not null, word text collate "C" not null, source bigint not null,
  primary key(space, word, source), foreign key(space, source) references autology.source on delete cascade);
create index title_word_source on autology.title_word(space, source);
create table autology.edge(
  space uuid not null, from_number bigint not null, source text collate "C" not null, type text collate "C" not null, target text collate "C" not null,
  confidence float8 not null, description text, kind text collate "C" not null, primary key(space, source, type, target),
  foreign key(space, from_number) references autology.source on delete cascade);
create index edge_target on autology.edge(space, target, type);
create index edge_from on autology.edge(space, from_number);

-- A text is what is searched as one: a passage (field body), or title, tags and headings of a source (field title).
-- `words` is the order of its words, `vector` what its meaning is searched by.
create table autology.text(
  space uuid not null, number bigint not null, source bigint not null, field text collate "C" not null, kind text collate "C" not null,
  branch text collate "C", start integer, stop integer, heading text, length integer not null, words bytea not null,
  says text, vector halfvec, primary key(space, number),
  foreign key(space, source) references autology.source on delete cascade);
create index text_source on autology.text(space, source);
create index text_kind on autology.text(space, kind, field);
alter table autology.text alter column vector set storage main;

-- Where a word stands: texts, and of each how often and in how long a text, as ranking.bm25 puts it into a byte.
create table autology.posting(
  space uuid not null references autology.space on delete cascade, field text collate "C" not null, kind text collate "C" not null,
  term text collate "C" not null, level smallint not null, batch bigint not null, texts integer[] not null, codes smallint[] not null,
  primary key(space, field, term, kind, batch));

-- How many texts there are and how long they are together: kept by the triggers below, so that it cannot drift.
create table autology.volume(
  space uuid not null references autology.space on delete cascade, field text collate "C" not null, kind text collate "C" not null,
  branch text collate "C" not null, many bigint not null, total bigint not null, gone bigint not null default 0,
  primary key(space, field, kind, branch));

create function autology.count_in() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into autology.volume(space, field, kind, branch, many, total)
    select t.space, t.field, t.kind, coalesce(t.branch, ''), count(*), sum(t.length) from new_texts t group by 1, 2, 3, 4
    order by 1, 2, 3, 4
  on conflict on constraint volume_pkey
    do update set many = volume.many + excluded.many, total = volume.total + excluded.total;
  return null;
end $$;
create function autology.count_out() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update autology.volume v set many = v.many - o.many, total = v.total - o.total, gone = v.gone + o.many
  from (select t.space, t.field, t.kind, coalesce(t.branch, '') as branch, count(*) as many, sum(t.length) as total
    from old_texts t group by 1, 2, 3, 4) o
  where (v.space, v.field, v.kind, v.branch) = (o.space, o.field, o.kind, o.branch);
  return null;
end $$;
create trigger count_in after insert on autology.text referencing new table as new_texts
  for each statement execute function autology.count_in();
create trigger count_out after delete on autology.text referencing old table as old_texts
  for each statement execute function autology.count_out();

-- The next numbers of a space; whoever writes into one waits for whoever does already.
create function autology.number(many bigint) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  here uuid := autology.writable();
  last bigint;
begin
  update autology.space s set counter = s.counter + many where s.space = here returning s.counter into last;
  if last is null then
    raise exception 'no space is asked for' using errcode = '42501';
  end if;
  return last - many;
end $$;

-- Words are read and written through functions alone: a list of places holds texts of every branch.
-- Sixteen batches of a level become one of the next, so that a question looks into few lists.
create function autology.post(postings jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  here uuid := autology.writable();
  fresh bigint := autology.number(1);
  counts integer[];
begin
  insert into autology.posting(space, field, kind, term, level, batch, texts, codes)
  select here, p->>0, p->>1, p->>2, 0, fresh,
    array(select v::integer from jsonb_array_elements_text(p->3) v),
    array(select v::smallint from jsonb_array_elements_text(p->4) v)
  from jsonb_array_elements(postings) p;
  update autology.space s set levels[1] = s.levels[1] + 1 where s.space = here returning s.levels into counts;
  for level in 0..2 loop
    exit when counts[level + 1] < 16;
    perform autology.merge(here, level, level, level + 1);
    update autology.space s set levels[level + 1] = 0, levels[level + 2] = s.levels[level + 2] + 1 where s.space = here
      returning s.levels into counts;
  end loop;
end $$;

create function autology.merge(here uuid, lowest integer, highest integer, target integer) returns bigint
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  fresh bigint;
  many bigint;
begin
  update autology.space s set counter = s.counter + 1 where s.space = here returning s.counter into fresh;
  with old as (
    delete from autology.posting p where p.space = here and p.level between lowest and highest returning p.*),
  kept as (
    select o.field, o.kind, o.term, u.text, u.code from old o, lateral unnest(o.texts, o.codes) u(text, code)
    where exists (select from autology.text t where t.space = here and t.number = u.text))
  insert into autology.posting(space, field, kind, term, level, batch, texts, codes)
    select here, k.field, k.kind, k.term, target, fresh, array_agg(k.text order by k.text),
      array_agg(k.code order by k.text)
    from kept k group by k.field, k.kind, k.term;
  get diagnostics many = row_count;
  return many;
end $$;

-- Put all lists of every word together, without texts that are gone, once a quarter of them are; whether that was due.
create function autology.tidy(share float8) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare here uuid := autology.writable();
begin
  if (select coalesce(sum(v.gone), 0) <= share * sum(v.many + v.gone) from autology.volume v where v.space = here) then
    return false;
  end if;
  perform autology.merge_all(here);
  return true;
end $$;

create function autology.merge_all(here uuid) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform autology.merge(here, 0, 3, 3);
  update autology.volume v set gone = 0 where v.space = here;
  update autology.space s set levels = '{0, 0, 0, 1}' where s.space = here;
end $$;

create function autology.volume_of(asked_field text, kinds text[])
returns table(many bigint, total bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  with open as (select autology.here() as here, autology.branches() as branches)
  select coalesce(sum(v.many), 0)::bigint, coalesce(sum(v.total), 0)::bigint from open, autology.volume v
  where v.space = open.here and v.field = asked_field and (kinds is null or v.kind = any(kinds))
    and autology.visible(nullif(v.branch, ''), open.branches) $$;

-- In at most how many texts each word stands; those that are gone among them.
create function autology.often(asked_field text, kinds text[], terms text[])
returns table(term text, many bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select p.term, sum(cardinality(p.texts))::bigint from autology.posting p
  where p.space = autology.here() and p.field = asked_field and (kinds is null or p.kind = any(kinds))
    and p.term = any(terms) group by p.term $$;

create function autology.beginning(asked_field text, kinds text[], letter text)
returns table(term text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select distinct p.term from autology.posting p where p.space = autology.here() and p.field = asked_field
    and (kinds is null or p.kind = any(kinds)) and starts_with(p.term, letter) $$;

-- Where words stand in texts that are there and may be seen. By index all the way, whatever is known of the tables:
-- a new space has no statistics yet, and a scan of everybody's words takes seconds.
create function autology.places(asked_field text, kinds text[], terms text[])
returns table(term text, text bigint, source bigint, code smallint)
language plpgsql stable security definer rows 2000 set search_path = pg_catalog, pg_temp set jit = off
set enable_nestloop = on set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  here uuid := autology.here();
  open text[] := autology.branches();
begin
  return query
    select p.term, t.number, t.source, u.code
    from (select p.term, p.texts, p.codes from autology.posting p where p.space = here and p.field = asked_field
      and p.term = any(terms) and (kinds is null or p.kind = any(kinds)) offset 0) p
    cross join lateral unnest(p.texts, p.codes) u(text, code)
    join autology.text t on t.space = here and t.number = u.text
    where autology.visible(t.branch, open);
end $$;

-- The texts that hold some of the words, or all that is asked for, and what they score.
-- `members` is [[unit, way, word], ...]: a text holds a unit by all words of one of its ways. `exact` are words that
-- count beside, by `weight`. `scale` is {times, shortest, step, k1, b, least}, of ranking.bm25.
create function autology.matches(
  asked_field text, kinds text[], members jsonb, exact text[], weight float8, scale jsonb, entire boolean)
returns table(text bigint, source bigint, score float8)
language sql stable security definer set search_path = pg_catalog, pg_temp set enable_nestloop = off set jit = off rows 2000 as $$
  with member as materialized (
    select distinct (m->>0)::integer as unit, (m->>1)::integer as way, m->>2 as term from jsonb_array_elements(members) m),
  size as (select m.unit, m.way, count(*) as words from member m group by 1, 2),
  single as (select m.unit from member m group by m.unit having count(distinct m.term) = 1),
  place as materialized (
    select * from autology.places(asked_field, kinds, array(select distinct m.term from member m union select unnest(exact)))),
  whole_volume as materialized (select v.many, v.total::float8 / greatest(v.many, 1) as average
    from autology.volume_of(asked_field, kinds) v),
  byte as materialized (
    select g::smallint as code, (scale->'times'->>(g >> 5))::float8 as times,
      (scale->>'k1')::float8 * (1 - (scale->>'b')::float8 + (scale->>'b')::float8 * (scale->>'shortest')::float8
        * power((scale->>'step')::float8, g & 31) / coalesce(nullif(w.average, 0), 1)) as norm
    from generate_series(0, 255) g, whole_volume w),
  word as materialized (
    select p.term, case when p.term = any(exact) then weight else 1.0 end as weight,
      greatest(ln(greatest(w.many - count(*) + 0.5, 0.5) / (count(*) + 0.5)), (scale->>'least')::float8) as worth
    from place p, whole_volume w group by p.term, w.many),
  counted as materialized (
    select p.term, p.text, p.source,
      w.worth * (b.times * w.weight * ((scale->>'k1')::float8 + 1) / (b.times * w.weight + b.norm)) as score
    from place p join word w using (term) join byte b using (code)),
  whole as materialized (
    select distinct h.unit, h.text from (
      select m.unit, m.way, p.text, count(*) as words from member m join place p using (term)
      where m.unit not in (select s.unit from single s) group by 1, 2, 3) h
    join size z on z.unit = h.unit and z.way = h.way and z.words = h.words),
  part as (
    select m.unit, c.text, c.source, c.score from counted c
      join (select distinct m.unit, m.term from member m where m.unit in (select s.unit from single s)) m using (term)
    union all
    select h.unit, c.text, c.source, c.score from whole h
      join (select distinct m.unit, m.term from member m) m on m.unit = h.unit
      join counted c on c.term = m.term and c.text = h.text
    union all
    select null, c.text, c.source, c.score from unnest(exact) e join counted c on c.term = e)
  select p.text, min(p.source), sum(p.score) from part p group by p.text
  having not entire or count(distinct p.unit) = (select count(distinct m.unit) from member m) $$;

-- Nobody knows beforehand how many places a word has, and a join of two such lists row by row takes seconds.
-- For pairs of words: in how many texts both stand, and those among the best with the length that they are put down with.
create function autology.together(asked_field text, kinds text[], ones text[], twos text[], best bigint[])
returns table(pair bigint, many bigint, texts bigint[], codes smallint[])
language sql stable security definer set search_path = pg_catalog, pg_temp set enable_nestloop = off set jit = off as $$
  with place as materialized (select * from autology.places(asked_field, kinds, ones || twos)),
  asked as (select * from unnest(ones, twos) with ordinality a(one, two, pair))
  select a.pair, count(*), coalesce(array_agg(x.text) filter (where x.text = any(best)), '{}'),
    coalesce(array_agg(x.code) filter (where x.text = any(best)), '{}')
  from asked a join place x on x.term = a.one join place y on y.term = a.two and y.text = x.text group by a.pair $$;

-- Who may see and write what: the second wall, behind the space that every question names itself.
-- The branches that this login may write for: null for all.
create function autology.written() returns text[]
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select case when '' = any(array_agg(m.branch)) then null else coalesce(array_agg(m.branch), '{}') end
  from autology.member m
  where m.space = autology.writable() and m.login = session_user and m.role in ('writer', 'admin') $$;

create function autology.may_write(branch text, open text[]) returns boolean
language sql immutable parallel safe as $$ select open is null or coalesce(branch = any(open), false) $$;

create function autology.wall(name text, reading text, writing text) returns void language plpgsql as $$
begin
  execute format('alter table autology.%I enable row level security', name);
  execute format('create policy reading on autology.%I for select using (space = (select autology.here()) and (%s))',
    name, reading);
  execute format('create policy adding on autology.%I for insert with check (space = (select autology.writable()) and (%s))',
    name, writing);
  execute format('create policy changing on autology.%I for update using (space = (select autology.writable()) and (%s))',
    name, writing);
  execute format('create policy removing on autology.%I for delete using (space = (select autology.writable()) and (%s))',
    name, writing);
  execute format('grant select, insert, update, delete on autology.%I to autology_member', name);
end $$;

select autology.wall(name, 'autology.visible(branch, (select autology.branches()))',
  'autology.may_write(branch, (select autology.written()))') from unnest(array['source', 'text']) name;
-- What belongs to a source is seen with it.
select autology.wall(name, format('(select autology.branches()) is null or exists (select from autology.source s'
  ' where s.space = %I.space and s.number = %I.%I)', name, name, its), 'true')
from (values ('tag', 'source'), ('reference', 'source'), ('alias', 'source'), ('title_word', 'source'),
  ('edge', 'from_number')) t(name, its);
select autology.wall(name, 'true', 'true') from unnest(array['problem', 'remark']) name;
drop function autology.wall;

-- The name that tells this index from one that was made anew.
create function autology.generation() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.generation from autology.space s where s.space = autology.here() $$;
create function autology.renew() returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update autology.space s set generation = gen_random_uuid()::text where s.space = autology.writable() $$;

-- What is no one's business but these functions'.
revoke all on function autology.merge(uuid, integer, integer, integer), autology.merge_all(uuid) from public;
