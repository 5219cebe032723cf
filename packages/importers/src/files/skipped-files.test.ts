import { expect, it } from 'vitest'
import { SKIPPED_FILES } from './skipped-files.ts'

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
  expect(SKIPPED_FILES.test(path)).toBe(isPassedOver)
})
