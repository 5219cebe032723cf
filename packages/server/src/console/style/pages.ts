/** Styles of the console's pages that the consent page does not need. */
export const PAGES_STYLE = `
.head { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1rem; }
.head > h1, .head > h2, .head > .grow { flex: 1 1 16rem; min-width: 0; }
.columns { display: grid; gap: var(--gap); grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); align-items: start; }
.cols { display: grid; grid-template-columns: minmax(0, 1fr) 23rem; gap: 1.25rem 2rem; align-items: start; }
.home { grid-template-rows: auto 1fr; }
.home > .side { grid-column: 2; grid-row: 1 / span 2; }
.crumbs { display: flex; flex-wrap: wrap; gap: 0 0.45rem; }
.banner { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.25rem 1.25rem; }
.viewas { position: sticky; top: 0.75rem; z-index: 3; box-shadow: var(--pop); }
.card header.head { display: flex; flex-wrap: nowrap; gap: 0.75rem; }
.card header.head > .grow { flex: 1 1 0; }
.card h3 a, .row-title { text-decoration: none; font-weight: 600; }
.card h3 a:hover, .row-title:hover { text-decoration: underline; }

.list > * + * { border-top: 1px solid var(--line); }
.list { list-style: none; }
.row { display: flex; align-items: center; gap: 0.75rem; padding: 0.55rem 1rem; min-width: 0; position: relative; }
.row:hover { background: color-mix(in srgb, var(--sunken) 45%, transparent); }
.row > .grow { flex: 1 1 0; min-width: 0; }
.row.top-align { align-items: flex-start; }
.row .row-title { color: inherit; }
.row .whole::after { content: ""; position: absolute; inset: 0; }
.row .above { position: relative; z-index: 1; }
.row .when { color: var(--ink-3); font-size: var(--t-s); white-space: nowrap; font-variant-numeric: tabular-nums; }
.row .line { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.5rem; min-width: 0; }
.row[aria-current], .row.here { box-shadow: inset 3px 0 var(--you); background: color-mix(in srgb, var(--sunken) 45%, transparent); }
.text2 { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.tile { display: inline-grid; place-items: center; width: 2rem; height: 2rem; border-radius: 8px; flex: none; font-size: 0.95rem; background: var(--tint, var(--sunken)); color: var(--tone, var(--ink-2)); }
.tile.bot { background: var(--agent-soft); color: var(--agent); font-weight: 700; font-size: 0.8rem; }
.tile.big { width: 2.75rem; height: 2.75rem; border-radius: 11px; font-size: 1.1rem; }
.kinds { display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: 0.1rem 0.25rem; margin-inline: -0.4rem; list-style: none; }
.kinds a { display: flex; gap: 0.6rem; align-items: center; padding: 0.35rem 0.4rem; border-radius: var(--r1); color: inherit; text-decoration: none; }
.kinds a:hover { background: var(--sunken); }
.kinds strong { display: block; line-height: 1.15; font-weight: 600; font-variant-numeric: tabular-nums; }
.kinds small { display: block; color: var(--ink-2); font-size: var(--t-xs); line-height: 1.3; }
.fresh { display: inline-flex; gap: 0.4rem; align-items: center; font-size: var(--t-s); }
.fresh::before { content: ""; flex: none; width: 0.5rem; height: 0.5rem; border-radius: 50%; background: var(--you); }
.fresh.fail { color: var(--danger); }
.fresh.fail::before { background: var(--danger); border-radius: 1px; }
.fresh.still { color: var(--ink-2); }
.fresh.still::before { background: var(--edge); height: 2px; border-radius: 0; }
.verify { display: flex; flex-wrap: wrap; gap: 0.4rem 0.75rem; align-items: center; color: var(--ink-2); font-size: var(--t-s); }
.verify > .i { color: var(--you); }
.empty { display: grid; gap: 0.6rem; justify-items: center; text-align: center; padding: 2.5rem 1rem; color: var(--ink-2); }
.empty .i.big { width: 2rem; height: 2rem; color: var(--ink-3); }
.empty .button { justify-self: center; }

.plot { display: grid; gap: 0.5rem; grid-template-columns: minmax(0, 1fr); }
.plot svg { width: 100%; height: auto; display: block; }
.plot .bar { fill: var(--you); }
.plot .bar.refused { fill: var(--danger); }
.plot .bar.unfinished { opacity: 0.45; }
.plot a:hover .bar { filter: brightness(1.15); }
.plot .grid { stroke: var(--line); }
.plot text { fill: var(--ink-3); font: 11px var(--sans); }
.plot .at-end { text-anchor: end; }
.plot .at-middle { text-anchor: middle; }
.plot .narrow-plot { display: none; }
.side-plot .narrow-plot { display: block; }
.side-plot .wide-plot { display: none; }
.plot.agents .bar { fill: var(--agent); }
.plot.agents .bar.refused { fill: var(--danger); }
.numbers > summary { font-size: var(--t-s); font-weight: 500; padding: 0.35rem 0; color: var(--ink-2); }
details.numbers[open] { padding-bottom: 0; }
.scroll { overflow-x: auto; max-height: 22rem; overflow-y: auto; }
.scroll.whole { max-height: none; }
.scroll.whole .table { min-width: 34rem; }
.scroll.whole th .theirs { overflow-wrap: normal; }
.table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
.table th, .table td { text-align: left; padding: 0.4rem 1rem 0.4rem 0; border-top: 1px solid var(--line); vertical-align: top; font-weight: 450; }
.table thead th { color: var(--ink-2); font-size: var(--t-xs); font-weight: 600; border-top: 0; }
.table .number { text-align: right; padding-right: 0; }
.table td .theirs { overflow-wrap: anywhere; }
.source-table td, .source-table th { vertical-align: middle; padding: 0.4rem 0.6rem; }
.source-table td:first-child, .source-table th:first-child { padding-left: 1rem; }
.source-table td:last-child, .source-table th:last-child { padding-right: 1rem; }
.source-table .number { padding-right: 0.6rem; }
.source-table .named { display: flex; align-items: center; gap: 0.75rem; }

.search { display: grid; gap: 0.75rem; grid-template-columns: minmax(0, 1fr); }
.search .line { display: grid; grid-template-columns: minmax(0, 44rem) auto; gap: 0.6rem; justify-content: start; }
.search .facets { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; align-items: end; }
.search .facets label { font-size: var(--t-s); }
.search .facets select { max-width: 15rem; }
.hits { list-style: none; }
.hits > li + li { border-top: 1px solid var(--line); }
.streams { list-style: none; display: grid; border-top: 1px solid var(--line); padding-top: 0.4rem; }
.streams a { display: flex; justify-content: space-between; gap: 1rem; padding: 0.3rem 0; text-decoration: none; color: inherit; }
.streams a:hover span:first-child { text-decoration: underline; }
.streams .number { color: var(--ink-2); font-variant-numeric: tabular-nums; }
.facts.tall { display: grid; grid-template-columns: minmax(7rem, max-content) minmax(0, 1fr); gap: 0.35rem 1.25rem; }
.facts.tall > div { display: contents; }
.facts.tall dt::after { content: ""; }
.fieldset { display: grid; gap: 0.25rem; }
.fieldset .ticks { display: block; columns: 14rem; }
.fieldset .ticks .tick { break-inside: avoid; }
.receipt details.more > summary { font-size: var(--t-s); padding: 0; color: var(--ink-2); }
.receipt .marks { display: flex; flex-wrap: wrap; gap: 0.35rem; }
.letter { font: 400 var(--t-l)/1.62 var(--sans); max-width: 42rem; white-space: pre-wrap; overflow-wrap: anywhere; }

.cmd { display: flex; gap: 0.75rem; align-items: center; padding: 0.55rem 0.65rem 0.55rem 1rem; border-radius: var(--r2); background: light-dark(#1b1e1d, #0c0e0d); color: #eceeea; border: 1px solid light-dark(#1b1e1d, #2f3432); }
.cmd pre { flex: 1; min-width: 0; background: none; border: 0; padding: 0; font-size: var(--t-s); color: inherit; }
.cmd .button { display: none; background: transparent; color: #eceeea; border-color: #8d948f; }
.with-script .cmd .button { display: inline-flex; }
.cmd .sign { color: #f0bb68; background: #35290f; }
.steps { padding-left: 1.25rem; display: grid; gap: 0.3rem; }
.checks { list-style: none; display: grid; gap: 0.6rem; }
.checks li { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 0.15rem 1rem; }
.checks .badge { justify-self: start; align-self: start; margin-top: 0.15rem; }
.clients { display: grid; grid-template-columns: repeat(auto-fill, minmax(10.5rem, 1fr)); gap: 0.5rem; list-style: none; }
.client { display: flex; gap: 0.6rem; align-items: center; padding: 0.5rem 0.7rem; border: 1px solid var(--line); border-radius: var(--r2); background: var(--surface); color: inherit; text-decoration: none; font-weight: 550; }
.client small { display: block; font-weight: 400; color: var(--ink-2); font-size: var(--t-xs); }
.client[aria-current] { border-color: var(--you); box-shadow: 0 0 0 1px var(--you); background: var(--you-soft); }
.client:hover { border-color: var(--edge); }
.ask-it { display: flex; gap: 0.75rem; align-items: center; padding: 0.7rem 1rem; border: 1px solid var(--line); border-radius: var(--r2); background: var(--surface); font: 400 var(--t-l)/1.4 var(--serif); }
.ask-it p { flex: 1; min-width: 0; }
.ask-it .button { display: none; }
.with-script .ask-it .button { display: inline-flex; }
.waiting { display: flex; gap: 0.75rem; align-items: center; }
.pulse { width: 0.65rem; height: 0.65rem; border-radius: 50%; background: var(--agent); flex: none; animation: pulse 1.6s ease-in-out infinite; }
@keyframes pulse { 50% { opacity: 0.25; } }

.hero { display: grid; gap: 0.8rem; text-align: center; justify-items: center; padding: 4vh 0 0.5rem; }
.hero h1 { font-size: 2.3rem; }
.hero .say { max-width: 36rem; color: var(--ink-2); text-wrap: balance; }
.picks { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; }
.pick { display: grid; gap: 0.6rem; padding: 1.5rem; background: var(--surface); border: 1px solid var(--line); border-radius: var(--r3); align-content: start; }
.pick h2 { font: 600 1.3rem var(--serif); }
.pick .tile { margin-bottom: 0.25rem; }
.middle { max-width: 42rem; width: 100%; justify-self: center; }
.trust { display: flex; flex-wrap: wrap; gap: 0.4rem 1.5rem; justify-content: center; color: var(--ink-2); font-size: var(--t-s); list-style: none; }
.trust .i { color: var(--you); }
@media (max-width: 74rem) {
  .cols { grid-template-columns: minmax(0, 1fr); }
  .home > .side { grid-column: 1; grid-row: auto; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); }
  .home { grid-template-rows: none; }
}
@media (max-width: 48rem) {
  .picks { grid-template-columns: minmax(0, 1fr); }
  .pick { padding: 1.1rem; }
  .hero { padding-top: 1rem; }
  .hero h1 { font-size: 1.7rem; }
  .row { padding-block: 0.7rem; }
  .row.wrap { flex-wrap: wrap; }
  .row.wrap > .grow { flex-basis: 70%; }
  .row.wrap > .act { margin-inline-start: 2.75rem; }
  .clients { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .client { overflow-wrap: anywhere; }
  .search .facets { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .search .facets :is(label, select, input) { min-width: 0; width: 100%; }
  .cmd { flex-wrap: wrap; }
  .cmd pre { flex: 1 1 100%; }
  .checks li { grid-template-columns: minmax(0, 1fr); }
  .plot .narrow-plot { display: block; }
  .plot .wide-plot { display: none; }
  .source-table thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .source-table, .source-table tbody { display: block; }
  .source-table tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; border-top: 1px solid var(--line); padding: 0.4rem 0; }
  .source-table th, .source-table td { border: 0; padding: 0.1rem 1rem; }
  .source-table th { grid-column: 1 / 3; }
  .source-table .extra { display: none; }
}
`
