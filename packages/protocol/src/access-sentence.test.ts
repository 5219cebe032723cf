import { expect, it } from 'vitest'
import { accessSentence, type SpokenAccess } from './access-sentence.ts'

const grant = (since?: string, until?: string, expires: string | null = null, mode = 'continuous') => ({
  access_mode: mode,
  expires_at: expires,
  streams: [{ time_constraint: since || until ? { since, until } : undefined }],
})
const say = (access: Partial<SpokenAccess>) =>
  accessSentence({
    agent: 'Claude Code',
    sources: ['Work mail', 'Notes'],
    grants: [grant()],
    status: 'active',
    timeZone: 'UTC',
    ...access,
  })

it.each<[Partial<SpokenAccess>, string]>([
  [{}, 'Claude Code may read Work mail and Notes, until you end it.'],
  [
    { grants: [grant('2025-11-17', undefined, '2027-02-14T00:00:00Z')] },
    'Claude Code may read Work mail and Notes, from 17 November 2025 on, until 14 February 2027.',
  ],
  [
    { grants: [grant('2025-01-01', '2026-01-01')], sources: ['Notes'] },
    'Claude Code may read Notes, from 1 January 2025 to 31 December 2025, until you end it.',
  ],
  // One part without a period makes the whole unlimited, and one part without an end makes it endless.
  [
    { grants: [grant('2025-01-01', undefined, '2027-01-01'), grant()] },
    'Claude Code may read Work mail and Notes, until you end it.',
  ],
  [
    { sources: ['1', '2', '3', '4', '5', '6', '7'] },
    'Claude Code may read 1, 2, 3, 4, 5 and 2 more, until you end it.',
  ],
  [
    { grants: [grant(undefined, undefined, '2026-11-17T10:00:00Z', 'single_use')] },
    'Claude Code may read Work mail and Notes, one time only.',
  ],
  [
    { status: 'paused' },
    'Claude Code is paused and gets nothing. Once you resume it, it may read Work mail and Notes, until you end it.',
  ],
  [{ status: 'revoked' }, "You revoked the access of Claude Code. It can't read anything any more."],
  [
    { status: 'expired', grants: [grant(undefined, undefined, '2026-06-04T00:00:00Z')] },
    "The access of Claude Code has ended on 4 June 2026. It can't read anything any more.",
  ],
  [
    { sources: ['Notes'], pausedSources: ['Calendar', 'Work mail'] },
    'Claude Code may read Notes, until you end it. You paused Calendar and Work mail.',
  ],
  // The sentence about a member of a package only mentions that member.
  [{ isPart: true, sources: ['Notes'] }, 'Claude Code may read Notes, until you end it.'],
  [
    { isPart: true, status: 'paused', sources: ['Notes'] },
    'You paused Notes for Claude Code. Once you resume it, Claude Code may read Notes, until you end it.',
  ],
  [
    { isPart: true, status: 'revoked', sources: ['Notes'] },
    "You revoked the access of Claude Code to Notes. It can't read that any more.",
  ],
  [
    { isPart: true, status: 'expired', sources: ['Notes'], grants: [grant(undefined, undefined, '2026-06-04')] },
    "The access of Claude Code to Notes has ended on 4 June 2026. It can't read that any more.",
  ],
  [
    // The day is in the owner's time zone, not in UTC.
    { grants: [grant(undefined, undefined, '2027-02-13T23:30:00Z')], timeZone: 'Europe/Berlin' },
    'Claude Code may read Work mail and Notes, until 14 February 2027.',
  ],
])('says %j as: %s', (access, sentence) => expect(say(access)).toBe(sentence))
