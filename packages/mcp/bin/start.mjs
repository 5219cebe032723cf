// Old versions of Node must be able to load this file, so that it can say that they are too old. So it does not import
// newer functions by name, because a missing name is an error before the first line runs.
import { existsSync } from 'node:fs'
import module from 'node:module'

/** Starts a command of this package: from source in a clone, from dist when published. */
export async function start(command, main) {
  const refusal = tooOld(command, process.versions.node)
  if (refusal !== undefined) {
    console.error(refusal)
    process.exit(1)
  }
  module.enableCompileCache?.()
  const source = new URL(`../src/transports/stdio/${main}.ts`, import.meta.url)
  await import(existsSync(source) ? source.href : `../dist/transports-stdio-${main}.js`)
}

/** The reason why this Node cannot run the command, if any. The sources of a clone need 22.18. */
export function tooOld(command, version) {
  const [major, minor] = version.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 18)) return
  return `${command} needs Node 22.18 or newer, and this is ${version}: install a current one from https://nodejs.org.`
}
