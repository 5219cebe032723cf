import type { StorageAdmin } from '../storage-admin.ts'
import { Database, type DatabaseOptions } from './engine/database.ts'
import { checkServer } from './installation/server-check.ts'
import { openExportSource } from './upkeep/export-source.ts'

export const postgresAdmin = (options: DatabaseOptions): StorageAdmin => ({
  backups: 'database',
  hasData: async () => {
    const database = new Database({ ...options, maxConnections: 1 })
    try {
      await checkServer(database)
      const [table] = await database.column<string | null>(`select to_regclass('pdpp_format')::text`)
      return table != null
    } finally {
      await database.close()
    }
  },
  openExport: (subjectId) => openExportSource(new Database({ ...options, maxConnections: 1 }), subjectId),
})
