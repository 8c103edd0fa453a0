-- Places of words in the order of what they count there, and beside each text how often every word stands in it.
-- A question takes the first places of its words, and scores the texts that come out of these exactly.

-- What a vector of counts calls a word; `hub.writing.called` says the same.
create function autology.called(word text) returns integer
language sql immutable strict parallel safe set search_path = pg_catalog, pg_temp as $$
  select ('x' || left(md5(convert_to(word, 'UTF8')), 7))::bit(28)::integer + 1 $$;

alter table autology.text add column counts sparsevec;
alter table autology.text alter column counts set storage main;

-- Vectors apart, for what compares all of a space reads nothing else.
create table autology.near(
  space uuid not null, text bigint not null, source bigint not null, kind text collate "C" not null, branch text collate "C",
  start integer, stop integer, vector halfvec not null);
alter table autology.near alter column vector set storage main;
insert into autology.near select space, number, source, kind, branch, start, stop, vector from autology.text
  where vector is not null order by space, number;
alter table autology.near add primary key(space, text), add foreign key(space, text) references autology.text on delete cascade;
alter table autology.near enable row level security;
create policy reading on autology.near for select using (true);
create policy adding on autology.near for insert
  with check (space = (select autology.writable()) and autology.may_write(branch, (select autology.written()))
    and exists (select from autology.text t join autology.source s on s.space = t.space and s.number = t.source
      where t.space = near.space and t.number = near.text and t.source = near.source
        and t.branch is not distinct from near.branch
        and (near.kind <> all ('{conversation,code,decision}') or s.told_by = session_user)));
create policy removing on autology.near for delete
  using (space = (select autology.writable()) and autology.may_write(branch, (select autology.written())));
grant select, insert, delete on autology.near to autology_member;

-- A list of places holds texts of one branch, '' for none. A place is what the word counts in that text, in 32 bits,
-- before the number of the text, in 32: sorted, the first are the best.
create table autology.place(
  space uuid not null references autology.space on delete cascade, field text collate "C" not null, kind text collate "C" not null,
  branch text collate "C" not null, term text collate "C" not null, level smallint not null, batch bigint not null,
  many integer not null, places bigint[] not null);
alter table autology.place alter column places set storage external;

-- What is there already comes along: its words with how often they stand where, as far as that was kept.
create temporary table moving on commit drop as
  select p.space, p.field, p.kind, coalesce(t.branch, '') as branch, p.term, t.number, t.length,
    (case p.field when 'body' then '{1, 2, 3, 4, 5, 7, 10, 16}'::float8[] else '{0.5, 1, 2, 2.5, 4, 4.5, 6.5, 8}' end)[(u.code >> 5) + 1] as times
  from autology.posting p, unnest(p.texts, p.codes) u(text, code), autology.text t
  where t.space = p.space and t.number = u.text;
insert into autology.place(space, field, kind, branch, term, level, batch, many, places)
  select m.space, m.field, m.kind, m.branch, m.term, 2, 0, count(*), array_agg(m.place order by m.place desc)
  from (select *, (times * 2.2 * 16384 / (times + 0.3 + 0.9 * length / case field when 'body' then 120 else 12 end))::bigint << 32 | number as place
    from moving) m
  group by 1, 2, 3, 4, 5;
drop table autology.posting cascade;
alter table autology.place rename to posting;
alter table autology.posting add constraint posting_pkey primary key(space, field, term, kind, branch, batch);
alter table autology.posting rename constraint place_space_fkey to posting_space_fkey;
update autology.space s set levels = array[0, 0, (exists (select from moving m where m.space = s.space))::integer, 0];
update autology.volume set gone = 0;
create temporary table indexed on commit drop as select substring(indexname from '\d+$')::integer as number
  from pg_indexes where schemaname = 'autology' and indexname like 'text\_near\_%';
alter table autology.text drop column vector cascade;
update autology.text t set counts = c.counts from (
  select space, number, ('{' || string_agg(word || ':' || times, ',') || '}/268435456')::sparsevec as counts
  from (select space, number, autology.called(term) as word, sum(times) as times from moving group by 1, 2, 3) m
  group by 1, 2) c
where t.space = c.space and t.number = c.number;
do $$
declare
  dims integer;
begin
  for dims in select number from indexed loop
    execute format('create index near_%s on autology.near using hnsw ((vector::halfvec(%s)) halfvec_ip_ops)'
      ' where vector_dims(vector) = %s', dims, dims, dims);
  end loop;
end $$;

-- What may be seen, said so that it is looked up once a question: a call for each row took seven times as long as comparing
-- the vectors of these rows.
do $$
declare
  name text;
begin
  foreach name in array array['source', 'text', 'near'] loop
    execute format('alter policy reading on autology.%I using (space = (select autology.here()) and (branch is null'
      ' or (select autology.branches() is null) or branch = any(array(select unnest(autology.branches())))))', name);
  end loop;
end $$;

drop function autology.matches(text, text[], jsonb, text[], float8, jsonb, boolean);
drop function autology.together(text, text[], text[], text[], bigint[]);
drop function autology.places(text, text[], text[]);
drop function autology.often(text, text[], text[]);
drop function autology.beginning(text, text[], text);
drop function autology.post(jsonb);
drop function autology.merge(uuid, integer, integer, integer);

-- Sixteen batches of a level become one of the next, so that a question looks into few lists; what has reached the
-- third is a quarter of a million texts and more, and stays.
create function autology.post(postings jsonb, texts integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  here uuid := autology.writable();
  fresh bigint := autology.number(1);
  own integer := case when texts >= 65536 then 2 when texts >= 4096 then 1 else 0 end;
  counts integer[];
begin
  insert into autology.posting(space, field, kind, branch, term, level, batch, many, places)
  select here, p->>0, p->>1, p->>2, p->>3, own, fresh, cardinality(x.places), x.places
  from jsonb_array_elements(postings) p, lateral (select (p->>4)::bigint[] as places offset 0) x;
  update autology.space s set levels[own + 1] = s.levels[own + 1] + 1 where s.space = here returning s.levels into counts;
  for level in own..1 loop
    exit when counts[level + 1] < 16;
    perform autology.merge(here, level, level, level + 1, false);
    update autology.space s set levels[level + 1] = 0, levels[level + 2] = s.levels[level + 2] + 1 where s.space = here
      returning s.levels into counts;
  end loop;
end $$;

create function autology.merge(here uuid, lowest integer, highest integer, target integer, purge boolean) returns bigint
language plpgsql set search_path = pg_catalog, pg_temp set enable_nestloop = off set work_mem = '64MB' as $$
declare
  fresh bigint;
  many_ bigint;
begin
  update autology.space s set counter = s.counter + 1 where s.space = here returning s.counter into fresh;
  with old as (
    delete from autology.posting p where p.space = here and p.level between lowest and highest returning p.*),
  kept as (
    select o.field, o.kind, o.branch, o.term, u.place from old o, lateral unnest(o.places) u(place)
    where not purge or (u.place & 4294967295) in (select t.number from autology.text t where t.space = here))
  insert into autology.posting(space, field, kind, branch, term, level, batch, many, places)
    select here, k.field, k.kind, k.branch, k.term, target, fresh, count(*), array_agg(k.place order by k.place desc)
    from kept k group by k.field, k.kind, k.branch, k.term;
  get diagnostics many_ = row_count;
  return many_;
end $$;
revoke all on function autology.merge(uuid, integer, integer, integer, boolean) from public;

create or replace function autology.merge_all(here uuid) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform autology.merge(here, 0, 3, 2, true);
  update autology.volume v set gone = 0 where v.space = here;
  update autology.space s set levels = '{0, 0, 1, 0}' where s.space = here;
end $$;

-- How many texts there are, how long they are together and how many went, by field; then in how many each word stands.
-- By index all the way, whatever is known of the tables: a new space has no statistics yet.
create function autology.measured(kinds text[], terms text[])
returns table(field text, term text, many bigint, total bigint, gone bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
#variable_conflict use_column
declare
  here uuid := autology.here();
  open text[] := autology.branches();
begin
  return query
    select v.field::text, null::text, sum(v.many)::bigint, sum(v.total)::bigint, sum(v.gone)::bigint from autology.volume v
    where v.space = here and (kinds is null or v.kind = any(kinds)) and autology.visible(nullif(v.branch, ''), open)
    group by v.field;
  return query
    select p.field::text, p.term::text, sum(p.many)::bigint, null::bigint, null::bigint from autology.posting p
    where p.space = here and p.field = any('{body, title}') and p.term = any(terms)
      and (kinds is null or p.kind = any(kinds)) and autology.visible(nullif(p.branch, ''), open)
    group by p.field, p.term;
end $$;

-- The texts of some words, and about what they score: of each word its first places, that share of them, and all of
-- them count by its weight. Who is asked for may be seen, as far as its branch tells; that a text is there still, and
-- may be seen, its table says.
create function autology.candidates(
  asked_field text, kinds text[], terms text[], weights float8[], shares float8[], most integer)
returns table(text bigint, score float8)
language plpgsql stable security definer rows 1000 set search_path = pg_catalog, pg_temp set work_mem = '32MB'
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  here uuid := autology.here();
  open text[] := autology.branches();
begin
  return query
    select q.place & 4294967295, sum((q.place >> 32)::float8 * q.weight) as score from (
      select unnest(case when a.share < 1 then p.places[1:ceil(p.many * a.share)::integer] else p.places end) as place,
        a.weight
      from unnest(terms, weights, shares) a(term, weight, share)
      join autology.posting p on p.space = here and p.field = asked_field and p.term = a.term
        and (kinds is null or p.kind = any(kinds)) and autology.visible(nullif(p.branch, ''), open)) q
    group by 1 order by 2 desc limit most;
end $$;

create function autology.beginning(kinds text[], letter text)
returns table(term text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select distinct p.term from autology.posting p where p.space = autology.here() and p.field = any('{body, title}')
    and (kinds is null or p.kind = any(kinds)) and autology.visible(nullif(p.branch, ''), autology.branches())
    and p.term >= letter and p.term < letter || U&'\+10FFFF' $$;

-- What tells that nothing is left of conversations looks where their words and vectors are now.
do $$
declare
  made text;
begin
  for made in select pg_get_functiondef(p.oid) from pg_proc p
    where p.pronamespace = 'autology'::regnamespace and p.proname in ('remains', 'stray')
  loop
    made := replace(made, 'unnest(p.texts) n', 'unnest(p.places) n');
    made := replace(made, 't.number = n)', 't.number = n & 4294967295)');
    execute replace(made, 'count(t.vector) from autology.text t', 'count(*) from autology.near t');
  end loop;
end $$;
