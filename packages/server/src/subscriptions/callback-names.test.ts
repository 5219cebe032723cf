import { expect, it } from 'vitest'
import { resolveCallback } from './callback-names.ts'

it('asks the system for names of this machine, and finds nothing for a name that nobody can have', async () => {
  expect(await resolveCallback('localhost')).toEqual(expect.arrayContaining([expect.stringMatching(/^(127\.|::1)/)]))
  expect(await resolveCallback('nobody.invalid')).toEqual([])
})
