import type { SourceDeclaration } from '@pdpp/protocol'
import type { Importer, ImportInput, ImportItem, ImportOverrides, ImportPlan, ReadTally } from '../importer.ts'

/** An input made of a text or bytes, delivered in pieces of a chosen size. */
export function memoryInput(name: string, content: string | Uint8Array, pieceBytes = 7): ImportInput {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
  return {
    name,
    size: bytes.length,
    async *open() {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
    },
  }
}

export async function planOf(
  importer: Importer,
  input: ImportInput,
  overrides: ImportOverrides = {},
  known: readonly SourceDeclaration[] = [],
): Promise<ImportPlan> {
  const [plan] = await importer.streams({ format: '', inputs: [input] }, overrides, known)
  return plan!
}

/** For tests that count by themselves. */
const noTally = (): ReadTally => ({ saw() {}, leftOut() {}, leftOutFile() {} })

export async function readAllItems(importer: Importer, plan: ImportPlan) {
  const items: ImportItem[] = []
  for await (const item of importer.read(plan, noTally())) items.push(item)
  return {
    records: items.flatMap((item) => ('record' in item ? [item.record] : [])),
    problems: items.flatMap((item) => ('problem' in item ? [item.problem] : [])),
  }
}

export const fieldOf = (plan: ImportPlan, name: string) => plan.streams[0]!.fields.find((field) => field.name === name)
