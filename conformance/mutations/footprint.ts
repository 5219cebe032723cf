import { adapter, breaksOf, hosted } from './break.ts'

/** 004: the size of instructions, descriptions and results, and the checks of expand. */
export const footprint = [
  ...breaksOf('packages/mcp/src/entrypoints/instructions/normal.ts', [
    [
      '004.1.1',
      'the instructions do not begin with schema',
      'Call schema first: sources',
      'Sources',
      hosted('surface', '004.1.1'),
    ],
    [
      '004.1.1',
      'the advice on filters comes after the first 512 characters',
      "  'Find with search, list with query_records; for a sum or a number use aggregate.',\n",
      "  'Find with search, list with query_records; for a sum or a number use aggregate.'.repeat(3),\n",
      hosted('surface', '004.1.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/search/definition.ts', [
    [
      '004.2.2',
      'a description does not say that the tool only reads',
      'Read-only, GET /v1/search.',
      'GET /v1/search.',
      hosted('surface', '004.2.2'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/calling/definition-parts.ts', [
    [
      '004.3.1',
      'advice is repeated from tool to tool',
      "const texts = { type: 'array', items: text } as const",
      "const texts = { type: 'array', items: text, description: 'Where several sources have the stream, pass connection_id to pick one of them.' } as const",
      hosted('surface', '004.3.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/query-records/definition.ts', [
    [
      '004.4.1',
      'structured output is called hidden',
      'as text and structured output.',
      'as text and hidden structured output.',
      hosted('surface', '004.4.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/fetch/document.ts', [
    [
      '004.4.2',
      'a document is not limited in size',
      '  if (jsonBytes(whole) <= RESULT_BYTES.default) return whole\n',
      '  if (all >= 0) return whole\n',
      adapter('budgets', 'hosted 2026-07-28.*004\\.4\\.2 results of hostile'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/calling/tool.ts', [
    [
      '004.4.2',
      'a page is not limited in size',
      'if (last || fits(result)) return result',
      'return result',
      adapter('other-servers', 'a server without byte budgets'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/query-records/query-records.ts', [
    [
      '004.5.1',
      'expand is not passed on',
      "    ...expandParameters(args['expand'] as string[] | undefined, args['expand_limit'] as Record<string, number>),\n",
      '',
      hosted('records', '004.5.1'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/query-records/expand-check.ts', [
    [
      '004.5.2',
      'expand is not checked before the request',
      'if (rows.length === 0 || isCut || rows.some((row) => relationsOf(row).length > 0)) return',
      'return',
      hosted('records', '004.5.2 expand on a stream without'),
    ],
    [
      '004.5.2',
      'expand is refused if there is no schema',
      'if (reply?.status !== 200) return',
      "if (reply?.status !== 200) throw new PdppError('invalid_expand', 'No schema.')",
      adapter('other-servers', '004\\.5\\.2'),
    ],
    [
      '004.5',
      'relations are looked up without the connection',
      "['stream', stream], ...parameters(call.args, 'connection_id')]",
      "['stream', stream], ...parameters({}, 'connection_id')]",
      adapter('records', 'stdio 2026-07-28.*004\\.5'),
    ],
    [
      '004.5.3',
      'relations are looked up once and cached',
      "const reply = await tryRead(call, '/v1/schema', query, RELATIONS_ONLY).catch(() => undefined)",
      "const kept = globalThis as { kept?: Promise<{ status: number; body: unknown } | undefined> }\n  const reply = await (kept.kept ??= tryRead(call, '/v1/schema', query, RELATIONS_ONLY).catch(() => undefined))",
      hosted('records', '004.5.3'),
    ],
  ]),
]
