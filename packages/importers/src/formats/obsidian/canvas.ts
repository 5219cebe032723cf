import type { NoteLink } from '../../models/note/records.ts'

interface Card {
  readonly type?: unknown
  readonly text?: unknown
  readonly file?: unknown
  readonly url?: unknown
  readonly label?: unknown
}

/** The texts and links of a canvas. Undefined if the text is not a canvas. */
export function readCanvas(text: string): { text: string; links: NoteLink[] } | undefined {
  let canvas: unknown
  try {
    canvas = JSON.parse(text)
  } catch {
    return
  }
  const nodes = (canvas as { nodes?: unknown } | null)?.nodes
  if (!Array.isArray(nodes)) return
  const cards = nodes.filter((node): node is Card => typeof node === 'object' && node !== null)
  const texts = cards.flatMap(({ text: words, label }) =>
    [words, label].filter((each): each is string => typeof each === 'string'),
  )
  const links = cards.flatMap(({ file, url }): NoteLink[] => {
    if (typeof file === 'string') return [{ kind: 'file', target: file }]
    return typeof url === 'string' ? [{ kind: 'web', target: url }] : []
  })
  return { text: texts.join('\n\n'), links }
}
