import type { Importer, ImportInput, ImportItem, InputHead, ReadTally } from '../../importer.ts'
import { assistant, USER } from '../../models/conversation/ai-people.ts'
import { type Attachment, Conversation, type Message } from '../../models/conversation/records.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { fileBlob } from '../../reading/file-blob.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { headOf } from '../../reading/input-head.ts'
import { FileTree, folderOf, treePath } from '../../reading/input-tree.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { StableIds } from '../../reading/stable-ids.ts'
import { type Activity, htmlActivities, jsonActivities } from './activity.ts'
import { geminiDeclaration } from './declaration.ts'

/** The product was first called Bard. The name is the same in every language. */
const PRODUCT = /^(?:Gemini|Bard)\b/
/** Google writes a verb before the question, in the account's language. */
const VERB = /^(?:Prompted|Asked)\s+/

/** Imports conversations with Gemini, which Google stores as activity of the account. */
export const gemini: Importer = {
  id: 'gemini',
  name: 'Gemini',
  kind: 'ai',
  reads: 'My Activity of Gemini Apps from Google Takeout (JSON or HTML)',

  async detect({ input, head, files }) {
    const form = formOf(head)
    if (form === undefined) return
    const folder = folderOf(treePath(input.name))
    // In Takeout, attached files are in the same folder. Outside of Takeout, the folder may contain other files.
    const beside = /(?:^|\/)(?:Gemini|Bard)[^/]*$/i.test(folder) ? files.below(folder) : []
    return { format: form, inputs: [input, ...beside.filter((each) => each !== input)], group: 'gemini' }
  },

  async streams(claim, overrides, known) {
    const zone = claim.format.includes('html') ? (overrides.zone ?? 'UTC') : undefined
    return [await fixedPlan({ claim, declaration: geminiDeclaration, zone, read: gemini.read }, overrides, known)]
  },

  async *read({ inputs, zone }, tally) {
    const chat = new Conversation({ id: 'gemini', name: 'Gemini', kind: 'assistant' }, [USER])
    const tree = new FileTree(inputs)
    const seen = new SeenKeys()
    const ordered = inputs.toSorted((a, b) => (treePath(a.name) < treePath(b.name) ? -1 : 1))
    for (const input of ordered.filter(({ name }) => !isAttached(name)))
      yield* failuresAsProblems(activities(input, tree, zone ?? 'UTC', chat, seen, tally), input)
    const [first] = ordered
    if (first) for (const record of chat.end({ input: first.name })) yield { record }
  },
}

const isAttached = (name: string): boolean => !/\.(?:json|html?|txt)(?:\.gz)?$/i.test(name)

function formOf({ text = '' }: InputHead): string | undefined {
  const header = /^\s*\[\s*\{\s*"header"\s*:\s*"([^"]*)"/.exec(text)?.[1]
  if (header !== undefined) return PRODUCT.test(header) ? 'gemini json' : undefined
  if (!/^\s*<(?:html|!doctype)/i.test(text)) return
  const title = /class="outer-cell[\s\S]{0,400}?mdl-typography--title">([^<]*)/.exec(text)?.[1]
  return title !== undefined && PRODUCT.test(title) ? 'gemini html' : undefined
}

async function* activities(
  input: ImportInput,
  tree: FileTree,
  zone: string,
  chat: Conversation,
  seen: SeenKeys,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  const form = formOf(await headOf(input))
  if (form === undefined) return
  const ids = new StableIds()
  for await (const item of form === 'gemini html' ? htmlActivities(input, zone) : jsonActivities(input)) {
    tally.saw('messages')
    const { place } = item
    if ('fault' in item) {
      yield { problem: { place, reason: item.fault, kind: 'messages', kept: false } }
      continue
    }
    const { activity } = item
    const id = ids.idOf(activity.timeText, activity.title)
    if (!PRODUCT.test(activity.product)) tally.leftOut('messages', 'activity of other products')
    else if (seen.meet(id, '') === 'same') tally.leftOut('messages', 'repeated entries')
    else {
      const attachments: Attachment[] = []
      for (const file of activity.files) attachments.push(await attachmentOf(input, file, tree))
      tally.saw('attachments', attachments.length)
      for (const [at, message] of [...messagesOf(activity, id, attachments)].entries()) {
        if (at > 0) tally.saw('messages')
        for (const record of chat.message(message, place)) yield { record }
      }
    }
  }
}

/** A question and its answer. An entry without an answer may be some other activity. */
function* messagesOf(
  { title, answer, sentAt }: Activity,
  id: string,
  attachments: readonly Attachment[],
): Iterable<Message> {
  const isQuestion = VERB.test(title) || answer !== ''
  yield { id, author: USER, sentAt, kind: isQuestion ? 'text' : 'event', text: title.replace(VERB, ''), attachments }
  if (answer === '') return
  yield { id: `${id}/answer`, author: assistant('Gemini'), sentAt, kind: 'text', text: answer, replyTo: id }
}

async function attachmentOf(input: ImportInput, name: string, tree: FileTree): Promise<Attachment> {
  const file = tree.near(input, name)
  const read = file && (await fileBlob(file))
  if (!read || 'tooLarge' in read) return { filename: name, kind: 'file', sizeBytes: read?.tooLarge }
  return { filename: name, kind: 'file', blob: read.blob, text: read.text?.text }
}
