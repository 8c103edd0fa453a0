-- Memories of a space with their history, what was done, and who agreed that conversations are shared.
create table autology.kept(
  space uuid not null references autology.space on delete cascade, id text collate "C" not null, version bigint not null,
  kind text not null, branch text collate "C", file text, login text not null, at timestamptz not null default now(),
  primary key(space, id));
create table autology.history(
  space uuid not null references autology.space on delete cascade, id text collate "C" not null, version bigint not null,
  kind text not null, branch text collate "C", file text, login text not null, at timestamptz not null default now(),
  op uuid not null, primary key(space, id, version));
create table autology.op(
  space uuid not null references autology.space on delete cascade, op uuid not null, login text not null,
  at timestamptz not null default now(), result jsonb not null, primary key(space, op));
create table autology.audit(
  space uuid not null references autology.space on delete cascade, op uuid not null, at timestamptz not null default now(),
  login text not null, action text not null, subject text not null, version bigint, outcome text not null,
  primary key(space, op));
create index audit_at on autology.audit(space, at);
create table autology.consent(
  space uuid not null references autology.space on delete cascade, login text not null, given boolean not null,
  at timestamptz not null default now(), primary key(space, login));
create table autology.said(
  space uuid not null, source bigint not null, chunk jsonb not null, primary key(space, source),
  foreign key(space, source) references autology.source on delete cascade);

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
create policy adding on autology.said for insert with check (space = (select autology.writable()));
grant select, insert on autology.said to autology_member;

-- What a login does in a space is told in these words.
create function autology.noted(op uuid, action text, subject text, version bigint, outcome text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into autology.audit(space, op, login, action, subject, version, outcome)
  values (autology.here(), op, session_user, action, subject, version, outcome) on conflict do nothing $$;
revoke all on function autology.noted(uuid, text, text, bigint, text) from public;

-- Keep a memory that was made of the version `base`, 0 for none; `file` null takes it away. Asked again with the
-- same `op` it answers the same and does nothing more.
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

-- Conversations: nobody's are shared before they say so, and all of them are gone once they take that back.
create function autology.may_share() returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from autology.consent c
    where c.space = autology.here() and c.login = session_user and c.given) $$;

create function autology.consented() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
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

create function autology.withdraw(op uuid) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  here_ uuid := autology.here();
  many bigint;
begin
  if here_ is null then raise exception 'no space is asked for' using errcode = '42501'; end if;
  perform from autology.space s where s.space = here_ for update;
  update autology.consent c set given = false, at = now() where c.space = here_ and c.login = session_user;
  delete from autology.source s where s.space = here_ and s.told_by = session_user
    and s.kind in ('conversation', 'code', 'decision');
  get diagnostics many = row_count;
  perform autology.merge_all(here_);
  perform autology.noted(op, 'withdraw', session_user, null, format('%s sources removed', many));
  return many;
end $$;

-- What is left of the conversations that a login shared: all numbers are 0 once it withdrew.
create function autology.remains(asked_login text) returns table(what text, many bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  with here as (select autology.here() as space),
  theirs as (select s.number from autology.source s, here where s.space = here.space and s.told_by = asked_login
    and s.kind in ('conversation', 'code', 'decision'))
  select 'sources', count(*) from theirs
  union all select 'texts', count(*) from autology.text t, here where t.space = here.space and t.source in (table theirs)
  union all select 'chunks', count(*) from autology.said c, here where c.space = here.space and c.source in (table theirs)
  union all select 'places of words that nothing holds', count(*) from here, autology.posting p, unnest(p.texts) n
    where p.space = here.space and p.kind in ('conversation', 'code', 'decision')
      and not exists (select from autology.text t where t.space = here.space and t.number = n) $$;
