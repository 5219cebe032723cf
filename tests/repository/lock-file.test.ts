// npm can write a lock file that `npm ci` refuses on other machines, or that ties the clone to one registry.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Locked {
  resolved?: string
  optionalDependencies?: Record<string, string>
  hasInstallScript?: boolean
}

type Packages = Record<string, Locked>

const text = readFileSync(join(import.meta.dirname, '..', '..', 'package-lock.json'), 'utf8')
const packages: Packages = JSON.parse(text).packages

// Set-up runs with install scripts off, so a package that needs one does not work until somebody sees to it.
const allowedInstallScripts: string[] = []

/** Looks where Node would: in the package's own node_modules, then in those of every folder above. */
function isLocked(from: string, name: string, all: Packages): boolean {
  const parts = from.split('/')
  const folders = ['', ...parts.map((_, depth) => `${parts.slice(0, depth + 1).join('/')}/`)]
  return folders.some((folder) => all[`${folder}node_modules/${name}`])
}

function missingOptional(all: Packages): string[] {
  return Object.entries(all).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !isLocked(path, name, all))
      .map((name) => `${path || 'the root'} needs ${name}`),
  )
}

test('every optional dependency is locked, also of other platforms', () => {
  expect(missingOptional(packages)).toEqual([])
})

test('a lock file written without the binary of another platform is noticed', () => {
  const all = {
    'node_modules/@a/tool': { optionalDependencies: { '@a/tool-linux': '1.0.0', '@a/tool-darwin': '1.0.0' } },
    'node_modules/@a/tool-linux': {},
    'node_modules/b/node_modules/c': { optionalDependencies: { d: '1.0.0', e: '1.0.0' } },
    'node_modules/b/node_modules/d': {},
    'node_modules/e': {},
  }
  expect(missingOptional(all)).toEqual(['node_modules/@a/tool needs @a/tool-darwin'])
})

test('no package is tied to the registry it was locked from', () => {
  expect(text).not.toMatch(/"resolved":\s*"(http|git)/)
})

test('no package needs an install script', () => {
  const scripted = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript)
  expect(scripted.filter((path) => !allowedInstallScripts.includes(path.replace(/^.*node_modules\//, '')))).toEqual([])
})
