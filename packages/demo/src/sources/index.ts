import type { DemoConnection, SourceDeclaration } from '../types.ts'
import { chatSource } from './chat.ts'
import { calendarSource, contactsSource, musicSource, purchasesSource } from './days.ts'
import { mailSource } from './mail.ts'
import { assistantSource, notesSource } from './writing.ts'

export const demoSources: SourceDeclaration[] = [
  mailSource,
  chatSource,
  notesSource,
  calendarSource,
  contactsSource,
  purchasesSource,
  musicSource,
  assistantSource,
]

export const demoConnections: DemoConnection[] = [
  { connection_id: 'mail-personal', connector_key: 'mail', display_name: 'Personal mail' },
  { connection_id: 'mail-work', connector_key: 'mail', display_name: 'Work mail' },
  { connection_id: 'chat', connector_key: 'chat', display_name: 'Harbour chat' },
  { connection_id: 'notes', connector_key: 'notes', display_name: 'Notes' },
  { connection_id: 'calendar', connector_key: 'calendar', display_name: 'Calendar' },
  { connection_id: 'contacts', connector_key: 'contacts', display_name: 'Contacts' },
  { connection_id: 'purchases', connector_key: 'purchases', display_name: 'Purchases' },
  { connection_id: 'music', connector_key: 'music', display_name: 'Music' },
  { connection_id: 'assistant', connector_key: 'assistant', display_name: 'AI conversations' },
]
