import { expect, it } from 'vitest'
import { PASSED_OVER } from './passed-over.ts'

it.each([
  ['Exports/.DS_Store', true],
  ['.hidden.csv', true],
  ['Exports/THUMBS.DB', true],
  ['desktop.ini', true],
  ['__MACOSX/orders.csv', true],
  ['Exports/.git/config', true],
  ['Exports/node_modules/', true],
  ['Maildir/.Sent/cur/1.host:2,S', false],
  ['Maildir/.Sent/', false],
  ['Exports/node_modules.csv', false],
  ['Exports/thumbs.db.csv', false],
  ['orders.csv', false],
])('%s', (path, isPassedOver) => {
  expect(PASSED_OVER.test(path)).toBe(isPassedOver)
})
