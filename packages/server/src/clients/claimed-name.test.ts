import { expect, test } from 'vitest'
import { withoutClaims } from './claimed-name.ts'

test.each([
  ['Claude (Anthropic) — verified ✔', 'Claude (Anthropic)'],
  ['✅ Claude', 'Claude'],
  ['Claude ☑️ [Official]', 'Claude'],
  ['VERIFIED: ChatGPT', 'ChatGPT'],
  ['ｖｅｒｉｆｉｅｄ Claude', 'Claude'],
  ['Official Claude, certified', 'Claude'],
  ['✓ verified', undefined],
  ['Unverified thing', 'Unverified thing'],
  ['Officialdom Weekly', 'Officialdom Weekly'],
  ['Café 🎉', 'Café 🎉'],
  ['Claude Code', 'Claude Code'],
])('checklist 6: %s is shown as %s', (name, shown) => {
  expect(withoutClaims(name)).toBe(shown)
})
