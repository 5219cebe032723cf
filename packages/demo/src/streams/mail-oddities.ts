import { instantOf } from '../clock.ts'
import { idFor } from '../random.ts'
import { type Box, type Mail, ownerIn } from './mailbox.ts'

const odd = (box: Box, name: string, date: string, time: string): Mail => ({
  id: idFor('msg', `odd/${name}`),
  thread: idFor('thr', `odd/${name}`),
  at: instantOf(date, time),
  from: ownerIn(box),
  to: [ownerIn(box)],
  cc: [],
  subject: '',
  body: '',
  folder: 'Sent',
  labels: [],
  files: [],
})

/** Unusual mails: empty, from a sender without a name, or without a recipient. */
export const oddMails = (box: Box): Mail[] => {
  if (box === 'personal') {
    const hidden = odd('personal', 'hidden', '2026-04-19', '16:20')
    return [
      odd('personal', 'pocket', '2026-03-14', '10:41'),
      { ...odd('personal', 'self', '2026-06-11', '07:02'), subject: 'bread' },
      {
        ...hidden,
        to: [],
        subject: '(no subject)',
        body: 'Test, please ignore. Checking whether a mail without a recipient arrives.',
      },
      { ...odd('personal', 'emoji', '2026-02-18', '07:15'), subject: '👨‍👩‍👧‍👦🏴‍☠️🇯🇵', body: '👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀' },
    ]
  }
  const nameless = { name: '', address: 'root@gull-3.example' }
  const cron = { ...odd('work', 'cron', '2026-02-11', '03:00'), from: nameless, folder: 'Inbox' }
  return [
    { ...cron, subject: 'Cron <root@gull-3> /usr/bin/lamp-export', body: 'No space left on device\n'.repeat(40) },
    { ...odd('work', 'blank', '2026-02-11', '04:02'), from: nameless, folder: 'Inbox' },
  ]
}
