import { breaksOf, server } from './break.ts'

const worlds = server('hidden-worlds/nothing-hidden-shows', 'keeps every byte')
const contract = (names: string) => ['packages/server/src/storage/sqlite/contract.test.ts', names] as const

/** Hidden data changes no byte of any answer. */
export const hidden = [
  ...breaksOf('packages/server/src/storage/sqlite/records/last-change.ts', [
    [
      'point 38',
      'freshness under a grant changes with every write',
      "if (rows.scope.usable === 'all') return feeds.map",
      'if (rows.scope.usable) return feeds.map',
      worlds,
    ],
    [
      'point 38',
      'freshness under a grant changes with writes of hidden fields',
      "touchesSql(layout, scope.usable, 'l')",
      '1',
      worlds,
    ],
  ]),
  ...breaksOf('packages/server/src/records/paging/packed-position.ts', [
    [
      'checklist 16',
      'the length of cursors shows the number of hidden records',
      "  bytes.writeUIntBE(number, 0, NUMBER_BYTES)\n  return bytes.toString('base64url')",
      '  return number as unknown as string',
      server('grants/hidden-records', 'a cursor is as long'),
    ],
    [
      'checklist 16',
      'the length of bookmarks shows the number of hidden writes',
      "  return bytes.toString('base64url')\n}\n\nexport function unpackPositions",
      '  return positions.flatMap(({ feed, version }) => [feed, version]) as unknown as string\n}\n\nexport function unpackPositions',
      worlds,
    ],
  ]),
  ...breaksOf('packages/server/src/storage/sqlite/records/change-reader.ts', [
    [
      'checklist 16',
      'the removal of a record is reported several times',
      'and not exists (select 1 from tombstone h where',
      'and 9 > (select count(*) from tombstone h where',
      contract('reports once that a record left'),
    ],
    [
      'checklist 16',
      'the deletion of a hidden record is reported',
      "const wasVisible = joinConditions(tombstoneConditions(scope, 'g'))",
      "const wasVisible = { sql: '1', values: [] as number[] }",
      server('reads/changes-since', 'tells of deletions'),
    ],
  ]),
  ...breaksOf('packages/server/src/storage/sqlite/records/parent-reader.ts', [
    [
      'point 5',
      'a parent record is shown although the grant hides it',
      'recordConditions(parents.scope, layout)',
      'recordConditions({ ...parents.scope, time: undefined, resources: undefined }, layout)',
      server('reads/belongs-to', 'a parent that the grant hides'),
    ],
  ]),
  ...breaksOf('packages/server/src/routes/oauth/engine.ts', [
    [
      'point 35',
      'a pushed request shows whether the owner has a source',
      "const form = await withStartingClient(context, await formBody(c), c.get('requestOrigin').origin)\n    return answer(c, await passOn(context, c, { form }))",
      `const form = await withStartingClient(context, await formBody(c), c.get('requestOrigin').origin)
    const here = new Set((await context.storage.sources.list(OWNER)).map(({ source }) => source.id))
    const asked = JSON.parse(form.get('authorization_details') ?? '[]') as { source: { id: string } }[]
    if (asked.some(({ source }) => !here.has(source.id)))
      throw new PdppError('invalid_authorization_details', 'There is no such source.')
    return answer(c, await passOn(context, c, { form }))`,
      server('oauth/shape-only', 'every door answers the same'),
    ],
  ]),
]
