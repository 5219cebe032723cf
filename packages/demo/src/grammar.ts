import type { Random } from './random.ts'
import { words } from './words/index.ts'

// Filler text is written as templates. "[a|b]" is a choice, and "{part}" is a word from the list `part`. A slot keeps
// its word for the whole scene, so that a reply mentions the same thing as the question. "{part2}" is another part;
// "{Part}" is capitalised; "{n:3-40}" is a number and "{eur:20-90}" an amount of money. All choices "[1~a|b]" of a
// scene take the same branch, so that an answer fits its question.

type Node =
  | string
  | { options: Node[][]; tie: string }
  | { slot: string; raw: string; low: number; high: number; capital: boolean }

export type Bindings = Map<string, string>

const slotPattern = /^([A-Za-z_]+?)(\d*)(?::(\d+)-(\d+))?$/
const parsed = new Map<string, Node[]>()

const parse = (template: string): Node[] => {
  const known = parsed.get(template)
  if (known) return known
  let at = 0
  const sequence = (inChoice: boolean): Node[] => {
    const nodes: Node[] = []
    let text = ''
    const flush = () => {
      if (text) nodes.push(text)
      text = ''
    }
    while (at < template.length) {
      const char = template[at]!
      if (inChoice && (char === '|' || char === ']')) break
      at++
      if (char === '[') {
        flush()
        const tie = /^\d~/.test(template.slice(at, at + 2)) ? template.slice(at, at + 2) : ''
        at += tie.length
        const options: Node[][] = [sequence(true)]
        while (template[at] === '|') {
          at++
          options.push(sequence(true))
        }
        if (template[at] !== ']') throw new Error(`unclosed choice in template: ${template.slice(0, 80)}`)
        at++
        nodes.push({ options, tie })
      } else if (char === '{') {
        flush()
        const end = template.indexOf('}', at)
        nodes.push(slotOf(template.slice(at, end)))
        at = end + 1
      } else text += char
    }
    flush()
    return nodes
  }
  const nodes = sequence(false)
  parsed.set(template, nodes)
  return nodes
}

const slotOf = (raw: string): Node => {
  const match = slotPattern.exec(raw)
  if (!match) throw new Error(`not a slot: {${raw}}`)
  const name = match[1]!
  const capital = name.length > 1 && name[0] !== name[0]!.toLowerCase()
  const slot = capital ? name[0]!.toLowerCase() + name.slice(1) : name
  return { slot, raw: slot + raw.slice(name.length), low: Number(match[3] ?? 0), high: Number(match[4] ?? 0), capital }
}

const euros = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

const fill = (
  node: Exclude<Node, string | { options: Node[][]; tie: string }>,
  rng: Random,
  bound: Bindings,
): string => {
  const known = bound.get(node.raw)
  if (known !== undefined) return known
  let value: string
  if (node.slot === 'n') value = String(rng.int(node.low, node.high))
  else if (node.slot === 'eur') value = euros(rng.int(node.low * 20, node.high * 20) * 5)
  else {
    const list = words[node.slot]
    if (!list) throw new Error(`no word list or binding for {${node.raw}}`)
    let choice = rng.pick(list)
    const taken = new Set(bound.values())
    for (let tries = 0; tries < 4 && taken.has(choice); tries++) choice = rng.pick(list)
    value = write(choice, rng, bound)
  }
  bound.set(node.raw, value)
  return value
}

const branch = (options: Node[][], tie: string, rng: Random, bound: Bindings): Node[] => {
  if (!tie) return rng.pick(options)
  const known = bound.get(tie)
  const index = known === undefined ? rng.int(0, options.length - 1) : Number(known) % options.length
  bound.set(tie, String(index))
  return options[index]!
}

/** Fills in one template, and adds the chosen words to `bound`. */
export const write = (template: string, rng: Random, bound: Bindings = new Map()): string => {
  const render = (nodes: Node[]): string => {
    let text = ''
    for (const node of nodes) {
      if (typeof node === 'string') text += node
      else if ('options' in node) text += render(branch(node.options, node.tie, rng, bound))
      else {
        const value = fill(node, rng, bound)
        text += node.capital ? value[0]!.toUpperCase() + value.slice(1) : value
      }
    }
    return text
  }
  return render(parse(template))
}
