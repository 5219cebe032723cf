import { expect, test } from 'vitest'
import { findBrowser } from '../../scripts/browser.ts'

test('without a browser its tests are skipped, but in CI they fail', () => {
  const nowhere = { PATH: '/nowhere' }
  const installed = findBrowser({ ...nowhere })
  // A Mac has browsers that are on no path.
  if (installed !== undefined) return
  expect(() => findBrowser({ ...nowhere, CI: '1' })).toThrow(/No browser was found/)
  expect(() => findBrowser({ ...nowhere, CI: '1', CHROME_PATH: process.execPath })).not.toThrow()
})
