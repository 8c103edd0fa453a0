-- A space that goes to another server, or came from one: `going` can be read until that moment is over, `gone` is kept
-- at `place`, `coming` is not whole yet, `here` is. No row: it was always here.
create table autology.placing(
  space uuid primary key, state text not null check (state in ('coming', 'going', 'gone', 'here')),
  place text not null default '', until timestamptz);

-- Raises AU001, with the server that keeps the space by now, or AU002 while it cannot be used.
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

create or replace function autology.here() returns uuid
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare told text := nullif(current_setting('autology.space', true), '');
begin
  if told is null then return null; end if;
  perform autology.settled(told::uuid, false);
  if autology.role_in(told::uuid) is null then
    raise exception 'this space is not open to %', session_user using errcode = '42501';
  end if;
  return told::uuid;
end $$;

create or replace function autology.writable() returns uuid
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare space uuid := autology.here();
begin
  if space is not null and autology.role_in(space) not in ('writer', 'admin') then
    raise exception '% may read this space only', session_user using errcode = '42501';
  end if;
  perform autology.settled(space, true);
  return space;
end $$;

create or replace function autology.administered() returns uuid
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare space uuid := autology.here();
begin
  if space is null or autology.role_in(space) <> 'admin' then
    raise exception '% is no admin of this space', session_user using errcode = '42501';
  end if;
  perform autology.settled(space, true);
  return space;
end $$;

create or replace function autology.asked() returns uuid
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare told uuid := nullif(current_setting('autology.space', true), '')::uuid;
begin
  perform autology.settled(told, true);
  return told;
end $$;

create or replace function autology.spaces() returns table(space uuid, org text, project text, role text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.space, s.org, s.project, autology.role_in(s.space) from autology.space s
  where autology.role_in(s.space) is not null
    and not exists (select from autology.placing p where p.space = s.space and p.state in ('coming', 'gone'))
  order by s.org, s.project $$;

-- Whose a conversation is is whoever tells it; but of a space that comes from another server it was told there, and
-- only who owns this table brings one.
create or replace function autology.consented() returns trigger
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
