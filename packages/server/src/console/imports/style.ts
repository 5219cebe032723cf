/** The page that imports files. */
export const IMPORT_STYLE = `
.drop { border: 2px dashed var(--edge); border-radius: var(--r3); padding: 1.75rem 1.25rem; justify-items: center; text-align: center; gap: 0.6rem; }
.drop > .i { font-size: 1.75rem; color: var(--you); }
.drop-title { font: 500 var(--t-l) var(--sans); }
.drop.over { border-style: solid; border-color: var(--you); background: var(--you-soft); }
.drop .upload-progress { width: min(100%, 28rem); }
.pickers { display: flex; flex-wrap: wrap; gap: 0.6rem; justify-content: center; max-width: 100%; }
.picker { min-width: 0; max-width: 100%; }
.picker input { font: inherit; font-weight: 450; max-width: 100%; min-height: 2.5rem; }
.with-script .picker { display: inline-grid; place-items: center; position: relative; min-height: 2.5rem; padding: 0.35rem 1.1rem; border: 1px solid var(--you); border-radius: var(--r1); background: var(--you); color: var(--on-you); cursor: pointer; }
.with-script .picker.plain { background: var(--surface); color: var(--ink); border-color: var(--edge); font-weight: 500; }
.with-script .picker:hover { filter: brightness(1.08); }
.with-script .picker:focus-within { outline: 2px solid var(--focus); outline-offset: 2px; }
.with-script .picker input { position: absolute; inset: 0; width: 100%; opacity: 0; cursor: pointer; }
.with-script .picker:has(:disabled) { opacity: 0.6; }
.way { display: flex; flex-wrap: wrap; gap: 0.4rem 1.6rem; list-style: none; color: var(--ink-2); font-size: var(--t-s); }
.way li { display: flex; gap: 0.45rem; align-items: center; }
.way [aria-current] { color: var(--ink); font-weight: 600; }
.way-mark { display: grid; place-items: center; width: 1.6rem; height: 1.6rem; border: 1px solid var(--edge); border-radius: 50%; font-size: var(--t-xs); font-weight: 600; }
.way [aria-current] .way-mark { background: var(--you); border-color: var(--you); color: var(--on-you); }
.way .past .way-mark { background: var(--you-soft); border-color: var(--you); color: var(--you); }
.guides { display: grid; gap: 0.5rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 10.5rem), 1fr)); list-style: none; align-items: start; }
.guide { border: 1px solid var(--line); border-radius: var(--r2); background: var(--surface); }
.guide > summary { display: flex; gap: 0.7rem; align-items: center; padding: 0.6rem 0.8rem; cursor: pointer; list-style: none; }
.guide > summary::-webkit-details-marker { display: none; }
.guide > summary:hover { background: color-mix(in srgb, var(--sunken) 45%, transparent); }
.guide strong, .guide small { display: block; line-height: 1.3; font-weight: 400; }
.guide strong { font-weight: 600; }
.guide small { color: var(--ink-2); font-size: var(--t-s); }
.guide > p { padding: 0 0.8rem 0.7rem; }
.with-script-only, .with-script .without-script-only { display: none; }
.with-script .with-script-only { display: block; }
.with-script .picker.with-script-only { display: inline-grid; }
@media (hover: none) { .with-script .picker.with-script-only { display: none; } }
progress { width: 100%; height: 0.75rem; accent-color: var(--accent); }
@media (max-width: 48rem) { .app .answer { bottom: calc(var(--bar) + env(safe-area-inset-bottom)); padding-bottom: 0.6rem; } }
.app .answer form { display: inline-flex; gap: 0.6rem; flex-wrap: wrap; }
.app .lines h2 { font-size: var(--t-m); }
.figures-line { font-variant-numeric: tabular-nums; }
.corrections { display: grid; align-items: end; gap: var(--gap); grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); }
.corrections input[type="text"] { font-weight: 450; }
.corrections select { width: 100%; }
.correct > form { padding-top: 0.75rem; }
.choices th, .choices td { vertical-align: middle; }
.choices select { min-height: 2.25rem; padding: 0.25rem 0.5rem; }
.choices input { margin: 0; vertical-align: middle; }
@media (max-width: 48rem) {
  .scroll.whole .results { min-width: 0; }
  .results, .results tbody { display: block; }
  .results thead { display: none; }
  .results tr { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  .results th { grid-column: 1 / -1; white-space: normal; }
  .results th, .results td { border: 0; padding: 0.15rem 0; text-align: left; }
  .results td::before { content: attr(data-label); display: block; font-size: 0.8rem; color: var(--quiet); }
}
h1 .badge, h2 .badge { letter-spacing: 0; font-weight: 450; vertical-align: 0.2em; }
`
