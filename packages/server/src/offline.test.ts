import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

const root = import.meta.dirname

/** All files that this one loads at start, directly or not. Type imports and dynamic imports do not count. */
function loadedWith(file: string, files = new Set<string>()): Set<string> {
  const path = join(root, file)
  if (files.has(file)) return files
  files.add(file)
  for (const [, specifier] of readFileSync(path, 'utf8').matchAll(
    /^(?!.*\btype \{)(?:import|export|\}).* from '(\..+)'$/gm,
  ))
    loadedWith(relative(root, join(dirname(path), specifier!)), files)
  return files
}

const heavy = (files: Iterable<string>) =>
  [...files].filter((file) => /^(routes|console|http)\/|^(app|serve)\.ts$/.test(file))

it('loads neither routes nor pages, so that commands start fast', () => {
  expect(heavy(loadedWith('offline.ts'))).toEqual([])
  expect(heavy(loadedWith('index.ts')).length).toBeGreaterThan(50)
})
