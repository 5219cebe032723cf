import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const PLOT_STYLE = readFileSync(createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css'), 'utf8')

/** Styles of the console's pages that the consent page does not need. */
export const CONSOLE_STYLE = `
.head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0.35rem 1.25rem; }
.columns { display: grid; gap: var(--gap); grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); align-items: start; }
.attention { list-style: none; display: grid; gap: 0.5rem; }
.attention li { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.65rem; }
.attention li::before { content: ""; width: 0.55rem; height: 0.55rem; border-radius: 50%; background: var(--warn); margin-top: 0.5em; }
.crumbs { display: flex; flex-wrap: wrap; gap: 0 0.45rem; }
.banner { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.25rem 1.25rem; }
.button.small { min-height: 2.25rem; padding: 0.3rem 0.8rem; font-weight: 500; }
a.button { display: inline-flex; align-items: center; text-decoration: none; }
.button.danger { background: transparent; color: var(--warn); border-color: var(--warn); }
.card h3 a, .row-title { text-decoration: none; font-weight: 600; }
.card h3 a:hover, .row-title:hover { text-decoration: underline; }

.cards.wide { grid-template-columns: repeat(auto-fill, minmax(min(100%, 25rem), 1fr)); }
.spark { display: block; width: 100%; height: 2.5rem; }
.bars rect { fill: var(--accent); opacity: 0.75; }
.bars rect.none { fill: var(--line-strong); opacity: 0.45; }
.bars rect.refused { fill: var(--warn); opacity: 1; }
.plot { display: grid; gap: 0.75rem; grid-template-columns: minmax(0, 1fr); }
.plot .bars { width: 100%; height: 9rem; display: block; }
.plot .drawn { min-height: 12rem; }
.plot .ends { display: flex; justify-content: space-between; }
.numbers > summary { font-size: 0.95rem; font-weight: 500; padding: 0.35rem 0; }
details.numbers[open] { padding-bottom: 0; }
.scroll { overflow-x: auto; max-height: 22rem; overflow-y: auto; }
.scroll.whole { max-height: none; }
.scroll.whole .table { min-width: 34rem; }
.scroll.whole th .theirs { overflow-wrap: normal; }
.table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
.table th, .table td { text-align: left; padding: 0.45rem 1rem 0.45rem 0; border-top: 1px solid var(--line); vertical-align: top; font-weight: 450; }
.table thead th { color: var(--quiet); font-size: 0.9rem; border-top: 0; }
.table .number { text-align: right; padding-right: 0; }
.table td .theirs { overflow-wrap: anywhere; }

.search { display: grid; gap: var(--gap); grid-template-columns: minmax(0, 1fr); }
.search .line { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.6rem; }
.search .facets { display: flex; flex-wrap: wrap; gap: 0.75rem 1rem; align-items: end; }
.search .facets label { font-size: 0.9rem; }
.search .facets select { max-width: 15rem; }
.hits { list-style: none; display: grid; }
.hits > li { padding: 0.9rem 0; border-top: 1px solid var(--line); display: grid; gap: 0.2rem; grid-template-columns: minmax(0, 1fr); }
.hits > li:first-child { border-top: 0; padding-top: 0; }
.hits > li:last-child { padding-bottom: 0; }
.hits mark { background: var(--accent-soft); color: inherit; border-radius: 3px; padding: 0 0.1em; box-shadow: inset 0 -2px var(--accent); }
.hits .here { background: var(--accent-soft); margin-inline: -0.75rem; padding-inline: 0.75rem; border-radius: 6px; }
.streams { list-style: none; display: grid; border-top: 1px solid var(--line); padding-top: 0.5rem; }
.streams a { display: flex; justify-content: space-between; gap: 1rem; padding: 0.4rem 0; text-decoration: none; }
.streams a:hover span:first-child { text-decoration: underline; }
.streams .number { color: var(--quiet); font-variant-numeric: tabular-nums; }
.facts.tall { display: grid; grid-template-columns: minmax(7rem, max-content) minmax(0, 1fr); gap: 0.35rem 1.25rem; }
.facts.tall > div { display: contents; }
.facts.tall dt::after { content: ""; }
.fieldset { display: grid; gap: 0.25rem; }
.fieldset .ticks { display: block; columns: 14rem; }
.fieldset .ticks .tick { break-inside: avoid; }
.rows > li.receipt { align-items: start; padding: 0.6rem 0; }
.receipt details.more > summary { font-size: 0.85rem; padding: 0; color: var(--quiet); }
.receipt .marks { display: flex; flex-wrap: wrap; gap: 0.35rem; }
.copy { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.6rem; align-items: start; }
.copy button { display: none; }
.with-script .copy button { display: block; }
.steps { padding-left: 1.25rem; display: grid; gap: 0.3rem; }
.checks { list-style: none; display: grid; gap: 0.6rem; }
.checks li { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 0.15rem 1rem; }
.checks .badge { justify-self: start; align-self: start; margin-top: 0.15rem; }

.uplot, .uplot *, .uplot *::before, .uplot *::after { box-sizing: border-box; }
${PLOT_STYLE}
.uplot { font-family: var(--sans); }
.u-legend { font-size: 0.9rem; color: var(--text); }
.u-select { background: var(--accent-soft); }
@media (max-width: 36rem) {
  .checks li { grid-template-columns: minmax(0, 1fr); }
  .top-inner { padding-bottom: 0.35rem; }
  .top nav { gap: 0 1rem; }
}
`
