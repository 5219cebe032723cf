// `npm run changes -- 0.2.0` adds the files of changes/ to CHANGELOG.md under this version and deletes them.
import { readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The kinds of changes, in the order in which a release lists them. */
export const KINDS = ['added', 'changed', 'fixed', 'removed', 'security'] as const

export interface Change {
  readonly kind: (typeof KINDS)[number]
  /** The text for users, in one line. */
  readonly text: string
}

/** Reads one change file: its kind, an empty line, and the text for users. */
export function parseChange(name: string, content: string): Change {
  const [, word, body] = /^kind: (\S*)\n\n([\s\S]+)$/.exec(content) ?? []
  const kind = KINDS.find((one) => one === word)
  const text = body?.trim().replaceAll(/\s*\n\s*/g, ' ')
  if (!kind || !text)
    throw new Error(
      `${name} needs "kind: ${KINDS.join('|')}", an empty line and a sentence for users. See changes/README.md.`,
    )
  return { kind, text }
}

/** Returns the changelog with a new version above the earlier ones. */
export function addRelease(changelog: string, changes: readonly Change[], version: string, date: string): string {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) throw new Error(`"${version}" is not a version such as 0.2.0.`)
  if (changelog.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md already has version ${version}.`)
  if (changes.length === 0) throw new Error('changes/ has no change to release.')
  const parts = KINDS.map((kind) => ({
    kind,
    texts: changes.filter((one) => one.kind === kind).map(({ text }) => text),
  }))
  const sections = parts
    .filter(({ texts }) => texts.length > 0)
    .map(
      ({ kind, texts }) =>
        `### ${kind[0]!.toUpperCase()}${kind.slice(1)}\n\n${texts.map((text) => `- ${text}\n`).join('')}`,
    )
  const at = changelog.indexOf('\n## ') + 1
  if (at === 0) throw new Error('CHANGELOG.md has no earlier version to put this one above.')
  return `${changelog.slice(0, at)}## ${version} - ${date}\n\n${sections.join('\n')}\n${changelog.slice(at)}`
}

/** Names of the change files, without the README. */
export function changeFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .toSorted()
}

function collect(root: string, version: string, date: string): void {
  const folder = join(root, 'changes')
  const log = join(root, 'CHANGELOG.md')
  const names = changeFiles(folder)
  const changes = names.map((name) => parseChange(`changes/${name}`, readFileSync(join(folder, name), 'utf8')))
  writeFileSync(log, addRelease(readFileSync(log, 'utf8'), changes, version, date))
  // The files are deleted last, so that nothing is lost if an earlier step fails.
  for (const name of names) rmSync(join(folder, name))
  console.log(`CHANGELOG.md has ${changes.length} changes under ${version}.`)
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename) {
  try {
    collect(join(import.meta.dirname, '..'), process.argv[2] ?? '', new Date().toISOString().slice(0, 10))
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
