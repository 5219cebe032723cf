import { broken, type Check, type CheckResult, ok } from '@pdpp/mcp-server/doctor'
import { OWNER, openStorage, StartupError } from '@pdpp/server/offline'

/** Checks that the PostgreSQL database can be used, and that its receipts are complete. */
export function databaseChecks(databaseUrl: string): Check[] {
  return [{ name: 'Database', run: () => database(databaseUrl) }]
}

async function database(databaseUrl: string): Promise<CheckResult> {
  try {
    const storage = await openStorage({ dataDir: '', databaseUrl })
    try {
      const { checked, brokenAt } = await storage.receipts.verify(OWNER)
      if (brokenAt === undefined)
        return ok(
          `PostgreSQL answers; none of the ${checked.toLocaleString('en')} entries of the activity log was altered`,
        )
      return broken(
        `the activity log was altered at entry ${brokenAt}: that entry was changed, or an earlier one is missing`,
        'If you have an earlier dump of the database, compare its table `receipt`.',
      )
    } finally {
      await storage.close()
    }
  } catch (error) {
    if (error instanceof StartupError) return broken(error.message, 'Fix that first; nothing was written.')
    throw error
  }
}
