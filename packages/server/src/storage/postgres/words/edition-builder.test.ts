import { expect, test } from 'vitest'
import { testDatabase, whyNoPostgres } from '../../../../../../tests/fixtures/postgres-server.ts'
import { PIECES, renewsOlderTerms, WHOLE } from '../../words/older-terms.cases.ts'
import { Database } from '../engine/database.ts'
import { openPostgresStorage } from '../storage.ts'

const title = 'renews terms of an older analyser, and answers with them until then'

test.skipIf(whyNoPostgres() !== undefined)(title, async () => {
  const { url, release } = await testDatabase()
  await renewsOlderTerms(
    () => openPostgresStorage({ url }),
    async () => {
      const database = new Database({ url })
      expect(await database.run('update record set data = replace(data, ?, ?)', PIECES, WHOLE)).toBeGreaterThan(1)
      expect(await database.run("update word_edition set spec = (spec::jsonb - 'analyser')::text")).toBe(2)
      await database.close()
    },
  )
  release()
})
