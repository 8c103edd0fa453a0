-- Whether a row may be seen or written is decided by the server's own operators, whatever somebody's search path holds:
-- a body that is read when the function is made, not when it is called.
create or replace function autology.visible(branch text, open text[]) returns boolean
language sql immutable parallel safe return branch is null or open is null or branch = any(open);
create or replace function autology.may_write(branch text, open text[]) returns boolean
language sql immutable parallel safe return open is null or coalesce(branch = any(open), false);

-- What was said is its teller's alone to change or to take out, and who may write some branches adds to sources of these
-- alone: a label, a link or a passage of a source is part of what it says.
do $$
declare
  own constant text := 'space = (select autology.writable())';
  talk constant text := $q$kind <> all ('{conversation,code,decision}')$q$;
  its text;
  name text;
begin
  foreach name in array array['adding', 'changing', 'removing'] loop
    execute format('alter policy %I on autology.source %s (%s and autology.may_write(branch, (select autology.written()))'
      ' and (%s or told_by = session_user))', name, case name when 'adding' then 'with check' else 'using' end, own, talk);
    execute format('alter policy %I on autology.text %s (%s and autology.may_write(branch, (select autology.written()))'
      ' and ((select autology.written()) is null or exists (select from autology.source s where s.space = text.space'
      ' and s.number = text.source and s.branch is not distinct from text.branch))'
      ' and (%s or exists (select from autology.source s where s.space = text.space and s.number = text.source'
      ' and s.told_by = session_user)))', name, case name when 'adding' then 'with check' else 'using' end, own, talk);
    foreach its in array array['tag', 'reference', 'alias', 'title_word', 'edge'] loop
      execute format('alter policy %I on autology.%I %s (%s and ((select autology.written()) is null or exists ('
        'select from autology.source s where s.space = %I.space and s.number = %I.%I'
        ' and autology.may_write(s.branch, (select autology.written())))))',
        name, its, case name when 'adding' then 'with check' else 'using' end, own, its, its,
        case its when 'edge' then 'from_number' else 'source' end);
    end loop;
  end loop;
  execute format('alter policy adding on autology.said with check (%s and exists (select from autology.source s'
    ' where s.space = said.space and s.number = said.source and s.told_by = session_user))', own);
end $$;

-- All that a login shared of what was said, taken out: by itself whatever it may by now, or by an admin.
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
revoke all on function autology.forget(uuid, text, uuid) from public;

create function autology.asked() returns uuid
language sql stable set search_path = pg_catalog, pg_temp as $$
  select nullif(current_setting('autology.space', true), '')::uuid $$;

create or replace function autology.withdraw(op uuid) returns bigint
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

-- How many places there are of words of conversations in texts that are gone.
create function autology.stray(asked uuid) returns bigint
language sql stable set search_path = pg_catalog, pg_temp as $$
  select count(*) from autology.posting p, unnest(p.texts) n
  where p.space = asked and p.kind in ('conversation', 'code', 'decision')
    and not exists (select from autology.text t where t.space = asked and t.number = n) $$;
revoke all on function autology.stray(uuid) from public;

-- What is left of the conversations that a login shared: all numbers are 0 once it withdrew. Whose they are may ask that,
-- whatever they may by now; of others who may look into the space.
create or replace function autology.remains(asked_login text) returns table(what text, many bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  with here as (select case when asked_login = session_user then autology.asked() else autology.here() end as space),
  theirs as (select s.number from autology.source s, here where s.space = here.space and s.told_by = asked_login
    and s.kind in ('conversation', 'code', 'decision'))
  select 'sources', count(*) from theirs
  union all select 'texts', count(*) from autology.text t, here where t.space = here.space and t.source in (table theirs)
  union all select 'vectors', count(t.vector) from autology.text t, here
    where t.space = here.space and t.source in (table theirs)
  union all select 'chunks', count(*) from autology.said c, here where c.space = here.space and c.source in (table theirs)
  union all select 'references', count(*) from autology.reference r, here
    where r.space = here.space and r.source in (table theirs)
  union all select 'places of words that nothing holds', autology.stray(here.space) from here $$;

-- What was asked under an operation's id is known for 90 days: who sends it again later meets the memory's version, which
-- makes of the same text nothing new, and of another a conflict. A write takes out a few that are older.
create index op_at on autology.op(space, at);
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

-- What an admin takes out of audit and history, and what that comes to: nothing of either goes by itself. The last
-- version of a memory stays, and that it was done is in the audit.
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
