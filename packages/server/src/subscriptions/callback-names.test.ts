import { expect, it } from 'vitest'
import { resolveCallback } from './callback-names.ts'

it('asks the system for names, and finds none that cannot exist', async () => {
  expect(await resolveCallback('localhost')).toEqual(expect.arrayContaining([expect.stringMatching(/^(127\.|::1)/)]))
  expect(await resolveCallback('nobody.invalid')).toEqual([])
})
