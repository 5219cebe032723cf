import { html } from 'hono/html'
import { count } from './dates.ts'
import { type Markup, untrustedText } from './untrusted-text.ts'

export interface PlotPoint {
  /** Start of the counted period, in milliseconds. */
  readonly at: number
  readonly count: number
  /** How many of `count` were refused. They are drawn in another colour. */
  readonly refused?: number
}

export interface Plot {
  /** The caption, such as "Items by month". */
  readonly title: string
  readonly points: readonly PlotPoint[]
  /** A point's name, such as "Jan 2026". */
  readonly name: (at: number) => string
  /** A shorter name for the scale below the bars. */
  readonly shortName?: (at: number) => string
  /** One word for the counted things, such as "Reads". */
  readonly unit: string
  /** One word for the refused things; absent if the plot has none. */
  readonly refused?: string
  /** The address that a point links to. */
  readonly link?: (at: number) => string
  /** Who acted: the owner is shown in green, agents in violet. */
  readonly of?: 'you' | 'agents'
}

/** One drawing for wide screens and one for narrow screens. `maxPoints`: the number of latest points that fit. */
const SIZES = {
  wide: { className: 'wide-plot', width: 760, height: 130, maxPoints: 130, labelWidth: 54 },
  narrow: { className: 'narrow-plot', width: 340, height: 130, maxPoints: 31, labelWidth: 62 },
} as const
const LEFT = 44
const BELOW = 20
const ABOVE = 8

/** A picture with a scale, and the same numbers as a table. */
export function plot(view: Plot): Markup {
  const { title, points, name, unit, refused, link } = view
  if (points.length === 0) return html``
  return html`<figure class="plot ${view.of ?? 'you'}">
<figcaption class="small quiet">${title}</figcaption>
${drawing(view, SIZES.wide)}${drawing(view, SIZES.narrow)}
<details class="numbers"><summary>The numbers</summary><div class="scroll" tabindex="0" role="region" aria-label="${title}, as a table"><table class="table small">
<thead><tr><th scope="col">When</th><th scope="col" class="number">${unit}</th>${refused === undefined ? '' : html`<th scope="col" class="number">${refused}</th>`}</tr></thead>
<tbody>${points.toReversed().map((point) => {
    const when = name(point.at)
    return html`<tr><th scope="row">${link && point.count > 0 ? html`<a href="${link(point.at)}">${when}</a>` : when}</th><td class="number">${count(point.count)}</td>${refused === undefined ? '' : html`<td class="number">${count(point.refused ?? 0)}</td>`}</tr>`
  })}</tbody></table></div></details>
</figure>`
}

/** Screen readers get the table, so the drawing is hidden from them and the Tab key skips its links. */
function drawing(view: Plot, { className, width, height, maxPoints, labelWidth }: (typeof SIZES)['wide' | 'narrow']) {
  const points = view.points.slice(-maxPoints)
  const top = niceTop(Math.max(1, ...points.map((point) => point.count)))
  const floor = height - BELOW
  const step = (width - LEFT - 8) / points.length
  const tall = (amount: number) => ((floor - ABOVE) * amount) / top
  const every = Math.ceil(labelWidth / step)
  const label = view.shortName ?? view.name
  return html`<svg class="${className}" viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false">
${[0, 0.5, 1].map((part) => gridLine(top * part, floor - tall(top * part), width))}
${points.map((point, index) => bar(view, point, { x: LEFT + index * step, step, floor, tall }))}
${points.map((point, index) => ((points.length - 1 - index) % every === 0 ? html`<text class="at-middle" x="${fixed(Math.min(LEFT + (index + 0.5) * step, width - labelWidth / 2))}" y="${height - 4}">${label(point.at)}</text>` : ''))}
</svg>`
}

const gridLine = (amount: number, y: number, width: number): Markup =>
  html`<line class="grid" x1="${LEFT}" x2="${width - 8}" y1="${fixed(y)}" y2="${fixed(y)}"></line><text class="at-end" x="${LEFT - 6}" y="${fixed(y + 4)}">${shortCount(amount)}</text>`

interface Room {
  readonly x: number
  readonly step: number
  readonly floor: number
  readonly tall: (amount: number) => number
}

function bar({ link, name, unit }: Plot, point: PlotPoint, { x, step, floor, tall }: Room): Markup | string {
  if (point.count === 0) return ''
  const width = Math.min(46, step * 0.72)
  const rect = (amount: number, kind: string) => {
    const height = Math.max(1.5, tall(amount))
    return html`<rect class="bar ${kind}" x="${fixed(x + (step - width) / 2)}" y="${fixed(floor - height)}" width="${fixed(width)}" height="${fixed(height)}" rx="1.5"></rect>`
  }
  const drawn = html`<title>${name(point.at)}: ${count(point.count)} ${unit.toLowerCase()}</title>${rect(point.count, '')}${point.refused ? rect(point.refused, 'refused') : ''}`
  return link === undefined ? html`<g>${drawn}</g>` : html`<a href="${link(point.at)}" tabindex="-1">${drawn}</a>`
}

/** The next of 1, 2, 4, 5, 6, 8 times a power of ten, so that half of it is a round number too. */
function niceTop(max: number): number {
  const power = 10 ** Math.floor(Math.log10(max))
  return Math.max(2, [1, 2, 4, 5, 6, 8, 10].map((factor) => factor * power).find((top) => top >= max) ?? max)
}

const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const shortCount = (amount: number): string => SHORT.format(amount).toLowerCase()
const fixed = (number: number): string => String(Math.round(number * 10) / 10)

/** A link to the next page of a long list. */
export function pager(href: string | undefined, name = 'Older'): Markup | string {
  return href === undefined ? '' : html`<p><a class="button plain" href="${href}" rel="next">${name}</a></p>`
}

/** A name that somebody else chose, or `instead` if the name is empty. */
export function named(name: string | undefined, instead: string, chars = 80): Markup {
  return untrustedText(name === undefined || name.trim() === '' ? instead : name, chars)
}
