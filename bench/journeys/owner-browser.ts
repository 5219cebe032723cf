/** Does what the owner's browser does in a journey: keeps cookies and fills in forms. */
export class OwnerBrowser {
  readonly #origin: string
  readonly #cookies = new Map<string, string>()

  constructor(origin: string) {
    this.#origin = origin
  }

  get(path: string): Promise<Shown> {
    return this.#send(path, {})
  }

  post(path: string, fields: FormData | URLSearchParams): Promise<Shown> {
    return this.#send(path, { method: 'POST', body: fields })
  }

  /** Opens a page and sends its form that has this action. */
  async submit(page: string, action: string): Promise<Shown> {
    return this.post(action, formFields((await this.get(page)).text, action))
  }

  async #send(path: string, init: RequestInit): Promise<Shown> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(path, this.#origin), {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', cookie, origin: this.#origin },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      this.#cookies.set(name!, value!)
    }
    const text = await response.text()
    if (response.status >= 400) throw new Error(`${path}: ${response.status} ${text.slice(0, 2000)}`)
    return { text, location: response.headers.get('location') ?? '' }
  }
}

export interface Shown {
  readonly text: string
  readonly location: string
}

/** The fields that a browser sends with a form. Ticks the boxes whose names begin with one of `tick`. */
export function formFields(page: string, action: string, tick: readonly string[] = []): URLSearchParams {
  const form = page.split('<form').find((part) => part.includes(`action="${action}"`))
  if (form === undefined) throw new Error(`No form for ${action}: ${page.slice(0, 2000)}`)
  const fields = new URLSearchParams()
  const inputs = form.split('</form>')[0]!
  for (const [input] of inputs.matchAll(/<input\s[^>]*>/g)) {
    const name = attribute(input, 'name')
    if (name === undefined || /\sdisabled\b/.test(input)) continue
    const isBox = /\stype="(checkbox|radio)"/.test(input)
    const isTicked = /\schecked\b/.test(input) || tick.some((start) => name.startsWith(start))
    if (!isBox || isTicked) fields.append(name, attribute(input, 'value') ?? '')
  }
  for (const [, select = '', options = ''] of inputs.matchAll(/<select\s([^>]*)>([\s\S]*?)<\/select>/g)) {
    const chosen = [...options.matchAll(/<option\s[^>]*>/g)].find(([option]) => /\sselected\b/.test(option))
    fields.append(attribute(` ${select}`, 'name') ?? '', chosen ? (attribute(chosen[0], 'value') ?? '') : '')
  }
  return fields
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return value?.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
}
