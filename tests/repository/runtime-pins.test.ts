// The Node that set-up downloads (checklist 30): one version for each kind of machine, with its hash.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { verifies } from '../fixtures/verifies.ts'

const root = join(import.meta.dirname, '..', '..')
const { MACHINES, isCurrent, packageName, runtimePackage } = await import(join(root, 'scripts/runtime.mjs'))
const pins = JSON.parse(readFileSync(join(root, 'scripts/runtime-pins.json'), 'utf8'))

verifies('checklist 30', 'every kind of machine has one version with its hash', () => {
  expect(Object.keys(pins)).toEqual(MACHINES)
  for (const machine of MACHINES) {
    const { package: name, version, integrity, ...rest } = pins[machine]
    expect(name).toBe(packageName(machine))
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(isCurrent(version)).toBe(true)
    expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
    expect(rest).toEqual({})
  }
})

verifies('checklist 30', 'every installed package has a hash and runs no install script', () => {
  for (const lock of ['package-lock.json', 'conformance/suite/package-lock.json']) {
    const { packages } = JSON.parse(readFileSync(join(root, lock), 'utf8')) as {
      packages: Record<string, { integrity?: string; link?: boolean; hasInstallScript?: boolean }>
    }
    const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
    expect(installed.length).toBeGreaterThan(50)
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([])
  }
  for (const file of ['scripts/setup.mjs', 'conformance/suite/run.ts'])
    for (const [, command] of readFileSync(join(root, file), 'utf8').matchAll(
      /\[(?:'--\w+', )?'(?:ci|install)',([^\]]*)/g,
    ))
      expect(command, file).toContain('--ignore-scripts')
})

const wanted = runtimePackage()

test.runIf(wanted !== undefined)(
  'checklist 30: what does not have its hash is removed, and never run',
  async () => {
    const place = mkdtempSync(join(tmpdir(), 'pdpp-runtime-'))
    onTestFinished(() => rmSync(place, { recursive: true, force: true }))
    const ran = join(place, 'it-ran')
    const archive = packed(place, ran)
    const registry = await serving(archive)
    const hash = `sha512-${createHash('sha512').update(archive).digest('base64')}`
    const set = (integrity: string) => {
      const clone = mkdtempSync(join(place, 'clone-'))
      cpSync(join(root, 'scripts'), join(clone, 'scripts'), { recursive: true })
      cpSync(join(root, 'package-lock.json'), join(clone, 'package-lock.json'))
      const changed = Object.fromEntries(
        Object.entries(pins).map(([machine, pin]) => [machine, { ...(pin as object), integrity }]),
      )
      writeFileSync(join(clone, 'scripts/runtime-pins.json'), JSON.stringify(changed))
      return clone
    }
    const setUp = async (clone: string) => {
      const script = `import { fetchNode } from ${JSON.stringify(join(clone, 'scripts/setup.mjs'))}
      await fetchNode().catch((error) => { console.error(error.message); process.exitCode = 1 })`
      writeFileSync(join(clone, 'fetch.mjs'), script)
      const { spawn } = await import('node:child_process')
      const child = spawn(process.execPath, [join(clone, 'fetch.mjs')], {
        env: { ...process.env, npm_config_registry: registry, npm_config_cache: join(place, 'cache') },
      })
      let said = ''
      child.stderr.setEncoding('utf8').on('data', (text) => (said += text))
      const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
      return { code, said }
    }

    const foreign = set(pins[Object.keys(pins)[0]!].integrity)
    const refused = await setUp(foreign)
    expect(refused.code, refused.said).toBe(1)
    expect(refused.said).toMatch(/does not match its hash[\s\S]*deleted and not run/)
    expect([existsSync(join(foreign, '.runtime')), existsSync(ran)]).toEqual([false, false])

    const own = set(hash)
    const kept = await setUp(own)
    expect([kept.code, kept.said.includes('not what')], kept.said).toEqual([0, false])
    expect(existsSync(ran)).toBe(true)
    expect(readFileSync(join(own, '.runtime/ready'), 'utf8')).toBe(wanted.binary)
    expect(readFileSync(join(own, '.runtime/pin'), 'utf8')).toBe(hash)
  },
  120_000,
)

/** A package of this machine's name whose Node leaves a file when it is run. */
function packed(place: string, ran: string): Buffer {
  const folder = join(place, 'package')
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const { name, version } = wanted
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, bin: { node: 'bin/node' } }))
  writeFileSync(join(folder, 'bin/node'), `#!/bin/sh\ntouch ${ran}\necho v${version}\n`)
  chmodSync(join(folder, 'bin/node'), 0o755)
  const file = join(place, 'package.tgz')
  execFileSync('tar', ['-czf', file, '-C', place, 'package'])
  return readFileSync(file)
}

/** A registry that has this one package. */
async function serving(archive: Buffer): Promise<string> {
  const { name, version } = wanted
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return void response.end(archive)
    const dist = { tarball: `${address()}/${name}/-/${name}-${version}.tgz` }
    const about = { name, version, bin: { node: 'bin/node' }, dist }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: about } }))
  })
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return address()
}
