import { adapter, breaksOf, hosted, server } from './break.ts'

const stdio = (id: string) => adapter('records', `stdio 2026-07-28.*${id.replaceAll('.', '\\.')}`)

/** 003.10 to 003.16 and 003.19: the arguments and the results of the tools. */
export const tools = [
  ...breaksOf('packages/mcp/src/calling/definition-parts.ts', [
    [
      '003.10.1',
      'the definition of filter allows a string',
      "const filter = {\n  type: 'object',",
      "const filter = {\n  type: ['object', 'string'],",
      hosted('surface', '003.10.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/aggregate/definition.ts', [
    [
      '003.13.1',
      'aggregate does not explain other_count',
      ' other_count above 0 means that there are more groups than shown.',
      '',
      hosted('surface', '003.13.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/calling/typed-arguments.ts', [
    [
      '003.10.2',
      'an exact filter is sent as a bare parameter',
      '`, String(condition)]]',
      '`.slice(0, 6), String(condition)]]',
      stdio('003.10.2'),
    ],
    [
      '003.10.3',
      'the operator of a range is lost',
      '`, String(bound)]',
      "`.replace(/\\[\\w+\\]$/, ''), String(bound)]",
      stdio('003.10.3'),
    ],
    [
      '003.10.4',
      'a filter given as a string is accepted',
      'if (!isObject(value)) throw badFilter(',
      "if (!isObject(value) && typeof value !== 'string') throw badFilter(",
      stdio('003.10.4'),
    ],
    [
      '003.10.5',
      'an empty filter is accepted',
      "if (entries.length === 0) throw badFilter('filter is empty.')",
      '',
      stdio('003.10.5'),
    ],
    [
      '003.10.5',
      'a key with brackets is sent unchanged',
      "if (field === '' || /[[\\]]/.test(field))",
      "if (field === '')",
      stdio('003.10.5'),
    ],
    [
      '003.11.1',
      'limits are sent as a bare parameter',
      '      `expand_limit[',
      '      `expand_limit`, // [',
      stdio('003.11.1'),
    ],
    [
      '003.11.3',
      'empty limits are accepted',
      "if (entries.length === 0) throw badExpand('expand_limit is empty.')",
      '',
      stdio('003.11.3'),
    ],
    [
      '003.11.3',
      'a relation with brackets is sent unchanged',
      "if (relation === '' || /[[\\]]/.test(relation))",
      "if (relation === '')",
      stdio('003.11.3'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/fetch/fetch.ts', [
    [
      '003.8.2',
      'a document does not have the id that was fetched',
      'const id = idOf(handle, connectionId)',
      'const id = idOf(handle, undefined)',
      hosted('search-and-fetch', '003.8.2'),
    ],
    [
      '003.11.2',
      'fetch does not send the limits of relations',
      "args['expand_limit'] as Record<string, number>),\n    ...(maxBytes",
      'undefined),\n    ...(maxBytes',
      hosted('records', '003.11.2'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/aggregate/aggregate.ts', [
    [
      '003.10.6',
      'aggregate does not send its filter',
      '    ...filterParameters(filter),\n',
      '',
      hosted('records', '003.10.6 003.12.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/aggregate/aggregate-text.ts', [
    [
      '003.12.1',
      'the text of an aggregate does not name the stream',
      "shortLine(String(body['stream']), 100)",
      "''",
      hosted('records', '003.12.1'),
    ],
    [
      '003.12.2',
      'groups are not in the text',
      '    ...groups.map((group) => groupLine(body, group)),\n',
      '',
      hosted('records', '003.12.2'),
    ],
    [
      '003.13.2',
      'a cut list of groups looks complete',
      "if (typeof other !== 'number') return ''",
      "if (typeof other !== 'string') return ''",
      hosted('records', '003.13.2'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/fetch/document.ts', [
    [
      '003.15.2',
      'the title is not read from the data inside a record',
      "['title', 'name', 'subject', 'summary'].map((name) => textOf(data[name])).find(Boolean)",
      'undefined',
      adapter('other-servers', '003\\.15\\.2'),
    ],
    [
      '003.15.1',
      'a document does not say which source it is from',
      "    ...copied(record, 'connector_key', 'display_name', 'emitted_at'),\n",
      '',
      hosted('search-and-fetch', '003.15.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/search/hit-text.ts', [
    [
      '003.14.1',
      'a hit does not name its source',
      '    isMixed ? sourceName(hit) : undefined,\n',
      '',
      hosted('search-and-fetch', '000.6.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/search/search-hit.ts', [
    [
      '003.19.1',
      'ids do not embed their connection',
      'if (whole && connectionId !== undefined && isName(connectionId) && isName(stream))',
      'if (whole && connectionId === null)',
      adapter('other-servers', '003\\.16\\.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/search/search-text.ts', [
    [
      '003.14.1',
      'the text does not say how to read a hit',
      ' fetch an id as shown; connection_id only where shown.',
      '',
      hosted('search-and-fetch', '003.14.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/search/search.ts', [
    [
      '003.14.2',
      "the structured output loses members of the server's answer",
      '{ data: body, results, notice: NOTICE }',
      "{ data: { data: body['data'] }, results, notice: NOTICE }",
      hosted('search-and-fetch', '003.14.2'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/resource-server/envelope.ts', [
    [
      '003.16.1',
      'hits in data.results[] are not found',
      "[data, inner['results'], inner['data'], body['results']]",
      "[data, inner['data'], body['results']]",
      adapter('other-servers', '003\\.16\\.1'),
    ],
    [
      '003.16.1',
      'hits in data.data[] are not found',
      "[data, inner['results'], inner['data'], body['results']]",
      "[data, inner['results'], body['results']]",
      adapter('other-servers', '003\\.16\\.1'),
    ],
  ]),
  ...breaksOf('packages/server/src/search/query/search-targets.ts', [
    [
      '003.16.2',
      'a member is searched in streams outside its grant',
      'visibleStreams(source.authority, source.declaration).map(',
      'source.declaration.streams.map(',
      server('search/package-search', '003\\.16\\.2'),
    ],
    [
      '003.16.3',
      'a member that has none of the streams is read',
      'const searched = known.filter(({ name }) => isRequested(name))',
      'const searched = known',
      server('search/package-search', '003\\.16\\.3'),
    ],
    [
      '000.6.2',
      'a search of one connection finds records of others',
      'if (connectionId === undefined) return [scope]',
      'if (connectionId !== null) return [scope]',
      hosted('search-and-fetch', '000.6.2'),
    ],
  ]),
  ...breaksOf('packages/server/src/routes/v1/search.ts', [
    [
      '003.16.4',
      'a search of one connection reads all members',
      'connectionId: query.connectionId,',
      'connectionId: undefined,',
      server('search/package-search', '003\\.16\\.4'),
    ],
  ]),
  ...breaksOf('packages/protocol/src/record-id.ts', [
    [
      '003.19.2',
      'keys are not encoded inside an id',
      'PLAIN.test(recordKey) ? recordKey : recordKey.replace(ESCAPED, encodeURIComponent)',
      'recordKey',
      hosted('search-and-fetch', 'records with unusual keys'),
    ],
    [
      '003.19.5',
      'a raw separator in a key is accepted',
      '|| /[/\\\\]/.test(encoded)) throw malformed(text)',
      ') throw malformed(text)',
      hosted('search-and-fetch', '003.19.5'),
    ],
    [
      '003.19.3',
      'a legacy id is decoded',
      "const recordKey = colon === -1 ? '' : text.slice(colon + 1)\n  if (!isName(stream) ||",
      "const recordKey = colon === -1 ? '' : decodeURIComponent(text.slice(colon + 1))\n  if (!isName(stream) ||",
      ['packages/protocol/src/record-id.test.ts', 'legacy'],
    ],
  ]),
  ...breaksOf('packages/mcp/src/calling/record-handle.ts', [
    [
      '003.19.3',
      'connection_id does not scope a legacy id',
      'connectionId: parsed.connectionId ?? (connectionId as string | undefined),',
      'connectionId: parsed.connectionId,',
      hosted('search-and-fetch', '003.19.3'),
    ],
    [
      '003.19.4',
      'an id and a connection_id may disagree',
      '&& parsed.connectionId !== connectionId) {',
      '&& parsed.connectionId === undefined) {',
      hosted('search-and-fetch', '003.19.4'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/query-records/query-records.ts', [
    [
      '003.19.4',
      'around accepts a connection_id that disagrees with its id',
      "recordHandle(around, args['connection_id'])",
      'recordHandle(around, undefined)',
      hosted('handles', '003.19.4'),
    ],
  ]),
]
