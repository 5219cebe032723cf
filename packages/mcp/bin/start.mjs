import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'

/** Starts a command of this package: from source in a clone, from dist when published. */
export async function start(command, main) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 18)) {
    console.error(`${command} needs Node 22.18 or later; this is ${process.versions.node}.`)
    process.exit(1)
  }
  enableCompileCache?.()
  const source = new URL(`../src/stdio/${main}.ts`, import.meta.url)
  await import(existsSync(source) ? source.href : `../dist/stdio/${main}.js`)
}
