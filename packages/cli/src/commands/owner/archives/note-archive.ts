import { withOwnerApi } from '../../../provider/owner-api.ts'
import { printNote } from '../../../terminal/output.ts'

/**
 * Records the archive at the server, for the console and the receipts. A failure only prints a note, because the
 * archive was written.
 */
export async function noteArchive(
  kind: 'backup' | 'export',
  { bytes, at }: { bytes: number; at: Date },
  options: { dataDir?: string },
): Promise<void> {
  try {
    await withOwnerApi(options, (api) =>
      api.request('POST', '/v1/owner/archives', { kind, bytes, created_at: at.toISOString() }),
    )
  } catch (error) {
    printNote(
      `The console will not show this archive, because the server could not record it: ${(error as Error).message}`,
    )
  }
}
