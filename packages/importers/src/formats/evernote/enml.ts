import type { NoteLink, NoteTask } from '../../models/note/records.ts'
import { htmlText } from '../../text/html-text.ts'

export interface EvernoteText {
  readonly text: string
  readonly links: readonly NoteLink[]
  readonly tasks: readonly NoteTask[]
  readonly isLocked: boolean
}

const LINK = /<a\s[^<>]{0,2000}?href\s*=\s*"([^"<>]{1,2000})"[^<>]{0,2000}>([^<>]{0,500})/g

/** Reads a note's text in Evernote's format: HTML with checkboxes, encrypted parts and placeholders for files. */
export function readEnml(enml: string): EvernoteText {
  const isLocked = enml.includes('<en-crypt')
  const html = enml
    .replace(/<en-todo\b[^<>]{0,200}checked\s*=\s*"true"[^<>]{0,200}>/g, '[x] ')
    .replace(/<en-todo\b[^<>]{0,200}>/g, '[ ] ')
    .replace(/<li\b[^<>]{0,500}--en-checked:\s*true[^<>]{0,500}>(?:\s*<div\b[^<>]{0,500}>)?/g, '<li>[x] ')
    .replace(/<li\b[^<>]{0,500}--en-checked:\s*false[^<>]{0,500}>(?:\s*<div\b[^<>]{0,500}>)?/g, '<li>[ ] ')
    .replace(/<en-crypt\b[^<>]{0,500}>[^<>]*<\/en-crypt>/g, '[encrypted]')
  const text = htmlText(html)
  const links = [...html.matchAll(LINK)].map(([, address, words]): NoteLink => {
    const target = htmlText(address!)
    return { kind: target.startsWith('evernote:') ? 'note' : 'web', target, label: htmlText(words!) }
  })
  const tasks = [...text.matchAll(/^\[([ x])\][ ]*(\S.*)$/gm)].map((match) => ({
    text: match[2]!,
    isDone: match[1] === 'x',
  }))
  return { text, links: uniqueLinks(links), tasks, isLocked }
}

const uniqueLinks = (links: readonly NoteLink[]): NoteLink[] => [
  ...new Map(links.map((link) => [`${link.target} ${link.label}`, link])).values(),
]
