import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { readText } from './direct-context.ts'

test('reads a body that arrives in parts', async () => {
  const incoming = new IncomingMessage(new Socket())
  const text = readText(incoming)
  for (const part of [Buffer.from('{"q":"caf'), Buffer.from([0xc3]), Buffer.from([0xa9]), Buffer.from('"}')])
    incoming.push(part)
  incoming.push(null)
  expect(await text).toBe('{"q":"café"}')
})

test('refuses a body whose connection ends in the middle', async () => {
  const incoming = new IncomingMessage(new Socket())
  const text = readText(incoming)
  incoming.push(Buffer.from('{"q":'))
  incoming.destroy()
  await expect(text).rejects.toThrow('did not arrive completely')
})
