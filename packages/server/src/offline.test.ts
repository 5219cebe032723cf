import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

const root = import.meta.dirname

/** Every file that is loaded with this one: its imports and theirs, without those of types and those for later. */
function loadedWith(file: string, found = new Set<string>()): Set<string> {
  const path = join(root, file)
  if (found.has(file)) return found
  found.add(file)
  for (const [, specifier] of readFileSync(path, 'utf8').matchAll(
    /^(?!.*\btype \{)(?:import|export|\}).* from '(\..+)'$/gm,
  ))
    loadedWith(relative(root, join(dirname(path), specifier!)), found)
  return found
}

const heavy = (files: Iterable<string>) =>
  [...files].filter((file) => /^(routes|console|http)\/|^(app|serve)\.ts$/.test(file))

it('loads neither routes nor pages, so that commands beside a running server start at once', () => {
  expect(heavy(loadedWith('offline.ts'))).toEqual([])
  expect(heavy(loadedWith('index.ts')).length).toBeGreaterThan(50)
})
