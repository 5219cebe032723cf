/** Styles of the page that gives an agent more, and of the wishes on other pages. */
export const WIDENING_STYLE = `
.widen { display: grid; grid-template-columns: minmax(0, 20rem) minmax(0, 1fr); gap: 1.5rem 2.25rem; align-items: start; }
.who-asks { display: flex; gap: 0.75rem; align-items: center; }
.segment { display: grid; gap: 0.35rem; }
.seg { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; border: 1px solid var(--edge); border-radius: var(--r1); overflow: clip; background: var(--surface); }
.seg label { display: grid; place-items: center; text-align: center; min-height: 2rem; padding: 0.2rem 0.35rem; font-size: var(--t-s); font-weight: 500; cursor: pointer; position: relative; }
.seg label + label { border-inline-start: 1px solid var(--edge); }
.seg input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.seg label:has(:checked) { background: var(--you); color: var(--on-you); }
.seg label:has(:focus-visible) { outline: 2px solid var(--focus); outline-offset: -3px; }
.parts .part + .part { border-top: 1px solid var(--line); }
.tick-row { grid-template-columns: none; font-weight: 450; cursor: pointer; }
.tick-row > input { margin: 0; }
.tick-row .number { white-space: nowrap; color: var(--ink-2); font-variant-numeric: tabular-nums; }
.part-in { padding: 0 1rem 0.6rem 2.8rem; display: grid; gap: 0.4rem; grid-template-columns: minmax(0, 1fr); }
.part-in .fields { columns: 13rem; display: block; }
.part-source > .parts { border-top: 1px solid var(--line); }
.part-source > summary { list-style-position: inside; cursor: pointer; }
.wish-acts { display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center; margin-inline-start: auto; }
.wishes-more { border-top: 1px solid var(--line); }
.wishes-more > summary { cursor: pointer; }
.token-once { font-family: var(--mono); font-size: var(--t-s); overflow-wrap: anywhere; user-select: all; background: var(--sunken); border-radius: var(--r1); padding: 0.7rem 0.9rem; }
@media (max-width: 60rem) { .widen { grid-template-columns: minmax(0, 1fr); gap: 1rem; } }
@media (max-width: 48rem) {
  .seg label { min-height: 2.75rem; }
  .part-in { padding-inline-start: 1rem; }
  .wish-acts { margin-inline-start: 2.75rem; }
  .wish-acts .button { min-height: 2.25rem; }
}
`
