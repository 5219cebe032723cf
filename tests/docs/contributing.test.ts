// CONTRIBUTING.md leads a newcomer to files and functions. They exist, and there are as many as it promises.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const section = (heading: string) => read('CONTRIBUTING.md').split(`\n## ${heading}\n`)[1]!.split(/^## /m)[0]!
const pathsIn = (text: string) =>
  [...text.matchAll(/`((?:packages|tests|scripts|docs)\/[^`]+)`/g)].map(([, path]) => path!)

test('the five files to start with exist', () => {
  const steps = section('Start here').match(/^\d+\. .*$/gm)!
  expect(steps).toHaveLength(5)
  for (const step of steps) expect(existsSync(join(root, pathsIn(step)[0] ?? 'nothing')), step).toBe(true)
})

test('ten questions have answers that name existing files', () => {
  const questions = section('Ten questions').match(/^\d+\. \*\*.+\?\*\* .*$/gm)!
  expect(questions).toHaveLength(10)
  for (const question of questions) {
    const paths = pathsIn(question)
    expect(paths.length, question).toBeGreaterThan(0)
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  }
})

test('the functions that a change should use exist', () => {
  const names = [...section('How to add …').matchAll(/`([a-z]\w+)\(/g)].map(([, name]) => name!)
  expect(names).toContain('readVerifiedForm')
  const files = globSync(['packages/*/src/**/*.ts', 'tests/fixtures/*.ts'], { cwd: root })
  const source = files.map((file) => read(file)).join('\n')
  expect(names.filter((name) => !new RegExp(`\\b(?:function|const) ${name}\\b`).test(source))).toEqual([])
})

test('the layout names every folder of the repository', () => {
  const listed = [...section('Layout').matchAll(/^\| `([^`]+)` \|/gm)].map(([, folder]) => folder!)
  const { workspaces } = JSON.parse(read('package.json'))
  expect(workspaces).toEqual(['packages/*'])
  expect(listed.filter((folder) => !existsSync(join(root, folder)))).toEqual([])
  const folders = ['protocol', 'importers', 'mcp', 'server', 'cli', 'demo'].map((name) => `packages/${name}`)
  expect(listed).toEqual(
    expect.arrayContaining([...folders, 'tests', 'bench', 'examples', 'scripts', 'docs', 'conformance', 'changes']),
  )
})

test('REVIEW.md has ten questions', () => {
  expect(read('REVIEW.md').match(/^\d+\. \*\*.+\?\*\*/gm)).toHaveLength(10)
})
