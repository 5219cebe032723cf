// `npm run build` creates every package in build/packages, ready for `npm publish build/packages/<name>`. A published
// package contains one bundle of JavaScript and its type declarations, because Node does not strip types inside
// node_modules.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { bundle, startedFiles } from './bundle.ts'
import { type Manifest, publishedManifest } from './published-manifest.ts'

const root = dirname(import.meta.dirname)

/** Returns the folders of the packages, which are ready to be packed. */
export async function build(into: string): Promise<string[]> {
  const emitted = join(into, 'emitted')
  const staged = join(into, 'packages')
  for (const folder of [emitted, staged]) rmSync(folder, { recursive: true, force: true })
  declarations(emitted)
  const folders = globSync('packages/*/package.json', { cwd: root }).map((path) => dirname(path))
  return Promise.all(
    folders.sort().map(async (folder) => {
      const name = basename(folder)
      await stage(join(root, folder), join(emitted, name, 'src'), join(staged, name))
      return join(staged, name)
    }),
  )
}

function declarations(outDir: string): void {
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json')
  const tsc = join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.tsc)
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', outDir], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The packages were not built: see the errors of the compiler above.')
}

/** `src` becomes `dist` at the same depth, so that relative paths to the launchers still work. */
async function stage(folder: string, declared: string, target: string): Promise<void> {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  mkdirSync(target, { recursive: true })
  cpSync(declared, join(target, 'dist', 'types'), { recursive: true })
  const started = startedFiles(join(folder, 'src')).map((file) => join(folder, 'src', file))
  const exported = Object.values(manifest.exports).map((file) => join(folder, file))
  const node = manifest.engines.node.replace('>=', '')
  await bundle({ entries: [...started, ...exported], into: join(target, 'dist'), node, includes: () => false })
  const launchers = join(folder, 'bin')
  if (existsSync(launchers)) cpSync(launchers, join(target, 'bin'), { recursive: true })
  cpSync(join(folder, 'README.md'), join(target, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
}

if (import.meta.main) for (const folder of await build(join(root, 'build'))) console.log(folder)
