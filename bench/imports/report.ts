import type { MadeExport } from '../../tests/fixtures/exports/made-export.ts'
import type { MeasuredCommand } from './whole-command.ts'

export interface MeasuredRead {
  readonly bytes: number
  readonly records: number
  readonly cpuSeconds: number
  readonly maxMegabytes: number
}

interface Row {
  readonly made: MadeExport
  readonly read: MeasuredRead
  readonly command: MeasuredCommand
}

/** Max. memory of the command if a server runs. */
const MAX_MEGABYTES = 200

const number = (value: number): string => Math.round(value).toLocaleString('en')

export function writeReport(rows: readonly Row[], items: number, offline: boolean): string {
  const head = [
    'format',
    'importer',
    'file',
    'read alone: records per CPU second',
    'memory',
    '`pdpp import`: records per CPU second',
    'with the server',
    'memory',
  ]
  const lines = rows.map(({ made, read, command }) => [
    made.format,
    made.importer,
    `${(read.bytes / 1e6).toFixed(1)} MB`,
    number(read.records / read.cpuSeconds),
    `${read.maxMegabytes} MB`,
    number(command.records / command.cpuSeconds),
    command.serverCpuSeconds === undefined
      ? ''
      : number(command.records / (command.cpuSeconds + command.serverCpuSeconds)),
    `${command.maxMegabytes} MB`,
  ])
  const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`)
  return `# Importing, by format

${number(items)} generated items for each format, or fewer if each item is a file of its own.
Written by \`npm run bench:imports\` on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}.

- *Read alone*: the importer turns the bytes into records and sends them nowhere.
- *\`pdpp import\`*: the whole command, including its start${offline ? ', without a server: the command opens the database itself' : ', while `pdpp serve` runs in a process of its own. *With the server* counts the CPU of both processes'}.
- *Memory*: the largest resident size of the process that imports. About 65 MB of it are Node itself. While a server runs, it must stay below ${MAX_MEGABYTES} MB.
- Without a server (\`--offline\`), one process does the work of both. Its memory does not grow with the export either. It needs as much as a server: about 300 MB.

\`pdpp import\` starts V8 with two limits (\`packages/cli/bin/launch.mjs\`): 2 MB for each half of the space for short-lived objects, and a full garbage collection when the heap has grown by 75 percent.

${table.join('\n')}
`
}
