// Counts how often JSON that contains a marked value is parsed and serialised, in this thread and in all threads that
// it starts later.
import { syncBuiltinESMExports } from 'node:module'
import threads, { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'

/** Parts of the JSON of one row, as a stored record and as a search hit. All other rows are converted equally often. */
const MARKS = ['"lantern number 59"', '"record_key":"n59"']
export const isMarked = (text: string) => MARKS.some((mark) => text.includes(mark))

const NAME = 'pdpp.journeys'
const [PARSES, SERIALISATIONS] = [0, 1]

if (isMainThread) setEnvironmentData(NAME, new SharedArrayBuffer(8))
const counts = new Int32Array(getEnvironmentData(NAME) as unknown as SharedArrayBuffer)

export const jsonCounts = () => ({ parses: counts[PARSES]!, serialisations: counts[SERIALISATIONS]! })
export const resetJsonCounts = () => void counts.fill(0)

const { parse, stringify } = JSON
JSON.parse = (text, reviver) => {
  if (isMarked(String(text))) Atomics.add(counts, PARSES, 1)
  return parse(text, reviver)
}
JSON.stringify = (value: unknown, ...rest: [never?, never?]) => {
  const text = stringify(value, ...rest)
  if (text !== undefined && isMarked(text)) Atomics.add(counts, SERIALISATIONS, 1)
  return text
}

if (isMainThread) {
  const { Worker } = threads
  threads.Worker = class extends Worker {
    constructor(file: string | URL, options: threads.WorkerOptions = {}) {
      super(file, { ...options, execArgv: [...process.execArgv, '--import', import.meta.url] })
    }
  }
  // Later imports of node:worker_threads get the class above.
  syncBuiltinESMExports()
}
