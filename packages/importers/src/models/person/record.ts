import type { ImportedBlob, ImportedRecord, InputPosition } from '../../importer.ts'
import { blobReference } from '../../reading/blob.ts'

export interface ContactValue {
  readonly value: string
  readonly label?: string | undefined
}

export interface Contact {
  readonly id: string
  readonly name?: string | undefined
  readonly givenName?: string | undefined
  readonly familyName?: string | undefined
  readonly nickname?: string | undefined
  readonly organisation?: string | undefined
  readonly jobTitle?: string | undefined
  readonly emails?: readonly ContactValue[] | undefined
  readonly phones?: readonly ContactValue[] | undefined
  readonly addresses?: readonly ContactValue[] | undefined
  readonly urls?: readonly ContactValue[] | undefined
  readonly birthday?: string | undefined
  readonly groups?: readonly string[] | undefined
  readonly note?: string | undefined
  readonly updatedAt?: string | undefined
  /** Path: `/photo`. */
  readonly photo?: ImportedBlob | undefined
  readonly detail?: Readonly<Record<string, unknown>> | undefined
}

export function contactRecord(contact: Contact, place: InputPosition): ImportedRecord {
  const { id, photo } = contact
  const values = (all: readonly ContactValue[] = []) => all.map(({ value, label }) => ({ value, label: label ?? null }))
  const data = {
    id,
    name: contact.name ?? null,
    given_name: contact.givenName ?? null,
    family_name: contact.familyName ?? null,
    nickname: contact.nickname ?? null,
    organisation: contact.organisation ?? null,
    job_title: contact.jobTitle ?? null,
    emails: values(contact.emails),
    phones: values(contact.phones),
    addresses: values(contact.addresses),
    urls: values(contact.urls),
    email: contact.emails?.[0]?.value ?? null,
    phone: contact.phones?.[0]?.value ?? null,
    birthday: contact.birthday ?? null,
    groups: [...(contact.groups ?? [])],
    note: contact.note ?? null,
    updated_at: contact.updatedAt ?? null,
    photo: photo ? blobReference(photo) : null,
    detail: contact.detail ?? null,
  }
  return { stream: 'contacts', key: id, data, place, ...(photo ? { blobs: [photo] } : {}) }
}
