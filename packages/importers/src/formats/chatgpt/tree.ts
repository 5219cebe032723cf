import { isObject } from '../../reading/json/json-members.ts'
import { type JsonObject, objectOf, textOf } from '../../reading/json/json-values.ts'

/** A message with its place in the tree of a conversation. */
export interface TreeMessage {
  readonly id: string
  readonly message: JsonObject
  /** The nearest message above it. */
  readonly parent: string | undefined
  /** False if the owner continued from another answer or from another version of the question. */
  readonly isCurrent: boolean
}

/**
 * The messages of all branches of a conversation. A reworded question and a regenerated answer are further children of
 * the same node. The conversation shows only the branch that ends at `current_node`.
 */
export function* messagesOf(conversation: JsonObject, isKept: (message: JsonObject) => boolean): Iterable<TreeMessage> {
  const nodes = new Map(Object.entries(objectOf(conversation['mapping'])).map(([id, node]) => [id, objectOf(node)]))
  const current = new Set(upwards(nodes, textOf(conversation['current_node'])))
  for (const [id, node] of nodes) {
    const message = node['message']
    if (!isObject(message)) continue
    let parent: string | undefined
    for (const above of upwards(nodes, textOf(node['parent']))) {
      const earlier = nodes.get(above)!['message']
      if (!isObject(earlier) || !isKept(earlier)) continue
      parent = above
      break
    }
    yield { id, message, parent, isCurrent: current.size === 0 || current.has(id) }
  }
}

/** The nodes from one node up to the root. Stops at a loop, which a damaged file may contain. */
function* upwards(nodes: ReadonlyMap<string, JsonObject>, from: string | undefined): Iterable<string> {
  const visited = new Set<string>()
  for (let at = from; at !== undefined && nodes.has(at) && !visited.has(at); at = textOf(nodes.get(at)!['parent'])) {
    visited.add(at)
    yield at
  }
}
