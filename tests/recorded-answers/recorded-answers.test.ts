// Compares every byte of an answer with its record in answers/, so that a rewrite of the code shows where it changes
// answers. `npm test -- recorded-answers -u` records them again. Read the difference before you keep it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ask } from './ask.ts'
import { grants, packages } from './holders.ts'
import { laidOut } from './layout.ts'
import { surfaces } from './requests.ts'
import { stdioAsker } from './stdio.ts'
import { openWorld } from './world.ts'

test.each(surfaces)('$name are as they were recorded', async ({ file, over, requests }) => {
  const path = join(import.meta.dirname, 'answers', file)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const world = await openWorld()
  const asker = over === 'http' ? ask.bind(undefined, world) : stdioAsker(world, 'everything')
  const answers: string[] = []
  for (const request of requests) answers.push(await asker(request))
  const others = requests.filter((_, index) => !before.includes(answers[index]!)).map(({ name }) => `"${name}"`)
  await expect(answers.join('\n'), `Not as recorded: ${others.join(', ')}`).toMatchFileSnapshot(path)
})

test('requests of one surface have different names', () => {
  for (const { requests } of surfaces) {
    const names = [...Object.keys(grants), ...Object.keys(packages), ...requests.map(({ name }) => name)]
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  }
})

test('laying out JSON loses no byte of it', () => {
  const samples = [
    '{"a":[],"b":{},"c":[1,12345678901234567890,{"d":null}],"e":"x"}',
    '{"text":"one\\n\\ntwo \\\\n {\\"a\\": [1, 2]}"}',
    '[]',
  ]
  for (const json of samples) {
    const withinTexts = laidOut(json)!.replaceAll('\\n\n', '\\n')
    expect(withinTexts.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, text) => text ?? '')).toBe(json)
  }
  expect(laidOut('{"a": 1}')).toBeUndefined()
})
