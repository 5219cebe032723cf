interface Control {
  readonly name: string
  readonly value: string
  readonly kind: string
  readonly disabled: boolean
  on: boolean
}

/** A form as a page shows it: what a browser without scripts would send, after ticking what a test ticks. */
export class ShownForm {
  readonly controls: Control[]

  constructor(page: string, action: string) {
    const form = page.split('<form').find((text) => text.includes(`action="${action}"`))
    if (!form) throw new Error(`The page has no form for ${action}:\n${page.slice(0, 2000)}`)
    const text = form.split('</form>')[0]!
    this.controls = [...inputs(text), ...options(text)]
  }

  /** The values of a name: those that are on, or all. */
  values(name: string, { all = false } = {}): string[] {
    return this.controls.filter((one) => one.name === name && (all || one.on)).map(({ value }) => value)
  }

  names(prefix: string): string[] {
    return [...new Set(this.controls.map(({ name }) => name).filter((name) => name.startsWith(prefix)))]
  }

  tick(name: string, values: string | readonly string[], on = true): this {
    for (const value of [values].flat()) {
      const found = this.controls.find((one) => one.name === name && one.value === value)
      if (!found || found.disabled) throw new Error(`There is no ${name} = ${value} to tick.`)
      if (found.kind === 'radio' || found.kind === 'option')
        for (const one of this.controls) if (one.name === name) one.on = false
      found.on = on
    }
    return this
  }

  type(name: string, value: string): this {
    const index = this.controls.findIndex((one) => one.name === name)
    if (index < 0) throw new Error(`There is no field ${name}.`)
    this.controls[index] = { ...this.controls[index]!, value }
    return this
  }

  /** What is sent when a button is pressed. */
  press(name: string, value: string): Record<string, string | string[]> {
    const sent: Record<string, string[]> = {}
    for (const one of this.controls) {
      if (one.on && !one.disabled) sent[one.name] = [...(sent[one.name] ?? []), one.value]
    }
    return { ...sent, [name]: value }
  }
}

function inputs(text: string): Control[] {
  return [...text.matchAll(/<input\s([^>]*)>/g)].map(([, attributes = '']) => {
    const kind = attribute(attributes, 'type') ?? 'text'
    const plain = kind !== 'checkbox' && kind !== 'radio'
    return {
      name: attribute(attributes, 'name') ?? '',
      value: attribute(attributes, 'value') ?? '',
      kind,
      disabled: /\sdisabled\b/.test(attributes),
      on: plain || /\schecked\b/.test(attributes),
    }
  })
}

function options(text: string): Control[] {
  return [...text.matchAll(/<select\s([^>]*)>([\s\S]*?)<\/select>/g)].flatMap(([, attributes = '', body = '']) =>
    [...body.matchAll(/<option\s([^>]*)>/g)].map(([, option = '']) => ({
      name: attribute(attributes, 'name') ?? '',
      value: attribute(option, 'value') ?? '',
      kind: 'option',
      disabled: false,
      on: /\sselected\b/.test(option),
    })),
  )
}

function attribute(text: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(text)?.[1]
  return value?.replace(/&(quot|lt|gt|#39|amp);/g, (_, entity) => ENTITIES[entity as keyof typeof ENTITIES])
}

const ENTITIES = { quot: '"', lt: '<', gt: '>', '#39': "'", amp: '&' }
