/** Styles of the consent page, and of pages that widen an access with the same parts. */
export const CONSENT_STYLE = `
.bare:has(.consent) > main, .bare:has(.consent) > .bare-top { max-width: 74rem; }
.consent { display: grid; grid-template-columns: 21rem minmax(0, 1fr); gap: 1rem 2.5rem; align-items: start; }
.consent h1 { font-size: 1.5rem; }
.consent.one { grid-template-columns: minmax(0, 1fr); }
.bare:has(.consent.one) > main, .bare:has(.consent.one) > .bare-top { max-width: 48rem; }
.asker { display: flex; gap: 0.75rem; align-items: center; min-height: 2.75rem; }
.who { display: grid; gap: 0.1rem; min-width: 0; font-size: var(--t-s); color: var(--ink-2); }
.who dt, .who dd { display: inline; }
.who dt::after { content: " "; white-space: pre; }
.who dd { color: var(--ink); }
.code { font-family: var(--mono); font-size: 1.25rem; letter-spacing: 0.08em; white-space: nowrap; }
.purpose { display: grid; gap: 0.25rem; list-style: none; }
.periods { display: grid; gap: 0.8rem; }
.period { display: grid; gap: 0.35rem; }
.period > legend { font-size: var(--t-s); font-weight: 600; padding-bottom: 0.35rem; }
.segments { display: flex; border: 1px solid var(--edge); border-radius: var(--r1); background: var(--surface); overflow: hidden; }
.segments label { flex: 1 1 auto; position: relative; display: grid; place-items: center; min-height: 2.1rem; padding: 0.2rem 0.4rem; font-size: var(--t-s); font-weight: 500; cursor: pointer; border-inline-start: 1px solid var(--line); white-space: nowrap; }
.segments label:first-child { border: 0; }
.segments label:hover { background: var(--sunken); }
.segments input[type="radio"] { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.segments label:has(:checked) { background: var(--you); color: var(--on-you); }
.segments label:has(:focus-visible) { outline: 2px solid var(--focus); outline-offset: -4px; }
.over-list { display: flex; gap: 0.4rem 1rem; align-items: center; min-height: 2.1rem; }
.over-list .unit { margin-inline-start: auto; white-space: nowrap; padding-inline-end: 3.2rem; }
.chips { display: flex; flex-wrap: wrap; gap: 0.4rem; }
.chip { display: inline-flex; align-items: center; gap: 0.4rem; min-height: 1.85rem; padding: 0.1rem 0.75rem; border: 1px solid var(--edge); border-radius: 99px; background: var(--surface); color: var(--ink); font: 500 var(--t-s)/1.2 var(--sans); white-space: nowrap; }
.chip:hover { background: var(--sunken); }
.chip[aria-pressed="true"] { background: var(--you-soft); border-color: var(--you); color: var(--you); }
.find-source { display: flex; align-items: center; gap: 0.4rem; margin-inline-start: auto; position: relative; color: var(--ink-2); }
.find-source > .i { position: absolute; inset-inline-start: 0.65rem; font-size: var(--t-s); }
.find-source input[type="search"] { width: 11rem; min-height: 1.85rem; padding: 0.1rem 0.6rem 0.1rem 2rem; border-radius: 99px; font-size: var(--t-s); }
.lines { list-style: none; background: var(--surface); border: 1px solid var(--line); border-radius: var(--r2); overflow: clip; }
.line { position: relative; }
.line + .line { border-top: 1px solid var(--line); }
.line.on > .head-line { background: color-mix(in srgb, var(--you-soft) 55%, transparent); }
.head-line { position: relative; display: grid; grid-template-columns: auto auto minmax(0, 1fr) auto; gap: 0.75rem; align-items: center; min-height: 3.3rem; padding: 0.3rem 3.2rem 0.3rem 0.9rem; }
.head-line:hover { background: color-mix(in srgb, var(--sunken) 45%, transparent); }
.head-line > input[type="checkbox"] { margin: 0; position: relative; z-index: 1; }
.head-line > .tile { width: 1.6rem; height: 1.6rem; border-radius: 6px; font-size: 0.8rem; }
.head-line > label { gap: 0; font-weight: 450; min-width: 0; line-height: 1.35; }
.head-line > label::after { content: ""; position: absolute; inset: 0; cursor: pointer; }
.head-line b { font-weight: 600; }
.head-line b .small { font-weight: 400; }
.head-line small { color: var(--ink-2); font-size: var(--t-s); }
.head-line .theirs { overflow: visible; }
.head-line .amount { color: var(--ink-2); font-size: var(--t-s); font-variant-numeric: tabular-nums; }
.lines.dense > .line > .head-line { min-height: 2.4rem; padding-block: 0.15rem; }
.lines.dense > .line > .head-line > label { display: flex; gap: 0.6rem; align-items: baseline; }
.lines .lines { border-radius: 0; border-width: 1px 0 0; }
.lines .lines > .line > .head-line { padding-inline-start: 2.2rem; }
.line > .note { margin: 0 0.9rem 0.6rem; }
input[type="checkbox"].mixed { appearance: none; background: var(--you) linear-gradient(var(--on-you), var(--on-you)) center / 55% 2px no-repeat; border-radius: 3px; }
.inside > summary { position: absolute; z-index: 1; top: 0; inset-inline-end: 0; width: 3rem; height: 3.3rem; padding: 0; list-style: none; display: grid; place-items: center; color: var(--ink-2); }
.lines.dense > .line > .inside > summary { height: 2.4rem; }
.inside > summary::-webkit-details-marker { display: none; }
.inside > summary::before { content: ""; width: 0.5rem; height: 0.5rem; border: solid currentColor; border-width: 0 2px 2px 0; transform: rotate(-45deg); }
.inside[open] > summary::before { transform: translateY(-0.15rem) rotate(45deg); }
.inside > summary:hover { color: var(--ink); background: var(--sunken); }
.inside > summary:focus-visible { outline-offset: -4px; }
.inside[open] { padding: 0; }
.inside > .stack { padding: 0.5rem 1rem 1rem 3.4rem; gap: 0.6rem; }
.inside > .stack:has(> .lines) { padding: 0; gap: 0; }
.inside > .stack:has(> .lines) > p { padding: 0.4rem 1rem; }
.items { list-style: none; display: grid; gap: 0.45rem; font-size: var(--t-s); }
.items > li { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 0.75rem; }
.items > li + li { border-top: 1px dashed var(--line); padding-top: 0.45rem; }
.items .when { color: var(--ink-3); }
.items b { font-weight: 600; }
.parts { list-style: none; display: grid; gap: 0.1rem; }
.parts > li { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: center; }
.parts > li > .note-line { flex-basis: 100%; }
.parts .tick { padding: 0.2rem 0; }
.dates { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; }
.dates > span { flex: 1 1 12rem; padding-bottom: 0.6rem; }
.note-line { margin-left: 1.85rem; }
.fields-of[open] { flex: 1 1 100%; margin-left: 1.85rem; }
.fields-of > summary, details.more.days > summary { font-size: var(--t-s); font-weight: 500; padding: 0.3rem 0; color: var(--you); }
details.fields-of[open] { padding-bottom: 0.5rem; }
.sample { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: var(--t-s); }
.sample caption { text-align: left; padding-bottom: 0.4rem; }
.sample th, .sample td { text-align: left; vertical-align: top; font-weight: 400; padding: 0.35rem 0.75rem 0.35rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.sample thead th { color: var(--ink-2); border-top: 0; }
.sample th:first-child { width: 11.5rem; }
.sample .tick { padding: 0; gap: 0.5rem; }
.hidden-field th, .hidden-field .tick { color: var(--ink-2); }
.answer { position: sticky; bottom: 0.75rem; z-index: 3; display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: center; padding: 0.85rem 1.1rem; background: var(--surface); border: 1px solid var(--line); border-radius: var(--r3); box-shadow: var(--pop); }
/* Keeps the focused element from hiding behind the answer. */
html:has(.answer) { scroll-padding-bottom: 9rem; }
.answer > .say { flex: 1 1 24rem; font-size: var(--t-l); max-width: none; min-height: 3em; align-content: center; font-variant-numeric: tabular-nums; }
.answer > .tick, .answer > .warn-text { flex-basis: 100%; }
.answer > .tick { padding: 0.4rem 0.8rem; }
.answer .acts { display: flex; gap: 0.6rem; }
.answer .acts .button { min-width: 6rem; }
.button:disabled { background: var(--sunken); color: var(--ink-3); border-color: var(--edge); cursor: not-allowed; filter: none; }
.warn-text { color: var(--warn); }
.today { white-space: nowrap; }
.with-script .without-script { display: none; }
@media (min-width: 48.01rem) and (min-height: 50rem) { .bare:has(.consent) { justify-content: center; } .bare:has(.consent) > main { padding-bottom: 1.5rem; } }
@media (max-height: 34rem) { .answer { position: static; } }
@media (max-width: 74rem) and (min-width: 48.01rem) { .bare:has(.consent) > .bare-top { padding-inline: 1.25rem; } }
@media (max-width: 62rem) { .consent { grid-template-columns: minmax(0, 1fr); } .consent .periods { grid-template-columns: 1fr 1fr; } }
@media (max-width: 48rem) {
  .bare:has(.consent) > .bare-top, .rule > .wide { display: none; }
  .bare:has(.consent) > main { padding: 0.6rem 1rem 0; min-height: 100vh; grid-template-rows: 1fr; }
  #consent:has(.answer) { gap: 0.6rem; grid-template-rows: 1fr auto; align-content: stretch; min-height: 100%; }
  .consent { gap: 0.6rem; align-content: start; }
  .consent .stack { gap: 0.55rem; }
  .consent h1 { font-size: 1.2rem; }
  .consent .note.small { padding: 0.4rem 0.7rem; }
  .consent .periods { grid-template-columns: minmax(0, 1fr); gap: 0.45rem; }
  .period > legend { padding-bottom: 0.15rem; font-size: var(--t-xs); }
  .segments label { min-height: 2.25rem; padding-inline: 0.2rem; }
  .chips.scroll { flex-wrap: nowrap; overflow-x: auto; margin-inline: -1rem; padding: 0.15rem 1rem; scrollbar-width: none; }
  .chip { min-height: 2.25rem; flex: none; }
  .over-list { flex-wrap: wrap; }
  .over-list > .chips { max-width: calc(100% + 2rem); }
  .over-list .unit { display: none; }
  .find-source, .find-source input[type="search"] { width: 100%; min-height: 2.25rem; }
  .head-line, .lines.dense > .line > .head-line { min-height: 2.75rem; padding: 0.2rem 3rem 0.2rem 0.75rem; gap: 0.6rem; }
  .lines .lines > .line > .head-line { padding-inline-start: 1.6rem; }
  .head-line small, .lines.dense > .line > .head-line > label > small { display: none; }
  .inside > summary, .lines.dense > .line > .inside > summary { height: 2.75rem; }
  .inside > .stack { padding: 0.4rem 0.9rem 0.9rem; }
  .items > li { grid-template-columns: 5.5rem minmax(0, 1fr); }
  .note-line, .fields-of[open] { margin-left: 0; }
  .answer { bottom: 0; margin: 0 -1rem; border-radius: var(--r3) var(--r3) 0 0; border-width: 1px 0 0; padding: 0.6rem 1rem calc(0.6rem + env(safe-area-inset-bottom)); }
  .answer > .say { flex-basis: 100%; font-size: var(--t-m); min-height: 0; }
  .answer .acts { flex: 1 1 100%; }
  .answer .acts .button { flex: 1; min-width: 0; padding-inline: 0.5rem; }
}
@media (max-width: 23rem) { .segments label { font-size: var(--t-xs); padding-inline: 0.1rem; } }
@media (max-width: 36rem) {
  .sample thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .sample, .sample tbody, .sample tr, .sample th, .sample td, .sample caption { display: block; }
  .sample tr { border-top: 1px solid var(--line); padding: 0.35rem 0; }
  .sample th:first-child { width: auto; }
  .sample th, .sample td { border-top: 0; padding: 0.1rem 0; }
  .sample td { padding-left: 1.7rem; }
}
`
