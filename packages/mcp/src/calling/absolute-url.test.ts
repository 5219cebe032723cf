import { expect, test } from 'vitest'
import { recordPage } from './absolute-url.ts'

const SERVERS = ['https://pdpp.example', 'http://127.0.0.1:7717/', 'HTTPS://Pdpp.Example:443/deep/er', 'nothing']
const IDS = ['con_1/messages:k1', 'a b', 'ключ/ä:漢', "'()*!~", '%2e%2e', 'x?y#z', '.', '..', '', '\t\n']

test('the page of a record is the address that a URL parser makes of it', () => {
  for (const origin of SERVERS)
    for (const id of IDS) {
      const base = `${origin.replace(/\/$/, '')}/`
      const path = `r/${encodeURIComponent(id)}`
      const expected = URL.canParse(path, base) ? new URL(path, base).href : base
      expect(recordPage(id, { providerUrl: 'https://other.example', origin }), `${origin} ${id}`).toBe(expected)
    }
})
