// A folder that lives as long as one run of the tests: what is costly is made there once, and copied.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    runDirectory: string
  }
}

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-test-run-'))
  project.provide('runDirectory', folder)
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
