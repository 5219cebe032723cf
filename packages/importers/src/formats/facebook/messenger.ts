import type { Importer, ImportInput, ImportItem, ImportPlan, ReadTally } from '../../importer.ts'
import { conversationSource } from '../../models/conversation/declaration.ts'
import { items, messageItems } from '../../models/conversation/items.ts'
import { Conversation } from '../../models/conversation/records.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { FileTree, folderOf, treePath } from '../../reading/input-tree.ts'
import { readJson } from '../../reading/json/json-stream.ts'
import { objectOf, readValue } from '../../reading/json/json-values.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { StableIds } from '../../reading/stable-ids.ts'
import { type MetaService, messageOf, readInfo, serviceOf, THREAD_MEMBERS, type ThreadInfo } from './thread.ts'

/** Folders next to a thread that contain its files. */
const FOLDERS = /^(photos|videos|audio|gifs|files|media)\//

const SENT_FILES = /(?:^|\/)(?:photos|videos|audio|gifs|files|media|stickers_used)\/[^/]*$/

/** Imports the messages of Facebook or Instagram. Both services use the same file format. */
export function messenger(id: MetaService, name: string): Importer {
  const declaration = conversationSource(id, name)
  const importer: Importer = {
    id,
    name,
    kind: 'chats',
    reads: `messages in the download of your information as JSON (message_1.json and the like)`,

    async detect({ input, head, files }) {
      if (serviceOf(input.name, head) !== id) return
      const folder = folderOf(treePath(input.name))
      const start = folder === '' ? 0 : folder.length + 1
      const own = files.below(folder).filter((each) => FOLDERS.test(treePath(each.name).slice(start)))
      const stickers = files.below(`${folderOf(folderOf(folder))}/stickers_used`)
      // Threads do not name the account, so all of them become one source.
      return { format: id, inputs: [...new Set([input, ...own, ...stickers])], group: id }
    },

    async streams(claim, overrides, known) {
      return [await fixedPlan({ claim, declaration, read: importer.read }, overrides, known)]
    },

    async *read(plan, tally) {
      yield* threadItems(plan, tally)
    },
  }
  return importer
}

interface Thread {
  info: ThreadInfo
  readonly inputs: ImportInput[]
}

async function* threadItems({ inputs }: ImportPlan, tally: ReadTally): AsyncIterable<ImportItem> {
  const files = new FileTree(inputs)
  const threads = new Map<string, Thread>()
  const ordered = inputs.toSorted((a, b) => (treePath(a.name) < treePath(b.name) ? -1 : 1))
  for (const input of ordered.filter(({ name }) => !SENT_FILES.test(name))) {
    const info = await readInfo(input).catch(() => undefined)
    if (info === undefined) continue
    const thread = threads.get(info.id) ?? { info, inputs: [] }
    threads.set(info.id, thread)
    // A file that ends too early has no title.
    if (thread.info.title === undefined) thread.info = info
    thread.inputs.push(input)
  }
  for (const { info, inputs: own } of threads.values()) {
    const people = info.people.map((person) => ({ id: person, name: person }))
    const kind = people.length > 2 ? 'group' : 'direct'
    const conversation = new Conversation(
      { id: info.id, name: info.title ?? (info.people.join(', ') || undefined), kind },
      people,
    )
    const seen = new SeenKeys()
    // Equal messages are numbered within one download, because a second download repeats them.
    const downloads = Map.groupBy(own, ({ name }) => folderOf(treePath(name)))
    // Folder names contain dates. The newest comes first, because the first copy of a message gives its record.
    for (const parts of [...downloads.values()].toReversed()) {
      const ids = new StableIds()
      for (const input of parts)
        yield* failuresAsProblems(messagesOf(input, { info, conversation, ids, files, seen, tally }), input)
    }
    yield* items(conversation.end({ input: own[0]!.name }))
  }
}

interface ThreadRun {
  readonly info: ThreadInfo
  readonly conversation: Conversation
  readonly ids: StableIds
  readonly files: FileTree
  readonly seen: SeenKeys
  readonly tally: ReadTally
}

async function* messagesOf(
  input: ImportInput,
  { info, conversation, ids, files, seen, tally }: ThreadRun,
): AsyncIterable<ImportItem> {
  for await (const item of readJson(input, ['messages.*', ...THREAD_MEMBERS])) {
    const read = readValue(item, input, 'messages', tally)
    if (read === undefined) continue
    if (!('value' in read)) {
      yield read
      continue
    }
    if (read.pattern !== 'messages.*') continue
    tally.saw('messages')
    const found = messageOf(objectOf(read.value), info.id, ids)
    if (found === undefined) {
      yield {
        problem: { place: read.place, reason: 'has neither an author nor a time', kind: 'messages', kept: false },
      }
      continue
    }
    const named = found.files.map(({ uri, about }) => ({
      about,
      input: uri === undefined ? undefined : above(files, input, uri),
    }))
    yield* messageItems(conversation, found.message, read.place, tally, named, seen)
  }
}

/** Paths are relative to the top of the download, which is a folder somewhere above the thread. */
function above(files: FileTree, input: ImportInput, uri: string): ImportInput | undefined {
  if (uri.includes('..')) return
  for (let folder = folderOf(treePath(input.name)); ; folder = folderOf(folder)) {
    const found = files.get(folder === '' ? uri : `${folder}/${uri}`)
    if (found || folder === '') return found
  }
}
