-- What is asked with every statement, and several times with each, answered from plans that are kept: a connection has
-- plans made anew for each question, and making those of these took half the time of a small one.
create or replace function autology.here() returns uuid
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

-- The space is looked up once here, not for each of its members.
create or replace function autology.branches() returns text[]
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

alter function autology.measured(text[], text[]) set plan_cache_mode = force_generic_plan;

-- Each word is looked up for itself: in a hub of which nothing is known yet, all words there are were gone through instead.
create or replace function autology.candidates(
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

create or replace function autology.volume_of(asked_field text, kinds text[])
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

-- What every question looks up, as whoever asks may see it: these have nobody else's rights, only a plan that is kept.
create function autology.sources(here uuid, numbers bigint[]) returns json
language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off as $$
begin
  return (select coalesce(json_agg(json_build_array(s.number, s.id, s.type, s.title, s.status, s.confidence, s.created,
      s.modified, s.path, s.decision_status, s.session, s.origin, s.kind, s.project, s.language, s.org, s.scope_project,
      s.branch, s.expires_at)), '[]')
    from autology.source s where s.space = here and s.number = any(numbers));
end $$;

-- The vectors of the passages that begin there in these sources, each after its place among those asked for.
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

-- The edges that touch these sources, at most so many of each; those to tags say only what it is about, as its words do.
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
