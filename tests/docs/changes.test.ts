// Each change that users notice has a file in changes/. A release collects them into CHANGELOG.md.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addRelease, type Change, changeFiles, parseChange } from '../../scripts/collect-changes.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'changes')

test.each(changeFiles(folder))('changes/%s can be collected', (name) => {
  expect(parseChange(name, readFileSync(join(folder, name), 'utf8')).text).toMatch(/[.!]$/)
})

test('the example in changes/README.md can be collected', () => {
  const [, example] = /```text\n([\s\S]*?)```/.exec(readFileSync(join(folder, 'README.md'), 'utf8'))!
  expect(parseChange('example', example!).kind).toBe('changed')
})

describe('a change file', () => {
  test('has a kind and one line of text', () => {
    expect(parseChange('a.md', 'kind: fixed\n\nA broken link\nworks again.\n')).toEqual({
      kind: 'fixed',
      text: 'A broken link works again.',
    })
  })

  test.each(['', 'kind: fixed', 'kind: fixed\n\n \n', 'kind: better\n\nA text.', 'A text without a kind.'])(
    'is refused: %j',
    (content) => expect(() => parseChange('a.md', content)).toThrow(/a\.md needs "kind: added\|/),
  )
})

describe('a release', () => {
  const before = '# Changelog\n\nIntroduction.\n\n## 0.1.0 - 2026-11-17\n\n### Added\n\n- Everything.\n'
  const changes: Change[] = [
    { kind: 'fixed', text: 'One.' },
    { kind: 'added', text: 'Two.' },
    { kind: 'fixed', text: 'Three.' },
  ]

  test('is put above earlier ones, by kind', () => {
    expect(addRelease(before, changes, '0.2.0', '2026-12-01')).toBe(
      '# Changelog\n\nIntroduction.\n\n## 0.2.0 - 2026-12-01\n\n### Added\n\n- Two.\n\n### Fixed\n\n- One.\n- Three.\n\n## 0.1.0 - 2026-11-17\n\n### Added\n\n- Everything.\n',
    )
  })

  test.each([
    ['0.1.0', changes, 'already has version 0.1.0'],
    ['next', changes, 'is not a version'],
    ['0.2.0', [], 'no change to release'],
  ])('%s is refused if that makes no sense', (version, given, message) => {
    expect(() => addRelease(before, given, version, '2026-12-01')).toThrow(message)
  })
})

test('CHANGELOG.md begins with a released version', () => {
  const versions = [...readFileSync(join(root, 'CHANGELOG.md'), 'utf8').matchAll(/^## (.+)$/gm)].map(([, one]) => one!)
  expect(versions.length).toBeGreaterThan(0)
  for (const version of versions) expect(version).toMatch(/^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/)
})
