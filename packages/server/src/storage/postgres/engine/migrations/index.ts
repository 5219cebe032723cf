import { ACCESS } from './001-access.ts'
import { GROUND } from './001-ground.ts'
import { WORDS } from './001-words.ts'
import { WORK } from './001-work.ts'
import { OWNER_REFERENCE } from './002-owner-reference.ts'
import { OWNER_FIRST } from './003-owner-first.ts'
import { RECORD_BRIEFS } from './004-record-briefs.ts'

/** The number of applied migrations is the version of the database. */
export const MIGRATIONS = [`${GROUND}${ACCESS}${WORK}${WORDS}`, OWNER_REFERENCE, OWNER_FIRST, RECORD_BRIEFS]

/** Every table with content, in an order in which they can be emptied. */
export const TABLES = [...MIGRATIONS.join('').matchAll(/^create table "?(\w+)"?/gm)].map(([, name]) => name!)
