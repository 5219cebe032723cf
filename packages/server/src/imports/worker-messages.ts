import type {
  BlobField,
  Destination,
  ImportedBlob,
  IngestTarget,
  Progress,
  ReportedProblem,
  SourceResult,
} from '@pdpp/importers'
import type { Failure, FailureText, SkippedFile, SourceOverrides } from './import.ts'
import type { PackedRows } from './packed-rows.ts'

/** The task that a thread gets when it starts. */
export interface WorkerTask {
  /** `inspect`: recognise and plan. `import`: carry out the confirmed plan. */
  readonly kind: 'inspect' | 'import'
  readonly files: readonly { readonly path: string; readonly name: string }[]
  readonly folder: string
  readonly overrides: Readonly<Record<string, SourceOverrides>>
  /** Numbers of the plan's parts to import; all parts if undefined. */
  readonly parts: readonly number[] | undefined
  /** The owner's own zone. */
  readonly zone: string | undefined
  /** Max. bytes of an unpacked database. */
  readonly room: number
}

export type FileFailure = Failure & { readonly file: string }

export interface InspectResult {
  readonly sources: readonly string[]
  readonly leftOut: readonly SkippedFile[]
  readonly leftOutCount: number
  readonly failures: readonly FileFailure[]
}

export interface ImportResult {
  readonly results: readonly SourceResult[]
  /** Number of files that are in no result: no importer could read them, or their part was not ticked. */
  readonly unreadFiles: number
  readonly failures: readonly FileFailure[]
  readonly stopped: boolean
}

/** The progress of a run. Sources are imported one after the other. */
export interface RunProgress extends Progress {
  readonly source: number
  readonly sources: number
}

/** Calls from a thread to the server: those of a destination, with blobs in parts. */
export interface ServerCalls extends Omit<Destination, 'putBlob' | 'ingest'> {
  ingest(target: IngestTarget, rows: PackedRows): ReturnType<Destination['ingest']>
  beginBlob(place: BlobField, blob: Omit<ImportedBlob, 'open'>): Promise<number>
  addToBlob(number: number, part: Uint8Array): Promise<void>
  /** Returns the hash of the bytes that the server received. */
  endBlob(number: number): Promise<string>
}

export type FromWorker =
  | { readonly call: number; readonly method: keyof ServerCalls; readonly args: readonly unknown[] }
  | { readonly progress: RunProgress }
  | { readonly problems: readonly ReportedProblem[]; readonly uncounted: number }
  | { readonly inspected: InspectResult }
  | { readonly imported: ImportResult }
  | { readonly failed: Failure }

export type ToWorker =
  | { readonly answer: number; readonly result: unknown }
  | { readonly answer: number; readonly error: FailureText & { readonly status: number; readonly code: string } }
  | { readonly stop: true }
