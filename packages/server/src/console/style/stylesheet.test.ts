import { expect, it } from 'vitest'
import { CONSENT_STYLE } from '../consent/style.ts'
import { PAGES_STYLE } from './pages.ts'
import { STYLESHEET } from './stylesheet.ts'

/** The selectors of all rules outside media queries. */
function selectors(style: string): Set<string> {
  const rules = [...style.matchAll(/^(?!@|\/\*| )([^{}\n]+)\{/gm)].map(([, list]) => list!)
  return new Set(rules.flatMap((list) => list.split(',')).map((one) => one.trim()))
}

it('defines each selector in only one of the three stylesheets', () => {
  const shared = selectors(STYLESHEET.replace(CONSENT_STYLE, '').replace(PAGES_STYLE, ''))
  const [consent, console] = [selectors(CONSENT_STYLE), selectors(PAGES_STYLE)]
  expect([shared.size, consent.size, console.size].every((size) => size > 30)).toBe(true)
  expect([...shared].filter((one) => consent.has(one) || console.has(one))).toEqual([])
  expect([...consent].filter((one) => console.has(one))).toEqual([])
})
