import { expect, test } from 'vitest'
import { reachWords } from './grant-words.ts'

const source = (name: string, connections: readonly string[]) => ({
  display_name: name,
  granted_connections: connections.map((each) => ({ connection_id: each.toLowerCase(), display_name: each })),
  streams: [{ name: 'messages', record_count: 1200 }],
})

test('a source and a connection of the same name are said once', () => {
  expect(
    reachWords({ connectors: [source('Harbour chat', ['Harbour chat']), source('Mail', ['Work', 'Mail'])] }),
  ).toEqual(['Harbour chat: messages (1,200)', 'Mail from Work, Mail: messages (1,200)'])
})
