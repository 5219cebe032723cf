// `npm run bench:journeys` counts the source files that run for a request, how often a row is parsed and serialised,
// and how often the token is looked up. Each journey is measured several times, and a file counts if it ran every time:
// work in the background runs beside some requests only. docs/architecture.md shows the result. `-- --files` lists
// them.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMarked } from './journeys/count-json.ts'
import { everyTime, type Journey, measure } from './journeys/measure.ts'
import { formFields, OwnerBrowser } from './journeys/owner-browser.ts'

// These modules are loaded after count-json, so that it also counts in the threads that the server starts.
const { startAdapter } = await import('../tests/adapter/adapter-server.ts')
const { OWNER } = await import('@pdpp/server')

const ROWS = 100
const WARM_RUNS = 20
/** How often each journey is measured. */
const MEASURED_RUNS = 8
const REDIRECT = 'https://client.example/back'

const notes = {
  declaration: {
    protocol_version: '0.1.0',
    source: { kind: 'connector', id: 'https://example.org/notes' },
    connector_key: 'notes',
    declaration_version: '1',
    display: { name: 'Notes' },
    streams: [
      {
        name: 'notes',
        semantics: 'mutable_state',
        primary_key: ['id'],
        cursor_field: 'written_at',
        consent_time_field: 'written_at',
        selection: { fields: true, resources: true },
        schema: {
          type: 'object',
          required: ['id', 'written_at'],
          properties: {
            id: { type: 'string' },
            text: { type: 'string' },
            written_at: { type: 'string', format: 'date-time' },
          },
        },
        query: { search: { lexical_fields: ['text'] } },
      },
    ],
  },
  connections: [{ id: 'notes' }],
  feeds: [
    {
      connection: 'notes',
      stream: 'notes',
      records: Array.from({ length: ROWS }, (_, n) => ({
        key: `n${n}`,
        data: { id: `n${n}`, text: `lantern number ${n}`, written_at: writtenAt(n) },
      })),
    },
  ],
}

function writtenAt(n: number): string {
  return `2026-01-01T00:${String(n % 60).padStart(2, '0')}:00Z`
}

const csv = (run: number) =>
  [
    'Id,Text,Written',
    ...Array.from({ length: ROWS }, (_, n) => `r${run}-${n},lantern number ${n},${writtenAt(n)}`),
  ].join('\n')

const adapter = await startAdapter([notes])
const { server, url, token } = adapter
// Turning changes into events is work in the background. On a slow machine, it would run beside every upload.
await server.context.eventRunner.stop()
const ownerToken = (await server.context.tokens.issueOwner(OWNER)).accessToken
const browser = new OwnerBrowser(url)

const search = async () => {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'mcp-protocol-version': '2025-11-25',
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"lantern"}}}',
  }).then((response) => response.text())
  if (!isMarked(answer)) throw new Error(`The marked hit is not in the answer: ${answer.slice(0, 400)}`)
}

/** Uploads a CSV file on the console's import page. Returns the path of the import. */
async function upload(run: number): Promise<string> {
  const form = new FormData()
  for (const [name, value] of formFields((await browser.get('/import')).text, '/import')) form.append(name, value)
  form.append('files', new Blob([csv(run)]), `lanterns-${run}.csv`)
  return (await browser.post('/import', form)).location.split(/[?#]/)[0]!
}

async function waitForState(path: string, wanted: string): Promise<void> {
  for (let waited = 0; waited < 20_000; waited += 20) {
    const { state } = await server.context.imports.require(OWNER, path.split('/').at(-1)!)
    if (state === wanted) return
    await sleep(20)
  }
  throw new Error(`${path} is not ${wanted} after 20 seconds.`)
}

async function runImport(path: string): Promise<void> {
  await browser.submit(path, `${path}/start`)
  await waitForState(path, 'finished')
}

async function register(): Promise<string> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Journey', redirect_uris: [REDIRECT] }),
  })
  return ((await response.json()) as { client_id: string }).client_id
}

/** Sends the browser to the authorization endpoint, as a client does. Returns the path of the consent page. */
async function requestAccess(clientId: string): Promise<string> {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    code_challenge: createHash('sha256').update('journey').digest('base64url'),
    code_challenge_method: 'S256',
    state: 'journey',
  })
  return (await browser.get(`/oauth/authorize?${query}`)).location
}

/** Ticks everything, updates the consent page, approves, and follows the redirect to the client with the code. */
async function approve(consent: string, page: string): Promise<void> {
  const chosen = formFields(page, consent, ['connection/', 'stream/'])
  chosen.set('decision', 'update')
  const form = formFields((await browser.post(consent, chosen)).text, consent)
  form.set('decision', 'approve')
  const { location } = await browser.post(consent, form)
  const target = location.startsWith('/') ? (await browser.get(location)).location : location
  if (!target.startsWith(`${REDIRECT}?code=`)) throw new Error(`The approval led to ${target}.`)
}

const asOwner = (path: string, body?: object) =>
  fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  }).then((response) => response.json() as Promise<{ grant_id: string; access_token: string }>)

const newGrant = () => asOwner('/v1/owner/grants', { client_name: 'Journey', connections: ['notes'] })
const read = (bearer: string) =>
  fetch(`${url}/v1/streams/notes/records?limit=1`, { headers: { authorization: `Bearer ${bearer}` } })

const measured: Record<string, Journey[]> = {}

/** The first run loads what the others use already, so it does not count. */
async function count(name: string, run: number, journey: () => Promise<unknown>): Promise<void> {
  const result = await measure(server, journey)
  if (run > 0) measured[name] = [...(measured[name] ?? []), result]
}

try {
  const { path } = await server.context.signIn.issueLink(OWNER)
  await browser.submit(path, path)
  const runs = Array.from({ length: MEASURED_RUNS + 1 }, (_, run) => run)

  for (let run = 0; run < WARM_RUNS; run++) await search()
  for (const run of runs) await count('hosted search', run, search)

  for (const run of runs) {
    let uploaded = ''
    await count('upload of a CSV, with inspection', run, async () => {
      uploaded = await upload(run)
      await waitForState(uploaded, 'recognised')
    })
    await count('its import', run, () => runImport(uploaded))
  }

  const clientId = await register()
  for (const run of runs) {
    const consent = await requestAccess(clientId)
    let page = ''
    await count('consent page shown', run, async () => {
      page = (await browser.get(consent)).text
    })
    await count('consent changed and approved', run, () => approve(consent, page))
  }

  for (const run of runs) {
    const { grant_id: grantId, access_token: bearer } = await newGrant()
    const before = await read(bearer)
    await count('revocation', run, () => asOwner(`/v1/owner/grants/${grantId}/revoke`))
    let status = 0
    await count('the next refused read', run, async () => {
      status = (await read(bearer)).status
    })
    if (before.status !== 200 || status < 400) throw new Error(`Reads were ${before.status}, then ${status}.`)
  }

  const journeys = Object.entries(measured).map(([name, results]) => ({ name, ...everyTime(name, results) }))
  console.log('| journey | files | parses of a row | serialisations of a row | token look-ups |')
  console.log('| --- | --- | --- | --- | --- |')
  for (const { name, files, parses, serialisations, tokenLookups } of journeys)
    console.log(`| ${name} | ${files.length} | ${parses} | ${serialisations} | ${tokenLookups} |`)
  if (process.argv.includes('--files'))
    for (const { name, files } of journeys) console.log(`\n${name}\n${files.join('\n')}`)
} finally {
  await adapter.close()
}
