-- Spaces, and who may do what in them. A space is an organisation's project, or with '' for a project the organisation.
create table autology.space(
  space uuid primary key, org text not null, project text not null, generation text not null,
  counter bigint not null default 0, levels integer[] not null default '{0, 0, 0, 0}', made_at timestamptz not null default now(), unique(org, project));

-- A branch of '' is all of them.
create table autology.member(
  space uuid not null references autology.space on delete cascade, login text not null,
  role text not null check (role in ('reader', 'writer', 'admin')), branch text not null default '',
  granted_by text not null default session_user, granted_at timestamptz not null default now(),
  primary key(space, login, branch));

-- The best of what a login may do in a space, whatever the branch; null for nothing.
create function autology.role_in(asked uuid) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select case max(case m.role when 'admin' then 3 when 'writer' then 2 else 1 end)
    when 3 then 'admin' when 2 then 'writer' when 1 then 'reader' end
  from autology.member m where m.space = asked and m.login = session_user $$;

-- The space that is asked for: null where none is, an error where it is not this login's.
create function autology.here() returns uuid
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare told text := nullif(current_setting('autology.space', true), '');
begin
  if told is null then return null; end if;
  if autology.role_in(told::uuid) is null then
    raise exception 'this space is not open to %', session_user using errcode = '42501';
  end if;
  return told::uuid;
end $$;

create function autology.writable() returns uuid
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare space uuid := autology.here();
begin
  if space is not null and autology.role_in(space) not in ('writer', 'admin') then
    raise exception '% may read this space only', session_user using errcode = '42501';
  end if;
  return space;
end $$;

create function autology.administered() returns uuid
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare space uuid := autology.here();
begin
  if space is null or autology.role_in(space) <> 'admin' then
    raise exception '% is no admin of this space', session_user using errcode = '42501';
  end if;
  return space;
end $$;

-- The branches whose texts are shown, beside those of no branch: null for all, '{}' for none.
-- `autology.branches` names them with a space between, '*' is all; one that is not granted is an error.
create function autology.branches() returns text[]
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  told text := coalesce(current_setting('autology.branches', true), '');
  mine text[] := array(select m.branch from autology.member m
    where m.space = autology.here() and m.login = session_user);
  asked text[] := array_remove(string_to_array(told, ' '), '');
  strange text;
begin
  if '' = any(mine) then
    return case when told = '*' then null else asked end;
  end if;
  if told = '*' then return mine; end if;
  select b into strange from unnest(asked) b where b <> all(mine) limit 1;
  if strange is not null then
    raise exception 'the branch % is not open to %', strange, session_user using errcode = '42501';
  end if;
  return asked;
end $$;

create function autology.visible(branch text, open text[]) returns boolean
language sql immutable parallel safe as $$ select branch is null or open is null or branch = any(open) $$;

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

-- The spaces that are open to this login.
create function autology.spaces() returns table(space uuid, org text, project text, role text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.space, s.org, s.project, autology.role_in(s.space) from autology.space s
  where autology.role_in(s.space) is not null order by s.org, s.project $$;
