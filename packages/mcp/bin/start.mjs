// An old Node has to be able to read it, or it could not say that it is too old: of what is new nothing is imported by name.
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

/** Why this Node cannot run the command, or nothing. Sources of a clone run from 22.18 on. */
export function tooOld(command, version) {
  const [major, minor] = version.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 18)) return
  return `${command} needs Node 22.18 or newer, and this is ${version}: install a current one from https://nodejs.org.`
}
