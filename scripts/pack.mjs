// `npm run pack [folder]` builds the packages in build/ or in the given folder. Their tarballs are in its subfolder
// `tarballs`.
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { build } from './build.ts'
import { npm } from './npm.mjs'

const root = dirname(import.meta.dirname)
const into = resolve(process.argv[2] ?? join(root, 'build'))
const tarballs = join(into, 'tarballs')

rmSync(tarballs, { recursive: true, force: true })
mkdirSync(tarballs, { recursive: true })
// No scripts need to run, because the folders are complete.
const args = ['pack', '--ignore-scripts', `--pack-destination=${tarballs}`, ...(await build(into))]
const { code, output } = await npm(process.execPath, args, root)
if (code === 0) console.log(`Packed into ${tarballs}`)
else console.error(output)
process.exitCode = code
