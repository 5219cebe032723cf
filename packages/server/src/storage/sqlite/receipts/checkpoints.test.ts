import { expect, test } from 'vitest'
import { Checkpoints } from './checkpoints.ts'

test('copies the log after some hundred receipts, one copy at a time', async () => {
  const copies: (() => void)[] = []
  const checkpoints = new Checkpoints(() => new Promise((resolve) => copies.push(resolve)))
  checkpoints.note(499)
  expect(copies).toHaveLength(0)
  checkpoints.note(1)
  checkpoints.note(500)
  expect(copies).toHaveLength(1)
  copies[0]!()
  await new Promise(setImmediate)
  checkpoints.note(1)
  expect(copies).toHaveLength(2)
})
