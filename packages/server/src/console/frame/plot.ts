import { html } from 'hono/html'
import { count } from './dates.ts'
import { type Markup, untrustedText } from './untrusted-text.ts'

export interface PlotPoint {
  /** First millisecond of what it counts. */
  readonly at: number
  readonly count: number
  /** Of these, how many stand out. */
  readonly refused?: number
}

const HEIGHT = 40

/** A small picture of how much was when, for those who see it; what it says is said beside it in words. */
export function sparkline(points: readonly PlotPoint[]): Markup {
  return html`<svg class="spark bars" viewBox="0 0 ${Math.max(1, points.length) * 4} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true" focusable="false">${bars(points)}</svg>`
}

function bars(points: readonly PlotPoint[]): Markup[] {
  const most = Math.max(1, ...points.map((point) => point.count))
  const tall = (amount: number) => Math.max(1, Math.round((amount / most) * HEIGHT))
  return points.map(({ count: amount, refused = 0 }, index) => {
    const [whole, top] = [tall(amount), refused === 0 ? 0 : tall(refused)]
    const bar = html`<rect class="${amount === 0 ? 'none' : ''}" x="${index * 4}" y="${HEIGHT - whole}" width="3" height="${whole}"></rect>`
    return top === 0
      ? bar
      : html`${bar}<rect class="refused" x="${index * 4}" y="${HEIGHT - top}" width="3" height="${top}"></rect>`
  })
}

export interface Plot {
  /** What is counted, such as "Records by month". */
  readonly title: string
  readonly points: readonly PlotPoint[]
  /** A point's name, such as "Jan 2026". */
  readonly name: (at: number) => string
  /** What is counted, in one word. */
  readonly unit: string
  /** The word for those that stand out, where there can be any. */
  readonly refused?: string
  /** Where a point leads. */
  readonly link?: (at: number) => string
}

/** The picture, and the same numbers as a table. The script draws a better picture from that table. */
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

/** A way on through a long list. */
export function pager(href: string | undefined, name = 'Older'): Markup | string {
  return href === undefined ? '' : html`<p><a class="button plain" href="${href}" rel="next">${name}</a></p>`
}

/** A name that somebody else chose, or what stands for one. */
export function named(name: string | undefined, instead: string, chars = 80): Markup {
  return untrustedText(name === undefined || name.trim() === '' ? instead : name, chars)
}
