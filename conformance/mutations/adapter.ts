import { breaksOf, hosted, adapter as own, server } from './break.ts'

/** 003.1 to 003.9, 003.17 and 003.18: tokens, transports, metadata, schema and errors of the adapter. */
export const adapter = [
  ...breaksOf('packages/mcp/src/credentials/credential-cache.ts', [
    [
      '003.1.1',
      'the latest grant is used instead of the named one',
      'if (grantId !== undefined) return this.list(providerUrl).find(({ credential }) => grantOf(credential) === grantId)',
      'if (grantId !== undefined) return this.list(providerUrl)[0]',
      own('stdio-process', '003\\.1\\.1 every call has the token'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/transports/stdio/run-stdio.ts', [
    [
      '003.5.2',
      'the stdio command has another name than the hosted server',
      'mcpServer(entrypoint, resources, identity(entrypoint))',
      "mcpServer(entrypoint, resources, identity({ ...entrypoint, name: 'stdio' }))",
      own('surface', 'stdio 2026-07-28.*003\\.5\\.2'),
    ],
    [
      '003.1.2',
      'the adapter starts with an expired token',
      'if (!grant || isExpired(grant)) {',
      'if (!grant) {',
      own('stdio-process', '003\\.1\\.2'),
    ],
    [
      '003.1.3',
      'an owner credential in the environment is ignored',
      'if (env.ownerCredentials.length > 0) {',
      'if (env.ownerCredentials.length > 9) {',
      own('stdio-process', '000\\.3\\.1 003\\.1\\.3'),
    ],
    [
      '003.4.1',
      'diagnostics go to standard output',
      'process.stderr.write(',
      'process.stdout.write(',
      own('stdio-process', '003\\.4\\.1 stdout contains'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/list-streams/list-streams.ts', [
    [
      '003.2.1',
      'list_streams does not name the source of a stream',
      "['connection_id', 'connector_key', 'grant_id'].flatMap",
      "['grant_id'].flatMap",
      hosted('developer-tools', '003.2.1 list_streams'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/fetch-blob/fetch-blob.ts', [
    [
      '003.2.3',
      'fetch_blob drops the connection of a blob',
      "const query = Object.entries(handle).filter(([name]) => name === 'connection_id')",
      'const query: [string, string][] = []',
      hosted('developer-tools', '003.2.3'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/calling/arguments.ts', [
    [
      '003.2.2',
      'an unknown argument is ignored',
      'if (unknown.length > 0) throw unknownArguments(tool, unknown, Object.keys(properties))\n  for (const [name, value] of sent)',
      'for (const [name, value] of sent.filter(([name]) => !unknown.includes(name)))',
      hosted('records', '003.2.2 an unknown argument'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/query-records/query-records.ts', [
    [
      '003.2.2',
      'view is not passed on',
      "'count', 'view', 'changes_since')",
      "'count', 'changes_since')",
      own('records', 'stdio 2026-07-28.*003\\.2\\.2 every argument'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/calling/definition-parts.ts', [
    [
      '003.2.4',
      'a tool names connector instances',
      "description: 'picks the source'",
      "description: 'connector_instance_id of the source'",
      hosted('surface', '003.2.4'),
    ],
  ]),
  ...breaksOf('packages/server/src/grants/packages/package-authority.ts', [
    [
      '003.3.1',
      'a revoked member of a package is read and offered',
      'const refusal = grantRefusal(stored, now)\n    if (refusal) unusable',
      'const refusal = stored.revokedAt === undefined ? grantRefusal(stored, now) : undefined\n    if (refusal) unusable',
      server('grants/packages', '003\\.3\\.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/calling/failure.ts', [
    [
      '003.3',
      'errors of the server lose their code',
      "const code = textOf(found['code']) ?? ",
      'const code = ',
      own('other-servers', '003\\.3 an error'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/transports/hosted/hosted-mcp.ts', [
    [
      '003.5.1',
      'a client that accepts only JSON is refused',
      "  headers.set('accept', 'application/json, text/event-stream')\n",
      '',
      own('hosted', '003\\.5\\.1'),
    ],
  ]),
  ...breaksOf('packages/server/src/routes/mcp/endpoint.ts', [
    [
      '003.6.2',
      '/mcp accepts an owner token',
      "if (authentication.authority.kind === 'owner') {",
      "if (authentication.authority.kind === 'owner' && surface !== 'mcp') {",
      own('hosted', '003\\.6\\.2'),
    ],
    [
      '000.3.1',
      '/mcp/developer accepts an owner token',
      "if (authentication.authority.kind === 'owner') {",
      "if (authentication.authority.kind === 'owner' && surface === 'mcp') {",
      own('developer-surface', 'refuses owner tokens'),
    ],
    [
      '003.18.1',
      'the challenge names the metadata of the whole server',
      '/.well-known/oauth-protected-resource/$',
      '/.well-known/oauth-protected-resource?$',
      own('hosted', '003\\.18\\.1'),
    ],
    [
      '003.18.1',
      'the body of a challenge has no metadata URL',
      'const metadataMember = error.status === 401 ? { resource_metadata: metadata } : {}',
      'const metadataMember = {}',
      own('hosted', '003\\.18\\.1'),
    ],
    [
      '003.6.1',
      'a request without a token is not challenged',
      "c.header('WWW-Authenticate',",
      "c.header('X-Authenticate',",
      own('hosted', '003\\.6\\.1'),
    ],
    [
      '003.17.2',
      'the challenge has no link to the icon',
      "    c.header('Link',",
      "    c.header('X-Link',",
      own('hosted', '003\\.17\\.2'),
    ],
  ]),
  ...breaksOf('packages/server/src/routes/mcp/in-process-resource-server.ts', [
    [
      '003.6.3',
      'the receipt of a hosted tool does not name the surface',
      'pdppSurface: this.#surface,\n',
      '',
      hosted('hosted', '003.6.3'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/entrypoints/mcp-server.ts', [
    ['003.17.1', 'the icon has a fixed size', "sizes: ['any']", "sizes: ['48x48']", hosted('surface', '003.17.1')],
  ]),
  ...breaksOf('packages/server/src/routes/discovery.ts', [
    [
      '003.17.3',
      'metadata advertises a logo',
      "    pdpp_token_kinds_supported: ['client', 'mcp_package'],",
      "    pdpp_token_kinds_supported: ['client', 'mcp_package'],\n    logo_uri: origin,",
      own('hosted', '003\\.17\\.3'),
    ],
    [
      '003.9.1',
      'the metadata names the adapter as query base',
      '/v1`,\n    pdpp_provider_connect_version: PDPP_VERSION,\n    pdpp_self_export_supported',
      '/mcp`,\n    pdpp_provider_connect_version: PDPP_VERSION,\n    pdpp_self_export_supported',
      own('hosted', '003\\.9\\.1'),
    ],
    [
      '003.9.1',
      'the metadata of the server does not name its adapter',
      '    pdpp_agent_discovery: agentDiscovery(origin),\n',
      '',
      own('hosted', '003\\.9\\.1'),
    ],
    [
      '003.18.2',
      'the metadata of the adapter does not have its URL',
      '    pdpp_agent_discovery: discovery,\n',
      '',
      own('hosted', '003\\.18\\.2'),
    ],
    [
      '003.9.2',
      'the adapter advertises owner tokens',
      "pdpp_token_kinds_supported: ['client', 'mcp_package']",
      "pdpp_token_kinds_supported: ['owner', 'client', 'mcp_package']",
      own('hosted', '003\\.9\\.2'),
    ],
  ]),
  ...breaksOf('packages/server/src/http/request/request-origin.ts', [
    [
      '003.9.3',
      'the first of several forwarded hosts is trusted',
      "return header?.split(',').at(-1)",
      "return header?.split(',').at(0)",
      server('http/hosts-and-origins', '003\\.9\\.3'),
    ],
    [
      '003.9.3',
      'forwarded headers are trusted from any address',
      'const trusted = config.trustedProxies.length > 0 && proxies.has(peer)',
      'const trusted = true',
      server('http/hosts-and-origins', '003\\.9\\.3 never comes'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/schema/schema.ts', [
    [
      '003.7.1',
      'the compact body of the server is rebuilt',
      'bounded ? body : projectCompact(body, call.args)',
      'projectCompact(body, call.args)',
      hosted('schema', '003.7.1'),
    ],
    [
      '003.7.2',
      'a server that refuses the compact view cannot be read',
      'const body = refusesCompact(reply) ?',
      'const body = reply.status === 0 ?',
      own('other-servers', '003\\.7\\.2 a server that rejects'),
    ],
    [
      '003.7.3',
      'full detail returns the compact form',
      "await readOrThrow(call, '/v1/schema', [['detail', 'full'], ...narrowing])",
      "await readOrThrow(call, '/v1/schema', [['view', 'compact'], ...narrowing])",
      hosted('schema', '003.7.3'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/schema/compact-projection.ts', [
    [
      '003.7.2',
      'connections are repeated with every stream',
      'JSON.stringify(connections) === shared ? {} : { granted_connections: connections }',
      '{ granted_connections: connections }',
      own('other-servers', '003\\.7\\.2 a server that ignores'),
    ],
    [
      '003.7.2',
      'the fallback describes every stream although one was requested',
      ".filter((row) => args['stream'] === undefined || row['name'] === args['stream'])",
      '.filter((row) => row !== undefined)',
      own('other-servers', '003\\.7\\.2 000\\.5\\.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/calling/call-tool.ts', [
    [
      'point 42',
      'hidden characters are not escaped in structured output',
      ': escapedResult(result)\n',
      ': { ...result, content: escapedResult(result).content }\n',
      ['tests/adapter/hidden-characters.test.ts', '.'],
    ],
  ]),
  ...breaksOf('packages/mcp/src/calling/tool.ts', [
    [
      'point 37',
      'a page is read twice for one call',
      '    return render(await readOrThrow(call, path, [...query, ...measured]), false)',
      '    await readOrThrow(call, path, [...query, ...measured])\n    return render(await readOrThrow(call, path, [...query, ...measured]), false)',
      hosted('records', '000.2.3 003.6.3'),
    ],
    [
      'point 37',
      'a search is read twice for one call',
      '    return render(await readOrThrow(call, path, [...query, ...measured]), false)',
      '    await readOrThrow(call, path, [...query, ...measured])\n    return render(await readOrThrow(call, path, [...query, ...measured]), false)',
      ['tests/adapter/search-pages.test.ts', 'one tool call leaves one receipt'],
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/search/search.ts', [
    [
      'point 41',
      'an unsupported mode of search silently becomes a word search',
      'if (route) return route\n',
      "if (searchModes) return route ?? { path: '/v1/search', query: [] }\n",
      own('other-servers-schema', 'a mode of search'),
    ],
  ]),
  ...breaksOf('packages/server/src/routes/v1/search.ts', [
    [
      'point 41',
      'the server accepts a mode of search that it does not have',
      "if (mode !== undefined && mode !== 'lexical') throw",
      "if (mode === '') throw",
      server('search/search-modes', 'is refused in words'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/search/search.ts', [
    [
      '003.8.1',
      'results have no URLs',
      '    title,\n    url,\n',
      '    title,\n',
      hosted('search-and-fetch', '003.8.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/list-streams/definition.ts', [
    [
      '003.8.3',
      'list_streams has another name',
      "name: 'list_streams'",
      "name: 'streams'",
      own('developer-surface', '003\\.8\\.3'),
    ],
  ]),
]
