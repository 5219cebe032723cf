/** The rail, the bottom bar of a phone, the top line with the search, and pages without navigation. */
export const SHELL_STYLE = `
.app { display: grid; grid-template-columns: var(--rail) minmax(0, 1fr); min-height: 100vh; }
.rail { position: sticky; top: 0; height: 100vh; padding: 1rem 0.75rem; display: flex; flex-direction: column; gap: 0.15rem; border-inline-end: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 0.6rem; color: var(--ink); text-decoration: none; font: 600 var(--t-l) var(--serif); }
.brand img { width: 1.6rem; height: 1.6rem; display: block; }
.rail .brand { padding: 0.25rem 0.65rem 1.1rem; background: none; }
.rail .place { display: flex; align-items: center; gap: 0.7rem; width: 100%; padding: 0.5rem 0.65rem; border: 0; border-radius: var(--r1); background: none; color: var(--ink-2); font: 500 var(--t-m)/1.5 var(--sans); text-align: start; text-decoration: none; position: relative; }
.rail .place:hover { background: var(--sunken); color: var(--ink); }
.rail .place[aria-current] { background: var(--you-soft); color: var(--you); font-weight: 600; }
.rail .rest { margin-top: auto; display: grid; gap: 0.15rem; }
.count-mark { min-width: 1.3rem; padding: 0 0.35rem; border-radius: 99px; background: var(--warn); color: var(--surface); font-size: var(--t-xs); font-weight: 650; line-height: 1.3rem; text-align: center; margin-inline-start: auto; }
main { padding: 1.25rem 2rem 2.5rem; display: grid; gap: 1.25rem; align-content: start; width: 100%; max-width: 96rem; grid-template-columns: minmax(0, 1fr); }
.over { display: flex; align-items: center; gap: 0.75rem; min-height: 2.5rem; }
.over .acts { margin-inline-start: auto; display: flex; gap: 0.75rem; }
.finder { min-width: 0; flex: 1 1 auto; max-width: 44rem; display: flex; align-items: center; gap: 0.6rem; height: 2.5rem; padding: 0 0.75rem; background: var(--surface); border: 1px solid var(--edge); border-radius: var(--r2); color: var(--ink-2); }
.finder input[type="search"] { flex: 1; min-width: 0; min-height: 0; border: 0; background: none; font: inherit; color: var(--ink); outline: 0; height: 100%; padding: 0; border-radius: 0; }
.finder input::placeholder { color: var(--ink-3); opacity: 1; }
.finder:focus-within { outline: 2px solid var(--focus); outline-offset: 1px; }
.bottom, .phone-top { display: none; }
.bare { min-height: 100vh; display: flex; flex-direction: column; }
.bare > main { max-width: 60rem; margin: 0 auto; padding-top: 1.25rem; }
.bare > main.narrow { max-width: 29rem; padding-top: min(9vh, 5rem); }
.bare > main.first { max-width: 56rem; }
.bare-top { display: flex; align-items: center; gap: 0.5rem 1rem; flex-wrap: wrap; padding: 1rem 2rem 0; width: 100%; max-width: 60rem; margin: 0 auto; color: var(--ink-2); font-size: var(--t-s); }
.bare-top .brand { margin-inline-end: auto; }
.demo-bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem 1rem; padding: 0.5rem 0.9rem; border-radius: var(--r2); background: var(--warn-soft); font-size: var(--t-s); }
.demo-bar .i { color: var(--warn); }
.demo-bar p { flex: 1 1 14rem; }
.demo-bar strong { display: inline-block; }
.demo-bar strong::first-letter { text-transform: capitalize; }
.button.phone-only { display: none; }
@media (max-width: 74rem) and (min-width: 48.01rem) {
  :root { --rail: 4rem; }
  .rail .place { justify-content: center; padding: 0.65rem 0; font-size: 1.1rem; }
  .rail .place span, .rail .brand span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .rail .brand { padding-inline: 0.1rem; justify-content: center; }
  .rail .count-mark { position: absolute; top: 0.1rem; inset-inline-end: 0.1rem; min-width: 1.05rem; line-height: 1.05rem; font-size: 0.65rem; padding: 0 0.2rem; }
  main { padding-inline: 1.25rem; }
}
@media (max-width: 48rem) {
  .app { display: block; }
  .rail, .over { display: none; }
  main { padding: 0.75rem 1rem calc(var(--bar) + 2rem); gap: 1rem; }
  .bare > main { padding-bottom: 1.5rem; }
  .bare > main.narrow { padding-top: 1.25rem; }
  .bare-top { padding: 0.9rem 1rem 0; }
  .demo-bar { padding-block: 0.3rem; }
  .demo-bar p { flex: 1 1 0; }
  .demo-bar .looking, .demo-bar .invented { display: none; }
  .button.phone-only { display: inline-flex; }
  .phone-top { display: flex; align-items: center; gap: 0.25rem; }
  .phone-top .brand { margin-inline-end: auto; }
  .phone-top .button { padding: 0.3rem 0.7rem; font-size: 1.15rem; }
  .bottom { position: fixed; inset: auto 0 0; z-index: 5; height: calc(var(--bar) + env(safe-area-inset-bottom)); padding-bottom: env(safe-area-inset-bottom); display: grid; grid-template-columns: repeat(5, 1fr); background: var(--surface); border-top: 1px solid var(--line); }
  .bottom .place { display: grid; place-content: center; justify-items: center; gap: 0.1rem; font-size: 0.6875rem; font-weight: 550; color: var(--ink-2); text-decoration: none; position: relative; }
  .bottom .i { width: 1.4rem; height: 1.4rem; }
  .bottom .place[aria-current] { color: var(--you); }
  .bottom .place[aria-current]::before { content: ""; position: absolute; top: 0; inset-inline: 30%; border-top: 2px solid currentColor; }
  .bottom .count-mark { position: absolute; top: 0.3rem; inset-inline-start: 56%; line-height: 1.05rem; min-width: 1.05rem; font-size: 0.65rem; margin: 0; }
}
@media print {
  .rail, .bottom, .over, .phone-top { display: none; }
  :root { color-scheme: light; }
  .app { display: block; }
  body { background: #fff; }
}
`
