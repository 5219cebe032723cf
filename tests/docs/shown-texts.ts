// The texts in a source file that people may read: templates of pages, and sentences in quotes.
import { parseAst } from 'vite'

/** Stands for what a template computes. */
const COMPUTED = '…'
const SPOKEN_ATTRIBUTES = /\s(?:aria-label|placeholder|title|alt)="([^"]*)"/g

export interface ShownText {
  readonly text: string
  readonly line: number
}

/** Every text of a page or message in this source. Code within `<code>` is left out. */
export function shownTexts(source: string): ShownText[] {
  const found: ShownText[] = []
  const add = (text: string, start: number) => {
    const plain = text.replace(/\s+/g, ' ').trim()
    if (/[A-Za-z]{3}/.test(plain)) found.push({ text: plain, line: source.slice(0, start).split('\n').length })
  }
  const each = (node: any): boolean => {
    if (node.type === 'ImportDeclaration' || node.type === 'TSLiteralType' || node.source) return false
    if (node.type === 'TaggedTemplateExpression') {
      if (node.tag.name === 'html') for (const text of htmlTexts(joined(node.quasi))) add(text, node.start)
      for (const computed of node.quasi.expressions) visit(computed, each)
      return false
    }
    if (node.type === 'Literal' && typeof node.value === 'string' && isSentence(node.value)) add(node.value, node.start)
    if (node.type === 'TemplateLiteral') {
      const text = joined(node)
      // The script of a page is a text here, and has texts of its own.
      if (text.startsWith("'use strict'")) found.push(...shownTexts(text.replaceAll(COMPUTED, '')))
      else if (isSentence(text)) add(text, node.start)
    }
    return true
  }
  visit(parseAst(source, { lang: 'ts' }), each)
  return found
}

const joined = (template: any): string => template.quasis.map((part: any) => part.value.cooked).join(COMPUTED)

function htmlTexts(template: string): string[] {
  const spoken = [...template.matchAll(SPOKEN_ATTRIBUTES)].map(([, text]) => text!)
  return [...spoken, ...template.replace(/<(code|pre)\b[^>]*>[\s\S]*?<\/\1>/g, COMPUTED).split(/<[^>]*>/)]
}

/** At least two words, and no code, path, address or list of classes. */
const isSentence = (text: string): boolean => /[A-Za-z…’)],? [a-z…]/.test(text) && !/^[a-z-]+( [a-z-]+)?$/.test(text)

function visit(node: any, each: (node: any) => boolean): void {
  if (!each(node)) return
  for (const [key, value] of Object.entries(node)) {
    if (key === 'parent') continue
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child === 'object' && typeof (child as any).type === 'string') visit(child, each)
  }
}
