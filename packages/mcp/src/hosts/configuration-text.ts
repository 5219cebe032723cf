export interface ConfigurationFile {
  readonly path: string
  readonly format: 'json' | 'toml'
  /** The member that contains the servers by name. */
  readonly section: string
  readonly value: Readonly<Record<string, unknown>>
}

/** Adds the entry to the text of a configuration file and keeps everything else. */
export function withEntry(current: string, file: ConfigurationFile, name: string): string {
  return file.format === 'json' ? jsonWith(current, file, name) : tomlWith(current, file, name)
}

/** The text of a new file with only this entry. */
export const snippet = (file: ConfigurationFile, name: string): string => withEntry('', file, name).trimEnd()

function jsonWith(current: string, { path, section, value }: ConfigurationFile, name: string): string {
  const whole = parsed(current, path)
  const servers = whole[section] ?? {}
  if (!isObject(servers)) throw unreadable(path, `its "${section}" is not an object`)
  const indent = /^(\s+)"/m.exec(current)?.[1]?.replace(/^.*\n/s, '') ?? '  '
  return `${JSON.stringify({ ...whole, [section]: { ...servers, [name]: value } }, null, indent)}\n`
}

function parsed(current: string, path: string): Record<string, unknown> {
  if (current.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(current.replace(/^\ufeff/, ''))
    if (isObject(value)) return value
  } catch {
    // Some of these files allow comments and trailing commas. Writing them back would lose those.
  }
  throw unreadable(path, 'it is not plain JSON')
}

/** Replaces or appends the table of this name. Keeps the rest of the file, comments included. */
function tomlWith(current: string, { section, value }: ConfigurationFile, name: string): string {
  const key = /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name)
  const heading = `[${section}.${key}]`
  const table = [heading, ...Object.entries(value).map(([member, each]) => `${member} = ${tomlValue(each)}`)]
  const lines = current === '' ? [] : current.replace(/\n$/, '').split('\n')
  const start = lines.findIndex((line) => line.trim() === heading)
  if (start === -1)
    return `${[...lines, ...(lines.length === 0 || lines.at(-1) === '' ? [] : ['']), ...table].join('\n')}\n`
  const next = lines.findIndex((line, index) => index > start && /^\s*\[/.test(line))
  const rest = next === -1 ? [] : ['', ...lines.slice(next)]
  return `${[...lines.slice(0, start), ...table, ...rest].join('\n')}\n`
}

/** JSON strings and lists of strings are valid TOML. */
const tomlValue = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map((each) => JSON.stringify(each)).join(', ')}]` : JSON.stringify(value)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

class UnreadableConfiguration extends Error {
  override readonly name = 'UnreadableConfiguration'
  readonly nextStep = 'Add the entry yourself. Run the command without --write to see it.'
}

const unreadable = (path: string, why: string): Error =>
  new UnreadableConfiguration(`Can't change ${path} safely: ${why}.`)
