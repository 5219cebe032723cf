// The proxies of docs/running-as-a-service.md, run with the configuration that the page shows.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../fixtures/http.ts'
import { startPdpp, temporaryDirectory } from '../fixtures/processes.ts'

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'running-as-a-service.md'), 'utf8')
const block = (holding: string) =>
  [...page.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, text]) => text!).find((text) => text.includes(holding))!
const HOST = 'data.example.org'
const RECORD = '/r/chat%2Fmessages%3A1'

interface Place {
  readonly folder: string
  /** The ports of the proxy and of the server. */
  readonly port: number
  readonly server: string
}

/** The differences on a test machine: ports, certificates and folders. */
const PROXIES: Record<string, { program: string; start(place: Place): string[] }> = {
  nginx: {
    program: 'nginx',
    start: ({ folder, port, server }) => {
      certificate(folder)
      const site = block('proxy_pass')
        .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
        .replaceAll(/\/etc\/letsencrypt\/live\/[^/]+\//g, `${folder}/`)
        .replace('127.0.0.1:7662', new URL(server).host)
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${folder}/${name};`)
        .join(' ')
      writeFileSync(
        join(folder, 'nginx.conf'),
        `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths} ${site} }`,
      )
      return ['-p', folder, '-c', join(folder, 'nginx.conf')]
    },
  },
  Caddy: {
    program: 'caddy',
    start: ({ folder, port, server }) => {
      const site = block('reverse_proxy').replace('127.0.0.1:7662', new URL(server).host)
      const options = `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tauto_https disable_redirects\n\thttps_port ${port}\n\tstorage file_system ${folder}\n}\n`
      writeFileSync(join(folder, 'Caddyfile'), options + site)
      return ['run', '--config', join(folder, 'Caddyfile')]
    },
  },
}

for (const [name, { program, start }] of Object.entries(PROXIES)) {
  const isInstalled = spawnSync(program, ['version']).error === undefined
  if (!isInstalled) console.warn(`${name} is not installed: its configuration is not run.`)
  test.skipIf(!isInstalled)(`the configuration of ${name} works as it stands`, async () => {
    const folder = temporaryDirectory()
    const port = await freePort()
    const env = { PDPP_PUBLIC_URL: `https://${HOST}`, PDPP_TRUSTED_PROXIES: '127.0.0.1' }
    const pdpp = await startPdpp(['serve', '--port', '0'], { dataDir: join(folder, 'data'), env })
    await pdpp.printed(/Ctrl-C/)
    const { url } = JSON.parse(readFileSync(join(folder, 'data', 'server.json'), 'utf8'))
    const child = spawn(program, start({ folder, port, server: url }), {
      stdio: 'ignore',
      env: { ...process.env, HOME: folder },
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    onTestFinished(async () => {
      child.kill()
      await ended
    })
    await expect
      .poll(() => ask(port, '/.well-known/oauth-protected-resource/mcp').catch(() => undefined), {
        timeout: 30_000,
      })
      .toMatchObject({ status: 200, body: { resource: `https://${HOST}/mcp` } })
    expect(await ask(port, RECORD)).toMatchObject({
      status: 303,
      location: `/owner/sign-in?return_to=${encodeURIComponent(RECORD)}`,
    })
    expect((await ask(port, '/mcp')).status).toBe(405)
  })
}

function certificate(folder: string): void {
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', `/CN=${HOST}`]
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  expect(spawnSync('openssl', [...args, ...files]).status).toBe(0)
}

function ask(port: number, path: string): Promise<{ status?: number; location?: string; body?: unknown }> {
  // The certificate is made for this test, so nobody vouches for it.
  const options = {
    host: '127.0.0.1',
    port,
    path,
    servername: HOST,
    headers: { host: HOST },
    rejectUnauthorized: false,
  }
  return new Promise((resolve, reject) => {
    request(options, async (answer) => {
      let text = ''
      for await (const chunk of answer.setEncoding('utf8')) text += chunk
      const isJson = answer.headers['content-type']?.includes('json')
      const { statusCode: status, headers } = answer
      resolve({
        ...(status === undefined ? {} : { status }),
        ...(headers.location ? { location: headers.location } : {}),
        ...(isJson ? { body: JSON.parse(text) } : {}),
      })
    })
      .on('error', reject)
      .end()
  })
}
