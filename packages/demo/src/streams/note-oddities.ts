import { instantOf } from '../clock.ts'
import { idFor } from '../random.ts'
import { logPaste } from './note-pages.ts'

export interface Note {
  key: string
  title: string
  body: string | null
  folder?: string
  created: number
  updated: number
  tags?: string[]
}

/** Phrases in several languages, one note each. */
const phrases: [key: string, title: string, body: string][] = [
  [
    'Languages/Ελληνικά: φάρος',
    'Greek from Eleni',
    'φάρος lighthouse, θάλασσα sea, σιγά σιγά slowly slowly, φτάνει enough. Ο φάρος ανάβει: the light comes on.',
  ],
  [
    'Languages/Русский от Льва',
    'Russian from Lev',
    'маяк lighthouse, чайка gull, уха fish soup, «тише едешь — дальше будешь», go slower and get further.',
  ],
  [
    'Languages/عربي من عمر',
    'Arabic from Omar',
    'منارة lighthouse, فانوس lantern, شوي شوي little by little, إن شاء الله in its several meanings.',
  ],
  ['Languages/हिन्दी प्रिया से', 'Hindi from Priya', 'दीपस्तंभ lighthouse, बत्ती lamp, धीरे धीरे slowly, चाय always.'],
  [
    'Languages/中文 小灯',
    'Chinese from Lin',
    '灯塔 lighthouse, 加油 add oil (keep going), 慢慢来 take your time, 马马虎虎 horse horse tiger tiger: so-so.',
  ],
  ['Languages/ไทย จากนิรันดร์', 'Thai from Niran', 'ประภาคาร lighthouse, ใจเย็นๆ cool heart (calm down), อร่อย delicious.'],
  [
    'Languages/Français de Chloé',
    'French from Chloé',
    'phare lighthouse, bof (see life), embruns sea spray, avoir le cafard to be blue, lit. to have the cockroach.',
  ],
  [
    'Languages/Español de Bea',
    'Spanish from Bea',
    'faro lighthouse, percebe barnacle, levante the wind that makes people marry, ¡ojo! careful.',
  ],
]

/** Notes with unusual content. "Server log paste" belongs to the gull-3 storyline. */
export const oddNotes = (): Note[] => {
  const at = (date: string, time: string) => ({ created: instantOf(date, time), updated: instantOf(date, time) })
  const taught = phrases.map(([key, title, body], index) => {
    const when = at(`2026-0${(index % 8) + 1}-2${index % 8}`, '21:00')
    return { key, title, body, folder: 'Languages', tags: ['words'], ...when }
  })
  const log = at('2026-02-11', '04:05')
  return [
    ...taught,
    {
      key: 'Work/Incidents/Server log paste',
      title: 'Server log paste',
      body: logPaste(),
      folder: 'Work',
      tags: ['incident', 'gull-3'],
      ...log,
    },
    { key: idFor('note', 'untitled'), title: '', body: '', folder: 'Inbox', tags: [], ...at('2026-03-14', '10:42') },
    { key: idFor('note', 'voice'), title: 'Voice memo (not transcribed)', body: null, ...at('2026-05-10', '03:20') },
    {
      key: 'Inbox/50% / 100%: what?',
      title: '50% / 100%: what?',
      body: 'Written on the ferry. No idea any more.',
      ...at('2026-07-19', '18:30'),
    },
    {
      key: 'Familie/👨‍👩‍👧 Hazel & Juniper',
      title: '👨‍👩‍👧 Hazel & Juniper',
      body: 'Sizes: 62 now, 68 by June. Likes: kettles. 🇬🇧🇩🇪',
      folder: 'Family',
      ...at('2026-04-03', '19:10'),
    },
  ]
}
