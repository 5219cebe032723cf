import { readFileSync } from 'node:fs'
import { type ImportOverrides, isTimeZone } from '@pdpp/importers'
import { isName, NAME_RULE } from '@pdpp/protocol'
import { UsageError } from '../../terminal/failure.ts'

export interface ImportOptions {
  yes?: boolean
  dryRun?: boolean
  watch?: boolean
  source?: string
  connection?: string
  stream?: string
  only?: string[]
  table?: string[]
  key?: string
  time?: string
  text?: string
  title?: string
  type?: string[]
  zone?: string
  /** False with `--no-header`. */
  header?: boolean
  keepDemo?: boolean
  removeDemo?: boolean
  declaration?: string
  dataDir?: string
  json?: boolean
  jsonl?: boolean
}

/** Members that a declaration file may have. They are named like the flags. */
const FILE_MEMBERS = [
  'source',
  'connection',
  'stream',
  'tables',
  'key',
  'time',
  'text',
  'title',
  'types',
  'zone',
  'header',
]

/** Reads the owner's overrides from the flags and from a declaration file. */
export function readOverrides(options: ImportOptions): ImportOverrides & { connection?: string | undefined } {
  const file = options.declaration === undefined ? {} : readDeclarationFile(options.declaration)
  const flags = {
    source: options.source,
    connection: options.connection,
    stream: options.stream,
    tables: options.table,
    key: list(options.key),
    time: options.time,
    text: list(options.text),
    title: options.title,
    types: options.type === undefined ? undefined : typesOf(options.type),
    zone: options.zone,
    header: options.header === false ? false : undefined,
  }
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
  const overrides = { ...file, ...given } as ImportOverrides & { connection?: string }
  for (const name of ['source', 'connection', 'stream'] as const) {
    const value = overrides[name]
    if (value !== undefined && !isName(value)) throw new UsageError(`--${name} must be ${NAME_RULE}.`)
  }
  if (overrides.zone !== undefined && !isTimeZone(overrides.zone))
    throw new UsageError(
      `"${overrides.zone}" is not a time zone: write a name such as Europe/Berlin or America/New_York.`,
    )
  return overrides
}

function list(text: string | undefined): string[] | undefined {
  const items = text?.split(',').map((item) => item.trim())
  if (items?.some((item) => item === ''))
    throw new UsageError(`"${text}" is not a list of columns separated by commas.`)
  return items
}

function typesOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=')
      if (at < 1) throw new UsageError(`"${pair}" is not column=type. Write it like --type sent=date-time.`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

function readDeclarationFile(path: string): Record<string, unknown> {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new UsageError(`Can't read the declaration file ${path}: ${(error as Error).message}.`)
  }
  if (content === null || typeof content !== 'object' || Array.isArray(content))
    throw new UsageError(`The declaration file ${path} must be a JSON object.`)
  const file = content as Record<string, unknown>
  const unknown = Object.keys(file).filter((name) => !FILE_MEMBERS.includes(name))
  if (unknown.length > 0)
    throw new UsageError(
      `The declaration file has an unknown entry "${unknown[0]}". It may have: ${FILE_MEMBERS.join(', ')}.`,
    )
  for (const [name, value] of Object.entries(file)) {
    if (!hasShape(name, value)) throw new UsageError(`"${name}" of the declaration file must be ${shapeWords(name)}.`)
  }
  return file
}

const LISTS = ['tables', 'key', 'text']

function hasShape(name: string, value: unknown): boolean {
  const texts = (items: readonly unknown[]) => items.every((item) => typeof item === 'string')
  if (LISTS.includes(name)) return Array.isArray(value) && texts(value)
  if (name === 'header') return typeof value === 'boolean'
  if (name !== 'types') return typeof value === 'string'
  return value !== null && typeof value === 'object' && !Array.isArray(value) && texts(Object.values(value))
}

const shapeWords = (name: string): string =>
  name === 'header'
    ? 'true or false'
    : LISTS.includes(name)
      ? 'a list of names'
      : name === 'types'
        ? 'an object of columns and types'
        : 'a text'
