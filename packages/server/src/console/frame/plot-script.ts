import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const UPLOT = readFileSync(createRequire(import.meta.url).resolve('uplot/dist/uPlot.iife.min.js'), 'utf8')

/**
 * Draws an interactive chart from the table of a plot: it shows the number under the pointer, and a click opens the
 * records that were counted. Without the script, every plot is a picture and a table.
 */
export const PLOT_SCRIPT = `${UPLOT}
;(() => {
  'use strict'
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  const draw = (figure) => {
    const rows = [...figure.querySelectorAll('tbody tr')].reverse()
    const at = rows.map((row) => Number(row.dataset.at) / 1000)
    const counts = rows.map((row) => Number(row.dataset.count))
    const refused = rows.map((row) => Number(row.dataset.refused))
    const names = rows.map((row) => row.querySelector('th').textContent)
    const place = figure.querySelector('.drawing')
    const bars = uPlot.paths.bars({ size: [0.8, 60] })
    const [accent, quiet, line, warn] = ['--accent', '--quiet', '--line', '--warn'].map(colour)
    // Labels come from the table only, so that none falls between two months or has another date format.
    const short = (name) => name.replace(/^(\\d+ \\S{3})\\S* \\d+$/, '$1')
    const splits = (chart) => {
      const every = Math.ceil((at.length * 76) / Math.max(1, chart.bbox.width / devicePixelRatio))
      return at.filter((_, index) => (at.length - 1 - index) % every === 0)
    }
    const values = (_, chosen) => chosen.map((one) => short(names[at.indexOf(one)]))
    const axis = { stroke: quiet, grid: { stroke: line, width: 1 }, ticks: { show: false } }
    const formatted = (_, value) => (value == null ? '–' : value.toLocaleString('en'))
    const series = [
      { label: 'When', value: (_, value, __, index) => (index == null ? '–' : names[index]) },
      { label: figure.dataset.plot, stroke: accent, fill: accent + 'b0', paths: bars, points: { show: false }, value: formatted },
    ]
    const data = [at, counts]
    if (refused.some((value) => value > 0)) {
      series.push({ label: 'Refused', stroke: warn, fill: warn, paths: bars, points: { show: false }, value: formatted })
      data.push(refused)
    }
    const step = at.length < 2 ? 1 : ((at[at.length - 1] - at[0]) / (at.length - 1)) * 0.55
    const size = () => ({ width: place.clientWidth, height: 190 })
    place.replaceChildren()
    place.classList.add('drawn')
    const chart = new uPlot(
      {
        ...size(), series, tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
        padding: [null, 32, null, null], // room for half a label next to the last bar
        cursor: { y: false, drag: { x: false, y: false } },
        scales: { x: { range: (_, first, last) => [first - step, last + step] }, y: { range: (_, __, max) => [0, Math.max(1, max * 1.08)] } },
        axes: [{ ...axis, splits, values }, { ...axis, size: 56, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6] }],
      },
      data,
      place,
    )
    chart.over.addEventListener('click', () => {
      const link = chart.cursor.idx == null ? null : rows[chart.cursor.idx].querySelector('a')
      if (link) link.click()
    })
    return () => chart.setSize(size())
  }
  let resize = []
  const start = () => {
    resize = [...document.querySelectorAll('[data-plot]')].map(draw)
  }
  start()
  addEventListener('resize', () => resize.forEach((each) => each()))
  for (const query of ['(prefers-color-scheme: dark)', 'print']) matchMedia(query).addEventListener('change', start)
})()
`

export const PLOT_SCRIPT_PATH = `/assets/plot.js?v=${hash('sha256', PLOT_SCRIPT, 'base64url').slice(0, 12)}`
