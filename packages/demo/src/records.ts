import { assistantMessageRecords, conversationRecords } from './streams/assistant.ts'
import { eventRecords } from './streams/calendar.ts'
import { channelRecords, chatMessageRecords, memberRecords } from './streams/chat.ts'
import { contactRecords } from './streams/contacts.ts'
import { attachmentRecords, mailRecords, threadRecords } from './streams/mail.ts'
import { playRecords } from './streams/music.ts'
import { noteRecords } from './streams/notes.ts'
import { itemRecords, orderRecords } from './streams/purchases.ts'
import type { DemoRecord } from './types.ts'

/** The whole year, stream by stream, oldest records first. A stream is generated when the reader reaches it. */
export function* demoRecords(): Iterable<DemoRecord> {
  for (const box of ['personal', 'work'] as const) {
    yield* mailRecords(box)
    yield* threadRecords(box)
    yield* attachmentRecords(box)
  }
  yield* channelRecords()
  yield* chatMessageRecords()
  yield* memberRecords()
  yield* noteRecords()
  yield* eventRecords()
  yield* contactRecords()
  yield* orderRecords()
  yield* itemRecords()
  yield* playRecords()
  yield* conversationRecords()
  yield* assistantMessageRecords()
}
