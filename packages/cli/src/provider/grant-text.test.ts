import { expect, test } from 'vitest'
import { reachText } from './grant-text.ts'

const source = (name: string, connections: readonly string[]) => ({
  display_name: name,
  granted_connections: connections.map((each) => ({ connection_id: each.toLowerCase(), display_name: each })),
  streams: [{ name: 'messages', record_count: 1200 }],
})

test('a connection with the name of its source is not repeated', () => {
  expect(
    reachText({ connectors: [source('Harbour chat', ['Harbour chat']), source('Mail', ['Work', 'Mail'])] }),
  ).toEqual(['Harbour chat: messages (1,200)', 'Mail from Work, Mail: messages (1,200)'])
})
