import type { SignInLink } from '../../sign-in/credential-store.ts'

export interface LinkRow {
  hash: Uint8Array
  subject_id: string
  created_at: number
  expires_at: number
}

export function linkFromRow(row: LinkRow): SignInLink {
  return { hash: row.hash, subjectId: row.subject_id, createdAt: row.created_at, expiresAt: row.expires_at }
}
