import type { LackingAccess, SourceDeclaration } from '@pdpp/protocol'
import { html } from 'hono/html'
import type { StoredWish } from '../../grants/wishes/wish-store.ts'
import { count, day, dayText, moment } from '../frame/dates.ts'
import { type Kind, kindOf, partOf, sourceWords } from '../frame/kind.ts'
import { type Markup, plainText, untrustedText } from '../frame/untrusted-text.ts'

type Declarations = readonly SourceDeclaration[]

/** A wish as plain text. Names that exist here are replaced by the owner's names; others are quoted. */
export function wishWords(lacks: LackingAccess | undefined, declarations: Declarations): string {
  if (!lacks) return 'many other things'
  if (lacks.kind === 'stream') return streamWords(lacks.stream, declarations)
  const source = declarations.find(({ connector_key: key }) => key === lacks.connectorKey)
  const part = partOf(labelOf(lacks.stream, source), plainText(source?.display?.name ?? lacks.connectorKey, 60))
  if (lacks.kind === 'field') return `the field “${plainText(lacks.field, 60)}” of ${part}`
  return `${part} ${daysOf(lacks)}`
}

function streamWords(stream: string, declarations: Declarations): string {
  const having = declarations.filter(({ streams }) => streams.some(({ name }) => name === stream))
  const [only, another] = having
  if (!only) return `“${plainText(stream, 60)}”`
  return another
    ? labelOf(stream, only)
    : partOf(labelOf(stream, only), plainText(only.display?.name ?? only.connector_key, 60))
}

function labelOf(stream: string, source: SourceDeclaration | undefined): string {
  const declared = source?.streams.find(({ name }) => name === stream)
  return plainText(declared?.display?.label ?? stream, 60)
}

function daysOf({ since, until }: { readonly since?: string; readonly until?: string }): string {
  const text = (at: string) => dayText(Date.parse(at))
  if (since !== undefined && until !== undefined) return `from ${text(since)} to ${text(until)}`
  if (since !== undefined) return `from ${text(since)} on`
  return until === undefined ? 'of another time' : `before ${text(until)}`
}

/** "3 times since 14 November 2026", or "once (Today, 13:54)". */
export function timesText({ times, firstAt, lastAt }: Pick<StoredWish, 'times' | 'firstAt' | 'lastAt'>): Markup {
  return times === 1 ? html`once (${moment(lastAt)})` : html`${count(times)} times since ${day(firstAt)}`
}

export function wishKind(lacks: LackingAccess | undefined, declarations: Declarations): Kind {
  if (!lacks) return 'file'
  const source = declarations.find(({ connector_key: key, streams }) =>
    lacks.kind === 'stream' ? streams.some(({ name }) => name === lacks.stream) : key === lacks.connectorKey,
  )
  return kindOf(lacks.stream, source ? sourceWords(source) : '')
}

export const wishMarkup = (lacks: LackingAccess | undefined, declarations: Declarations): Markup =>
  untrustedText(wishWords(lacks, declarations), 220)

/** Like `wishWords`, for the beginning of a line. */
export function wishTitle(lacks: LackingAccess | undefined, declarations: Declarations): Markup {
  const words = wishWords(lacks, declarations)
  return untrustedText(words.charAt(0).toUpperCase() + words.slice(1), 220)
}
