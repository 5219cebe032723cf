import { printHint, safe } from '../../terminal/output.ts'

const DEFAULT_LIMIT = '25'

/** Prints the command for the next page: the same one with a cursor. `flags` are its other options. */
export function printMore(
  command: string,
  {
    dataDir,
    limit,
    flags = {},
  }: { dataDir?: string; limit: string; flags?: Readonly<Record<string, string | undefined>> },
  cursor: string | undefined,
): void {
  if (cursor === undefined) return
  const all = { ...flags, limit: limit === DEFAULT_LIMIT ? undefined : limit, 'data-dir': dataDir }
  const words = Object.entries(all).map(([name, value]) => (value === undefined ? '' : ` --${name} ${quoted(value)}`))
  printHint(`More: pdpp owner ${command} list${words.join('')} --cursor ${cursor}`)
}

/** A value as a shell takes it. */
const quoted = (value: string): string =>
  /^[\w./:@-]+$/.test(value) ? value : `'${safe(value).replaceAll("'", `'\\''`)}'`
