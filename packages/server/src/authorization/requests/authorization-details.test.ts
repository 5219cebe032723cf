import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireDeclaration } from '@pdpp/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { verifies } from '../../../../../tests/fixtures/verifies.ts'
import { resolveSelection } from '../../grants/selection.ts'
import { declaration as journal, SUBJECT, seed } from '../../storage/contract/contract.fixture.ts'
import { openSqliteStorage } from '../../storage/sqlite/storage.ts'
import { isTraining, parseAuthorizationDetails } from './authorization-details.ts'
import { resolveDetails } from './requested-access.ts'

async function storage() {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-details-'))
  const opened = openSqliteStorage(directory)
  onTestFinished(async () => {
    await opened.close()
    rmSync(directory, { recursive: true, force: true })
  })
  await seed(opened, ['home', 'work'])
  const [entries, comments, events] = journal.streams
  const views = [{ id: 'short', fields: ['id', 'title'] }]
  const selection_presets = [{ id: 'moods', streams: [{ name: 'entries', fields: ['mood'] }] }]
  const declaration = requireDeclaration({
    ...journal,
    declaration_version: '2',
    streams: [{ ...entries, views }, comments, events],
    selection_presets,
  })
  await opened.sources.declare(SUBJECT, declaration)
  return opened
}

const detail = (changes: Record<string, unknown> = {}) => ({
  type: 'https://pdpp.dev/data-access',
  source: { id: 'https://tests.example/journal' },
  purpose_code: 'https://pdpp.dev/purpose/agent_context',
  access_mode: 'continuous',
  streams: [{ name: 'entries' }],
  ...changes,
})

async function whatIsHere(...details: unknown[]) {
  return resolveDetails(await storage(), SUBJECT, parseAuthorizationDetails(JSON.stringify(details)))
}

async function resolved(...details: unknown[]) {
  const { requested, missing } = await whatIsHere(...details)
  expect(missing).toEqual([])
  const [first] = requested
  return resolveSelection(first!.declaration, first!.selection)
}

test('wildcards, presets and views resolve to current streams and fields', async () => {
  const all = await resolved(detail({ streams: [{ name: '*' }] }))
  expect(all.map(({ name }) => name)).toEqual(['entries', 'comments', 'events'])
  const preset = await resolved(detail({ streams: undefined, selection_preset: 'moods' }))
  expect(preset).toEqual([{ name: 'entries', instance_ids: ['home', 'work'], fields: ['id', 'at', 'mood'] }])
  const view = await resolved(detail({ streams: [{ name: 'entries', view: 'short' }] }))
  expect(view[0]!.fields).toEqual(['id', 'at', 'title'])
})

test('each stream keeps its own time, connections and records', async () => {
  const streams = [
    { name: 'entries', time_range: { since: '2026-01-01' }, instance_ids: ['work'], necessity: 'required' },
    { name: 'events', resources: ['a'], instance_ids: ['home'] },
  ]
  expect(await resolved(detail({ streams }))).toEqual([
    expect.objectContaining({
      name: 'entries',
      instance_ids: ['work'],
      time_constraint: { field: 'at', since: '2026-01-01' },
    }),
    expect.objectContaining({ name: 'events', instance_ids: ['home'], resources: ['a'] }),
  ])
})

test.each<[string, unknown]>([
  ['not JSON', '{'],
  ['not a list', '{}'],
  ['an empty list', []],
  ['too many', Array.from({ length: 9 }, () => detail())],
  ['another type', [detail({ type: 'https://other.example' })]],
  ['an unknown member', [detail({ extra: 1 })]],
  ['an unknown member of a stream', [detail({ streams: [{ name: 'entries', limit: 1 }] })]],
  ['a relative source', [detail({ source: { id: 'journal' } })]],
  ['no purpose', [detail({ purpose_code: undefined })]],
  ['a purpose that is no URI', [detail({ purpose_code: 'research' })]],
  ['another access mode', [detail({ access_mode: 'forever' })]],
  ['streams and a preset', [detail({ selection_preset: 'moods' })]],
  ['neither streams nor a preset', [detail({ streams: undefined })]],
  ['no stream', [detail({ streams: [] })]],
  ['a stream twice', [detail({ streams: [{ name: 'entries' }, { name: 'entries' }] })]],
  ['fields and a view', [detail({ streams: [{ name: 'entries', view: 'short', fields: ['id'] }] })]],
  ['a wildcard among others', [detail({ streams: [{ name: '*' }, { name: 'entries' }] })]],
  ['a wildcard with fields', [detail({ streams: [{ name: '*', fields: ['id'] }] })]],
  ['an invalid time range', [detail({ streams: [{ name: 'entries', time_range: { since: 'soon' } }] })]],
  ['an invalid record key', [detail({ streams: [{ name: 'entries', resources: ['..'] }] })]],
  ['an invalid retention', [detail({ retention: { max_duration: 'P', on_expiry: 'delete' } })]],
  ['a connection in two details', [detail(), detail({ streams: [{ name: 'events' }] })]],
  [
    'two access modes',
    [
      detail({ streams: [{ name: 'entries', instance_ids: ['home'] }] }),
      detail({ access_mode: 'single_use', streams: [{ name: 'events', instance_ids: ['work'] }] }),
    ],
  ],
])('RFC 9396 section 5: %s is refused', (_name, input) => {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  expect(() => parseAuthorizationDetails(text)).toThrow(
    expect.objectContaining({ code: 'invalid_authorization_details' }),
  )
})

verifies.each<[string, unknown, string[], string[]]>('point 35', [
  ['a source', detail({ source: { id: 'https://tests.example/none' } }), [], ['The source https://tests.example/none']],
  [
    'a kind of source',
    detail({ source: { id: 'https://tests.example/journal', kind: 'device' } }),
    [],
    ['The source https://tests.example/journal'],
  ],
  [
    'a stream next to one that exists',
    detail({ streams: [{ name: 'nothing' }, { name: 'events' }] }),
    ['events'],
    ['Journal: the stream "nothing"'],
  ],
  [
    'a field next to one that exists',
    detail({ streams: [{ name: 'entries', fields: ['mood', 'nothing'] }] }),
    ['entries'],
    ['Journal: the field "nothing" of "entries"'],
  ],
  [
    'every field',
    detail({ streams: [{ name: 'entries', fields: ['nothing'] }] }),
    [],
    ['Journal: the field "nothing" of "entries"'],
  ],
  [
    'a view',
    detail({ streams: [{ name: 'entries', view: 'nothing' }] }),
    [],
    ['Journal: "entries" has no view "nothing".'],
  ],
  [
    'an account next to one that exists',
    detail({ streams: [{ name: 'entries', instance_ids: ['home', 'nowhere'] }] }),
    ['entries'],
    ['Journal: the account "nowhere" of "entries"'],
  ],
  ['a preset', detail({ streams: undefined, selection_preset: 'nothing' }), [], ['Journal: the preset "nothing"']],
  [
    'a time to limit by in one of all streams',
    detail({ streams: [{ name: '*', time_range: { since: '2026-01-01' } }] }),
    ['entries', 'comments'],
    ['Journal: The stream "events" has no time field, so it cannot be limited by time.'],
  ],
])('what is not here is told to the owner alone: %s', async (_name, asked, here, missing) => {
  const found = await whatIsHere(asked)
  expect(found.requested.flatMap(({ selection }) => selection.streams!.map(({ name }) => name))).toEqual(here)
  expect(found.missing).toEqual(missing)
})

test('a source without connections counts as missing', async () => {
  const opened = await storage()
  const bare = { ...journal, source: { kind: 'connector', id: 'https://tests.example/bare' }, connector_key: 'bare' }
  await opened.sources.declare(SUBJECT, requireDeclaration(bare))
  const asked = parseAuthorizationDetails([detail({ source: bare.source })])
  const found = await resolveDetails(opened, SUBJECT, asked)
  expect(found).toEqual({ requested: [], missing: ['The source https://tests.example/bare'] })
})

test('recognises AI training in any spelling of the purpose', () => {
  const base = 'https://pdpp.dev/purpose/ai_training'
  const spelt = [base, `${base}/`, `${base}#x`, `${base}?x`, base.replace('https', 'HTTPS'), base.replace('_', '%5F')]
  for (const code of [...spelt, base.replace('ai_training', 'AI_Training')])
    expect([code, isTraining(code)]).toEqual([code, true])
  for (const code of [
    'https://pdpp.dev/purpose/research',
    `${base}_not`,
    'https://other.example/purpose/ai_training',
    'urn:x:y',
  ])
    expect([code, isTraining(code)]).toEqual([code, false])
})
