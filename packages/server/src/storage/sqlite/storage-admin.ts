import type { StorageAdmin } from '../storage-admin.ts'
import { openExportSource } from './upkeep/export-source.ts'
import { hasDatabase } from './upkeep/snapshot.ts'

export const sqliteAdmin = (directory: string): StorageAdmin => ({
  backups: 'own',
  hasData: async () => hasDatabase(directory),
  openExport: async (subjectId) => openExportSource(directory, subjectId),
})
