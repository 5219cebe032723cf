import { expect, it } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { readConfig } from './config.ts'
import { checkExposure } from './exposure.ts'

const HTTPS = 'https://data.example.org'
const PASSWORD = /no password.*pdpp owner reset-password/
const ADDRESS = /no https address.*PDPP_PUBLIC_URL/

verifies.each<[host: string, publicUrl: string | undefined, password: boolean, refused: RegExp[]]>('checklist 15', [
  ['127.0.0.1', undefined, false, []],
  ['127.8.8.8', undefined, false, []],
  ['localhost', undefined, false, []],
  ['::1', undefined, false, []],
  ['127.0.0.1', HTTPS, false, []],
  ['127.0.0.1', undefined, true, []],
  ['0.0.0.0', undefined, false, [PASSWORD, ADDRESS]],
  ['0.0.0.0', HTTPS, false, [PASSWORD]],
  ['0.0.0.0', undefined, true, [ADDRESS]],
  ['0.0.0.0', 'http://127.0.0.1:7662', true, [ADDRESS]],
  ['0.0.0.0', HTTPS, true, []],
  ['::', undefined, true, [ADDRESS]],
  ['::', HTTPS, true, []],
  ['192.168.1.4', undefined, false, [PASSWORD, ADDRESS]],
  ['192.168.1.4', HTTPS, true, []],
  ['data.example.org', HTTPS, false, [PASSWORD]],
])('listening on %s with the public URL %s and a password: %s', (host, publicUrl, password, refused) => {
  const config = readConfig({ host, dataDir: '/nowhere' }, environment({ publicUrl }))
  const start = () => checkExposure(config, password)
  if (refused.length === 0) return expect(start).not.toThrow()
  for (const reason of refused) expect(start).toThrow(reason)
  expect(start).toThrow(`Refusing to listen on ${host}`)
})

it.each([
  ['publicUrl', 'http://data.example.org', /must begin with https/],
  ['publicUrl', 'https://data.example.org/path', /must be an origin/],
  ['trustedProxies', '10.0.0.0/33', /neither an address nor a network/],
  ['trustedProxies', 'proxy.lan', /neither an address nor a network/],
  ['maxBlobBytes', '1GB', /PDPP_BLOB_MAX_BYTES must be a number of bytes/],
  ['log', 'everything', /PDPP_LOG must be one of none, errors, requests/],
])('refuses %s = %s', (name, value, message) => {
  expect(() => readConfig({}, environment({ [name]: value }))).toThrow(message)
})

function environment(values: Record<string, string | undefined>) {
  const none = undefined
  return {
    port: none,
    host: none,
    dataDir: none,
    databaseUrl: none,
    databasePrepare: none,
    publicUrl: none,
    trustedHosts: none,
    trustedProxies: none,
    ownerPassword: none,
    maxBlobBytes: none,
    log: none,
    home: none,
    ...values,
  }
}
