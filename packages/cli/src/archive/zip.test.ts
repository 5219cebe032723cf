import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { zip } from './zip.ts'

const hasUnzip = spawnSync('unzip', ['-v']).status === 0

it.skipIf(!hasUnzip)('makes a file that unzip checks and unpacks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-zip-'))
  const file = join(folder, 'a.zip')
  writeFileSync(
    file,
    zip([
      { name: 'manifest.json', bytes: Buffer.from('{}') },
      { name: 'a/ü.txt', bytes: Buffer.from('ü'.repeat(999)) },
    ]),
  )
  expect(spawnSync('unzip', ['-t', file], { encoding: 'utf8' }).stdout).toContain('No errors detected')
  spawnSync('unzip', ['-q', file, '-d', folder])
  expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toBe('{}')
})
