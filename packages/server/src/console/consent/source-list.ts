import { html } from 'hono/html'
import {
  FORM,
  isChosen,
  isSingle,
  isTicked,
  type SourceChoice,
  tickedStreams,
} from '../../authorization/consent/choice.ts'
import { GROUP_FORM, groupTick, isSensitive } from '../../authorization/consent/groups.ts'
import { FIND_FIELD, type LineGroup, type SourceLine } from '../../authorization/consent/listing.ts'
import type { OfferedSource } from '../../authorization/consent/offer.ts'
import { countOf } from '../../authorization/consent/preview.ts'
import { count, counted } from '../frame/dates.ts'
import { KINDS, type Kind } from '../frame/kind.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { hintOf, kindOfSource, lineName } from './line-text.ts'
import type { ConsentView } from './page.ts'
import { keptChoice, sourceFold } from './source-fold.ts'
import { sourceLine } from './source-line.ts'

/** A line for each source, or for each kind if there are many. */
export function sourceList(view: ConsentView): Markup {
  const { listing } = view
  if (listing.kind === 'lines') return lineList(view, listing.lines, firstLines(listing.lines))
  if (listing.kind === 'groups')
    return html`<ul class="lines dense">${listing.groups.map((group) => groupLine(view, group))}</ul>`
  const found = listing.lines.length
  const firsts = firstLines([...listing.lines, ...listing.chosen])
  return html`<p class="small quiet" id="listed">${
    found === 0
      ? `None of your ${count(listing.total)} sources has this name.`
      : `${count(found + listing.more)} of your ${count(listing.total)} sources ${found === 1 ? 'has' : 'have'} this name${listing.more > 0 ? `. These are the first ${found}` : ''}.`
  } <button class="link-button" name="${FIND_FIELD}-clear" value="yes">Show all</button></p>
${lineList(view, listing.lines, firsts)}
${listing.chosen.length === 0 ? '' : html`<h2>Also chosen</h2>${lineList(view, listing.chosen, firsts)}`}`
}

/** Maps each source to its first line, which has the fold. */
type FirstLines = ReadonlyMap<string, string>

const firstLines = (lines: readonly SourceLine[]): FirstLines =>
  new Map(lines.toReversed().map(({ source, connectionId }) => [source.key, connectionId]))

function lineList(
  view: ConsentView,
  lines: readonly SourceLine[],
  firsts: FirstLines,
  isDense = lines.length > 9,
): Markup {
  return html`<ul class="lines${isDense ? ' dense' : ''}">${lines.map((line) => oneLine(view, line, firsts.get(line.source.key)!))}</ul>`
}

function groupLine(view: ConsentView, group: LineGroup): Markup {
  const { choice, preview } = view
  const state = groupTick(group, choice)
  const all = group.sources.reduce((sum, { connections }) => sum + connections.length, 0)
  const on = group.sources.reduce((sum, source) => sum + tickedIds(source, choice.sources.get(source.key)!).length, 0)
  const amounts = group.sources.map((source) => amountOf(view, source))
  const name = KINDS[group.id as Kind]
  return sourceLine({
    tick: { id: `g-${group.id}`, name: GROUP_FORM.tick, value: group.id, state },
    kind: group.id as Kind,
    title: html`${name} <span class="small quiet">${on === 0 || on === all ? counted(all, 'source') : `${count(on)} of ${counted(all, 'source')}`}</span>`,
    isSensitive: group.sources.every(isSensitive),
    hint: '',
    amount:
      preview.size === 0 || amounts.includes(undefined)
        ? ''
        : count(amounts.reduce<number>((sum, one) => sum + one!, 0)),
    hidden: html`<input type="hidden" name="${GROUP_FORM.was(group.id)}" value="${state}">`,
    fold: {
      id: `group-${group.id}`,
      label: html`The sources of ${name}`,
      isOpen: view.opened.has(`group-${group.id}`),
      body: html`${lineList(view, group.lines, firstLines(group.lines), true)}${group.more > 0 ? html`<p class="small quiet">${count(group.more)} more. Find them by name above.</p>` : ''}`,
    },
  })
}

/** The first line of a source has the fold, because parts, fields and days belong to all connections of a source. */
function oneLine(view: ConsentView, { source, connectionId }: SourceLine, first: string): Markup {
  const isFirst = connectionId === first
  const { choice, preview, review, opened, listing } = view
  const { key } = source
  const own = choice.sources.get(key)!
  const single = isSingle(source)
  const on = isTicked(source, own, connectionId)
  const amount = amountOf(view, source, connectionId)
  const problem = isFirst ? review.problems.find((one) => one.key === key)?.message : undefined
  const name = lineName(source, connectionId)
  const hasBody = isFirst && (listing.kind === 'lines' || preview.get(key)?.hasSamples || opened.has(key))
  const tick = single
    ? { id: `row-${key}`, name: FORM.row(key), value: 'on' }
    : { id: `c-${key}-${connectionId}`, name: FORM.connection(key), value: connectionId }
  return sourceLine({
    tick: { ...tick, state: on ? 'all' : 'none' },
    kind: kindOfSource(source),
    title: untrustedText(name, 60),
    isSensitive: isSensitive(source),
    hint: hintOf(view, source, own, on),
    amount: amount === undefined ? '' : count(amount),
    problem: problem === undefined ? undefined : untrustedText(problem, 300),
    hidden: html`${on ? html`<input type="hidden" name="${FORM.was(key)}" value="${connectionId}">` : ''}${single ? html`<input type="hidden" name="${FORM.connection(key)}" value="${connectionId}">` : ''}${isFirst && !hasBody ? keptChoice(source, own) : ''}`,
    fold: {
      id: isFirst ? `source-${key}` : `account-${key}-${connectionId}`,
      label: html`Parts and samples of ${untrustedText(name, 60)}`,
      isOpen: isFirst && opened.has(key),
      load: isFirst && !preview.get(key)?.hasSamples ? key : undefined,
      body: isFirst ? (hasBody ? foldBody(view, source, connectionId) : loading(key)) : elsewhere(source, first),
    },
  })
}

function foldBody(view: ConsentView, source: OfferedSource, connectionId: string): Markup {
  const { choice, preview, urls } = view
  const own = choice.sources.get(source.key)!
  return sourceFold({
    source,
    choice: own,
    preview: preview.get(source.key),
    urls,
    hasPeriod: choice.back !== '' || own.from + own.to !== '',
    areFactsShown: view.facts !== undefined,
    name: lineName(source, connectionId),
    sharedWith: source.connections
      .filter((one) => one.connectionId !== connectionId)
      .slice(0, 5)
      .map((one) => lineName(source, one.connectionId)),
  })
}

const loading = (key: string): Markup =>
  html`<p><button class="button plain small" name="open" value="${key}">Show parts and newest items</button></p>`

const elsewhere = (source: OfferedSource, first: string): Markup =>
  html`<p class="small quiet">Its parts, fields and days are the same as those of <a href="#source-${source.key}">${untrustedText(lineName(source, first), 60)}</a>.</p>`

const tickedIds = (source: OfferedSource, choice: SourceChoice): string[] =>
  source.connections.map(({ connectionId }) => connectionId).filter((id) => isTicked(source, choice, id))

/** Number of items that a source shares, or would share after a tick. Undefined if it was not counted. */
function amountOf({ choice, preview }: ConsentView, source: OfferedSource, id?: string): number | undefined {
  const counts = preview.get(source.key)
  const own = choice.sources.get(source.key)!
  const streams = isChosen(own) ? own.streams : tickedStreams(source)
  const ids = id === undefined ? source.connections.map(({ connectionId }) => connectionId) : [id]
  if (id !== undefined && source.connections.length > 20) return
  return counts && countOf(counts, source, streams.keys(), ids)
}
