import type { CastKey } from '../cast.ts'

interface Regular {
  title: string
  weekdays: number[]
  every: number
  time: string
  minutes: number
  from: string
  to: string
  location: string
  people: CastKey[]
  notes: string[]
}

const year = { from: '2025-11-01', to: '2026-10-31', every: 1 }

/** Weekly events. */
export const regulars: Regular[] = [
  {
    ...year,
    title: 'Stand-up',
    weekdays: [1, 2, 3, 4, 5],
    time: '09:15',
    minutes: 15,
    location: 'Workshop table',
    people: ['jonas', 'anneke', 'tomasz', 'priya', 'lin', 'saoirse'],
    notes: [],
  },
  {
    ...year,
    title: 'Monday review',
    weekdays: [1],
    time: '10:00',
    minutes: 60,
    location: 'Chart room',
    people: ['jonas', 'anneke', 'tomasz', 'omar', 'imke'],
    notes: [
      'Sites: {site}, {site2}, {site3}. Open: {task}.',
      '{Site} first, {client} is waiting. Then {supplier}.',
      'Cake: {cake}. Also {task} for {site}.',
      'Short today, {reason}.',
    ],
  },
  {
    ...year,
    title: 'Firmware sync',
    weekdays: [3],
    time: '11:00',
    minutes: 45,
    location: 'Loft',
    people: ['tomasz', 'lin', 'saoirse'],
    notes: ['{Bug} ({site}).', 'Release {version}: go or no go.', 'Ticket {n:430-690}, suspected cause: {cause}.'],
  },
  {
    ...year,
    title: '1:1 with Jonas',
    weekdays: [5],
    every: 2,
    time: '14:00',
    minutes: 45,
    location: 'Walk along the quay',
    people: ['jonas'],
    notes: ['Budget {site}. Holidays. Bastian.', 'Ask about {supplier}.', 'Bring {doc}.'],
  },
  {
    ...year,
    title: 'Bench time with Bastian',
    weekdays: [5],
    time: '10:30',
    minutes: 60,
    location: 'Lens hall',
    people: ['bastian'],
    notes: ['Today: the {part}.', 'Today: reading {doc}.', 'He shows me the {tool}.'],
  },
  {
    ...year,
    title: 'Accordion lesson',
    weekdays: [2],
    time: '18:30',
    minutes: 45,
    from: '2025-11-25',
    location: "Ludger's, Reepschlägerweg 9",
    people: ['ludger'],
    notes: [
      'Left hand.',
      'Valse des Phares, bars {n:1-30} to {n2:31-64}.',
      'Bellows, bellows, bellows.',
      'Bring the towel.',
    ],
  },
  {
    ...year,
    title: 'Japanese A1 (course J-1107)',
    weekdays: [4],
    time: '19:00',
    minutes: 90,
    from: '2025-11-13',
    to: '2026-04-09',
    location: 'Volkshochschule, room 204',
    people: ['keiko'],
    notes: [
      'Lesson: particles again.',
      'Homework: ten sentences about {thing}.',
      'Kanji: 灯, 海, 船.',
      'Vocabulary test.',
    ],
  },
  {
    ...year,
    title: 'Run with Tomasz',
    weekdays: [3],
    time: '06:45',
    minutes: 60,
    location: 'Dyke',
    people: ['tomasz'],
    notes: ['{n:6-12} km easy.', 'Hills, {n:4-9} times.', 'Tempo {n:3-7} km.'],
  },
  {
    ...year,
    title: 'Long run',
    weekdays: [0],
    time: '08:30',
    minutes: 150,
    from: '2026-05-24',
    to: '2026-09-20',
    location: 'Dyke and back',
    people: ['tomasz'],
    notes: ['{n:16-30} km, slow.', 'Slow. Slower. Bring dates.'],
  },
  {
    ...year,
    title: 'The Damp Pages',
    weekdays: [4],
    every: 5,
    time: '20:00',
    minutes: 120,
    from: '2026-04-20',
    location: "Ute's, Kirchplatz 2",
    people: ['ute', 'percival', 'caspar'],
    notes: ['Bring wine and an open mind.'],
  },
  {
    ...year,
    title: 'Call Mum and Dad',
    weekdays: [0],
    time: '18:00',
    minutes: 30,
    location: '',
    people: ['agnes', 'rufus'],
    notes: [],
  },
  {
    ...year,
    title: 'Plot 31',
    weekdays: [6],
    time: '15:00',
    minutes: 150,
    from: '2026-04-04',
    location: 'Kleingartenverein Abendbrise',
    people: ['caspar'],
    notes: ['{Plant} and {plant2}.', 'Water, weeds, {plant}.', 'Gudrun measures today.', 'Harvest {plant}.'],
  },
]

/** Single events, drawn in turn. */
export const occasions: { title: string; location: string; note: string; work: boolean; allDay: boolean }[] = [
  ...[
    'Site call: {site} | phone | {Part}: {adjective}. {Clientperson} joins.',
    'Site visit {site} | {site} | Take the {tool}. {Weatherwork} expected.',
    'Design crit: [lamp page|alarm list|case v{n:2-9}] | Loft | Priya shows, we squint.',
    '{supplier}: [price talk|samples|complaint] | phone | {Part}, order {n:20400-29800}.',
    '{Task}: write it, finally | desk | For {site}. No mail in this hour.',
    'Interview: [workshop|electronics|summer] [trainee|job] | Chart room | CV in the folder. Ask about hands.',
    'Handover {site} | {room} | {b} takes over {task}.',
    'Safety briefing: [ladders|boats|batteries|solvents] | Yard | Everyone signs.',
    'Tender {site}: go or no go | Chart room | {n:14-96},000 euros, {n2:10-30} weeks.',
    'Demo of {version} for {clientperson} | video | {Site}. Test the sound first.',
    'Prism polishing, quiet please | Lens hall | {Part}, {site}.',
    'Retro: {site} | Kitchen | What was {adjective}, what was not.',
    'Photos of the {part} | Lens hall | For {client}.',
    'Stock take | Workshop | Biscuit tins included.',
  ].map((line) => ({ line, work: true, allDay: false })),
  ...[
    'Dinner: {dish} with [Ute|Anneke and family|the neighbours|Lev] | home | Buy lemons.',
    'Cinema: {film} | Lichtspiel Möwenhafen | Row {n:4-12}.',
    'Dentist | Zahnarztpraxis Dr. Beisswenger-Bloom | ',
    'Haircut | Salon Haargenau | Shorter than last time.',
    '{Fest} | {town} | With Caspar, if {weather}.',
    'Concert: {artist} | Alte Netzhalle | {eur:14-38} euros, paid.',
    'Call Chloé | phone | She wants to hear about {thing}.',
    'Pick up {thing} from {shop} | {shop} | Open until six.',
    'Swim | Seebrücke | {Weather}. Go anyway.',
    'Accordion practice, the hard bars | north room | Caspar is out.',
    'Library: return books | Stadtbücherei | {n:2-6} of them, one late.',
    'Feed the fish for Wilhelmina | Kirchplatz 8 | Steve gets two flakes.',
  ].map((line) => ({ line, work: false, allDay: false })),
  ...[
    'Birthday: [Ute|Tomasz|Priya|Imke|Wilhelmina|Leopold|Chloé] | | Card! And {cake}.',
    'Bins: [paper|glass|garden] |  | ',
    'Caspar in {town} |  | Map survey.',
    'Bank holiday somewhere: {client} closed |  | ',
  ].map((line) => ({ line, work: false, allDay: true })),
].map(({ line, work, allDay }) => {
  const [title, location, note] = line.split(/ *\| /)
  return { title: title!, location: location?.trim() ?? '', note: note?.trim() ?? '', work, allDay }
})
