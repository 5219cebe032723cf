import { request } from 'node:http'
import type { TestServer } from './support.ts'

export interface Shown {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** One request over a real socket, with exactly these headers: fetch would not let a test choose Host or Origin. */
export function send(
  { server }: { readonly server: Pick<TestServer['server'], 'url'> },
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array } = {},
): Promise<Shown> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers: { connection: 'close', ...headers } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part) => (text += part))
      answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, text }))
    })
    sent.on('error', reject).end(body)
  })
}

type Fields = Record<string, string | string[]>

interface Tested {
  readonly server: Pick<TestServer['server'], 'url' | 'context'>
}

/** A browser without scripts: keeps cookies, sends forms as they stand on the page. */
export class TestVisitor {
  readonly #test: Tested
  readonly #headers: Record<string, string>
  readonly cookies = new Map<string, string>()

  constructor(test: Tested, headers: Record<string, string> = {}) {
    this.#test = test
    this.#headers = headers
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Shown> {
    return this.#keep(await send(this.#test, path, { headers: this.#all(headers) }))
  }

  async post(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<Shown> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const pairs = Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    )
    const body = new URLSearchParams(pairs).toString()
    return this.#keep(
      await send(this.#test, path, { method: 'POST', headers: this.#all({ ...type, ...headers }), body }),
    )
  }

  /** Opens a page and sends its form of that action, with these fields filled in. */
  async submit(page: string, action: string, fields: Record<string, string> = {}): Promise<Shown> {
    const hidden = hiddenFields((await this.get(page)).text, action)
    return this.post(action, { ...hidden, ...fields })
  }

  /** Chooses files on the page that imports them, and sends its form. */
  async upload(files: readonly [name: string, content: string | Uint8Array][], fields = {}): Promise<Shown> {
    const sent = { ...hiddenFields((await this.get('/import')).text, '/import'), ...fields }
    const { type, body } = multipart(Object.entries(sent) as [string, string][], files)
    const headers = this.#all({ 'content-type': type, 'content-length': String(body.length) })
    return this.#keep(await send(this.#test, '/import', { method: 'POST', headers, body }))
  }

  /** Signs in by a link, as the owner does at first. */
  async signIn(): Promise<this> {
    const { path } = await this.#test.server.context.signIn.issueLink('owner_local')
    const { status, text } = await this.submit(path, path)
    if (status !== 303) throw new Error(`${status} ${text}`)
    return this
  }

  #all(headers: Record<string, string>): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return { accept: 'text/html', ...(cookie === '' ? {} : { cookie }), ...this.#headers, ...headers }
  }

  #keep(shown: Shown): Shown {
    for (const line of shown.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(name!)
      else this.cookies.set(name!, value!)
    }
    return shown
  }
}

function multipart(fields: readonly [string, string][], files: readonly [string, string | Uint8Array][]) {
  const boundary = '----visitor'
  const head = (name: string, file: string) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`)
  const end = Buffer.from('\r\n')
  const pieces = [
    ...fields.flatMap(([name, value]) => [head(name, ''), Buffer.from(value), end]),
    ...files.flatMap(([name, content]) => [
      head('files', `; filename="${name.replaceAll('"', '%22')}"\r\nContent-Type: application/octet-stream`),
      Buffer.from(content as string),
      end,
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]
  return { type: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(pieces) }
}

export function hiddenFields(html: string, action: string): Record<string, string> {
  const form = html.split('<form ').find((part) => part.includes(`action="${action}"`))
  if (!form) throw new Error(`The page has no form for ${action}:\n${html}`)
  const fields = [...form.split('</form>')[0]!.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return Object.fromEntries(fields.map(([, name, value]) => [name!, value!.replaceAll('&amp;', '&')]))
}
