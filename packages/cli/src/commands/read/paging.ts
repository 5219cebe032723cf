import { rowsOf, textOf } from '@pdpp/mcp-server/client'
import { commandLine } from '@pdpp/mcp-server/hosts'
import type { Body, Pairs, Reader } from '../../provider/reader.ts'
import { CommandFailure } from '../../terminal/failure.ts'
import { writeOut } from '../../terminal/output.ts'
import type { Progress } from '../../terminal/progress.ts'

export interface PrintOptions {
  json?: boolean
  jsonl?: boolean
  data?: boolean
}

/** Page after page, each asked for when the one before was dealt with. */
export async function* pages(
  reader: Reader,
  path: string,
  query: Pairs,
  walk: boolean,
  progress: Progress,
): AsyncGenerator<Body> {
  const seen = new Set<string>()
  let rows = 0
  for (let cursor: string | undefined; ; ) {
    const body = await reader.get(path, cursor === undefined ? query : [...withoutCursor(query), ['cursor', cursor]])
    rows += rowsOf(body).length
    progress.say(`${rows.toLocaleString('en')} so far`)
    yield body
    cursor = textOf(body['next_cursor'])
    if (!walk || body['has_more'] !== true || cursor === undefined) return
    if (seen.has(cursor))
      throw new CommandFailure(
        1,
        'The server gave the same page twice.',
        'Run the command without --all, and tell its owner.',
      )
    seen.add(cursor)
  }
}

/** What a walk begins with is in its cursor already; the cursor of a change feed excludes where it started. */
function withoutCursor(query: Pairs): Pairs {
  return query.filter(([name]) => name !== 'cursor' && name !== 'around')
}

/** One JSON value for a whole walk, written as it comes, so that its size does not matter. */
export class JsonPrinter {
  readonly #options: PrintOptions
  #first = true

  constructor(options: PrintOptions) {
    this.#options = options
  }

  async page(body: Body): Promise<void> {
    const rows = Array.isArray(body['data']) ? body['data'] : rowsOf(body)
    if (this.#options.jsonl) return writeOut(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    const opening = this.#options.data ? '[' : '{\n  "object": "list",\n  "data": ['
    const indent = this.#options.data ? '  ' : '    '
    let text = ''
    for (const row of rows) {
      text += `${this.#first ? opening : ','}\n${JSON.stringify(row, null, 2).replace(/^/gm, indent)}`
      this.#first = false
    }
    if (text !== '') await writeOut(text)
    else if (this.#first) {
      await writeOut(opening)
      this.#first = false
    }
  }

  /** The last page says where to go on, and what to mind. */
  async end(last: Body): Promise<void> {
    if (this.#options.jsonl) return
    if (this.#options.data) return writeOut('\n]\n')
    const { data: _data, object: _object, ...rest } = last
    const members = Object.entries(rest).map(
      ([name, value]) => `,\n  ${JSON.stringify(name)}: ${JSON.stringify(value, null, 2).replace(/\n/g, '\n  ')}`,
    )
    await writeOut(`\n  ]${members.join('')}\n}\n`)
  }
}

/** The command that was run, from the next page on: what a person pastes has to be exact. */
export function nextPageCommand(cursor: string, argv: readonly string[] = process.argv.slice(2)): string {
  const words = argv.filter((word, index) => !/^--cursor(=|$)/.test(word) && argv[index - 1] !== '--cursor')
  const end = words.indexOf('--')
  const at = end === -1 ? words.length : end
  return commandLine(['pdpp', ...words.slice(0, at), '--cursor', cursor, ...words.slice(at)])
}
