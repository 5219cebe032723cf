import type {
  Candidate,
  Claim,
  Importer,
  ImportInput,
  ImportItem,
  ImportPlan,
  InputTree,
  ReadTally,
} from '../../importer.ts'
import { conversationSource } from '../../models/conversation/declaration.ts'
import { items } from '../../models/conversation/items.ts'
import type { Conversation, Person } from '../../models/conversation/records.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { headOf } from '../../reading/input-head.ts'
import { FileTree, folderOf, treePath } from '../../reading/input-tree.ts'
import { idText, readJson } from '../../reading/json/json-stream.ts'
import { type JsonObject, objectOf, textOf } from '../../reading/json/json-values.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { connectionId } from '../../reading/stable-ids.ts'
import { CHANNEL_MEMBERS, channelItems } from './channel-export.ts'
import { packageItems } from './package-messages.ts'

const declaration = conversationSource('discord', 'Discord')
const [PACKAGE, CHANNEL] = ['discord-package', 'discord-channel']

/** Imports the data package of Discord, and channels that DiscordChatExporter saved as JSON. */
export const discord: Importer = {
  id: 'discord',
  name: 'Discord',
  kind: 'chats',
  reads: 'the data package of Discord (your own messages), and channels of DiscordChatExporter as JSON',

  async detect(candidate) {
    return (await packageClaim(candidate)) ?? channelClaim(candidate)
  },

  async streams(claim, overrides, known) {
    const isPackage = claim.format === PACKAGE
    const [first] = claim.inputs as [ImportInput]
    const { id, name } = isPackage ? await ownerOf(claim.inputs) : await guildOf(first)
    const connection = { id: connectionId('discord', id), name: name === undefined ? 'Discord' : `Discord: ${name}` }
    return [await fixedPlan({ claim, declaration, connection, read: discord.read }, overrides, known)]
  },

  async *read(plan, tally) {
    if (plan.format === PACKAGE) yield* packagesOf(plan, tally)
    else {
      const files = new FileTree(plan.inputs)
      const channels = plan.inputs.filter(({ name }) => /\.json$/i.test(name) && !/_Files\//.test(name))
      for (const input of channels) yield* failuresAsProblems(channelItems(input, files, tally), input)
    }
  },
}

async function packageClaim({ input, head: { text = '' }, files }: Candidate): Promise<Claim | undefined> {
  const isCsv = /^\ufeff?ID,Timestamp,Contents,Attachments\r?\n/.test(text)
  const isJson =
    /^\s*\[\s*\{/.test(text) && ['ID', 'Timestamp', 'Contents'].every((key) => new RegExp(`"${key}"\\s*:`).test(text))
  if (!isCsv && !isJson) return
  const root = folderOf(folderOf(folderOf(treePath(input.name))))
  const own = packageFiles(input, files)
  // Several packages of one account are read together.
  const user = own.find((each) => nameOf(each) === 'user.json')
  const account = user && /"id"\s*:\s*"?(\d+)/.exec((await headOf(user)).text ?? '')?.[1]
  return { format: PACKAGE, inputs: [input, ...own], group: `package ${account ?? root}` }
}

/** Discord has changed the case of its folder names over the years. */
function packageFiles(input: ImportInput, files: InputTree): ImportInput[] {
  const paths = ['channel.json', '../index.json', '../../account/user.json', '../../Account/user.json']
  return paths.map((path) => files.near(input, path)).filter((each) => each !== undefined)
}

function channelClaim({ input, head: { text = '' }, files }: Candidate): Claim | undefined {
  if (
    !/^\ufeff?\s*\{\s*"guild"\s*:\s*\{/.test(text) ||
    !/"channel"\s*:\s*\{/.test(text) ||
    !/"messages"\s*:\s*\[/.test(text)
  )
    return
  const [, guild] = /"guild"\s*:\s*\{\s*"id"\s*:\s*"?(\d+)/.exec(text) ?? []
  const folder = treePath(`${input.name}_Files`)
  const beside = [...files.below(folder), ...files.below(treePath(input.name).replace(/\.json$/i, '_Files'))]
  return { format: CHANNEL, inputs: [...new Set([input, ...beside])], group: `guild ${guild ?? input.name}` }
}

const nameOf = ({ name }: ImportInput): string => name.slice(name.lastIndexOf('/') + 1).toLowerCase()

async function whole(input: ImportInput | undefined): Promise<JsonObject> {
  if (input) for await (const item of readJson(input, [''])) if ('value' in item) return objectOf(item.value)
  return {}
}

async function ownerOf(
  inputs: readonly ImportInput[],
): Promise<{ id: string; name: string | undefined; handle: string | undefined }> {
  const user = await whole(inputs.find((input) => nameOf(input) === 'user.json')).catch((): JsonObject => ({}))
  const handle = textOf(user['username'])
  return { id: idText(user['id']) ?? 'me', name: textOf(user['global_name']) ?? handle, handle }
}

async function guildOf(input: ImportInput): Promise<{ id: string; name: string | undefined }> {
  for await (const item of readJson(input, CHANNEL_MEMBERS))
    if ('value' in item && item.pattern === 'guild') {
      const { id, name } = objectOf(item.value)
      return { id: idText(id) ?? 'guild', name: textOf(name) }
    }
  return { id: 'guild', name: undefined }
}

async function* packagesOf({ inputs }: ImportPlan, tally: ReadTally): AsyncIterable<ImportItem> {
  const { id, name, handle } = await ownerOf(inputs)
  const owner: Person = { id, name: name ?? 'Me', handle, isSelf: true }
  const index = await whole(inputs.find((input) => nameOf(input) === 'index.json')).catch((): JsonObject => ({}))
  const names = new Map(
    Object.entries(index).map(([channel, shown]) => [channel, textOf(shown) ?? `channel ${channel}`]),
  )
  const files = new FileTree(inputs)
  const run = { names, owner, conversations: new Map<string, Conversation>(), seen: new SeenKeys(), tally }
  const messages = inputs.filter((input) => !/^(channel|index|user)\.json$/.test(nameOf(input)))
  for (const input of messages.toSorted((a, b) => (treePath(a.name) < treePath(b.name) ? -1 : 1)))
    yield* failuresAsProblems(packageItems(input, files.near(input, 'channel.json'), run), input)
  for (const conversation of run.conversations.values()) yield* items(conversation.end({ input: inputs[0]!.name }))
}
