import { type Person, personOf, team } from '../cast.ts'
import { type Day, days, isWorkday, wallTime } from '../clock.ts'
import { documentFile, type MadeFile, pictureFile, tableFile } from '../files/file.ts'
import { type Bindings, write } from '../grammar.ts'
import { idFor, type Random, random } from '../random.ts'
import { play, type Scene, sceneDeck, scenes } from '../scene-script.ts'
import { ANY_DOCUMENT, documents } from '../scenes/documents.ts'
import { mailPersonal, senders } from '../scenes/mail-personal.ts'
import { mailPersonalMore, mailWorkMore } from '../scenes/mail-personal-more.ts'
import { mailWork } from '../scenes/mail-work.ts'
import { isAway, isClosed, seasonal } from '../season.ts'
import { sites } from '../sites.ts'
import { type Box, folderFor, type Mail, type MailFile, ownerIn, replyTime } from './mailbox.ts'

const slug = (name: string) =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')

const stranger = (name: string, host: string): Person => ({ name, address: `${slug(name)}@${host}.example` })

const castTongues: Record<string, [person: string, site?: string]> = {
  japanese: ['yuki'],
  greek: ['eleni', 'Λισσός'],
  russian: ['lev'],
  arabic: ['omar'],
  chinese: ['lin'],
  hindi: ['priya'],
}

interface Opener {
  person: Person
  called: string
  site?: string | undefined
  formal?: string | undefined
}

const firstName = (name: string) => name.replace('Dr. ', '').split(' ')[0]!

const offices: Record<string, string> = {
  dentist: 'Zahnarztpraxis Dr. Beisswenger-Bloom',
  library: 'Stadtbücherei Möwenhafen',
  bank: 'Sparhafen Bank',
  townhall: 'Bürgerbüro Möwenhafen',
}

const openerOf = (place: string, rng: Random): Opener => {
  const known = (person: Person): Opener => ({ person, called: firstName(person.name) })
  const office = offices[place]
  if (office) return { person: stranger(office, slug(office)), called: office }
  if (place === 'team') return known(personOf(rng.pick(team)))
  if (place === 'supplier') return known(stranger(rng.pick(senders.supplierperson), 'suppliers'))
  if (place === 'friend') return known(stranger(rng.pick(senders.friend), 'friends'))
  const tongue = place === 'client' ? 'english' : place
  const local = sites.filter((one) => one.tongue === tongue)
  if (local.length > 0) {
    const { site, person, formal } = rng.pick(local)
    return { person: stranger(person, slug(site)), called: formal ? person : firstName(person), site, formal }
  }
  const [key, site] = castTongues[place] ?? [place]
  return { ...known(personOf(key)), site }
}

/** Forms of files, repeated by their frequency. */
const forms = ['document', 'picture', 'table', 'document'] as const

const fileFor = (ref: string, scene: Scene, subject: string, bound: Bindings, rng: Random): MailFile => {
  const form = rng.pick(forms)
  // Draw the words for every document, so that later draws do not depend on its form.
  if (form !== 'picture') write('{task} {site} {n:2-30} {part} {doc}', rng, bound)
  const made = madeFor(form, ref, scene, new Map(bound).set('subject', subject))
  const filename = `${slug(subject).slice(0, 40) || 'document'}-${rng.int(1, 40)}.${made.suffix}`
  // Unused draw. Without it all later threads would change.
  rng.next()
  return { id: idFor('att', ref), filename, mediaType: made.mediaType, bytes: made.bytes, text: made.text }
}

const madeFor = (form: (typeof forms)[number], ref: string, scene: Scene, bound: Bindings): MadeFile => {
  if (form === 'picture') return pictureFile(ref)
  const [, template] = documents.find(([subject]) => scene.subject.startsWith(subject)) ?? ['', ANY_DOCUMENT]
  const lines = write(template, random(`document/${ref}`), bound).split(' // ')
  return form === 'table' ? tableFile(lines) : documentFile(lines)
}

const startTime = (day: Day, box: Box, rng: Random) => {
  const hours = box === 'work' ? rng.int(7, 17) : rng.pick([7, 8, 12, 13, 17, 18, 19, 20, 20, 21])
  return day.at(wallTime(hours, rng.int(0, 59)))
}

const threadOf = (scene: Scene, box: Box, ref: string, day: Day, rng: Random): Mail[] => {
  const owner = ownerIn(box)
  const opener = openerOf(rng.pick(scene.places), rng)
  const third = personOf(rng.pick(team.filter((key) => personOf(key).name !== opener.person.name)))
  const bound = seasonal(day.date, rng)
  bound.set('a', opener.called).set('b', 'Mira').set('c', firstName(third.name))
  if (opener.formal) bound.set('formal', opener.formal)
  if (opener.site) bound.set('site', opener.site)
  const { subject, spoken } = play(scene, rng, bound)
  const withThird = spoken.some((turn) => turn.speaker === 'c') || (box === 'work' && rng.chance(0.2))
  const people: Record<string, Person> = { a: opener.person, b: owner, c: third }
  let at = startTime(day, box, rng)
  return spoken.map((turn, index) => {
    const from = people[turn.speaker]!
    if (index > 0) at = replyTime(at, rng, box)
    const to = from === owner ? [opener.person] : [owner]
    const cc = withThird && from !== third ? [third] : []
    const files =
      index === 0 && rng.chance(box === 'work' ? 0.32 : 0.08)
        ? [fileFor(`${ref}/${index}`, scene, subject, bound, rng)]
        : []
    const thread = idFor('thr', ref)
    const head = { id: idFor('msg', `${ref}/${index}`), thread, at, from, to, cc, files, labels: [] as string[] }
    return { ...head, subject: index > 0 ? `Re: ${subject}` : subject, body: turn.text, folder: folderFor(from, []) }
  })
}

const perDay = (day: Day, box: Box): number[] => {
  if (box === 'personal') return [0, 1, 1, 2, 2, 2]
  if (isAway(day.date) || isClosed(day.date)) return [0]
  return isWorkday(day) ? [3, 3, 4, 4, 4] : [0, 0, 0, 1]
}

/** Everyone who writes in scenes but is not in the cast. These people are added to the contacts. */
export const strangers = (): Person[] => {
  const clients = sites.map(({ site, person }) => ({
    ...stranger(person, slug(site)),
    organization: `Lighthouse ${site}`,
  }))
  const friends = senders.friend.map((name) => stranger(name, 'friends'))
  const suppliers = senders.supplierperson.map((name) => stranger(name, 'suppliers'))
  return [...clients, ...friends, ...suppliers]
}

/** Everyday mail of one mailbox. */
export const sceneMails = (box: Box): Mail[] => {
  const rng = random(`mail/${box}/scenes`)
  const scripts = box === 'work' ? [mailWork, mailWorkMore] : [mailPersonal, mailPersonalMore]
  const next = sceneDeck(scenes(scripts.join('\n---\n')), rng)
  return days.flatMap((day) =>
    Array.from({ length: rng.pick(perDay(day, box)) }, (_, index) =>
      threadOf(next(day.date), box, `${box}/${day.date}/${index}`, day, rng),
    ).flat(),
  )
}
