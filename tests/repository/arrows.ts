/**
 * For every folder below `packages/<name>/src`, the folders that it may import, types included. A file directly in
 * `src` counts as a folder of its own. Add a new arrow here, and a test says at once if it closes a cycle.
 */
export const ARROWS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  protocol: {
    text: '',
    'record-schema': 'text',
    errors: '',
    'names.ts': 'errors',
    'grant.ts': '',
    'access-sentence.ts': '',
    'grant-algebra.ts': 'grant.ts text',
    'budgets.ts': '',
    'wire.ts': '',
    'cursor.ts': 'errors',
    'record-key.ts': 'errors text',
    'result-id.ts': 'errors names.ts record-key.ts',
    declaration: 'errors names.ts record-schema',
    'blob-reference.ts': 'declaration',
    'reading.ts':
      'blob-reference.ts budgets.ts declaration errors names.ts record-key.ts record-schema result-id.ts text',
    'index.ts':
      'access-sentence.ts blob-reference.ts budgets.ts cursor.ts declaration errors grant-algebra.ts grant.ts names.ts record-key.ts record-schema result-id.ts text wire.ts',
  },
  importers: {
    'notice.ts': '',
    'refusal.ts': '',
    'refusal-text.ts': 'refusal.ts',
    'importer.ts': 'notice.ts',
    text: '',
    reading: 'importer.ts refusal.ts text',
    files: 'importer.ts reading',
    planning: 'importer.ts notice.ts refusal.ts',
    models: 'importer.ts reading text',
    table: 'importer.ts notice.ts planning reading refusal.ts',
    formats: 'importer.ts models notice.ts planning reading refusal.ts table text',
    'importers.ts': 'formats importer.ts',
    run: 'files importer.ts importers.ts notice.ts reading refusal.ts',
    'index.ts': 'files importer.ts importers.ts notice.ts reading refusal-text.ts refusal.ts run table',
  },
  demo: {
    'random.ts': '',
    'clock.ts': '',
    'cast.ts': '',
    'sites.ts': '',
    'types.ts': '',
    scenes: '',
    words: 'sites.ts',
    files: 'random.ts',
    'grammar.ts': 'random.ts words',
    'season.ts': 'grammar.ts random.ts words',
    'scene-script.ts': 'grammar.ts random.ts',
    'story-beat.ts': 'cast.ts random.ts',
    'story-facts.ts': 'clock.ts random.ts story-beat.ts types.ts',
    'story-script.ts': 'cast.ts clock.ts random.ts story-beat.ts story-facts.ts types.ts',
    stories: 'story-script.ts',
    sources: 'types.ts',
    streams:
      'cast.ts clock.ts files grammar.ts random.ts scene-script.ts scenes season.ts sites.ts stories story-beat.ts types.ts words',
    'records.ts': 'streams types.ts',
    'index.ts': 'cast.ts records.ts sources stories types.ts',
  },
  mcp: {
    config: '',
    credentials: '',
    hosts: '',
    'resource-server': '',
    doctor: 'resource-server',
    rendering: 'resource-server',
    calling: 'rendering resource-server',
    tools: 'calling rendering resource-server',
    listening: 'calling resource-server',
    entrypoints: 'calling listening resource-server tools',
    transports: 'calling config credentials entrypoints listening resource-server',
    public: 'calling config credentials doctor entrypoints hosts listening rendering resource-server tools transports',
  },
  server: {
    // Nothing of ours, then the transport, which knows no noun and no page.
    lib: '',
    'owner.ts': '',
    config: 'lib',
    'data-directory': 'lib',
    http: 'config lib',
    // Nouns: a service names the stores it needs. None of them knows a store's implementation, a route or a page.
    sources: 'lib',
    clients: 'lib',
    'sign-in': 'lib',
    grants: 'lib sources',
    tokens: 'grants',
    receipts: 'grants lib',
    records: 'grants lib sources',
    blobs: 'grants lib records sources',
    aggregates: 'grants lib records',
    search: 'grants lib records sources',
    schema: 'aggregates grants lib records search sources',
    ingest: 'blobs lib records sources',
    imports: 'blobs ingest lib schema sources',
    authorization: 'clients grants lib records sources tokens',
    subscriptions: 'grants lib receipts records sources',
    upkeep: 'blobs grants ingest lib owner.ts receipts records search sources',
    // Stores implement the interfaces of the nouns.
    storage:
      'aggregates authorization blobs clients grants imports ingest lib receipts records search sign-in sources subscriptions tokens upkeep',
    // The one file that knows the whole Storage and builds every service.
    'context.ts':
      'aggregates authorization blobs clients config grants http imports ingest lib owner.ts receipts records schema search sign-in sources storage subscriptions tokens upkeep',
    // Only routes and the console know the context.
    routes:
      'aggregates authorization blobs clients config context.ts grants http ingest lib receipts records schema search sign-in sources subscriptions tokens upkeep',
    console:
      'aggregates authorization blobs clients config context.ts grants http imports lib receipts records routes schema search sign-in sources subscriptions upkeep',
    'app.ts': 'authorization console context.ts http routes',
    'rehearsal.ts': 'http storage',
    'serve.ts': 'app.ts config context.ts data-directory http lib rehearsal.ts routes',
    'offline.ts': 'config data-directory lib owner.ts sign-in storage tokens',
    'index.ts': 'context.ts offline.ts serve.ts upkeep',
  },
  cli: {
    config: '',
    'invocation.ts': '',
    terminal: 'config',
    'welcome.ts': 'terminal',
    provider: 'terminal',
    archive: 'terminal',
    oauth: 'config provider terminal',
    reference: 'terminal welcome.ts',
    commands: 'archive config invocation.ts oauth provider reference terminal',
    'program.ts': 'commands invocation.ts reference terminal',
    'main.ts': 'invocation.ts program.ts terminal welcome.ts',
  },
}

/** Folders with one file, or with more than 25, and why that is right. */
export const UNUSUAL_FOLDERS: Readonly<Record<string, string>> = {
  '.ci': 'what CI runs',
  'tests/fixtures/data-directories': 'one file for each released version',
  examples: 'one folder for each example',
  changes: 'one file for each change until the next release',
  'docs/importers': 'one page for each service, and a page that lists them',
  'docs/screenshots': 'pictures made by one command, never read as a list',
  'packages/cli/src/config': 'the only file that may read the environment',
  'packages/mcp/src/config': 'the only file that may read the environment',
}
