-- The schema of a team hub. Files are the truth; what is here can be pushed again, except memories kept for a team.
-- Every key starts with the space, so that spaces never refer to each other and can move between servers.

---- Spaces and members ----------------------------------------------------------------------------------------------

-- A space is one project of an organisation; project '' is the organisation itself. `counter` is the last row number
-- given out; `levels` counts the posting batches of each merge level.
create table autology.space(
  space uuid primary key, org text not null, project text not null, generation text not null,
  counter bigint not null default 0, levels integer[] not null default '{0, 0, 0, 0}',
  made_at timestamptz not null default now(), unique(org, project));

-- Branch '' means all branches.
create table autology.member(
  space uuid not null references autology.space on delete cascade, login text not null,
  role text not null check (role in ('reader', 'writer', 'admin')), branch text not null default '',
  granted_by text not null default session_user, granted_at timestamptz not null default now(),
  primary key(space, login, branch));

-- A space that is moving to or from another server: 'going' is read-only until that time, 'gone' is served by `place`,
-- 'coming' is still incomplete, 'here' has arrived. A space without a row has never moved.
create table autology.placing(
  space uuid primary key, state text not null check (state in ('coming', 'going', 'gone', 'here')),
  place text not null default '', until timestamptz);

-- The highest role a login has in a space, on any branch; null without one.
create function autology.role_in(asked uuid) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select case max(case m.role when 'admin' then 3 when 'writer' then 2 else 1 end)
    when 3 then 'admin' when 2 then 'writer' when 1 then 'reader' end
  from autology.member m where m.space = asked and m.login = session_user $$;

-- Raises AU001 with the server that now serves the space, or AU002 while the space cannot be used.
create function autology.settled(asked uuid, writing boolean) returns void
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare known autology.placing;
begin
  select * into known from autology.placing p where p.space = asked;
  if not found or known.state = 'here' then return; end if;
  if known.state = 'gone' then raise exception '%', known.place using errcode = 'AU001'; end if;
  if known.state = 'coming' or (writing and known.until > clock_timestamp()) then
    raise exception 'this space is being moved' using errcode = 'AU002';
  end if;
end $$;

-- Functions that run for nearly every statement set plan_cache_mode: connections plan each query anew, and planning
-- these took half the time of a small query.

-- The space that the connection asks for: null without one, an error if the login is not a member of it.
create function autology.here() returns uuid
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  told uuid := nullif(current_setting('autology.space', true), '')::uuid;
begin
  if told is null then return null; end if;
  if exists (select from autology.placing p where p.space = told and p.state <> 'here') then
    perform autology.settled(told, false);
  end if;
  if not exists (select from autology.member m where m.space = told and m.login = session_user) then
    raise exception 'this space is not open to %', session_user using errcode = '42501';
  end if;
  return told;
end $$;

create function autology.writable() returns uuid
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare space uuid := autology.here();
begin
  if space is not null and autology.role_in(space) not in ('writer', 'admin') then
    raise exception '% may read this space only', session_user using errcode = '42501';
  end if;
  perform autology.settled(space, true);
  return space;
end $$;

create function autology.administered() returns uuid
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare space uuid := autology.here();
begin
  if space is null or autology.role_in(space) <> 'admin' then
    raise exception '% is no admin of this space', session_user using errcode = '42501';
  end if;
  perform autology.settled(space, true);
  return space;
end $$;

-- The space that the connection asks for, whatever the login may do there.
create function autology.asked() returns uuid
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare told uuid := nullif(current_setting('autology.space', true), '')::uuid;
begin
  perform autology.settled(told, true);
  return told;
end $$;

-- The branches whose rows are visible besides those without a branch: null for all, '{}' for none.
-- `autology.branches` lists them separated by spaces, '*' is all; a branch that is not granted is an error.
create function autology.branches() returns text[]
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  here uuid := autology.here();
  told text := coalesce(current_setting('autology.branches', true), '');
  mine text[] := array(select m.branch from autology.member m where m.space = here and m.login = session_user);
  asked text[];
  strange text;
begin
  if told = '*' then
    return case when '' = any(mine) then null else mine end;
  end if;
  asked := array_remove(string_to_array(told, ' '), '');
  if '' = any(mine) then return asked; end if;
  select b into strange from unnest(asked) b where b <> all(mine) limit 1;
  if strange is not null then
    raise exception 'the branch % is not open to %', strange, session_user using errcode = '42501';
  end if;
  return asked;
end $$;

-- The branches that the login may write to: null for all.
create function autology.written() returns text[]
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select case when '' = any(array_agg(m.branch)) then null else coalesce(array_agg(m.branch), '{}') end
  from autology.member m
  where m.space = autology.writable() and m.login = session_user and m.role in ('writer', 'admin') $$;

-- Both have an SQL-standard body, parsed at creation, so that no search path can change which operators they use.
create function autology.visible(branch text, open text[]) returns boolean
language sql immutable parallel safe return branch is null or open is null or branch = any(open);
create function autology.may_write(branch text, open text[]) returns boolean
language sql immutable parallel safe return open is null or coalesce(branch = any(open), false);

create function autology.give(asked_login text, asked_role text, asked_branch text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare space uuid := autology.administered();
begin
  if not exists (select from pg_roles where rolname = asked_login) then
    raise exception 'there is no login called %', asked_login using errcode = '28000';
  end if;
  insert into autology.member(space, login, role, branch) values (space, asked_login, asked_role, asked_branch)
  on conflict on constraint member_pkey do update set role = excluded.role, granted_by = session_user, granted_at = now();
  execute format('grant autology_member to %I', asked_login);
end $$;

create function autology.take_back(asked_login text, asked_branch text) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  space_ uuid := autology.administered();
  many integer;
begin
  perform from autology.space s where s.space = space_ for update;  -- two admins who take back each other's rights
  delete from autology.member m where m.space = space_ and m.login = asked_login
    and (asked_branch is null or m.branch = asked_branch);
  get diagnostics many = row_count;
  if not exists (select from autology.member m where m.space = space_ and m.role = 'admin') then
    raise exception 'a space keeps an admin' using errcode = '23514';
  end if;
  return many;
end $$;

create function autology.members() returns table(login text, role text, branch text, granted_by text, granted_at text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select m.login, m.role, m.branch, m.granted_by, to_char(m.granted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
  from autology.member m where m.space = autology.here() order by m.login, m.branch $$;

-- The spaces that the login is a member of and that this server serves.
create function autology.spaces() returns table(space uuid, org text, project text, role text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.space, s.org, s.project, autology.role_in(s.space) from autology.space s
  where autology.role_in(s.space) is not null
    and not exists (select from autology.placing p where p.space = s.space and p.state in ('coming', 'gone'))
  order by s.org, s.project $$;

---- The index: tables -----------------------------------------------------------------------------------------------

-- One row per file. Row numbers belong to a space and are never reused.
create table autology.source(
  space uuid not null references autology.space on delete cascade, number bigint not null,
  id text collate "C" not null, kind text collate "C" not null, type text collate "C" not null, title text not null,
  title_key text collate "C" not null, status text not null, decision_status text, confidence float8 not null,
  created text collate "C" not null, modified text collate "C" not null, session text collate "C", origin text,
  path text collate "C" not null, size bigint not null, mtime_ns bigint not null, project text, language text,
  authors text not null default '', trust text not null default 'user', org text, scope_project text,
  branch text collate "C", expires_at text collate "C", told_by text not null default session_user,
  primary key(space, number), unique(space, id), unique(space, path));
create index source_title on autology.source(space, title_key);
create index source_modified on autology.source(space, modified desc, id);
create index source_session on autology.source(space, session) where session is not null;
create index source_kind on autology.source(space, kind, type, status);

create table autology.problem(
  space uuid not null references autology.space on delete cascade, path text collate "C" not null,
  reason text not null, size bigint not null, mtime_ns bigint not null, kind text collate "C" not null,
  primary key(space, path));
create table autology.remark(
  space uuid not null references autology.space on delete cascade, name text collate "C" not null,
  text text not null, primary key(space, name));

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
  space uuid not null, from_number bigint not null, source text collate "C" not null,
  type text collate "C" not null, target text collate "C" not null, confidence float8 not null, description text,
  kind text collate "C" not null, primary key(space, source, type, target),
  foreign key(space, from_number) references autology.source on delete cascade);
create index edge_target on autology.edge(space, target, type);
create index edge_from on autology.edge(space, from_number);

-- One row per searchable text: a passage (field body), or title, tags and headings of a source (field title).
-- `words` is the word order, `counts` the term frequencies as a sparse vector.
create table autology.text(
  space uuid not null, number bigint not null, source bigint not null, field text collate "C" not null,
  kind text collate "C" not null, branch text collate "C", start integer, stop integer, heading text,
  length integer not null, words bytea not null, says text, counts sparsevec, primary key(space, number),
  foreign key(space, source) references autology.source on delete cascade);
create index text_source on autology.text(space, source);
create index text_kind on autology.text(space, kind, field);
alter table autology.text alter column counts set storage main;

-- Embeddings have a table of their own, because an exact scan of a space reads nothing else.
create table autology.near(
  space uuid not null, text bigint not null, source bigint not null, kind text collate "C" not null,
  branch text collate "C", start integer, stop integer, vector halfvec not null,
  primary key(space, text), foreign key(space, text) references autology.text on delete cascade);
alter table autology.near alter column vector set storage main;

-- Posting lists, one per term, branch ('' for none) and batch. A posting is a bigint: the term's weight in the text in
-- the upper 32 bits, the text's number in the lower; lists are sorted by weight, highest first.
create table autology.posting(
  space uuid not null references autology.space on delete cascade, field text collate "C" not null,
  kind text collate "C" not null, branch text collate "C" not null, term text collate "C" not null,
  level smallint not null, batch bigint not null, many integer not null, places bigint[] not null,
  primary key(space, field, term, kind, branch, batch));
alter table autology.posting alter column places set storage external;

-- Number and total length of texts. Kept by the triggers below, so that it cannot drift.
create table autology.volume(
  space uuid not null references autology.space on delete cascade, field text collate "C" not null,
  kind text collate "C" not null, branch text collate "C" not null, many bigint not null, total bigint not null,
  gone bigint not null default 0, primary key(space, field, kind, branch));

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

---- Memories and conversations: tables --------------------------------------------------------------------------------

create table autology.kept(
  space uuid not null references autology.space on delete cascade, id text collate "C" not null,
  version bigint not null, kind text not null, branch text collate "C", file text, login text not null,
  at timestamptz not null default now(), primary key(space, id));
create table autology.history(
  space uuid not null references autology.space on delete cascade, id text collate "C" not null,
  version bigint not null, kind text not null, branch text collate "C", file text, login text not null,
  at timestamptz not null default now(), op uuid not null, primary key(space, id, version));
create table autology.op(
  space uuid not null references autology.space on delete cascade, op uuid not null, login text not null,
  at timestamptz not null default now(), result jsonb not null, primary key(space, op));
create index op_at on autology.op(space, at);
create table autology.audit(
  space uuid not null references autology.space on delete cascade, op uuid not null,
  at timestamptz not null default now(), login text not null, action text not null, subject text not null,
  version bigint, outcome text not null, primary key(space, op));
create index audit_at on autology.audit(space, at);
create table autology.consent(
  space uuid not null references autology.space on delete cascade, login text not null, given boolean not null,
  at timestamptz not null default now(), primary key(space, login));
create table autology.said(
  space uuid not null, source bigint not null, chunk jsonb not null, primary key(space, source),
  foreign key(space, source) references autology.source on delete cascade);

---- Row-level security: the second line of defence, behind the space that every query names ---------------------------

-- Subqueries are evaluated once per statement: calling a function for each row took seven times as long as comparing
-- the vectors of these rows. A conversation can be changed or removed only by the login that shared it, and a login
-- with write access to some branches can add only to sources of those branches.
do $$
declare
  readable constant text := 'space = (select autology.here())';
  writable constant text := 'space = (select autology.writable())';
  own_branch constant text := 'autology.may_write(branch, (select autology.written()))';
  shared constant text := $q$kind <> all ('{conversation,code,decision}')$q$;
  name text;
  reading text;
  writing text;
begin
  for name, reading, writing in
    select t, '(branch is null or (select autology.branches() is null)'
        ' or branch = any(array(select unnest(autology.branches()))))',
      case t when 'source' then own_branch || ' and (' || shared || ' or told_by = session_user)'
        else own_branch || ' and ((select autology.written()) is null or exists (select from autology.source s'
          ' where s.space = text.space and s.number = text.source and s.branch is not distinct from text.branch))'
          ' and (' || shared || ' or exists (select from autology.source s where s.space = text.space'
          ' and s.number = text.source and s.told_by = session_user))' end
      from unnest(array['source', 'text']) t
    union all
    -- Whatever belongs to a source is visible with it.
    select t, format('((select autology.branches()) is null or exists (select from autology.source s'
        ' where s.space = %I.space and s.number = %I.%I))', t, t, source),
      format('((select autology.written()) is null or exists (select from autology.source s where s.space = %I.space'
        ' and s.number = %I.%I and autology.may_write(s.branch, (select autology.written()))))', t, t, source)
      from (values ('tag', 'source'), ('reference', 'source'), ('alias', 'source'), ('title_word', 'source'),
        ('edge', 'from_number')) v(t, source)
    union all
    select t, 'true', 'true' from unnest(array['problem', 'remark']) t
  loop
    execute format('create policy reading on autology.%I for select using (%s and %s)', name, readable, reading);
    execute format('create policy adding on autology.%I for insert with check (%s and %s)', name, writable, writing);
    execute format('create policy changing on autology.%I for update using (%s and %s)', name, writable, writing);
    execute format('create policy removing on autology.%I for delete using (%s and %s)', name, writable, writing);
    execute format('alter table autology.%I enable row level security', name);
    execute format('grant select, insert, update, delete on autology.%I to autology_member', name);
  end loop;
end $$;

alter table autology.near enable row level security;
create policy reading on autology.near for select
  using (space = (select autology.here()) and (branch is null or (select autology.branches() is null)
    or branch = any(array(select unnest(autology.branches())))));
create policy adding on autology.near for insert
  with check (space = (select autology.writable()) and autology.may_write(branch, (select autology.written()))
    and exists (select from autology.text t join autology.source s on s.space = t.space and s.number = t.source
      where t.space = near.space and t.number = near.text and t.source = near.source
        and t.branch is not distinct from near.branch
        and (near.kind <> all ('{conversation,code,decision}') or s.told_by = session_user)));
create policy removing on autology.near for delete
  using (space = (select autology.writable()) and autology.may_write(branch, (select autology.written())));
grant select, insert, delete on autology.near to autology_member;

alter table autology.kept enable row level security;
create policy reading on autology.kept for select
  using (space = (select autology.here()) and autology.visible(branch, (select autology.branches())));
alter table autology.history enable row level security;
create policy reading on autology.history for select
  using (space = (select autology.here()) and autology.visible(branch, (select autology.branches())));
alter table autology.audit enable row level security;
create policy reading on autology.audit for select using (space = (select autology.administered()));
alter table autology.consent enable row level security;
create policy reading on autology.consent for select using (space = (select autology.here()));
grant select on autology.kept, autology.history, autology.audit, autology.consent to autology_member;

alter table autology.said enable row level security;
create policy reading on autology.said for select using (space = (select autology.here())
  and ((select autology.branches()) is null or exists (
    select from autology.source s where s.space = said.space and s.number = said.source)));
create policy adding on autology.said for insert with check (space = (select autology.writable())
  and exists (select from autology.source s
    where s.space = said.space and s.number = said.source and s.told_by = session_user));
grant select, insert on autology.said to autology_member;

---- The index: writing ------------------------------------------------------------------------------------------------

-- The generation changes when an index is rebuilt.
create function autology.generation() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.generation from autology.space s where s.space = autology.here() $$;
create function autology.renew() returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update autology.space s set generation = gen_random_uuid()::text where s.space = autology.writable() $$;

-- Reserves row numbers. A writer waits here for the space's current writer.
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

-- Posting lists are read and written only through functions, which check the branch. Sixteen batches of a level
-- are merged into one of the next, so that a query reads few lists. Batches of the third level hold a quarter of a
-- million texts and more, and stay.
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

create function autology.merge_all(here uuid) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform autology.merge(here, 0, 3, 2, true);
  update autology.volume v set gone = 0 where v.space = here;
  update autology.space s set levels = '{0, 0, 1, 0}' where s.space = here;
end $$;

-- Merges all lists and drops postings of deleted texts, once these exceed the given share; returns whether it did.
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

---- The index: searching ----------------------------------------------------------------------------------------------

-- The number a term has in vectors of counts; `hub.postgres.prepare.term_number` computes the same.
create function autology.called(word text) returns integer
language sql immutable strict parallel safe set search_path = pg_catalog, pg_temp as $$
  select ('x' || left(md5(convert_to(word, 'UTF8')), 7))::bit(28)::integer + 1 $$;

create function autology.volume_of(asked_field text, kinds text[])
returns table(many bigint, total bigint)
language plpgsql stable security definer rows 1 set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  here uuid := autology.here();
  open text[] := autology.branches();
begin
  return query
    select coalesce(sum(v.many), 0)::bigint, coalesce(sum(v.total), 0)::bigint from autology.volume v
    where v.space = here and v.field = asked_field and (kinds is null or v.kind = any(kinds))
      and autology.visible(nullif(v.branch, ''), open);
end $$;

-- Per field the number of texts, their total length and how many were deleted; then the document frequency of each
-- term. Sequential scans are off, because the statistics of a new space would suggest one.
create function autology.measured(kinds text[], terms text[])
returns table(field text, term text, many bigint, total bigint, gone bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
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

-- The texts that contain some of the terms, with an approximate score: of each term's list the given share is read,
-- highest weights first, multiplied by the term's weight. Each term is looked up in a lateral subquery, because a
-- fresh database would otherwise scan all terms. Deleted texts may be among them; the caller joins `text`.
create function autology.candidates(
  asked_field text, kinds text[], terms text[], weights float8[], shares float8[], most integer)
returns table(text bigint, score float8)
language plpgsql stable security definer rows 1000 set search_path = pg_catalog, pg_temp set work_mem = '32MB'
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  here uuid := autology.here();
  open text[] := autology.branches();
begin
  return query
    select q.place & 4294967295, sum((q.place >> 32)::float8 * q.weight) as score from (
      select unnest(case when a.share < 1 then p.places[1:ceil(p.many * a.share)::integer] else p.places end) as place,
        a.weight
      from unnest(terms, weights, shares) a(term, weight, share), lateral (
        select p.many, p.places from autology.posting p
        where p.space = here and p.field = asked_field and p.term = a.term
          and (kinds is null or p.kind = any(kinds)) and autology.visible(nullif(p.branch, ''), open) offset 0) p) q
    group by 1 order by 2 desc limit most;
end $$;

create function autology.beginning(kinds text[], letter text)
returns table(term text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select distinct p.term from autology.posting p where p.space = autology.here() and p.field = any('{body, title}')
    and (kinds is null or p.kind = any(kinds)) and autology.visible(nullif(p.branch, ''), autology.branches())
    and p.term >= letter and p.term < letter || U&'\+10FFFF' $$;

-- The following run with the caller's own rights, as functions only to keep their plans.
create function autology.sources(here uuid, numbers bigint[]) returns json
language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off as $$
begin
  return (select coalesce(json_agg(json_build_array(s.number, s.id, s.type, s.title, s.status, s.confidence, s.created,
      s.modified, s.path, s.decision_status, s.session, s.origin, s.kind, s.project, s.language, s.org, s.scope_project,
      s.branch, s.expires_at)), '[]')
    from autology.source s where s.space = here and s.number = any(numbers));
end $$;

-- The vectors of the passages that start there in these sources, each with its position in the arguments.
create function autology.vectors(here uuid, ids text[], starts integer[]) returns json
language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  return (select coalesce(json_agg(json_build_array(p.at, n.vector::text::json) order by p.at), '[]')
    from unnest(ids, starts) with ordinality p(id, start, at)
    join autology.source s on s.space = here and s.id = p.id
    join autology.text t on t.space = here and t.source = s.number and t.start = p.start
    join autology.near n on n.space = here and n.text = t.number);
end $$;

-- The edges at these sources, at most so many of each. Edges to tags are left out: they repeat the text.
create function autology.linked(here uuid, ids text[], most integer)
returns table(id text, source text, type text, target text, confidence float8)
language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off as $$
#variable_conflict use_column
begin
  return query
    select o.id, l.* from unnest(ids) with ordinality o(id, at), lateral (
      select e.source, e.type, e.target, e.confidence from autology.edge e
        where e.space = here and e.source = o.id and e.type not in ('TAGGED_AS', 'EXEMPLIFIES')
      union all
      select e.source, e.type, e.target, e.confidence from autology.edge e
        where e.space = here and e.target = o.id and e.type not in ('TAGGED_AS', 'EXEMPLIFIES')
      limit most) l
    order by o.at;
end $$;

---- Memories ----------------------------------------------------------------------------------------------------------

-- Writes a line of the audit.
create function autology.noted(op uuid, action text, subject text, version bigint, outcome text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into autology.audit(space, op, login, action, subject, version, outcome)
  values (autology.here(), op, session_user, action, subject, version, outcome) on conflict do nothing $$;

-- Stores a memory edited from version `base` (0 for a new one); a null file deletes it. Repeating an operation id
-- returns the first result and changes nothing.
create function autology.keep(asked_op uuid, asked_id text, base bigint, asked_kind text, asked_branch text, asked_file text)
returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  here uuid := autology.writable();
  known autology.kept;
  branch_ text;
  result jsonb;
begin
  perform autology.number(0);
  select o.result || '{"again": true}' into result from autology.op o
    where o.space = here and o.op = asked_op and o.login = session_user;
  if found then return result; end if;
  select * into known from autology.kept k where k.space = here and k.id = asked_id;
  branch_ := case when asked_file is null then known.branch else asked_branch end;
  if not autology.may_write(branch_, autology.written())
      or (known.id is not null and not autology.may_write(known.branch, autology.written())) then
    raise exception '% may not write what is of other branches, or of all', session_user using errcode = '42501';
  end if;
  if coalesce(known.version, 0) <> base and known.file is distinct from asked_file then
    result := jsonb_build_object('outcome', 'conflict', 'version', coalesce(known.version, 0), 'file', known.file,
      'login', known.login);
  elsif coalesce(known.version, 0) <> base or (known.version is not null and known.file is not distinct from asked_file) then
    result := jsonb_build_object('outcome', 'same', 'version', coalesce(known.version, 0));
  else
    insert into autology.kept(space, id, version, kind, branch, file, login)
    values (here, asked_id, base + 1, asked_kind, branch_, asked_file, session_user)
    on conflict on constraint kept_pkey do update set version = excluded.version, kind = excluded.kind,
      branch = excluded.branch, file = excluded.file, login = excluded.login, at = now();
    insert into autology.history(space, id, version, kind, branch, file, login, op)
    values (here, asked_id, base + 1, asked_kind, branch_, asked_file, session_user, asked_op);
    result := jsonb_build_object('outcome', case when asked_file is null then 'removed' else 'kept' end,
      'version', base + 1);
  end if;
  insert into autology.op(space, op, login, result) values (here, asked_op, session_user, result);
  perform autology.noted(asked_op, 'keep', asked_id, (result->>'version')::bigint, result->>'outcome');
  return result;
end $$;

-- Operation ids are remembered for 90 days. An operation repeated later meets the memory's version: the same text is
-- no new version, another one a conflict. Each write deletes a few that are older.
create function autology.forget_ops() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from autology.op o using (
    select p.space, p.op from autology.op p where p.space in (select n.space from new_ops n)
      and p.at < now() - interval '90 days' order by p.at limit 50) aged
  where (o.space, o.op) = (aged.space, aged.op);
  return null;
end $$;
create trigger forget_ops after insert on autology.op referencing new table as new_ops
  for each statement execute function autology.forget_ops();

-- Deletes old lines of the audit and old versions of memories, or only counts them; nothing else ever deletes either.
-- The last version of each memory stays, and the audit records the deletion.
create function autology.older(asked uuid, versions integer) returns table(id text, version bigint)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select h.id, h.version from (
    select v.id, v.version, row_number() over (partition by v.id order by v.version desc) as nth
    from autology.history v where v.space = asked) h where h.nth > versions $$;
create function autology.prune(op uuid, audit_days integer, versions integer, really boolean)
returns table(what text, many bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  here uuid := autology.administered();
  lines bigint := 0;
  old bigint := 0;
begin
  if audit_days < 1 or versions < 1 then
    raise exception 'at least one day, and one version, is kept' using errcode = '22023';
  end if;
  perform from autology.space s where s.space = here for update;
  select count(*) into lines from autology.audit a
    where a.space = here and a.at < now() - make_interval(days => audit_days);
  select count(*) into old from autology.older(here, versions);
  if really then
    delete from autology.audit a where a.space = here and a.at < now() - make_interval(days => audit_days);
    delete from autology.history h using autology.older(here, versions) o
      where h.space = here and (h.id, h.version) = (o.id, o.version);
    insert into autology.audit(space, op, login, action, subject, version, outcome) values (here, op, session_user, 'prune',
      'history and audit', null, format('%s versions and %s lines removed', old, lines)) on conflict do nothing;
  end if;
  return query select * from (values ('lines of the audit', lines), ('versions of memories', old)) t(what, many);
end $$;

---- Conversations: shared only by consent, and deleted entirely when it is withdrawn ----------------------------------

create function autology.may_share() returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from autology.consent c
    where c.space = autology.here() and c.login = session_user and c.given) $$;

-- A conversation belongs to the login that shares it. A space that arrives from another server keeps its owners, and
-- only the owner of the table can bring one.
create function autology.consented() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if current_setting('autology.moving', true) = new.space::text and pg_has_role(session_user,
      (select c.relowner from pg_class c where c.oid = tg_relid), 'member') then
    return new;
  end if;
  if new.kind in ('conversation', 'code', 'decision') and not autology.may_share() then
    raise exception '% has not agreed that conversations of this project are shared', session_user using errcode = '42501';
  end if;
  new.told_by := session_user;
  return new;
end $$;
create trigger consented before insert or update of kind, told_by on autology.source
  for each row execute function autology.consented();

create function autology.agree(op uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into autology.consent(space, login, given) values (autology.writable(), session_user, true)
  on conflict on constraint consent_pkey do update set given = true, at = now();
  perform autology.noted(op, 'agree', session_user, null, 'agreed');
end $$;

-- Deletes all conversations that a login shared.
create function autology.forget(asked uuid, whose text, op uuid) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  many bigint;
  agreed boolean;
begin
  perform from autology.space s where s.space = asked for update;
  update autology.consent c set given = false, at = now() where c.space = asked and c.login = whose;
  agreed := found;
  delete from autology.source s where s.space = asked and s.told_by = whose and s.kind in ('conversation', 'code', 'decision');
  get diagnostics many = row_count;
  if agreed or many > 0 then
    perform autology.merge_all(asked);
    insert into autology.audit(space, op, login, action, subject, version, outcome)
    values (asked, op, session_user, 'withdraw', whose, null, format('%s sources removed', many)) on conflict do nothing;
  end if;
  return many;
end $$;
create function autology.withdraw(op uuid) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if autology.asked() is null then raise exception 'no space is asked for' using errcode = '42501'; end if;
  return autology.forget(autology.asked(), session_user, op);
end $$;
create function autology.withdraw_of(whose text, op uuid) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  return autology.forget(autology.administered(), whose, op);
end $$;

-- The number of postings left from deleted conversations.
create function autology.stray(asked uuid) returns bigint
language sql stable set search_path = pg_catalog, pg_temp as $$
  select count(*) from autology.posting p, unnest(p.places) n
  where p.space = asked and p.kind in ('conversation', 'code', 'decision')
    and not exists (select from autology.text t where t.space = asked and t.number = n & 4294967295) $$;

-- What is left of the conversations that a login shared; all 0 after a withdrawal. Each login may ask about its own
-- even without access to the space, members about those of others.
create function autology.remains(asked_login text) returns table(what text, many bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  with here as (select case when asked_login = session_user then autology.asked() else autology.here() end as space),
  theirs as (select s.number from autology.source s, here where s.space = here.space and s.told_by = asked_login
    and s.kind in ('conversation', 'code', 'decision'))
  select 'sources', count(*) from theirs
  union all select 'texts', count(*) from autology.text t, here where t.space = here.space and t.source in (table theirs)
  union all select 'vectors', count(*) from autology.near t, here
    where t.space = here.space and t.source in (table theirs)
  union all select 'chunks', count(*) from autology.said c, here where c.space = here.space and c.source in (table theirs)
  union all select 'references', count(*) from autology.reference r, here
    where r.space = here.space and r.source in (table theirs)
  union all select 'places of words that nothing holds', autology.stray(here.space) from here $$;

revoke all on function autology.merge(uuid, integer, integer, integer, boolean), autology.merge_all(uuid),
  autology.noted(uuid, text, text, bigint, text), autology.forget(uuid, text, uuid), autology.stray(uuid) from public;
