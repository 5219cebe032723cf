/** Styles of the consent page only. */
export const CONSENT_STYLE = `
.who { display: grid; gap: 0.35rem; }
.code { font-family: var(--mono); font-size: 1.25rem; letter-spacing: 0.08em; }
.ticks { display: grid; gap: 0.1rem; }
.ticks.many { grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); column-gap: 1rem; max-height: 24rem; overflow-y: auto; }
.find { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: end; }
.find label { flex: 1 1 16rem; }
.tick.note { padding: 0.9rem 1.1rem; }
.source { padding-inline: 1.5rem; }
.source > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.15rem 0.75rem; padding: 1rem 0; font-weight: 400; font-size: 1rem; list-style-position: inside; }
.source > summary::before { content: "▸"; color: var(--quiet); width: 0.9rem; }
.source[open] > summary::before { content: "▾"; }
.source > summary::-webkit-details-marker { display: none; }
.source > summary h3 { display: inline; }
.chips { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.chip { padding: 0.35rem 0.85rem; min-height: 2.4rem; border-radius: 99px; font-size: 0.95rem; }
.chips + p { margin-top: -0.5rem; }
.dates { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; }
.dates > span { flex: 1 1 12rem; padding-bottom: 0.6rem; }
.choices { list-style: none; display: grid; }
.choices > li { border-top: 1px solid var(--line); padding: 0.65rem 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.25rem; }
.stream > span { display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: baseline; }
.stream .amount { color: var(--quiet); font-variant-numeric: tabular-nums; }
.stream .small { flex-basis: 100%; }
.note-line, .fields-of { margin-left: 1.85rem; }
.fields-of > summary { font-size: 0.95rem; font-weight: 500; padding: 0.4rem 0; color: var(--accent); }
.fields-of[open] { padding-bottom: 0.5rem; }
.sample { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: 0.92rem; }
.sample caption { text-align: left; padding-bottom: 0.4rem; }
.sample th, .sample td { text-align: left; vertical-align: top; font-weight: 400; padding: 0.35rem 0.75rem 0.35rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.sample thead th { color: var(--quiet); border-top: 0; }
.sample th:first-child { width: 11.5rem; }
.sample .tick { padding: 0; gap: 0.5rem; }
.hidden-field th, .hidden-field .tick { color: var(--quiet); }
.sources { display: grid; gap: 0.6rem; grid-template-columns: minmax(0, 1fr); }
.chosen { color: var(--accent); font-weight: 600; }
.answer { position: sticky; bottom: 0; box-shadow: 0 -6px 18px rgb(0 0 0 / 0.07); gap: 0.4rem 1.5rem; padding: 0.9rem 1.5rem; display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; }
/* Keeps the focused element from hiding behind the answer. */
html:has(.answer) { scroll-padding-bottom: 8rem; }
.answer > .words { flex: 1 1 24rem; display: grid; gap: 0.1rem; }
.answer > .tick { flex-basis: 100%; }
.warn-text { color: var(--warn); }
.sum { font-weight: 600; font-variant-numeric: tabular-nums; }
.with-script .without-script { display: none; }
form[aria-busy="true"] .sum, form[aria-busy="true"] .amount { opacity: 0.6; }
@media (max-height: 34rem) { .answer { position: static; } }
@media (max-width: 36rem) {
  .source { padding-inline: 1.1rem; }
  .note-line, .fields-of { margin-left: 0; }
  .answer { padding: 0.7rem 1.1rem; }
  .answer > .words { flex-basis: 100%; }
  .sample thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .sample, .sample tbody, .sample tr, .sample th, .sample td, .sample caption { display: block; }
  .sample tr { border-top: 1px solid var(--line); padding: 0.35rem 0; }
  .sample th:first-child { width: auto; }
  .sample th, .sample td { border-top: 0; padding: 0.1rem 0; }
  .sample td { padding-left: 1.7rem; }
}
`
