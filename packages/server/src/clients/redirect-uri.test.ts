import { describe, expect, test } from 'vitest'
import { redirectUriMistake } from './redirect-uri.ts'

const accepted = [
  'https://claude.ai/api/mcp/auth_callback',
  'https://client.example/back?fixed=1',
  'https://client.example:8443/back',
  'https://my_client.client.example/back',
  'https://[2001:db8::1]/back',
  'https://www.cursor.com/agents/mcp/oauth/callback',
  'https://vscode.dev/redirect',
  'http://localhost:8787/callback',
  'http://localhost/callback',
  'http://127.0.0.1:33418',
  'http://127.0.0.1/',
  'http://[::1]:5000/cb',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'com.example.app:/oauth',
  'vscode://vscode.github-authentication/did-authenticate',
]

const refused = [
  '',
  'callback',
  '/callback',
  '//client.example/back',
  'https://',
  'https:///back',
  'http://client.example/back',
  'http://127.0.0.2/back',
  'http://127.0.0.1.client.example/back',
  'http://localhost.client.example/back',
  'http://0.0.0.0/back',
  'http://192.168.1.5/back',
  'https://localhost/back',
  'https://127.0.0.1/back',
  'https://client.example/back#fragment',
  'https://client.example/back#',
  'https://user@client.example/back',
  'https://user:secret@client.example/back',
  'https://@client.example/back',
  'http://localhost:80@client.example/back',
  'https://*.client.example/back',
  'https://client.example;sandbox/back',
  'https://client.example,bank.example/back',
  "https://client'.example/back",
  'https://client.example/*',
  'https://client.example/back ',
  ' https://client.example/back',
  'https://client.example\\@evil.example/back',
  'https://client.example/ba\u0000ck',
  'https://client.example/ba\nck',
  'https://client.example/\u202eback',
  'https://cliënt.example/back',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,hi',
  'file:///etc/passwd',
  'blob:https://client.example/x',
  'vbscript:x',
  'about:blank',
  'ftp://client.example/back',
  'ws://client.example/back',
  'mailto:a@client.example',
  'urn:ietf:wg:oauth:2.0:oob',
  'view-source:https://client.example',
  `https://client.example/${'a'.repeat(2000)}`,
  7,
  null,
  ['https://client.example/back'],
]

describe('checklist 1: where codes may be sent', () => {
  test.each(accepted)('%s is accepted', (uri) => {
    expect(redirectUriMistake(uri)).toBeUndefined()
  })
  test.each(refused)('%j is refused', (uri) => {
    expect(redirectUriMistake(uri)).toEqual(expect.any(String))
  })
})
