import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const STORAGE = join(import.meta.dirname, '..', '..', 'packages', 'server', 'src', 'storage')

const SCAN = 'PostgreSQL chooses its indexes itself'
const THREAD = 'one thread writes to the file; PostgreSQL has a process for each connection'
const FILES = 'files of a data directory'
const TABLES = 'each stream has its own table; PostgreSQL has fixed tables with slots'
const OLD = 'changes data of older versions, which PostgreSQL never had'
const BATCH = 'rows are written together, with one statement of a kind'

/** Files of one store that the other one does not have, with the reason. A folder stands for all files in it. */
const ONLY_SQLITE: Readonly<Record<string, string>> = {
  'aggregates/aggregate-index.ts': SCAN,
  'aggregates/aggregate-occupied.ts': 'in aggregate-time.ts, as one statement',
  'aggregates/aggregate-total.ts': 'sums of PostgreSQL do not overflow, so there is one way to add',
  'engine/handle.ts': 'one connection with its statements and what is known until the next write; session.ts there',
  'engine/long-reads.ts': 'long reads of a thread; in PostgreSQL the server does them, and threads only search',
  'engine/migrations': 'numbers of migrations differ, because PostgreSQL began later',
  'engine/read-ahead.ts': 'a commit makes every connection to the file forget its pages; PostgreSQL shares them',
  'engine/schema-table.ts': TABLES,
  'engine/writing': THREAD,
  installation: FILES,
  'receipts/checkpoints.ts': FILES,
  'records/page-index.ts': SCAN,
  'records/page-plan.ts': 'in page-reader.ts, because the statement is short there',
  'records/record-brief.ts': 'columns of a record in PostgreSQL, which keeps long values outside of its rows',
  'records/record-set.ts': 'in words/searched-feeds.ts, which reads the sets before the ranking',
  'records/stream-table.ts': TABLES,
  'upkeep/purge-worker.ts': FILES,
  'upkeep/purge.ts': FILES,
  'upkeep/snapshot-blobs.ts': FILES,
  'upkeep/snapshot.ts': FILES,
  'words/beginning-cache.ts': 'in word-index-reader.ts, which reads what a ranking misses with one statement',
  'words/index-check.fixture.ts': FILES,
  'words/loaded-segment.ts': 'in word-index-reader.ts',
  'words/long-texts.ts': OLD,
  'words/open-indexes.ts': 'in search-run.ts; here the bench opens indexes too, without the rest of a search',
  'words/places-cache.ts': 'in word-index-reader.ts, which reads what a ranking misses with one statement',
  'words/posting-cache.ts': 'in word-index-reader.ts, which reads what a ranking misses with one statement',
  'words/plans/kept-plans.ts': 'in search-plan.ts, which compares the epochs of the owner instead of a counter',
  'words/stored-words.ts': 'in word-index-reader.ts, which reads what a ranking misses with one statement',
}

const ONLY_POSTGRES: Readonly<Record<string, string>> = {
  'access/grant-changes.ts': 'the part of grant-store.ts that needs transactions',
  'blobs/blob-batch.ts': BATCH,
  'engine/binary-list.ts': 'lists of values cross in the binary form of PostgreSQL',
  'engine/migrations': 'numbers of migrations differ, because PostgreSQL began later',
  'engine/open-transaction.ts': 'statements of a transaction are sent without waiting for each answer',
  'engine/pg-text.ts': 'texts with NUL are stored in other characters',
  'engine/pg-values.ts': 'values cross as text',
  'engine/session.ts': 'a connection, or any of them; handle.ts there',
  'engine/statement.ts': 'statements are named when they are prepared',
  installation:
    'owners have numbers and an epoch, and a database server may be too old, read-only, a standby or in use',
  'records/batch-rows.ts': BATCH,
  'records/change-log.ts': BATCH,
  'records/record-batch.ts': BATCH,
  'records/slots.ts': TABLES,
}

const filesOf = (store: string): string[] =>
  readdirSync(join(STORAGE, store), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(STORAGE, store).length + 1))

test.each([
  ['sqlite', 'postgres', ONLY_SQLITE],
  ['postgres', 'sqlite', ONLY_POSTGRES],
])('every file of storage/%s has its twin in storage/%s, or a reason', (store, other, exceptions) => {
  const twins = new Set(filesOf(other))
  const alone = filesOf(store).filter((file) => !twins.has(file))
  const reasonOf = (file: string) =>
    Object.keys(exceptions).find((name) => file === name || file.startsWith(`${name}/`))
  expect(alone.filter((file) => reasonOf(file) === undefined)).toEqual([])
  // Reasons that nothing needs any more.
  const used = new Set(alone.map(reasonOf))
  expect(Object.keys(exceptions).filter((name) => !used.has(name))).toEqual([])
})
