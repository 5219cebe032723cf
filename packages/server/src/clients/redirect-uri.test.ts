import { expect, test } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { plainAscii } from '../lib/plain-ascii.ts'
import { redirectUriProblem } from './redirect-uri.ts'

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
  'vscode-insiders://vscode.github-authentication/did-authenticate',
  'windsurf://codeium.windsurf/oauth/callback',
  'com.googleusercontent.apps.123-abc:/oauth2redirect',
  'dev.zed.zed://oauth',
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
  'ms-officecmd:/x',
  'ms-appinstaller:/x',
  'ms-word:/x',
  'shell:/x',
  'ldap://client.example/x',
  'smb://client.example/x',
  'ssh://client.example/x',
  'telnet://client.example/x',
  'steam://run/1',
  'zoommtg://zoom.us/join',
  'android-app://com.example',
  'x-apple.systempreferences:/x',
  'com.apple.systempreferences:/x',
  'microsoft.windows.camera:/x',
  'myapp://callback',
  'com.example.app:opaque',
  'https://client.example/back?code=1&state=2',
  'https://client.example/back?iss=x',
  'https://client.example/back?error=access_denied',
  'https://client.example/back?%65rror=x',
  'http://127.0.0.1/back?state=1',
  'cursor://anysphere.cursor-mcp/back?code=1',
  `https://client.example/${'a'.repeat(2000)}`,
  7,
  null,
  ['https://client.example/back'],
]

verifies.group('checklist 1', 'no answer goes to this server itself', () => {
  test.each([
    ['https://data.example.org/back', 'https://data.example.org'],
    ['https://data.example.org:443/back', 'https://data.example.org'],
    ['http://127.0.0.1:7662/', 'http://127.0.0.1:7662'],
    ['http://localhost:7662/back', 'http://127.0.0.1:7662'],
    ['http://[::1]:7662/back', 'http://localhost:7662'],
  ])('%s is refused at %s', (uri, own) => expect(redirectUriProblem(uri, own)).toContain('this server'))
  test.each([
    ['https://client.example/back', 'https://data.example.org'],
    ['http://127.0.0.1:33418/', 'http://127.0.0.1:7662'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:7662'],
    ['http://127.0.0.1/callback', 'http://localhost'],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://127.0.0.1:7662'],
  ])('%s is accepted at %s', (uri, own) => expect(redirectUriProblem(uri, own)).toBeUndefined())
})

verifies.group('checklist 1', 'where codes may be sent', () => {
  test.each(accepted)('%s is accepted', (uri) => {
    expect(redirectUriProblem(uri)).toBeUndefined()
  })
  test.each(refused)('%j is refused', (uri) => {
    expect(redirectUriProblem(uri)).toEqual(expect.any(String))
  })
})

test('messages use only characters that OAuth allows', () => {
  for (const uri of refused) expect(plainAscii(redirectUriProblem(uri)!.replaceAll('"', "'"))).not.toContain('?')
})
