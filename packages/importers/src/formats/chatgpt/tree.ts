import { isObject } from '../../reading/json-members.ts'
import { type JsonObject, objectOf, textOf } from '../../reading/json-values.ts'

/** A message with its place in the tree of a conversation. */
export interface TreeMessage {
  readonly id: string
  readonly message: JsonObject
  /** The nearest message above it. */
  readonly parent: string | undefined
  /** False if the owner went on from another answer or another wording of the question. */
  readonly isCurrent: boolean
}

/**
 * The messages of a conversation, every branch of them. A question that was worded again and an answer that was asked for again are
 * further children of one node; the conversation shows only the branch that ends at `current_node`.
 */
export function* messagesOf(conversation: JsonObject, isKept: (message: JsonObject) => boolean): Iterable<TreeMessage> {
  const nodes = new Map(Object.entries(objectOf(conversation['mapping'])).map(([id, node]) => [id, objectOf(node)]))
  const current = new Set(upwards(nodes, textOf(conversation['current_node'])))
  for (const [id, node] of nodes) {
    const message = node['message']
    if (!isObject(message)) continue
    let parent: string | undefined
    for (const above of upwards(nodes, textOf(node['parent']))) {
      const said = nodes.get(above)!['message']
      if (!isObject(said) || !isKept(said)) continue
      parent = above
      break
    }
    yield { id, message, parent, isCurrent: current.size === 0 || current.has(id) }
  }
}

/** The nodes from one to the root. A damaged file may lead in a circle. */
function* upwards(nodes: ReadonlyMap<string, JsonObject>, from: string | undefined): Iterable<string> {
  const met = new Set<string>()
  for (let at = from; at !== undefined && nodes.has(at) && !met.has(at); at = textOf(nodes.get(at)!['parent'])) {
    met.add(at)
    yield at
  }
}
