import { expect, it } from 'vitest'
import { agentTile, kindOf } from './kind.ts'

it.each([
  ['messages', 'Personal mail', 'mail'],
  ['messages', 'Harbour chat', 'chat'],
  ['messages', 'Assistant', 'ai'],
  ['attachments', 'Personal mail', 'file'],
  ['events', 'Calendar', 'event'],
  ['people', 'Contacts', 'people'],
  ['plays', 'Music', 'music'],
  ['coffee', 'coffee', 'buy'],
  ['row_7', 'table', 'file'],
])('%s of %s is %s', (stream, source, kind) => expect(kindOf(stream, source)).toBe(kind))

it.each([
  ['Claude Code', 'CC'],
  ['chatgpt', 'CH'],
  ['🦊', '?'],
])('the tile of %s says %s', async (name, letters) => {
  expect(String(await agentTile(name))).toContain(`>${letters}<`)
})
