import { expect } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { withoutClaims } from './claimed-name.ts'

verifies.each('checklist 6', [
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
])('%s is shown as %s', (name, shown) => {
  expect(withoutClaims(name)).toBe(shown)
})
