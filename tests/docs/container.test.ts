// The container recipe, built and run with the engine of this machine.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const run = (engine: string, ...args: string[]) => spawnSync(engine, args, { cwd: root, encoding: 'utf8' })
const BASE = 'node:24-slim'

/** An engine that runs, and that has the base image already: pulling it needs the internet. */
const engine = ['docker', 'podman'].find(
  (name) =>
    run(name, 'version', '--format', '{{.Server.Version}}').status === 0 &&
    run(name, 'image', 'inspect', BASE).status === 0,
)
if (engine === undefined) console.warn(`No container engine with ${BASE} was found: the container is not built.`)

it('is the recipe that the guide shows', () => {
  const page = readFileSync(join(root, 'docs', 'running-as-a-service.md'), 'utf8')
  expect(page).toContain('docker build -t pdpp .')
  const recipe = readFileSync(join(root, 'Dockerfile'), 'utf8')
  expect(recipe).toContain(`FROM ${BASE}`)
  expect(recipe).not.toMatch(/npm install[^\n]*@pdpp\//)
})

describe.skipIf(engine === undefined)('the container', () => {
  it('is built from the clone, and needs a password to listen everywhere', { timeout: 900_000 }, () => {
    const built = run(engine!, 'build', '-t', 'pdpp-test', '.')
    expect([built.status, built.status === 0 ? '' : built.stderr.slice(-2000)]).toEqual([0, ''])
    const started = run(engine!, 'run', '--rm', '--read-only', '--tmpfs', '/tmp', '--tmpfs', '/data', 'pdpp-test')
    expect(started.stderr).toContain('password')
    const version = run(engine!, 'run', '--rm', 'pdpp-test', 'node', 'node_modules/@pdpp/cli/bin/pdpp.mjs', '--version')
    expect(version.stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/)
    run(engine!, 'image', 'rm', '-f', 'pdpp-test')
  })
})
