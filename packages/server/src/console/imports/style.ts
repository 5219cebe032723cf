/** The page that imports files. */
export const IMPORT_STYLE = `
input[type="file"] { font: inherit; font-weight: 450; max-width: 100%; min-height: 2.75rem; padding: 0.5rem 0; }
input[type="file"]::file-selector-button { font: inherit; color: var(--text); background: transparent; border: 1px solid var(--line-strong); border-radius: 8px; padding: 0.4rem 0.9rem; margin-right: 0.8rem; min-height: 2.25rem; cursor: pointer; }
.drop { border-style: dashed; border-color: var(--line-strong); }
.pickers { display: flex; flex-wrap: wrap; gap: 0 3rem; }
.pickers > *, .pickers label { min-width: 0; max-width: 100%; grid-template-columns: minmax(0, 1fr); }
.pickers input { width: 100%; overflow: hidden; }
.drop.over { border-style: solid; border-color: var(--accent); background: var(--accent-soft); }
.with-script-only, .with-script .without-script-only { display: none; }
.with-script .with-script-only { display: block; }
@media (hover: none) { .with-script .with-script-only { display: none; } }
.panel.rows { gap: 0; }
.title { display: grid; gap: 0.35rem; }
progress { width: 100%; height: 0.75rem; accent-color: var(--accent); }
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
