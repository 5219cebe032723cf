// Bundles the sources of packages, because Node starts a few files three times faster than a thousand. Installed
// libraries are not bundled. All files of a bundle are in one folder, so that each finds the others by name.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

/** Matches the code with which a source names the file of a thread. A bundle renames this file, see `bundledName`. */
const THREAD = /new URL\(`(\.\/[\w-]+)\$\{extname\(import\.meta\.filename\)\}`, import\.meta\.url\)/g

/** Matches our own files and the code that the bundler adds. */
const INSIDE = /^[./]|^@oxc-project\/runtime\//

const OWN_SOURCE = /[\\/]packages[\\/]\w+[\\/]src[\\/]/

/** Programs that launchers start by their path. */
const PROGRAMS = '**/{main,developer-main}.ts'

/** `storage/sqlite/engine/read-worker.ts` becomes `storage-sqlite-engine-read-worker`. */
export const bundledName = (source: string): string => source.replace(/\.ts$/, '').replaceAll(/[\\/]/g, '-')

/** The files below `src` that are started as a thread or as a program. */
export function startedFiles(src: string): string[] {
  const threads = globSync('**/*.ts', { cwd: src })
    .filter((file) => !/\.(test|fixture|cases)\.ts$/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(src, file), 'utf8').matchAll(THREAD)].map(([, name]) => join(dirname(file), `${name}.ts`)),
    )
  return [...new Set([...threads, ...globSync(PROGRAMS, { cwd: src })])].sort()
}

interface Bundle {
  /** Absolute paths of files below a `src` folder. */
  readonly entries: readonly string[]
  readonly into: string
  /** The oldest version of Node that must run the bundle, such as 24.7. */
  readonly node: string
  /** Chooses which of our own packages become part of the bundle. Defaults to all of them. */
  readonly includes?: (specifier: string) => boolean
}

export async function bundle({ entries, into, node, includes = isOwn }: Bundle): Promise<void> {
  const input = Object.fromEntries(entries.map((file) => [bundledName(belowSrc(file)), file]))
  if (Object.keys(input).length < entries.length) throw new Error('Two files would have the same name in the bundle.')
  const build = await rolldown({
    input,
    platform: 'node',
    transform: { target: `node${node}` },
    external: (specifier, from) => from !== undefined && !INSIDE.test(specifier) && !includes(specifier),
    plugins: [threadNames(), narrowTexts()],
    // Without this, a file that uses one name of a package would start with the code of all its files.
    treeshake: { moduleSideEffects: [{ test: OWN_SOURCE, sideEffects: false }] },
    onLog(level, log) {
      // Ignore this warning: some files are loaded on demand in one place and at the start in another on purpose.
      if (level === 'warn' && log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') throw new Error(log.message)
    },
  })
  try {
    await build.write({
      ...{ dir: into, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      // Node keeps the text of what it loads in memory, with two bytes for each character if one of them needs them.
      charset: 'ascii',
      comments: { legal: true, annotation: false, jsdoc: false },
    })
  } finally {
    await build.close()
  }
}

export const isOwn = (specifier: string): boolean => specifier.startsWith('@pdpp/')

function belowSrc(file: string): string {
  const below = file.split(/[\\/]src[\\/]/).at(-1)!
  if (below === file) throw new Error(`${file} is not below a folder "src".`)
  return below
}

function threadNames(): Plugin {
  return {
    name: 'thread-names',
    transform(code, file) {
      if (!code.includes('import.meta.filename')) return
      const named = code.replaceAll(THREAD, (_, name: string) => {
        const source = belowSrc(resolve(dirname(file), `${name}.ts`))
        return `new URL('./${bundledName(source)}.js', import.meta.url)`
      })
      if (named.includes('import.meta.filename')) throw new Error(`${relative('.', file)}: a bundle moves this file.`)
      return named
    },
  }
}

/** Writes characters as escapes where `charset` does not: in templates with a tag, which could read the raw text. */
function narrowTexts(): Plugin {
  return {
    name: 'narrow-texts',
    transform(code, file) {
      if (!isOurs(file) || code.includes('String.raw')) return
      return code.replaceAll(/\P{ASCII}+/gu, escaped)
    },
  }
}

const escaped = (text: string): string =>
  text.split('').reduce((all, unit) => `${all}\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`, '')

const isOurs = (file: string): boolean => file.endsWith('.ts') && !/[\\/]node_modules[\\/]/.test(file)
