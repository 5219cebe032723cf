import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const LAUNCHER = new URL('../bin/launch.mjs', import.meta.url).href

/** Fills the space for short-lived objects of a thread, and returns how large it became. */
const SPACE = `Promise.all([import('node:v8'), import('node:worker_threads')]).then(([v8, { parentPort }]) => {
    let kept = []
    for (let at = 0; at < 3e6; at++) (kept.length < 2e5 ? kept : (kept = [])).push({ at })
    parentPort.postMessage(v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size)
  })`

const script = (before: string) => `import { Worker } from 'node:worker_threads'
  import { freeThreads } from ${JSON.stringify(LAUNCHER)}
  ${before}
  const resourceLimits = { maxYoungGenerationSizeMb: 6 }
  new Worker(${JSON.stringify(SPACE)}, { eval: true, resourceLimits }).on('message', (bytes) => console.log(bytes))`

async function spaceOf(before: string): Promise<number> {
  const args = ['--max-semi-space-size=8', '--input-type=module', '-e', script(before)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Number(stdout) / 1024 / 1024
}

test('a thread has the space for short-lived objects that it asked for', async () => {
  expect(await spaceOf('')).toBeGreaterThan(8)
  expect(await spaceOf('freeThreads()')).toBeLessThanOrEqual(4)
})
