import type { Candidate, Importer, ImportInput, ImportItem, ImportPlan, InputHead, ReadTally } from '../../importer.ts'
import { conversationSource } from '../../models/conversation/declaration.ts'
import { items } from '../../models/conversation/items.ts'
import type { Conversation } from '../../models/conversation/records.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { headOf } from '../../reading/input-head.ts'
import { FileTree, folderOf, treePath } from '../../reading/input-tree.ts'
import { objectOf, textOf } from '../../reading/json/json-values.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { connectionId } from '../../reading/stable-ids.ts'
import { backupItems } from './backup.ts'
import { chatItems, chatName } from './chat-folder.ts'
import { jsonLines } from './json-lines.ts'

const declaration = conversationSource('signal', 'Signal')
/** The account is among the first lines. */
const MAX_HEAD_LINES = 50

/** Imports Signal's own export, and chats that common tools export from Signal Desktop. */
export const signal: Importer = {
  id: 'signal',
  name: 'Signal',
  kind: 'chats',
  reads: 'the export of Signal (main.jsonl with its files), and chats of signal-export (data.json, chat.md)',

  async detect({ input, head, files }: Candidate) {
    const format = formatOf(input.name, head)
    if (format === undefined) return
    const folder = folderOf(treePath(input.name))
    const below = (name: string) => files.below(folder === '' ? name : `${folder}/${name}`)
    // Several exports of one account are read together.
    if (format === 'backup')
      return { format: 'signal', inputs: [input, ...below('files')], group: accountIn(head.text ?? '') }
    const other = format === 'json' ? files.near(input, 'chat.md') : undefined
    // The text file next to the data has the same messages.
    if (format === 'text' && files.near(input, 'data.json')) return
    return { format: 'signal-export', inputs: [input, ...(other ? [other] : []), ...below('media')] }
  },

  async streams(claim, overrides, known) {
    const [main] = claim.inputs as [ImportInput]
    const isBackup = claim.format === 'signal'
    const name = isBackup ? await accountName(main) : chatName(main)
    const connection = {
      id: connectionId('signal', name ?? 'account'),
      name: name === undefined ? 'Signal' : `Signal: ${name}`,
    }
    const zone = isBackup ? undefined : (overrides.zone ?? 'UTC')
    return [await fixedPlan({ claim, declaration, connection, zone, read: signal.read }, overrides, known)]
  },

  async *read(plan, tally) {
    const [main, ...others] = plan.inputs
    if (main === undefined) return
    const text = others.find(({ name }) => /chat\.md$/i.test(name))
    if (text) tally.leftOutFile(text, 'the same chat as data.json')
    if (plan.format === 'signal') yield* backupsOf(plan, tally)
    else yield* failuresAsProblems(chatItems(main, new FileTree(plan.inputs), plan.zone ?? 'UTC', tally), main)
  },
}

/** The newest export comes first, because the first copy of a message gives its record. */
async function* backupsOf({ inputs }: ImportPlan, tally: ReadTally): AsyncIterable<ImportItem> {
  const run = { files: inputs, conversations: new Map<string, Conversation>(), seen: new SeenKeys(), tally }
  const mains: ImportInput[] = []
  for (const input of inputs.filter(({ name }, at) => at === 0 || /\.jsonl$/i.test(name)))
    if (formatOf(input.name, await headOf(input)) === 'backup') mains.push(input)
  for (const input of mains.toSorted((a, b) => (treePath(a.name) > treePath(b.name) ? -1 : 1)))
    yield* failuresAsProblems(backupItems(input, run), input)
  for (const conversation of run.conversations.values()) yield* items(conversation.end({ input: inputs[0]!.name }))
}

/** The line of the account, which is the same in every export. */
const accountIn = (text: string): string | undefined => {
  const [, name] = /^\{"account"\s*:\s*\{.*?"givenName"\s*:\s*("(?:[^"\\]|\\.)*")/m.exec(text) ?? []
  return name && `account ${name}`
}

function formatOf(name: string, { text }: InputHead): 'backup' | 'json' | 'text' | undefined {
  if (text === undefined) return
  if (
    /^\s*\{"version"\s*:.*"backupTimeMs"/.test(text) ||
    (/^\{"account"\s*:/m.test(text) && /^\{"recipient"\s*:\s*\{/m.test(text))
  )
    return 'backup'
  const [first = ''] = text.trimStart().split('\n', 1)
  if (/^\{"date"\s*:\s*"\d{4}-/.test(first) && /"sender"\s*:/.test(first) && /"attachments"\s*:/.test(first))
    return 'json'
  // WhatsApp writes seconds after such a date, and other programs write such lines without a comma.
  if (/^\[\d{4}-\d{2}-\d{2}, \d{2}:\d{2}\] [^\n:]{1,100}:/.test(first)) return 'text'
  return /(?:^|\/)(?:chat|index)\.md$/i.test(name) &&
    /^\[\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\] [^\n:]{1,100}:/.test(first)
    ? 'text'
    : undefined
}

async function accountName(input: ImportInput): Promise<string | undefined> {
  let lines = 0
  for await (const { value } of jsonLines(input)) {
    const account = objectOf(value['account'])
    const name = [account['givenName'], account['familyName']].map(textOf).filter(Boolean).join(' ')
    if (name !== '') return name
    if (++lines > MAX_HEAD_LINES) return
  }
  return
}
