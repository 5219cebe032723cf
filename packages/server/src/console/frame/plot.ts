import { html } from 'hono/html'
import { count } from './dates.ts'
import { type Markup, untrustedText } from './untrusted-text.ts'

export interface PlotPoint {
  /** Start of the counted period, in milliseconds. */
  readonly at: number
  readonly count: number
  /** How many of `count` were refused; drawn in another colour. */
  readonly refused?: number
}

const HEIGHT = 40

/** A small chart without text. Hidden from screen readers, because the text next to it says the same. */
export function sparkline(points: readonly PlotPoint[]): Markup {
  return html`<svg class="spark bars" viewBox="0 0 ${Math.max(1, points.length) * 4} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true" focusable="false">${bars(points)}</svg>`
}

function bars(points: readonly PlotPoint[]): Markup[] {
  const max = Math.max(1, ...points.map((point) => point.count))
  const tall = (amount: number) => Math.max(1, Math.round((amount / max) * HEIGHT))
  return points.map(({ count: amount, refused = 0 }, index) => {
    const [whole, top] = [tall(amount), refused === 0 ? 0 : tall(refused)]
    const bar = html`<rect class="${amount === 0 ? 'none' : ''}" x="${index * 4}" y="${HEIGHT - whole}" width="3" height="${whole}"></rect>`
    return top === 0
      ? bar
      : html`${bar}<rect class="refused" x="${index * 4}" y="${HEIGHT - top}" width="3" height="${top}"></rect>`
  })
}

export interface Plot {
  /** The caption, such as "Records by month". */
  readonly title: string
  readonly points: readonly PlotPoint[]
  /** A point's name, such as "Jan 2026". */
  readonly name: (at: number) => string
  /** One word for the counted items, such as "Reads". */
  readonly unit: string
  /** One word for the refused items; absent if the plot has none. */
  readonly refused?: string
  /** The address that a point links to. */
  readonly link?: (at: number) => string
}

/** A picture, and the same numbers as a table. The script draws an interactive chart from that table. */
export function plot({ title, points, name, unit, refused, link }: Plot): Markup {
  if (points.length === 0) return html``
  const [first, last] = [points[0]!, points.at(-1)!]
  return html`<figure class="plot" data-plot="${unit}">
<figcaption class="small quiet">${title}</figcaption>
<div class="drawing"><svg class="bars" viewBox="0 0 ${points.length * 4} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true" focusable="false">${bars(points)}</svg>
<p class="ends small quiet"><span>${name(first.at)}</span><span>${name(last.at)}</span></p></div>
<details class="numbers"><summary>The numbers</summary><div class="scroll" tabindex="0" role="region" aria-label="${title}, as a table"><table class="table small">
<thead><tr><th scope="col">When</th><th scope="col" class="number">${unit}</th>${refused === undefined ? '' : html`<th scope="col" class="number">${refused}</th>`}</tr></thead>
<tbody>${points.toReversed().map((point) => {
    const when = name(point.at)
    return html`<tr data-at="${point.at}" data-count="${point.count}" data-refused="${point.refused ?? 0}"><th scope="row">${link && point.count > 0 ? html`<a href="${link(point.at)}">${when}</a>` : when}</th><td class="number">${count(point.count)}</td>${refused === undefined ? '' : html`<td class="number">${count(point.refused ?? 0)}</td>`}</tr>`
  })}</tbody></table></div></details>
</figure>`
}

/** A link to the next page of a long list. */
export function pager(href: string | undefined, name = 'Older'): Markup | string {
  return href === undefined ? '' : html`<p><a class="button plain" href="${href}" rel="next">${name}</a></p>`
}

/** A name that somebody else chose, or `instead` if it is empty. */
export function named(name: string | undefined, instead: string, chars = 80): Markup {
  return untrustedText(name === undefined || name.trim() === '' ? instead : name, chars)
}
