import type { Importer, ImportInput, ImportItem, ImportPlan, InputHead, InputTree, ReadTally } from '../../importer.ts'
import { conversationSource } from '../../models/conversation/declaration.ts'
import { items, messageItems } from '../../models/conversation/items.ts'
import { Conversation, type ConversationInfo, type Person } from '../../models/conversation/records.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { headOf } from '../../reading/input-head.ts'
import { folderOf, treePath } from '../../reading/input-tree.ts'
import { readJson } from '../../reading/json/json-stream.ts'
import { type JsonObject, listOf, objectOf, readValue, textOf } from '../../reading/json/json-values.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { connectionId } from '../../reading/stable-ids.ts'
import { messageOf, type Workspace } from './message.ts'

const declaration = conversationSource('slack', 'Slack')

/** Files in the top folder of an export that list conversations, and the kind of those conversations. */
const LISTS: Readonly<Record<string, string>> = {
  'channels.json': 'channel',
  'groups.json': 'private channel',
  'mpims.json': 'group',
  'dms.json': 'direct',
}
const TOP = [
  ...Object.keys(LISTS),
  'users.json',
  'integration_logs.json',
  'canvases.json',
  'huddle_transcripts.json',
  'lists.json',
  'org_users.json',
]

interface Channel extends ConversationInfo {
  readonly members: readonly string[]
}

/** Imports the export of a Slack workspace: a folder for each channel with a file for each day. */
export const slack: Importer = {
  id: 'slack',
  name: 'Slack',
  kind: 'chats',
  reads: 'the export of a workspace (a zip, or its folder)',

  async detect({ input, head, files }) {
    const path = treePath(input.name)
    const isDay = hasMessages(head)
    if (!isDay && !isList(path, head)) return
    const root = isDay ? folderOf(folderOf(path)) : folderOf(path)
    const top = TOP.map((name) => files.get(root === '' ? name : `${root}/${name}`)).filter(
      (each) => each !== undefined,
    )
    // Several exports of one workspace are read together.
    const team = await teamOf(root, files)
    return { format: 'slack', inputs: [...new Set([input, ...top])], group: `slack ${team ?? root}` }
  },

  async streams(claim, overrides, known) {
    const { team, people } = await readWorkspace(claim.inputs, () => {})
    const first = [...people.keys()].toSorted()[0]
    const name = /([^/]+?) Slack export\b/i.exec(claim.inputs[0]!.name)?.[1]
    const connection = {
      id: connectionId('slack', team ?? first ?? 'workspace'),
      name: name === undefined ? 'Slack' : `Slack: ${name}`,
    }
    return [await fixedPlan({ claim, declaration, connection, read: slack.read }, overrides, known)]
  },

  async *read(plan, tally) {
    yield* workspaceItems(plan, tally)
  },
}

/** The workspace of a folder. Cached, because it is needed for every file of the folder. */
const teams = new WeakMap<InputTree, Map<string, Promise<string | undefined>>>()

function teamOf(root: string, files: InputTree): Promise<string | undefined> {
  const known = teams.get(files) ?? new Map<string, Promise<string | undefined>>()
  teams.set(files, known)
  const users = files.get(root === '' ? 'users.json' : `${root}/users.json`)
  const found = known.get(root) ?? (users ? teamIn(users) : Promise.resolve(undefined))
  known.set(root, found)
  return found
}

const teamIn = async (users: ImportInput): Promise<string | undefined> =>
  /"team_id"\s*:\s*"(T[A-Z0-9]+)"/.exec((await headOf(users)).text ?? '')?.[1]

const hasMessages = ({ text }: InputHead): boolean =>
  text !== undefined &&
  /^\s*\[\s*\{/.test(text) &&
  /"type"\s*:\s*"message"/.test(text) &&
  /"ts"\s*:\s*"\d{9,11}\.\d{6}"/.test(text)

function isList(path: string, { text }: InputHead): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (text === undefined || !/^\s*\[\s*\{/.test(text)) return false
  if (name === 'users.json') return /"id"\s*:\s*"[UW][A-Z0-9]{6,}"/.test(text) && /"team_id"\s*:\s*"T/.test(text)
  return name in LISTS && /"id"\s*:\s*"[CGD][A-Z0-9]{6,}"/.test(text) && /"members"\s*:/.test(text)
}

interface ReadWorkspace extends Workspace {
  readonly team: string | undefined
  readonly byFolder: ReadonlyMap<string, Channel>
}

const byPath = (a: ImportInput, b: ImportInput): number => (treePath(a.name) < treePath(b.name) ? -1 : 1)
const nameOf = ({ name }: ImportInput): string => name.slice(name.lastIndexOf('/') + 1)

async function readWorkspace(
  inputs: readonly ImportInput[],
  fail: (input: ImportInput, error: unknown) => void,
): Promise<ReadWorkspace> {
  const people = new Map<string, Person>()
  const byFolder = new Map<string, Channel>()
  const channels = new Map<string, string>()
  let team: string | undefined
  for (const input of inputs.toSorted(byPath)) {
    const kind = LISTS[nameOf(input)]
    if (kind === undefined && nameOf(input) !== 'users.json') continue
    try {
      for await (const item of readJson(input, ['*'])) {
        if (!('value' in item)) continue
        const value = objectOf(item.value)
        const id = textOf(value['id'])
        if (id === undefined) continue
        if (kind === undefined) {
          people.set(id, personOf(id, value))
          team ??= textOf(value['team_id'])
        } else {
          byFolder.set(textOf(value['name']) ?? id, channelOf(id, value, kind))
          channels.set(id, textOf(value['name']) ?? id)
        }
      }
    } catch (error) {
      fail(input, error)
    }
  }
  const users = new Map([...people].map(([id, { name }]) => [id, name ?? id]))
  return { people, users, channels, byFolder, team }
}

function personOf(id: string, value: JsonObject): Person {
  const profile = objectOf(value['profile'])
  const name =
    textOf(profile['real_name']) ??
    textOf(value['real_name']) ??
    textOf(profile['display_name']) ??
    textOf(value['name'])
  const role =
    value['is_bot'] === true
      ? 'bot'
      : value['is_owner'] === true
        ? 'owner'
        : value['is_admin'] === true
          ? 'admin'
          : undefined
  return { id, name: name ?? id, handle: textOf(profile['email']) ?? textOf(value['name']), role }
}

function channelOf(id: string, value: JsonObject, kind: string): Channel {
  const [topic, purpose] = [value['topic'], value['purpose']].map((each) => textOf(objectOf(each)['value']))
  const members = listOf(value['members'])
    .map(textOf)
    .filter((member) => member !== undefined)
  return {
    id,
    name: textOf(value['name']),
    kind,
    topic: [topic, purpose].filter(Boolean).join(' – ') || undefined,
    members,
  }
}

async function* workspaceItems({ inputs }: ImportPlan, tally: ReadTally): AsyncIterable<ImportItem> {
  const problems: ImportItem[] = []
  const workspace = await readWorkspace(inputs, ({ name }, error) =>
    problems.push({
      problem: {
        place: { input: name },
        reason: `cannot be read: ${(error as Error).message.slice(0, 120)}`,
        kept: false,
      },
    }),
  )
  yield* problems
  const days = inputs.filter((input) => !TOP.includes(nameOf(input))).toSorted(byPath)
  for (const input of inputs) if (TOP.includes(nameOf(input))) tally.leftOutFile(input, 'not a part of chats')
  for (const [folder, own] of Map.groupBy(days, channelFolder)) {
    const { members, ...info } = workspace.byFolder.get(folder) ?? { id: folder, name: folder, members: [] }
    const people = members.map((id) => workspace.people.get(id) ?? { id })
    const shown = info.kind === 'direct' ? people.map(({ name, id }) => name ?? id).join(', ') : info.name
    const conversation = new Conversation({ ...info, name: shown }, people)
    const seen = new SeenKeys()
    for (const input of own)
      yield* failuresAsProblems(dayItems(input, { channel: info.id, conversation, workspace, seen, tally }), input)
    yield* items(conversation.end({ input: own[0]!.name }))
  }
}

/** The folder of a channel has the channel's name in every export of the workspace. */
const channelFolder = ({ name }: ImportInput): string => {
  const path = folderOf(treePath(name))
  return path.slice(path.lastIndexOf('/') + 1)
}

interface ChannelRun {
  readonly channel: string
  readonly conversation: Conversation
  readonly workspace: Workspace
  readonly seen: SeenKeys
  readonly tally: ReadTally
}

async function* dayItems(
  input: ImportInput,
  { channel, conversation, workspace, seen, tally }: ChannelRun,
): AsyncIterable<ImportItem> {
  for await (const item of readJson(input, ['*'])) {
    const read = readValue(item, input, 'messages', tally)
    if (read === undefined) continue
    if (!('value' in read)) {
      yield read
      continue
    }
    tally.saw('messages')
    const found = messageOf(objectOf(read.value), channel, workspace)
    if (found)
      yield* messageItems(
        conversation,
        found.message,
        read.place,
        tally,
        found.files.map((about) => ({ about })),
        seen,
      )
    else yield { problem: { place: read.place, reason: 'has no time (ts)', kind: 'messages', kept: false } }
  }
}
