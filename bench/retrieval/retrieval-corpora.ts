// Reads public collections of texts with questions and known answers. They are not part of the repository.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'

export interface CorpusDocument {
  readonly id: string
  readonly text: string
  readonly author?: string
  readonly conversation?: string
}

export interface CorpusQuestion {
  readonly id: string
  readonly query: string
  readonly relevant: readonly string[]
  readonly category: string
  readonly conversation?: string
}

export interface Corpus {
  readonly documents: readonly CorpusDocument[]
  readonly questions: readonly CorpusQuestion[]
}

/** Folder of the collections: `PDPP_CORPORA`, or `shared/data` next to the clone. */
export function corporaFolder(): string | undefined {
  const sibling = join(dirname(dirname(import.meta.dirname)), '..', 'shared', 'data')
  return [process.env['PDPP_CORPORA'], sibling].find((folder) => folder && existsSync(join(folder, 'retrieval')))
}

export function readCorpus(folder: string, name: string): Corpus {
  const lines = (file: string) =>
    gunzipSync(readFileSync(join(folder, 'retrieval', name, `${file}.jsonl.gz`)))
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  return { documents: lines('corpus'), questions: lines('queries') }
}
