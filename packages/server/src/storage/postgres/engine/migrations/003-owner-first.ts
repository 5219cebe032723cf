/**
 * Puts the owner first in the keys of subscriptions and their events, and lets each subscription number its own events.
 */
const followers = [
  { table: 'event_bookmark', key: 'subscription_id, connector_key, stream, connection_id' },
  { table: 'subscription_event', key: 'subscription_id, sequence' },
  { table: 'event_delivery', key: 'subscription_id, no' },
]

export const OWNER_FIRST = `
alter table event_subscription drop constraint event_subscription_pkey, add primary key (subject, subscription_id),
  add column next_event bigint not null default 1;
update event_subscription set next_event = (select next from counter where name = 'event');
delete from counter where name = 'event';
drop index subscription_event_of;
${followers
  .map(
    ({ table, key }) => `
alter table ${table} add column subject bigint;
update ${table} f set subject = s.subject from event_subscription s where s.subscription_id = f.subscription_id;
delete from ${table} where subject is null;
alter table ${table} alter column subject set not null, drop constraint ${table}_pkey, add primary key (subject, ${key});
`,
  )
  .join('')}
drop index blob_reference_awaited;
create index blob_reference_awaited on blob_reference (subject, awaited_until) where awaited_until is not null;
`
