import { adapter, breaksOf, hosted, server } from './break.ts'

/**
 * Breaks of texts and shapes that are changing: each has to be made to fit what they become, seen noticed, and moved to
 * the list of its subject. `npm run mutations -- --awaited` tries these, and the default run does not.
 */
export const awaited = [
  ...breaksOf('packages/mcp/src/search-hit.ts', [
    [
      '003.14.1',
      'a hit does not say its source',
      "    shortLine(hit.display_name ?? hit.connector_key ?? '', 60) || undefined,\n",
      '',
      hosted('search-and-fetch', '003.14.1'),
    ],
    [
      '000.6.1',
      'the fallback title prefers the time of arrival',
      "textOf(row['authored_at']) ?? textOf(row['sent_at']) ?? textOf(row['emitted_at'])",
      "textOf(row['emitted_at']) ?? textOf(row['authored_at']) ?? textOf(row['sent_at'])",
      adapter('other-servers', '000\\.6\\.1|003\\.16\\.1'),
    ],
    [
      '000.6.1',
      'only the opening tags of highlights are taken out',
      '/<\\/?mark>/g',
      '/<mark>/g',
      adapter('other-servers', '000\\.6\\.1|003\\.16\\.1'),
    ],
    [
      '001.1.1',
      'a cut excerpt does not say how to read on',
      'chars; read_record_field field_path=',
      'chars; field_path=',
      hosted('evidence', '001.1.1'),
    ],
    [
      '001.1.3',
      'a hit without evidence does not say how to read it',
      "['   (no text of it matches; fetch shows the record)']",
      '[]',
      hosted('evidence', '001.1.3'),
    ],
    [
      '003.19.1',
      'ids do not embed their connection',
      'if (whole && connectionId !== undefined && isName(connectionId) && isName(stream))',
      'if (whole && connectionId === null)',
      hosted('search-and-fetch', '003.19.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/search.ts', [
    [
      '000.6.1',
      'a mix of two sources is not stated',
      'if (counts.size < 2) return []',
      'if (counts.size < 3) return []',
      hosted('search-and-fetch', '000.6.1'),
    ],
    [
      '003.14.1',
      'the text does not say how to go on from a hit',
      ' Pass an id as it is to fetch, or to read_record_field with the field named.',
      '',
      hosted('search-and-fetch', '003.14.1'),
    ],
    [
      '003.14.2',
      'the envelope of the server is thinned out',
      '{ data: body, results, notice: NOTICE }',
      "{ data: { data: body['data'] }, results, notice: NOTICE }",
      hosted('search-and-fetch', '003.14.2'),
    ],
    [
      '003.8.1',
      'results have no addresses to cite',
      '({ excerpts: _excerpts, actor',
      '({ url: _url, excerpts: _excerpts, actor',
      hosted('search-and-fetch', '003.8.1'),
    ],
  ]),
  ...breaksOf('packages/server/src/search/label.ts', [
    [
      '000.6.1',
      'a title has the time of the cursor before the time of the event',
      "const times = [withRole(stream, 'event-time'), stream.consent_time_field, stream.cursor_field]",
      "const times = [stream.cursor_field, withRole(stream, 'event-time'), stream.consent_time_field]",
      hosted('search-and-fetch', '000.6.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/definitions.ts', [
    [
      '003.13.1',
      'aggregate does not explain other_count',
      'A cut list of groups has other_count (names: schema).',
      'A cut list of groups (names: schema).',
      hosted('surface', '003.13.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/read-record-field.ts', [
    [
      '001.2.3',
      'the previous part of a field is not in the text',
      '...(previous ? [`previous: ',
      '...(previous === null ? [`previous: ',
      hosted('evidence', '001.2.3'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/rendering/header.ts', [
    [
      '001.2',
      'the previous cursor is not in the text',
      "    named('previous_cursor', body['previous_cursor']),\n",
      '',
      hosted('records', 'the records around one'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/query-records.ts', [
    [
      '003.19.4',
      'around takes a connection_id that disagrees with its id',
      "recordHandle(around, args['connection_id'])",
      'recordHandle(around, undefined)',
      hosted('records', 'around'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/expand-check.ts', [
    [
      '004.5',
      'what may be expanded is looked up without the connection',
      "['stream', stream], ...parameters(call.args, 'connection_id')]",
      "['stream', stream], ...parameters({}, 'connection_id')]",
      adapter('records', 'stdio 2026-07-28.*004\\.5'),
    ],
    [
      '004.5.3',
      'what may be expanded is looked up once and kept',
      "const reply = await attempt(call, '/v1/schema', query).catch(() => undefined)",
      "const kept = globalThis as { kept?: Promise<{ status: number; body: unknown } | undefined> }\n  const reply = await (kept.kept ??= attempt(call, '/v1/schema', query).catch(() => undefined))",
      hosted('records', '004.5.3'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/schema/schema-text.ts', [
    [
      '000.5.3',
      'relations that cannot be used are offered',
      "relations.filter((relation) => relation['usable'] !== false)",
      "relations.filter((relation) => relation['usable'] !== 0)",
      hosted('schema', '000.5.3'),
    ],
  ]),
  ...breaksOf('packages/server/src/search/hit.ts', [
    [
      '001.5.1',
      'reading on from an excerpt begins at the start of the field',
      'offset_chars: excerpt.window_start_chars,',
      'offset_chars: 0,',
      server('search', '001\\.5\\.1'),
    ],
  ]),
  ...breaksOf('packages/cli/src/commands/read/hit-text.ts', [
    [
      '001.5.2',
      'the command under a hit opens the field at its beginning',
      '...recordWords(hit, field), ...from]',
      '...recordWords(hit, field)]',
      ['packages/cli/tests/read-commands.test.ts', '001\\.5\\.2'],
    ],
  ]),
]
