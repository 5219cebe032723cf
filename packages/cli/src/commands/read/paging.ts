import { type JsonObject, rowsOf, textOf } from '@pdpp/mcp-server/client'
import { commandLine } from '@pdpp/mcp-server/hosts'
import type { Pairs, Reader } from '../../provider/reader.ts'
import { CommandFailure } from '../../terminal/failure.ts'
import { writeOut } from '../../terminal/output.ts'
import type { Progress } from '../../terminal/progress.ts'

export interface PrintOptions {
  json?: boolean
  jsonl?: boolean
  data?: boolean
}

/** Yields one page, or all pages if `walk` is true. Each is requested after the caller handled the one before. */
export async function* pages(
  reader: Reader,
  path: string,
  query: Pairs,
  walk: boolean,
  progress: Progress,
): AsyncGenerator<JsonObject> {
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
        'The server sent the same page twice.',
        'Run the command without --all, and tell the owner of the server.',
      )
    seen.add(cursor)
  }
}

/** Drops parameters that the next cursor already contains. */
function withoutCursor(query: Pairs): Pairs {
  return query.filter(([name]) => name !== 'cursor' && name !== 'around')
}

/** Prints all pages as one JSON value, page by page, to bound memory. */
export class JsonPrinter {
  readonly #options: PrintOptions
  #first = true

  constructor(options: PrintOptions) {
    this.#options = options
  }

  async page(body: JsonObject): Promise<void> {
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

  /** Closes the JSON value with the other members of the last page, such as its cursor and warnings. */
  async end(last: JsonObject): Promise<void> {
    if (this.#options.jsonl) return
    if (this.#options.data) return writeOut('\n]\n')
    const { data: _data, object: _object, ...rest } = last
    const members = Object.entries(rest).map(
      ([name, value]) => `,\n  ${JSON.stringify(name)}: ${JSON.stringify(value, null, 2).replace(/\n/g, '\n  ')}`,
    )
    await writeOut(`\n  ]${members.join('')}\n}\n`)
  }
}

/** The command that was run, with the cursor of the next page. */
export function nextPageCommand(cursor: string, argv: readonly string[] = process.argv.slice(2)): string {
  const words = argv.filter((word, index) => !/^--cursor(=|$)/.test(word) && argv[index - 1] !== '--cursor')
  const end = words.indexOf('--')
  const at = end === -1 ? words.length : end
  return commandLine(['pdpp', ...words.slice(0, at), '--cursor', cursor, ...words.slice(at)])
}
