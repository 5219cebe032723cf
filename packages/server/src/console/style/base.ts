/**
 * Text, controls and panels, the same on every page. Cut text of other people (.theirs) has its own box, so that it is
 * cut at the end of its own direction. In a line of the page, Hebrew and Arabic would lose their beginning.
 */
export const BASE_STYLE = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding: 1rem 0 5rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 400 var(--t-m)/1.5 var(--sans); min-height: 100vh; }
h1, h2, h3, p, ul, ol, dl, dd, figure, pre { margin: 0; padding: 0; }
h1 { font: 600 var(--t-2xl)/1.2 var(--serif); letter-spacing: -0.01em; text-wrap: balance; overflow-wrap: anywhere; }
h2 { font-size: var(--t-l); line-height: 1.35; font-weight: 650; }
h3 { font-size: var(--t-m); line-height: 1.35; font-weight: 600; }
a { color: var(--you); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
code, pre, kbd, .mono { font-family: var(--mono); font-size: 0.92em; }
kbd { border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 0.35em; font-size: var(--t-xs); color: var(--ink-2); background: var(--surface); }
mark { background: var(--mark); color: inherit; border-radius: 2px; padding: 0 0.08em; }
.i { width: 1.15em; height: 1.15em; flex: none; vertical-align: -0.2em; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.quiet { color: var(--ink-2); }
.dim { color: var(--ink-3); }
.small { font-size: var(--t-s); }
.cut { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.end { margin-inline-start: auto; }
form { position: relative; }
.hidden-label, input[type="text"].hidden-label { position: absolute; width: 1px; height: 1px; min-height: 0; padding: 0; border: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 9; background: var(--surface); padding: 0.5rem 1rem; }
.say { font: 400 1.3rem/1.45 var(--serif); text-wrap: pretty; max-width: 66rem; overflow-wrap: anywhere; }
.say.short { max-width: 46rem; }
.say.minor { font-size: var(--t-l); line-height: 1.5; }
.say strong { font-weight: 600; }

.panel { background: var(--surface); border: 1px solid var(--line); border-radius: var(--r2); padding: 1.1rem 1.25rem; display: grid; gap: var(--gap); grid-template-columns: minmax(0, 1fr); align-content: start; }
.panel > header { display: grid; gap: 0.25rem; }
.panel.flat { padding: 0; gap: 0; overflow: clip; }
.panel.flat > .bar { display: flex; align-items: center; gap: 0.6rem; padding: 0.7rem 1rem 0.5rem; }
.panel.flat > .bar h2 { font-size: var(--t-m); }
.panel.flat > .bar a { margin-inline-start: auto; font-size: var(--t-s); font-weight: 500; text-decoration: none; }
.panel.flat > .bar a:hover { text-decoration: underline; }
.panel.flat > .in { padding: 0.25rem 1rem 1rem; display: grid; gap: 0.8rem; grid-template-columns: minmax(0, 1fr); }
.panel.ask { border-color: color-mix(in srgb, var(--warn) 45%, var(--line)); }
.panel.ask > .bar { color: var(--warn); }
.panel.seen { border-color: color-mix(in srgb, var(--agent) 35%, var(--line)); }
.panel.seen > .bar { color: var(--agent); }
.stack { display: grid; gap: var(--gap); grid-template-columns: minmax(0, 1fr); align-content: start; }
.stack.tight { gap: 0.4rem; }
.note { background: var(--you-soft); border-radius: var(--r2); padding: 0.7rem 1rem; display: grid; gap: 0.25rem; }
.note.warn { background: var(--warn-soft); color: var(--warn); }
.note.warn :is(p, code) { color: inherit; }
.note.agent { background: var(--agent-soft); }
.note.bad { background: var(--danger-soft); color: var(--danger); }

label { font-weight: 550; display: grid; gap: 0.3rem; }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
legend { padding: 0; font-weight: 550; }
input[type="checkbox"], input[type="radio"] { accent-color: var(--you); width: 1.15rem; height: 1.15rem; margin: 0.15rem 0 0; flex: none; }
input[type="date"], input[type="search"], select { font: inherit; font-weight: 450; color: inherit; background: var(--surface); border: 1px solid var(--edge); border-radius: var(--r1); padding: 0.35rem 0.7rem; min-height: 2.4rem; max-width: 100%; }
input[type="search"] { width: 100%; }
select { justify-self: start; }
.tick { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.65rem; align-items: start; font-weight: 450; padding: 0.35rem 0; cursor: pointer; }
input[type="password"], input[type="text"] { font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--edge); border-radius: var(--r1); padding: 0.5rem 0.75rem; min-height: 2.6rem; width: 100%; }
input[aria-invalid="true"] { border-color: var(--danger); border-width: 2px; }
button { font: inherit; cursor: pointer; }
.button { display: inline-flex; align-items: center; justify-content: center; gap: 0.45rem; background: var(--you); color: var(--on-you); border: 1px solid var(--you); border-radius: var(--r1); padding: 0.35rem 0.95rem; min-height: 2.4rem; font: 550 var(--t-m)/1.2 var(--sans); justify-self: start; text-decoration: none; }
.button:hover { filter: brightness(1.08); }
.button.wide { justify-self: stretch; text-align: center; }
.button.plain { background: var(--surface); color: var(--ink); border-color: var(--edge); font-weight: 500; }
.button.plain:hover, .button.ghost:hover { background: var(--sunken); filter: none; }
.button.ghost { background: none; color: var(--ink-2); border-color: transparent; font-weight: 500; }
.button.big { min-height: 2.75rem; padding-inline: 1.5rem; font-size: var(--t-l); }
.button.small { min-height: 1.9rem; padding: 0.15rem 0.65rem; font-size: var(--t-s); font-weight: 500; }
.button.danger { background: transparent; color: var(--danger); border-color: var(--danger); }
.link-button { background: none; border: 0; padding: 0; color: var(--you); text-decoration: underline; text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
.link-button:hover { text-decoration-thickness: 2px; }
.answers { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center; }
.badge { display: inline-flex; align-items: center; gap: 0.3rem; font-family: var(--sans); font-size: var(--t-xs); font-weight: 600; line-height: 1.5; padding: 0.05rem 0.5rem; border-radius: 99px; background: var(--sunken); color: var(--ink-2); vertical-align: 0.1em; white-space: nowrap; letter-spacing: 0; }
.badge.warn { background: var(--warn-soft); color: var(--warn); }
.badge.bad { background: var(--danger-soft); color: var(--danger); }
.badge.good { background: var(--you-soft); color: var(--you); }
.badge.agent { background: var(--agent-soft); color: var(--agent); }

.cards { display: grid; gap: var(--gap); grid-template-columns: repeat(auto-fill, minmax(min(100%, 17.5rem), 1fr)); list-style: none; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: var(--r2); padding: 0.9rem 1rem; display: grid; gap: 0.6rem; align-content: start; grid-template-columns: minmax(0, 1fr); }
.card header, .card .amount { display: grid; gap: 0.1rem; }
.counts { list-style: none; display: grid; gap: 0.2rem; border-top: 1px solid var(--line); padding-top: 0.7rem; }
.counts li { display: flex; justify-content: space-between; gap: 1rem; }
.counts .number { font-variant-numeric: tabular-nums; color: var(--ink-2); }
ul.rows { list-style: none; display: grid; }
ul.rows > li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1rem; padding: 0.7rem 0; border-top: 1px solid var(--line); }
ul.rows > li:first-child { border-top: 0; padding-top: 0; }
ul.rows > li:last-child { padding-bottom: 0; }
ul.rows .what { display: grid; gap: 0.1rem; min-width: 0; flex: 1 1 14rem; }

.facts { display: flex; flex-wrap: wrap; gap: 0.35rem 1.5rem; color: var(--ink-2); }
.facts > div { display: flex; flex-wrap: wrap; gap: 0 0.4rem; min-width: 0; }
.facts dt::after { content: ":"; }
.facts dd { color: var(--ink); min-width: 0; }
.fields { display: grid; grid-template-columns: minmax(7rem, 12rem) minmax(0, 1fr); }
.fields dt, .fields dd { padding: 0.55rem 0; border-top: 1px solid var(--line); }
.fields dt { color: var(--ink-2); padding-right: 1.25rem; overflow-wrap: anywhere; }
.fields dt:first-of-type, .fields dd:first-of-type { border-top: 0; padding-top: 0; }
.fields dt:last-of-type, .fields dd:last-of-type { padding-bottom: 0; }
.value { white-space: pre-wrap; overflow-wrap: anywhere; }
.value.number { font-variant-numeric: tabular-nums; }
.value img { max-width: 100%; height: auto; display: block; border-radius: var(--r1); }
.theirs { overflow-wrap: anywhere; unicode-bidi: isolate; overflow: clip; overflow-clip-margin: 0.35em; }
.cut > * > .theirs { display: inline-block; max-width: 100%; text-overflow: ellipsis; }
.text2 > .theirs:only-child { display: block; }
.sign { font: 600 0.72em/1 var(--mono); color: var(--warn); background: var(--warn-soft); border-radius: 4px; padding: 0.15em 0.3em; margin: 0 0.1em; unicode-bidi: isolate; white-space: nowrap; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--paper); border: 1px solid var(--line); border-radius: var(--r1); padding: 0.7rem 0.9rem; }
details.panel { display: block; padding-block: 0; }
details > summary { cursor: pointer; padding: 0.9rem 0; font-weight: 600; font-size: var(--t-l); }
details[open] { padding-bottom: 1.1rem; }
details.sent > summary, details.more > summary { font-size: var(--t-m); font-weight: 500; padding: 0.35rem 0; }
details.sent > summary { color: var(--you); }
details.more[open], details.sent[open] { padding-bottom: 0; }
.sent pre { margin-top: 0.5rem; font-size: 0.82rem; }
.handles { display: grid; gap: 0.75rem; }
.handles dt { color: var(--ink-2); font-size: var(--t-s); }
.handles dd { font-family: var(--mono); font-size: 0.85rem; overflow-wrap: anywhere; }
@media (max-width: 48rem) {
  body { font-size: 1rem; --t-m: 1rem; --t-s: 0.875rem; --t-2xl: 1.5rem; }
  .button { min-height: 2.75rem; }
  .button.small { min-height: 2.25rem; }
  input[type="date"], input[type="search"], select { min-height: 2.75rem; font-size: 1rem; }
  .say { font-size: 1.15rem; }
  .panel { padding: 1rem; }
  .fields { grid-template-columns: minmax(0, 1fr); }
  .fields dt { padding-bottom: 0; font-size: var(--t-s); }
  .fields dd { border-top: 0; padding-top: 0.1rem; }
  .fields dd:first-of-type { padding-bottom: 0.55rem; }
  .fields dt:last-of-type { padding-bottom: 0; }
}
@media (prefers-reduced-motion: no-preference) {
  .button { transition: filter 0.12s; }
}
@media (prefers-reduced-motion: reduce) {
  *, ::before, ::after { animation: none !important; transition: none !important; }
}
`
