import type { ImportInput, ImportItem, InputPosition, ReadTally } from '../../importer.ts'
import { isObject } from '../../reading/json/json-members.ts'
import { readJson } from '../../reading/json/json-stream.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../../reading/json/json-values.ts'
import { readTime } from '../../reading/times.ts'

/** Max. projects whose memory is kept until the project is read. */
const MAX_PROJECTS = 10_000

/**
 * Reads memories.json: one text about all conversations, and one text for each project, which becomes a field of the
 * project.
 */
export async function* readMemories(
  input: ImportInput,
  ofProjects: Map<string, string>,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  for await (const item of readJson(input, ['*'])) {
    const place = { input: input.name }
    if (!('value' in item) || !isObject(item.value)) {
      yield { problem: { place, reason: 'is not a list of memories', kept: false } }
      continue
    }
    const { account_uuid: account, conversations_memory: all, project_memories: projects } = item.value
    for (const [id, memory] of Object.entries(objectOf(projects)))
      if (typeof memory === 'string' && ofProjects.size < MAX_PROJECTS) ofProjects.set(id, memory.toWellFormed())
    tally.saw('memories')
    const text = textOf(all)
    if (text === undefined) tally.leftOut('memories', 'accounts without a memory')
    else {
      const key = textOf(account) ?? 'memory'
      yield { record: { stream: 'memories', key, data: { id: key, text }, place } }
    }
  }
}

/** Reads projects.json, with the documents in it. */
export async function* readProjects(
  input: ImportInput,
  memories: ReadonlyMap<string, string>,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  let row = 0
  for await (const item of readJson(input, ['*'])) {
    tally.saw('projects')
    const place = { input: input.name, row: ++row }
    const project = objectOf('value' in item ? item.value : undefined)
    const id = textOf(project['uuid'])
    if (id === undefined) {
      yield { problem: { place, reason: 'is not a project with an id', kind: 'projects', kept: false } }
      continue
    }
    const data = {
      id,
      name: textOf(project['name']) ?? null,
      description: textOf(project['description']) ?? null,
      instructions: textOf(project['prompt_template']) ?? null,
      memory: memories.get(id) ?? null,
      created_at: timeOf(project['created_at']) ?? null,
      updated_at: timeOf(project['updated_at']) ?? timeOf(project['created_at']) ?? null,
    }
    yield { record: { stream: 'projects', key: id, data, place } }
    for (const document of listOf(project['docs']).map(objectOf)) yield documentOf(document, id, place, tally)
  }
}

function documentOf(document: JsonObject, project: string, place: InputPosition, tally: ReadTally): ImportItem {
  tally.saw('documents')
  const id = textOf(document['uuid'])
  if (id === undefined)
    return { problem: { place, reason: 'has a document without an id', kind: 'documents', kept: false } }
  const data = {
    id,
    project_id: project,
    filename: textOf(document['filename']) ?? null,
    text: textOf(document['content']) ?? null,
    created_at: timeOf(document['created_at']) ?? null,
  }
  return { record: { stream: 'documents', key: id, data, place } }
}

export const timeOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length > 10 ? readTime('iso', value)?.text : undefined
