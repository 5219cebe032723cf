import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { whyNoPostgres } from './scripts/postgres.ts'

/**
 * Tests of whole journeys that also run on PostgreSQL. All others would take the run beyond a quarter of an hour. Run them
 * with PDPP_TEST_STORE=postgres; those that look into files of a data directory fail there, and so do those that expect the
 * receipts of reads at the same moment in the order of the requests.
 */
const ON_POSTGRES = [
  'packages/server/tests/oauth/code-flow.test.ts',
  'packages/server/tests/oauth/refresh.test.ts',
  'packages/server/tests/reads/belongs-to.test.ts',
  'packages/server/tests/reads/changes-since.test.ts',
  'packages/server/tests/reads/filters.test.ts',
  'tests/adapter/search-pages.test.ts',
  'tests/adapter/transport.test.ts',
]

const hasPostgres = whyNoPostgres() === undefined

export default defineConfig({
  test: {
    // One more than there are cores, because tests often wait for a process or a browser that they started.
    maxWorkers: availableParallelism() + 1,
    // Every test file begins with a server, and loading one takes longer than most tests. Files share only code, because
    // each has its own directories, ports and processes.
    isolate: false,
    coverage: { provider: 'v8', include: ['packages/*/src/**'], reporter: ['text-summary', 'json-summary'] },
    projects: [
      {
        extends: true,
        // A test must not fail because the machine is busy.
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts'],
          globalSetup: ['tests/fixtures/run-directory.ts'],
          testTimeout: 30_000,
        },
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
      ...(hasPostgres
        ? [
            {
              extends: true as const,
              test: {
                name: 'postgres',
                include: ON_POSTGRES,
                globalSetup: ['tests/fixtures/run-directory.ts'],
                provide: { store: 'postgres' as const },
                testTimeout: 60_000,
                hookTimeout: 120_000,
              },
            },
          ]
        : []),
    ],
  },
})
