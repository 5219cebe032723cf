export const PLAIN_NAMES = `
alter table gone rename to tombstone;
drop index gone_current;
drop index gone_key;
drop index gone_version;
create index tombstone_current on tombstone (feed, current);
create index tombstone_key on tombstone (feed, key);
create index tombstone_version on tombstone (feed, version);

-- Members of an import's body that were renamed. json_insert keeps the new member if the body already has one.
update import set body = json_remove(json_insert(body, '$.overrides', json(body -> '$.wishes')), '$.wishes')
where json_type(body, '$.wishes') is not null;
update import set body = json_remove(json_insert(body, '$.isClientSide', json(body -> '$.isElsewhere')), '$.isElsewhere')
where json_type(body, '$.isElsewhere') is not null;
`
