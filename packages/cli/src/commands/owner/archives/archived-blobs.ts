import { blobId } from '@pdpp/protocol'
import { blobOf } from '../../../archive/export-manifest.ts'
import { linesOf } from '../../../archive/line-splitter.ts'
import type { TarFile } from '../../../archive/tar.ts'
import type { OwnerApi } from '../../../provider/owner-api.ts'

interface BlobRow {
  readonly sha256: string
  readonly mime_type: string | null
  readonly connection_id: string
  readonly stream: string
  readonly record_key: string
  readonly json_path: string
}

/** Imports the blobs of an export. `list` reads their descriptions, which come first. `take` uploads one blob. */
export class ArchivedBlobs {
  readonly #api: OwnerApi
  readonly #rows = new Map<string, BlobRow>()

  constructor(api: OwnerApi) {
    this.#api = api
  }

  async list(entry: TarFile): Promise<void> {
    for await (const line of linesOf(entry.bytes)) {
      const row = JSON.parse(line) as BlobRow
      this.#rows.set(row.sha256, row)
    }
  }

  /** Uploads a blob, unless the server has it. Returns 1, or 0 if no record refers to the blob. */
  async take(entry: TarFile): Promise<number> {
    const row = this.#rows.get(blobOf(entry.name)!)
    if (!row) return 0
    const { connection_id, stream, record_key, json_path, mime_type } = row
    const there = new URLSearchParams({ connection_id })
    if (await this.#api.exists(`/v1/blobs/${blobId(row.sha256)}?${there}`)) return 1
    const target = { connection_id, stream, record_key, json_path, ...(mime_type === null ? {} : { mime_type }) }
    await this.#api.upload(`/v1/blobs?${new URLSearchParams(target)}`, entry.bytes)
    return 1
  }
}
