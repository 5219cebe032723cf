import type { Candidate, ImportInput } from '../../importer.ts'
import { stem } from '../../reading/input-bytes.ts'
import { folderOf, treePath } from '../../reading/input-tree.ts'
import { isObject } from '../../reading/json/json-members.ts'
import { choiceOf, JsonScanner } from '../../reading/json/json-stream.ts'

/** Other files of an export, and why they are not imported. */
const OTHER_FILES: Readonly<Record<string, string | undefined>> = {
  'chat.html': 'shows the same conversations as a page',
  'user.json': 'account details are not imported',
  'user_settings.json': 'settings are not imported',
  'model_comparisons.json': 'comparisons of models are not imported',
  'shared_conversations.json': 'the list of shared links is not imported',
  'group_chats.json': 'group chats are not imported yet',
  'shopping.json': 'shopping is not imported',
  'sora.json': 'videos are not imported',
}
const FEEDBACK = 'message_feedback.json'
/** `file-AbC1-photo.png` or `file_000…-sanitized.png`, at any depth, because pictures are in separate folders. */
const FILE_ID = /^(file[-_][A-Za-z0-9]+)/

/** A list of conversations or a single one. Their messages are nodes under `mapping`. */
export function isConversations(text: string | undefined): boolean {
  if (text === undefined || !/^\s*(?:\[\s*)?\{/.test(text) || !/"mapping"\s*:\s*\{/.test(text)) return false
  for (const item of new JsonScanner(choiceOf(['*.mapping.*', 'mapping.*'])).add(text))
    if ('value' in item && isObject(item.value) && (item.path.length === 2 || typeof item.path[0] === 'number'))
      return 'message' in item.value && 'parent' in item.value
  return false
}

/** The other files of the export that a file of conversations belongs to. */
export function otherFilesOf({ input, files }: Candidate): ImportInput[] {
  const folder = folderOf(treePath(input.name))
  return files.below(folder).filter((each) => {
    const path = treePath(each.name)
    const name = lastOf(path)
    const isHere = folderOf(path) === folder
    return each !== input && ((isHere && (name in OTHER_FILES || name === FEEDBACK)) || FILE_ID.test(name))
  })
}

export interface ExportFiles {
  readonly conversations: readonly ImportInput[]
  readonly feedback: readonly ImportInput[]
  /** Files of messages by their id. */
  readonly attached: ReadonlyMap<string, ImportInput>
  readonly leftOut: readonly { readonly input: ImportInput; readonly reason: string }[]
}

/** Sorts the inputs of a plan by their kind, in the order of their paths. */
export function sortFiles(inputs: readonly ImportInput[]): ExportFiles {
  const ordered = inputs.map((input) => ({ input, path: treePath(input.name) })).toSorted(byPath)
  const attached = new Map<string, ImportInput>()
  const conversations: ImportInput[] = []
  const feedback: ImportInput[] = []
  const leftOut: { input: ImportInput; reason: string }[] = []
  for (const { input, path } of ordered) {
    const name = lastOf(path)
    const fileId = FILE_ID.exec(name)?.[1]
    const reason = OTHER_FILES[name]
    if (fileId !== undefined) attached.set(fileId, attached.get(fileId) ?? input)
    else if (reason !== undefined) leftOut.push({ input, reason })
    else if (name === FEEDBACK) feedback.push(input)
    else conversations.push(input)
  }
  return { conversations, feedback, attached, leftOut }
}

/** The name that a person gave the file: `file-AbC1-photo.png` becomes `photo.png`. */
export const givenName = ({ name }: ImportInput): string =>
  lastOf(name).replace(FILE_ID, '').replace(/^-/, '') || stem(name)

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
