import { canonicalJson, PdppError, type SourceDeclaration } from '@pdpp/protocol'

/** Why a declaration would make stored records unreachable. `filled` are the streams that have records. */
export function lostRecords(
  known: SourceDeclaration,
  next: SourceDeclaration,
  filled: ReadonlySet<string>,
): PdppError | undefined {
  for (const { name, primary_key: key } of known.streams) {
    if (!filled.has(name)) continue
    const successor = next.streams.find((candidate) => candidate.name === name)
    if (successor && canonicalJson(successor.primary_key) === canonicalJson(key)) continue
    const what = successor ? 'changes the primary key of' : 'drops'
    return new PdppError('connector_invalid', `The new declaration ${what} the stream "${name}", which has records.`, {
      param: 'streams',
      nextStep: 'Delete the records of that stream first, or keep its name and primary key.',
    })
  }
  return
}
