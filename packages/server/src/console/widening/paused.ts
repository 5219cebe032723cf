import type { WideningDraft } from '../../grants/widening/draft.ts'

interface Member {
  readonly grant: { readonly grant_id: string }
  readonly pausedAt?: number | undefined
}

const isPaused = ({ pausedAt }: Member): boolean => pausedAt !== undefined

/** The warning that the whole access, or a part of it, is paused. The page shows it before the owner adds something. */
export function pausedWords(members: readonly Member[]): string {
  if (!members.some(isPaused)) return ''
  return members.every(isPaused)
    ? 'It is paused, and stays paused.'
    : 'Some of its sources are paused, and stay paused.'
}

interface Changed {
  readonly replaced: readonly Pick<WideningDraft['replaced'][number], 'grant'>[]
  readonly added: readonly Pick<WideningDraft['added'][number], 'grant'>[]
}

/** The notice after something was added. The agent can read it at once only if the widened access is not paused. */
export function widenedNotice(members: readonly Member[], { replaced, added }: Changed): string {
  if (members.every(isPaused)) return 'widened_paused'
  const changed = new Set([...replaced, ...added].map(({ grant }) => grant.grant_id))
  const rests = members.some((member) => isPaused(member) && changed.has(member.grant.grant_id))
  return rests ? 'widened_part_paused' : 'widened'
}
