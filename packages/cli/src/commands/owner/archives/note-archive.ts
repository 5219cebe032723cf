import { withOwnerApi } from '../../../provider/owner-api.ts'
import { printNote } from '../../../terminal/output.ts'

/** Tells the server of it, so that its pages know and a receipt says so. What was made is there either way. */
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
    printNote(`The server could not be told of it, so its pages will not know: ${(error as Error).message}`)
  }
}
