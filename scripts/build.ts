// `npm run build`: creates every package as it is published, in build/packages, ready for `npm publish
// build/packages/<name>`. Published packages contain JavaScript, because Node does not strip types inside node_modules.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { type Manifest, publishedManifest } from './published-manifest.ts'

const root = dirname(import.meta.dirname)

/** Returns the package folders, ready to be packed. */
export function build(into: string): string[] {
  const emitted = join(into, 'emitted')
  const staged = join(into, 'packages')
  for (const folder of [emitted, staged]) rmSync(folder, { recursive: true, force: true })
  compile(emitted)
  const folders = globSync('packages/*/package.json', { cwd: root }).map((path) => dirname(path))
  return folders.sort().map((folder) => {
    const name = basename(folder)
    stage(join(root, folder), join(emitted, name, 'src'), join(staged, name))
    return join(staged, name)
  })
}

function compile(outDir: string): void {
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json')
  const tsc = join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.tsc)
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', outDir], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The packages were not built: see the errors of the compiler above.')
}

/** `src` becomes `dist` at the same depth, so that relative paths with `..` still work. */
function stage(folder: string, compiled: string, target: string): void {
  mkdirSync(target, { recursive: true })
  cpSync(compiled, join(target, 'dist'), { recursive: true })
  const launchers = join(folder, 'bin')
  if (existsSync(launchers)) cpSync(launchers, join(target, 'bin'), { recursive: true })
  cpSync(join(folder, 'README.md'), join(target, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
}

if (import.meta.main) for (const folder of build(join(root, 'build'))) console.log(folder)
