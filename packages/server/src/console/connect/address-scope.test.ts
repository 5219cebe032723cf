import { expect, it } from 'vitest'
import { addressScope } from './address-scope.ts'

it.each([
  ['http://127.0.0.1:7662', 'computer'],
  ['http://localhost:7662', 'computer'],
  ['http://[::1]:7662', 'computer'],
  ['https://192.168.1.5', 'network'],
  ['https://[fd00::1]', 'network'],
  ['https://server.local', 'network'],
  ['https://nas', 'network'],
  ['https://data.example.org', 'anywhere'],
  ['https://data.example.org:8443', 'anywhere'],
])('%s is reachable from: %s', (origin, reach) => expect(addressScope(origin)).toBe(reach))
