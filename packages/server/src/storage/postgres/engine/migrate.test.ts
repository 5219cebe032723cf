import { expect, test } from 'vitest'
import { newDatabase, whyNoPostgres } from '../../../../../../tests/fixtures/postgres-server.ts'
import { openPostgresStorage } from '../storage.ts'
import { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations/index.ts'

/** How many migrations a database had before the owner came first in the keys of events. */
const BEFORE = 2

const OLD_ROWS = [
  `insert into owner (subject, subject_id) values (1, 'anna'), (2, 'bert')`,
  `update counter set next = 8 where name = 'event'`,
  `insert into event_subscription values ('sub_1', 1, 'grt_1', 'cli_1', 'poll', null, 'active', '{}', 5, 5)`,
  `insert into event_subscription values ('sub_2', 2, 'grt_2', 'cli_2', 'poll', null, 'active', '{}', 5, 5)`,
  `insert into event_bookmark values ('sub_1', 'mail', 'messages', 'home', 1, 3), ('gone', 'mail', 'messages', 'home', 1, 3)`,
  `insert into subscription_event (sequence, event_id, subscription_id, type, data, at, due_at)
    values (3, 'evt_3', 'sub_2', 'pdpp.subscription.test', '{}', 1, 1),
      (7, 'evt_7', 'sub_1', 'pdpp.subscription.test', '{}', 1, 1), (6, 'evt_6', 'gone', 'x', '{}', 1, 1)`,
  `insert into event_delivery values ('sub_1', 5, 9, 'evt_5', 'pdpp.subscription.test', null, null, 200, 'ok')`,
]

test.skipIf(whyNoPostgres() !== undefined)('an older database keeps its subscriptions and their events', async () => {
  const { url, release } = await newDatabase()
  const database = new Database({ url })
  await migrate(database, MIGRATIONS.slice(0, BEFORE))
  for (const statement of OLD_ROWS) await database.run(statement)
  await database.close()
  const storage = await openPostgresStorage({ url })
  const [anna, bert] = [
    { subjectId: 'anna', subscriptionId: 'sub_1' },
    { subjectId: 'bert', subscriptionId: 'sub_2' },
  ]
  const { subscriptions } = storage
  expect(await subscriptions.find('anna', 'sub_1')).toMatchObject({ grantId: 'grt_1', status: 'active' })
  await subscriptions.addEvent(anna, { eventId: 'evt_8', type: 'pdpp.subscription.test', at: 2, data: {} })
  const heard = async (key: typeof anna) =>
    (await subscriptions.takeEvents(key, 9)).map(({ sequence, eventId }) => [sequence, eventId])
  expect(await heard(anna)).toEqual([
    [7, 'evt_7'],
    [8, 'evt_8'],
  ])
  expect(await heard(bert)).toEqual([[3, 'evt_3']])
  expect(await subscriptions.deliveries(anna)).toMatchObject([{ eventId: 'evt_5' }])
  await storage.close()
  release()
})
