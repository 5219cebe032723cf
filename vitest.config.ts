import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { whyNoPostgres } from './scripts/postgres.ts'
import { POSTGRES_STORE, postgresFiles } from './tests/fixtures/on-postgres.ts'
import { SkipReporter } from './tests/fixtures/skip-reporter.ts'

const hasPostgres = whyNoPostgres() === undefined

/** These files have few lines and take long, because they run the cases of other files. */
const LONG_FILES = /\/storage\/(?:sqlite|postgres)\/contract\.test\.ts$/

/**
 * Vitest starts the files first that took longest in the last run. In a new clone it knows no times and starts the
 * largest files first, so a long test in a small file would start last and run alone.
 */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => (LONG_FILES.test(moduleId) ? 0 : 1)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((each) =>
      sorted.filter(({ project }) => project === each).toSorted((a, b) => rank(a) - rank(b)),
    )
  }
}

export default defineConfig({
  test: {
    // One more than there are cores, because tests often wait for a process or a browser that they started.
    maxWorkers: availableParallelism() + 1,
    // Every test file begins with a server, and loading one takes longer than most tests. Files share only code,
    // because each has its own directories, ports and processes.
    isolate: false,
    // A worker runs hundreds of servers. With more room for short-lived objects, it collects them with less CPU time.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: LongFilesFirst },
    // The usual second is too short for a process that has to start while the machine is busy.
    expect: { poll: { timeout: 20_000 } },
    // In CI, one more try for a test that waited too long, because another program may have taken the machine for a
    // while. A wrong answer fails at once. The run ends with a list of the tests that needed the second try.
    retry: process.env['CI'] ? { count: 1, condition: /timed out|timeout|in time/i } : 0,
    reporters: ['default', ...(process.env['PDPP_TELL_SKIPS'] === '1' ? [new SkipReporter()] : [])],
    coverage: { provider: 'v8', include: ['packages/*/src/**'], reporter: ['text-summary', 'json-summary'] },
    projects: [
      {
        extends: true,
        // A test must not fail because the machine is busy.
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...POSTGRES_STORE],
          globalSetup: ['tests/fixtures/run-directory.ts'],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'live',
          setupFiles: ['tests/fixtures/built-threads.ts'],
          include: ['packages/*/tests/**/*.test.ts', 'conformance/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...POSTGRES_STORE],
          globalSetup: ['tests/fixtures/run-directory.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres-store',
          include: [...POSTGRES_STORE],
          globalSetup: ['tests/fixtures/run-directory.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      ...(hasPostgres
        ? [
            {
              extends: true as const,
              test: {
                name: 'postgres',
                ...postgresFiles(process.env['PDPP_LONG_TESTS'] === '1'),
                setupFiles: ['tests/fixtures/built-threads.ts', 'tests/fixtures/skip-on-postgres.ts'],
                globalSetup: ['tests/fixtures/run-directory.ts'],
                provide: { store: 'postgres' as const },
                testTimeout: 120_000,
                hookTimeout: 120_000,
              },
            },
          ]
        : []),
    ],
  },
})
