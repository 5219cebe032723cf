import { expect, test } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { parseClientMetadata } from './client-metadata.ts'

verifies('checklist 9', 'unknown members and values that decide nothing are ignored', () => {
  const metadata = parseClientMetadata({
    client_name: 'Example',
    redirect_uris: ['https://client.example/back', 'https://client.example/back'],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 7],
    response_types: ['code', 'token'],
    scope: 'openid everything',
    contacts: ['nobody'],
    jwks_uri: 'https://client.example/keys',
    sector_identifier_uri: 'https://client.example/sector',
    token_endpoint_auth_method: 'client_secret_basic',
    resource: 'https://p.example/mcp',
    logo_uri: 'javascript:alert(1)',
    client_uri: 'https://client.example/',
    software_id: 'x',
  })
  expect(metadata).toEqual({
    client_name: 'Example',
    client_uri: 'https://client.example/',
    redirect_uris: ['https://client.example/back'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  })
})

test('a client without a redirect URI uses the device flow', () => {
  const minimal = {
    redirect_uris: [],
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
    response_types: [],
  }
  expect(parseClientMetadata({ client_name: null, token_endpoint_auth_method: 'none' })).toEqual(minimal)
  expect(parseClientMetadata({ grant_types: ['authorization_code'] })).toEqual(minimal)
})

verifies('checklist 6', 'names are shown without what misleads', () => {
  const name = (client_name: unknown) => parseClientMetadata({ client_name }).client_name
  expect(name('Cla\u202eude\u200b \u{e0041}App\n\n2')).toBe('Claude App2')
  expect(name('<img src=x onerror=alert(1)>')).toBe('<img src=x onerror=alert(1)>')
  expect(name('x'.repeat(10_000))).toHaveLength(100)
  expect([name(''), name(' \u200b '), name(5), name('\ud800')]).toEqual([undefined, undefined, undefined, undefined])
})

test.each([
  null,
  [],
  'text',
  { redirect_uris: 'https://client.example' },
  { redirect_uris: Array(21).fill('https://a.example/') },
])('%j is refused', (input) => {
  expect(() => parseClientMetadata(input)).toThrow(expect.objectContaining({ code: 'invalid_client_metadata' }))
})
