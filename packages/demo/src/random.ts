/**
 * A seeded source of random choices. Each stream has its own seed, so that a change in one stream does not change the
 * others.
 */
export interface Random {
  next(): number
  int(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  shuffled<T>(list: readonly T[]): T[]
  /** Draws every entry once before it repeats any, so that neighbours in time differ. */
  deck<T>(list: readonly T[]): () => T
}

const hash32 = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

export const random = (seed: string): Random => {
  let state = hash32(seed)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new Error(`nothing to pick from (seed ${seed})`)
    return list[Math.floor(next() * list.length)]!
  }
  const shuffled = <T>(list: readonly T[]): T[] => {
    const copy = [...list]
    for (let i = copy.length - 1; i > 0; i--) {
      const j = int(0, i)
      const held = copy[i]!
      copy[i] = copy[j]!
      copy[j] = held
    }
    return copy
  }
  const deck = <T>(list: readonly T[]) => {
    let left: T[] = []
    return () => {
      if (left.length === 0) left = shuffled(list)
      return left.pop()!
    }
  }
  return { next, int, pick, shuffled, deck, chance: (probability) => next() < probability }
}

const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

/** A stable id for a readable name that looks random. */
export const idFor = (prefix: string, name: string): string => {
  let text = ''
  for (const part of [`${prefix}:${name}`, `${name}#${prefix}`]) {
    let value = hash32(part)
    for (let i = 0; i < 5; i++) {
      text += alphabet[value % 31]
      value = Math.floor(value / 31)
    }
  }
  return `${prefix}_${text}`
}
