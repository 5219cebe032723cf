import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Left to itself it keeps one core for watching, which on a machine of two is half of it.
    maxWorkers: '100%',
    // Every file of tests begins with a server, and loading one takes longer than most tests. What they share is code:
    // each has directories, ports and processes of its own.
    isolate: false,
    coverage: { provider: 'v8', include: ['packages/*/src/**'], reporter: ['text-summary', 'json-summary'] },
    projects: [
      {
        extends: true,
        // A busy machine is no failure.
        test: { name: 'unit', include: ['packages/*/src/**/*.test.ts'], testTimeout: 30_000 },
      },
      {
        extends: true,
        test: {
          name: 'live',
          include: ['packages/*/tests/**/*.test.ts', 'conformance/**/*.test.ts', 'tests/**/*.test.ts'],
          globalSetup: ['tests/fixtures/run-directory.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
