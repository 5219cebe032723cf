import { adapter, breaksOf, hosted, server } from './break.ts'

/** 000: the normal surface, which every agent gets. */
export const normalSurface = [
  ...breaksOf('packages/mcp/src/transports/stdio/options.ts', [
    [
      '000.1.2',
      'an unknown flag that chooses a profile is accepted',
      '      args: [...args],\n',
      '      args: [...args],\n      strict: false,\n',
      adapter('stdio-process', '000\\.1\\.2 it has flags'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/hosts/terminal-hosts.ts', [
    [
      '000.1.1',
      'the setup of one client uses the developer server',
      "'--transport', 'http', '--scope', 'user', name, entry.url])}",
      "'--transport', 'http', '--scope', 'user', name, entry.url.concat('/developer')])}",
      ['packages/cli/tests/setup.test.ts', 'claude-code'],
    ],
  ]),
  ...breaksOf('packages/mcp/src/entrypoints/normal.ts', [
    [
      '000.2.1',
      'a developer tool is listed on the normal surface',
      '  definitions: TOOLS,',
      "  definitions: [...TOOLS, { ...TOOLS[0], name: 'list_streams' }],",
      hosted('surface', '000.2.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/fetch/definition.ts', [
    [
      '000.2.2',
      'fetch no longer accepts connection_id',
      "input({ id: text, connection_id, fields: texts, expand: texts, expand_limit }, 'id')",
      "input({ id: text, fields: texts, expand: texts, expand_limit }, 'id')",
      hosted('surface', '000.2.2'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/query-records/definition.ts', [
    [
      '000.4.1',
      'the tool list grows beyond its budget',
      "sort: { type: 'string', description: 'field or -field' },",
      "sort: { type: 'string', description: 'field or -field '.repeat(40) },",
      ['packages/mcp/src/entrypoints/definitions.test.ts', '000\\.4\\.1'],
    ],
  ]),
  ...breaksOf('packages/mcp/src/resource-server/http-resource-server.ts', [
    [
      '000.2.3',
      'a refused read is retried',
      'if (reply.status !== 401 || isAboutReach(errorCode(reply))) return reply',
      'if (reply.status === 403) return this.#asAgent(read, bearer, answer)\n    if (reply.status !== 401 || isAboutReach(errorCode(reply))) return reply',
      adapter('records', 'stdio 2026-07-28.*000\\.2\\.3 a refused'),
    ],
    [
      '000.3.1',
      'the kind of a token is not checked before its first read',
      'if (this.#forAgents && bearer !== this.#checked) {',
      "if (this.#forAgents && bearer === '') {",
      adapter('token-kind', '000\\.3\\.1'),
    ],
    [
      '000.3.1',
      'an owner token is used although a header of the answer names its kind',
      "if (kinds.includes('owner')) throw ownerToken()",
      '',
      adapter('token-kind', '000\\.3\\.1 .*header'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/resource-server/token-kind.ts', [
    [
      '000.3.1',
      'an owner token is used if the server does not name its kind',
      "if (owners.status < 300 && typeof owners.body === 'object') throw ownerToken()",
      '',
      adapter('token-kind', '000\\.3\\.1 if no kind'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/config/env.ts', [
    [
      '000.3.1',
      'the adapter starts with an owner session cookie in the environment',
      "['PDPP_OWNER_TOKEN', 'PDPP_OWNER_SESSION_COOKIE', 'PDPP_OWNER_PASSWORD']",
      "['PDPP_OWNER_TOKEN', 'PDPP_OWNER_PASSWORD']",
      adapter('stdio-process', '000\\.3\\.1 003\\.1\\.3'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/transports/stdio/run-stdio.ts', [
    [
      '000.3.1',
      'the adapter starts with an owner credential from the cache',
      'if (isOwnerCredential(grant.credential)) {',
      'if (isOwnerCredential(grant.credential) && options.grant === "none") {',
      adapter('stdio-process', '000\\.3\\.1 an owner credential in the cache'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/schema/index-text.ts', [
    [
      '000.5.1',
      'the index names only the first 190 streams of a connector',
      "named.join(', ')}`\n}",
      "named.slice(0, 190).join(', ')}`\n}",
      adapter('other-schemas', '000\\.5\\.1'),
    ],
    [
      '000.5.1',
      'the index does not say what to call next',
      ' Next: schema with stream for fields and filters, or search.',
      '',
      hosted('schema', '000.5.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/schema/schema-text.ts', [
    [
      '000.5.2',
      'only the first source of a shared stream is described',
      '    ...rows.flatMap(({ connector, row }) => streamLines(connector, row)),\n    legendLine(body),',
      '    ...rows.slice(0, 1).flatMap(({ connector, row }) => streamLines(connector, row)),\n    legendLine(body),',
      hosted('schema', '000.5.2'),
    ],
    ['000.5.3', 'relations are missing in the text of a stream', 'expand: $', 'expand: ', hosted('schema', '000.5.3')],
    [
      '000.5.3',
      'relations that cannot be used are offered',
      "relations.filter((relation) => relation['usable'] !== false)",
      "relations.filter((relation) => relation['usable'] !== 0)",
      hosted('schema', '000.5.3'),
    ],
    ['000.5.4', 'flags come without a legend', '    legendLine(body),\n', '', hosted('schema', '000.5.4')],
  ]),
  ...breaksOf('packages/mcp/src/tools/schema/schema.ts', [
    [
      '000.5.5',
      'full detail of all streams is requested from the server',
      '  if (stream === undefined) {\n    throw',
      "  if (stream === '') {\n    throw",
      hosted('schema', '000.5.5'),
    ],
    [
      '000.5.6',
      'a full schema of another server may have two sources',
      '  requireOne(call, whole, stream)\n',
      '',
      adapter('other-schemas', '000\\.5\\.6'),
    ],
    [
      '000.5.6',
      'rows that another server repeats are shown twice',
      "return body['connectors'] === undefined ? { ...body, streams } : body",
      'return { ...body, streams }',
      adapter('other-schemas', '000\\.5\\.6'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/rendering/header.ts', [
    [
      '000.5.7',
      'the bookmark of changes is not in the text',
      "    named('next_changes_since', body['next_changes_since']),\n",
      '',
      hosted('records', '000.5.7'),
    ],
    [
      '000.5.7',
      'the cursor is not in the text',
      "    named('next_cursor', body['next_cursor']),\n",
      '',
      hosted('records', '000.5.7'),
    ],
    [
      '000.5.7',
      'the count is not in the text',
      'countOf(body) === undefined ?',
      'countOf(body) !== null ?',
      hosted('records', '000.5.7'),
    ],
    [
      '001.2',
      'the previous cursor is not in the text',
      "    named('previous_cursor', body['previous_cursor']),\n",
      '',
      hosted('handles', 'the cursors of a page around a record'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/search/source-mix.ts', [
    [
      '000.6.1',
      'the text does not say that hits are from two sources',
      'return this.#sources.length > 1\n',
      'return this.#sources.length > 2\n',
      ['packages/mcp/src/tools/search/source-mix.test.ts', '000\\.6\\.1'],
    ],
    [
      '000.6.1',
      'the text does not distinguish two sources with the same name',
      'isShared ? hit.connectionId : undefined',
      'undefined',
      ['packages/mcp/src/tools/search/source-mix.test.ts', '000\\.6\\.1'],
    ],
  ]),
  ...breaksOf('packages/protocol/src/declaration/authored-time.ts', [
    [
      '000.6.1',
      'a generated title has the time of arrival',
      '(isIngestionTime(name) ? AUTHORED.length : undefined)',
      '(isIngestionTime(name) ? -1 : undefined)',
      adapter('other-servers', '003\\.16\\.1'),
    ],
  ]),
  ...breaksOf('packages/server/src/records/authored-time.ts', [
    [
      '000.6.1',
      'a title has the time of the cursor instead of the time of the event',
      '    ...authored,\n    ...declared.filter((name) => !isIngestionTime(name)),\n',
      '    ...declared,\n    ...authored,\n',
      server('reads/authored-time', '000\\.6\\.1'),
    ],
    [
      '000.6.1',
      'a title has the time at which a copy was made',
      '    ...declared.filter((name) => !isIngestionTime(name)),\n',
      '    ...times.filter(isIngestionTime),\n',
      server('reads/authored-time', '000\\.6\\.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/search/search-hit.ts', [
    [
      '000.6.1',
      'only the opening tags of highlights are removed',
      '/<\\/?mark>/g',
      '/<mark>/g',
      adapter('other-servers', '003\\.16\\.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/fetch/fetch.ts', [
    [
      '000.7.1',
      'fetch returns the record in addition to the document',
      'return toolResult(JSON.stringify(document), { ...document })',
      'return toolResult(JSON.stringify(document), { ...document, data: record })',
      hosted('search-and-fetch', '000.7.1'),
    ],
    [
      '000.7.1',
      'the text of fetch is not the document',
      'return toolResult(JSON.stringify(document), { ...document })',
      'return toolResult(document.text, { ...document })',
      hosted('search-and-fetch', '000.7.1'),
    ],
    [
      '000.7.2',
      'fetch requests every field',
      "[['fields', fields.join(',')] as [string, string]]",
      '[]',
      hosted('search-and-fetch', '000.7.2'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/query-records/query-records.ts', [
    [
      '000.7.3',
      'query_records requests every field',
      "[['fields', (args['fields'] as string[]).join(',')] as [string, string]]",
      '[]',
      hosted('records', '000.7.3'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/calling/failure.ts', [
    [
      '000.8.1',
      'the possible connections do not name their grant',
      "['connection_id', 'connector_key', 'grant_id'].flatMap",
      "['connection_id', 'connector_key'].flatMap",
      adapter('packages', '000\\.8\\.1 a read without'),
    ],
    [
      '000.8.1',
      'a cut list of connections does not name schema',
      "total > shown.length ? '; schema lists all' : ''",
      "''",
      adapter('packages', '000\\.8\\.1 an error lists'),
    ],
    [
      '000.8.1',
      'the error does not say which argument to retry with',
      "...(asked === undefined ? {} : { retry_with: typeof asked === 'string' ? asked : 'connection_id' }),",
      '',
      adapter('packages', '000\\.8\\.1 a read without'),
    ],
  ]),
]
