// `npm run bench:adapter`: measures the adapter alone and writes its section of results.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { type ByteTable, measureBytes } from './adapter/adapter-bytes.ts'
import { type AdapterLoad, measureAdapterLoad } from './adapter/adapter-load.ts'
import { measureStdio, type StdioResult } from './adapter/adapter-stdio.ts'
import { ms, percent, ratio, table, verdict, whole } from './report/markdown.ts'

const TITLE = '## The MCP adapter'
const MEGABYTE = 1_048_576

export interface AdapterResult {
  readonly load: AdapterLoad
  readonly stdio: StdioResult
  readonly bytes: ByteTable
}

export async function measureAdapter(): Promise<AdapterResult> {
  return { load: await measureAdapterLoad(), stdio: await measureStdio(), bytes: await measureBytes() }
}

export function adapterSection({ load, stdio, bytes }: AdapterResult): string[] {
  const machineLoad = `Load of the machine at the end: ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores. A load above the number of cores means that the machine was busy.`
  return [TITLE, machineLoad, ...hosted(load), ...local(stdio), ...sizes(bytes)]
}

function hosted({ overhead, floor, rows, megabytes }: AdapterLoad): string[] {
  const calls = overhead.map(({ name, rest, mcp }) => {
    const more = mcp.p50 - rest.p50
    return [name, ms(rest.p50), ms(mcp.p50), ms(mcp.p95), ms(more), '<= 1.5 ms', verdict(more <= 1500)]
  })
  const rates = rows.map(({ name, rate, times, goal }) => [
    ...[name, whole(rate), percent(rate / floor), ms(times.p50), ms(times.p99)],
    ...(goal === undefined ? ['', ''] : [`>= ${percent(goal)}`, verdict(rate >= goal * floor)]),
  ])
  return [
    'Hosted calls compared with the same reads through REST. One client on loopback sends both alternately to a server process that has the demo data. The grant of the client has one stream.',
    table(['call', 'REST p50 ms', 'MCP p50 ms', 'MCP p95 ms', 'on top', 'goal', ''], calls),
    'Sixteen clients at the same time. The kinds of request take turns. "Of floor": the rate as a share of the first row, which needs no token.',
    table(['request', 'per second', 'of floor', 'p50 ms', 'p99 ms', 'goal', ''], rates),
    `Resident memory of the server after these requests: ${whole(megabytes ?? Number.NaN)} MB.`,
  ]
}

function local({ empty, ours, heapBefore, heapAfter, calls }: StdioResult): string[] {
  const growth = (heapAfter - heapBefore) / MEGABYTE
  const megabytes = (heap: number) => (heap / MEGABYTE).toFixed(1)
  return [
    `Local adapter over stdio: the time from the start of the process to its answer to \`initialize\`. The two servers take turns, with ${empty.samples} starts each.`,
    table(
      ['server', 'p50 ms', 'p95 ms', 'of the empty one', 'goal', ''],
      [
        ["the SDK's server without any tool", ms(empty.p50), ms(empty.p95), '', '', ''],
        [
          'pdpp-mcp-server',
          ms(ours.p50),
          ms(ours.p95),
          ratio(ours.p50 / empty.p50),
          '<= 1.5x',
          verdict(ours.p50 <= 1.5 * empty.p50),
        ],
      ],
    ),
    table(
      ['stdio calls', 'heap before, MB', 'heap after, MB', 'growth', 'goal', ''],
      [
        [
          whole(calls),
          megabytes(heapBefore),
          megabytes(heapAfter),
          `${growth.toFixed(2)} MB`,
          'flat: within 1 MB',
          verdict(growth <= 1),
        ],
      ],
    ),
  ]
}

function sizes({ definitions, list, instructions, results, schemas }: ByteTable): string[] {
  const fits = (bytes: number, budget: number) => [whole(budget), verdict(bytes <= budget)]
  return [
    'Bytes that every conversation contains:',
    table(
      ['what', 'bytes', 'goal', ''],
      [
        ...definitions.map(({ name, bytes }) => [`definition of \`${name}\``, whole(bytes), '', '']),
        ['the list of tools', whole(list), ...fits(list, 6_000)],
        ['instructions, characters', whole(instructions), ...fits(instructions, 1_200)],
        ...schemas.map(({ streams, bytes, budget }) => [
          `\`schema\` of ${streams} streams over 12 connections, text and structured together`,
          whole(bytes),
          ...fits(bytes, budget),
        ]),
      ],
    ),
    'The largest result of each call. The budget applies to its text and to its structured output separately.',
    table(
      ['data', 'call', 'text', 'structured', 'budget', ''],
      results.map(({ data, call, text, structured, budget }) => [
        data,
        call,
        whole(text),
        whole(structured),
        ...fits(Math.max(text, structured), budget),
      ]),
    ),
  ]
}

if (import.meta.main) {
  const path = join(import.meta.dirname, 'results.md')
  const section = adapterSection(await measureAdapter()).join('\n\n')
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '# Bench results\n'
  const [start, own] = [before.indexOf(`${TITLE}\n`), before.indexOf(`${TITLE}\n`) + TITLE.length]
  const next = start === -1 ? -1 : before.indexOf('\n## ', own)
  const head = start === -1 ? before.trimEnd() : before.slice(0, start).trimEnd()
  const tail = next === -1 ? '' : `\n${before.slice(next)}`
  writeFileSync(path, `${head}\n\n${section}\n${tail}`)
  process.stdout.write(`${section}\n`)
}
