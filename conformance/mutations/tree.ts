import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Break } from './break.ts'

const root = join(import.meta.dirname, '..', '..')
const OWN_PACKAGES = '@pdpp'

/** A copy of the current source, in which one break after another is made. The source itself is never changed. */
export class Tree {
  readonly path = mkdtempSync(join(tmpdir(), 'pdpp-mutations-'))

  constructor() {
    for (const file of sourceFiles()) {
      const copy = join(this.path, file)
      mkdirSync(dirname(copy), { recursive: true })
      copyFileSync(join(root, file), copy)
    }
    this.#linkModules()
  }

  /** Links installed packages. Our own packages are linked to the copy. Otherwise breaks would have no effect. */
  #linkModules(): void {
    const [from, to] = [join(root, 'node_modules'), join(this.path, 'node_modules')]
    mkdirSync(join(to, OWN_PACKAGES), { recursive: true })
    for (const name of readdirSync(from))
      if (name !== OWN_PACKAGES) symlinkSync(join(from, name), join(to, name), 'junction')
    for (const folder of readdirSync(join(this.path, 'packages'))) {
      const { name } = JSON.parse(readFileSync(join(this.path, 'packages', folder, 'package.json'), 'utf8'))
      symlinkSync(join(this.path, 'packages', folder), join(to, name), 'junction')
    }
  }

  /** Makes the break, runs the function, and restores the file. */
  async withBreak<T>({ file, search, replacement }: Break, run: () => Promise<T>): Promise<T> {
    const path = join(this.path, file)
    const original = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      original.replace(search, () => replacement),
    )
    try {
      return await run()
    } finally {
      writeFileSync(path, original)
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The files that git tracks, and new files that it does not ignore. */
function sourceFiles(): string[] {
  const list = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  if (list.status !== 0) throw new Error(`git ls-files: ${list.stderr}`)
  return list.stdout
    .toString()
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(root, file)))
}

/** The reason why a break cannot be made, or undefined if it can. */
export function misfit({ file, search, replacement, tests: [testFile] }: Break): string | undefined {
  for (const path of [file, testFile]) if (!existsSync(join(root, path))) return `there is no ${path}`
  const count = readFileSync(join(root, file), 'utf8').split(search).length - 1
  if (count !== 1) return `its text occurs ${count} times in ${file}`
  return search === replacement ? 'it changes nothing' : undefined
}
