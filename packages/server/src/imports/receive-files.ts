import { PdppError } from '@pdpp/protocol'
import type { ImportBody } from './import.ts'
import type { UploadFolder } from './upload-folder.ts'

/** Max. characters of a file name, including its folders. */
const MAX_NAME = 1000

export interface Upload {
  readonly name: string
  readonly body: AsyncIterable<Uint8Array>
}

/** Writes the files of one import to disk as they arrive. */
export async function receiveFiles(
  folder: UploadFolder,
  importId: string,
  uploads: AsyncIterable<Upload>,
): Promise<ImportBody['files']> {
  const { maxFiles } = folder.limits
  const files: { name: string; bytes: number }[] = []
  const taken = new Set<string>()
  let used = 0
  for await (const { name, body } of uploads) {
    if (files.length >= maxFiles)
      throw new PdppError('resource_limit', `One import may have at most ${maxFiles} files.`, {
        nextStep: 'Put them into a zip and import that.',
      })
    const bytes = await folder.receive(importId, files.length, body, used)
    used += bytes
    const free = unused(name, taken)
    taken.add(free)
    files.push({ name: free, bytes })
  }
  if (files.length > 0) return files
  throw new PdppError('invalid_request', 'No file was chosen.', {
    nextStep: 'Go back, choose a file and send the form again.',
  })
}

/** Adds a number to the name if another file has the same name. */
function unused(name: string, taken: ReadonlySet<string>): string {
  // Keeps the end of the name, because it shows the file type.
  const given = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 300)}…${name.slice(-299)}` : name
  const dot = given.indexOf('.', given.lastIndexOf('/') + 2)
  const [stem, rest] = dot === -1 ? [given, ''] : [given.slice(0, dot), given.slice(dot)]
  let free = given
  for (let count = 2; taken.has(free); count++) free = `${stem} (${count})${rest}`
  return free
}
