import { hash } from 'node:crypto'
import { CONSENT_STYLE } from '../consent/style.ts'
import { IMPORT_STYLE } from '../imports/style.ts'
import { CONSOLE_STYLE } from './console-style.ts'

/**
 * The stylesheet of all pages, in light and dark. Contains the shared rules; those of the consent page and of the
 * console are in their own files.
 */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --ground: #f7f6f3;
  --surface: #ffffff;
  --line: #e0ddd5;
  --line-strong: #8a867c;
  --text: #23211d;
  --quiet: #5f5b53;
  --accent: #1f6357;
  --accent-text: #ffffff;
  --accent-soft: #e5f0ed;
  --warn: #8f3a17;
  --warn-soft: #fbeee6;
  --radius: 10px;
  --gap: 1rem;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #171917;
    --surface: #1f2220;
    --line: #343936;
    --line-strong: #858b86;
    --text: #e8e9e5;
    --quiet: #a9aea8;
    --accent: #7fcdbb;
    --accent-text: #10211d;
    --accent-soft: #21332f;
    --warn: #f0a88a;
    --warn-soft: #38271f;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 var(--sans); min-height: 100vh; display: flex; flex-direction: column; }
h1, h2, h3, p, ul, ol, dl, dd, figure, pre { margin: 0; padding: 0; }
h1 { font-size: 1.6rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; text-wrap: balance; }
h2 { font-size: 1.15rem; line-height: 1.35; font-weight: 600; }
h3 { font-size: 1.05rem; line-height: 1.35; font-weight: 600; }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, pre, .mono { font-family: var(--mono); font-size: 0.9em; }
.quiet { color: var(--quiet); }
.small { font-size: 0.9rem; }
form { position: relative; }
.hidden-label, input[type="text"].hidden-label { position: absolute; width: 1px; height: 1px; min-height: 0; padding: 0; border: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; padding: 0.5rem 1rem; }

.top { background: var(--surface); border-bottom: 1px solid var(--line); }
.top-inner { max-width: 60rem; margin: 0 auto; padding: 0.6rem 1.25rem; display: flex; align-items: center; gap: 0.25rem 1.25rem; flex-wrap: wrap; }
.brand { display: inline-flex; align-items: center; gap: 0.6rem; color: var(--text); text-decoration: none; font-weight: 650; min-height: 2.75rem; margin-right: auto; }
.brand img { width: 1.75rem; height: 1.75rem; display: block; }
.top nav { display: flex; align-items: center; gap: 0 1.25rem; flex-wrap: wrap; }
.top nav a, .top nav button { display: inline-flex; align-items: center; min-height: 2.75rem; }
.top nav a[aria-current] { color: var(--text); text-decoration-thickness: 2px; }
main { width: 100%; max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; display: grid; gap: 1.75rem; grid-template-columns: minmax(0, 1fr); flex: 1; align-content: start; }
main.narrow { max-width: 28rem; padding-top: min(12vh, 6rem); }
.foot { max-width: 60rem; width: 100%; margin: 0 auto; padding: 1rem 1.25rem 2rem; color: var(--quiet); font-size: 0.875rem; }

.panel { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.5rem; display: grid; gap: var(--gap); grid-template-columns: minmax(0, 1fr); }
.panel > header { display: grid; gap: 0.25rem; }
.stack { display: grid; gap: var(--gap); grid-template-columns: minmax(0, 1fr); }
.note { background: var(--accent-soft); border-radius: var(--radius); padding: 0.9rem 1.1rem; display: grid; gap: 0.25rem; }
.note.warn { background: var(--warn-soft); color: var(--warn); }
.note.warn :is(p, code) { color: inherit; }

label { font-weight: 550; display: grid; gap: 0.35rem; }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
legend { padding: 0; font-weight: 550; }
input[type="checkbox"], input[type="radio"] { accent-color: var(--accent); width: 1.2rem; height: 1.2rem; margin: 0.15rem 0 0; flex: none; }
input[type="date"], input[type="search"], select { font: inherit; font-weight: 450; color: inherit; background: var(--ground); border: 1px solid var(--line-strong); border-radius: 8px; padding: 0.5rem 0.7rem; min-height: 2.75rem; max-width: 100%; }
input[type="search"] { width: 100%; }
select { justify-self: start; }
.tick { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.65rem; align-items: start; font-weight: 450; padding: 0.35rem 0; cursor: pointer; }
input[type="password"], input[type="text"] { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line-strong); border-radius: 8px; padding: 0.6rem 0.75rem; min-height: 2.75rem; width: 100%; }
input[aria-invalid="true"] { border-color: var(--warn); border-width: 2px; }
button { font: inherit; cursor: pointer; }
.button { background: var(--accent); color: var(--accent-text); border: 1px solid var(--accent); border-radius: 8px; padding: 0.6rem 1.1rem; min-height: 2.75rem; font-weight: 600; justify-self: start; }
.button:hover { filter: brightness(1.08); }
.button.wide { justify-self: stretch; text-align: center; }
.button.plain { background: transparent; color: var(--text); border-color: var(--line-strong); font-weight: 500; }
.link-button { background: none; border: 0; padding: 0; color: var(--accent); text-decoration: underline; text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
.link-button:hover { text-decoration-thickness: 2px; }
.answers { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center; }
.badge { display: inline-block; font-size: 0.8rem; line-height: 1; padding: 0.3em 0.55em; border-radius: 99px; background: var(--ground); border: 1px solid var(--line); color: var(--quiet); vertical-align: 0.1em; white-space: nowrap; }
.badge.warn { background: var(--warn-soft); border-color: transparent; color: var(--warn); }
.badge.good { background: var(--accent-soft); border-color: transparent; color: var(--accent); }

.cards { display: grid; gap: var(--gap); grid-template-columns: repeat(auto-fill, minmax(min(100%, 17.5rem), 1fr)); list-style: none; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.1rem 1.25rem; display: grid; gap: 0.75rem; align-content: start; grid-template-columns: minmax(0, 1fr); }
.card header, .card .amount { display: grid; gap: 0.1rem; }
.figures { display: flex; flex-wrap: wrap; gap: 0.25rem 2.5rem; }
.figure { display: grid; }
.figure strong { font-size: 1.6rem; line-height: 1.2; font-weight: 650; font-variant-numeric: tabular-nums; letter-spacing: -0.01em; }
.counts { list-style: none; display: grid; gap: 0.2rem; border-top: 1px solid var(--line); padding-top: 0.7rem; }
.counts li { display: flex; justify-content: space-between; gap: 1rem; }
.counts .number { font-variant-numeric: tabular-nums; color: var(--quiet); }
.rows { list-style: none; display: grid; }
.rows > li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1rem; padding: 0.85rem 0; border-top: 1px solid var(--line); }
.rows > li:first-child { border-top: 0; padding-top: 0; }
.rows > li:last-child { padding-bottom: 0; }
.rows .what { display: grid; gap: 0.1rem; min-width: 0; flex: 1 1 14rem; }

.facts { display: flex; flex-wrap: wrap; gap: 0.35rem 1.5rem; color: var(--quiet); }
.facts > div { display: flex; flex-wrap: wrap; gap: 0 0.4rem; min-width: 0; }
.facts dt::after { content: ":"; }
.facts dd { color: var(--text); min-width: 0; }
.fields { display: grid; grid-template-columns: minmax(7rem, 12rem) minmax(0, 1fr); }
.fields dt, .fields dd { padding: 0.7rem 0; border-top: 1px solid var(--line); }
.fields dt { color: var(--quiet); padding-right: 1.25rem; overflow-wrap: anywhere; }
.fields dt:first-of-type, .fields dd:first-of-type { border-top: 0; padding-top: 0; }
.fields dt:last-of-type, .fields dd:last-of-type { padding-bottom: 0; }
.value { white-space: pre-wrap; overflow-wrap: anywhere; }
.value.number { font-variant-numeric: tabular-nums; }
.value img { max-width: 100%; height: auto; display: block; border-radius: 6px; }
.theirs { overflow-wrap: anywhere; unicode-bidi: isolate; overflow: clip; overflow-clip-margin: 0.35em; }
.sign { font: 600 0.72em/1 var(--mono); color: var(--warn); background: var(--warn-soft); border-radius: 4px; padding: 0.15em 0.3em; margin: 0 0.1em; unicode-bidi: isolate; white-space: nowrap; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--ground); border: 1px solid var(--line); border-radius: 8px; padding: 0.8rem 1rem; }
details.panel { display: block; padding-block: 0; }
details > summary { cursor: pointer; padding: 1.1rem 0; font-weight: 600; font-size: 1.15rem; }
details[open] { padding-bottom: 1.5rem; }
details.sent > summary, details.more > summary { font-size: 1rem; font-weight: 500; padding: 0.35rem 0; }
details.sent > summary { color: var(--accent); }
details.more[open], details.sent[open] { padding-bottom: 0; }
.sent pre { margin-top: 0.5rem; font-size: 0.82rem; }
.handles { display: grid; gap: 0.75rem; }
.handles dt { color: var(--quiet); font-size: 0.9rem; }
.handles dd { font-family: var(--mono); font-size: 0.9rem; overflow-wrap: anywhere; }

${CONSENT_STYLE}
${CONSOLE_STYLE}
${IMPORT_STYLE}
@media (max-width: 36rem) {
  main { padding-top: 1.5rem; }
  main.narrow { padding-top: 1.5rem; }
  .panel { padding: 1.1rem; }
  .fields { grid-template-columns: minmax(0, 1fr); }
  .fields dt { padding-bottom: 0; font-size: 0.9rem; }
  .fields dd { border-top: 0; padding-top: 0.1rem; }
  .fields dd:first-of-type { padding-bottom: 0.7rem; }
  .fields dt:last-of-type { padding-bottom: 0; }
}
@media (prefers-reduced-motion: no-preference) {
  .button { transition: filter 0.12s; }
}
@media print {
  .top nav, .foot { display: none; }
  :root { color-scheme: light; }
  body { background: #fff; }
}
`

/** The address changes with the content, so browsers may cache it for ever. */
export const STYLESHEET_PATH = `/assets/pages.css?v=${hash('sha256', STYLESHEET, 'base64url').slice(0, 12)}`
