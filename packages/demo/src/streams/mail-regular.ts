import { type Person, personOf, team } from '../cast.ts'
import { day, days, isWorkday, minute, wallTime } from '../clock.ts'
import { write } from '../grammar.ts'
import { idFor, type Random, random } from '../random.ts'
import { newsletters } from '../scenes/newsletters.ts'
import { followUp } from '../scenes/order-mails.ts'
import { nightMinutes, seasonal } from '../season.ts'
import { words } from '../words/index.ts'
import { type Mail, ownerIn } from './mailbox.ts'
import { merchants } from './merchants.ts'
import { type Order, orderBook } from './order-book.ts'

const money = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')} euros`

const single = (
  ref: string,
  at: number,
  from: Person,
  to: Person,
  subject: string,
  body: string,
  folder: string,
): Mail => ({
  id: idFor('msg', ref),
  thread: idFor('thr', ref),
  at,
  from,
  to: [to],
  cc: [],
  subject,
  body,
  folder,
  labels: [folder.toLowerCase()],
  files: [],
})

export const newsletterMails = (): Mail[] => {
  const rng = random('mail/newsletters')
  return newsletters.flatMap((letter) => {
    const issues = days.filter(
      (day) => day.weekday === letter.weekday && Math.floor(day.index / 7) % letter.every === 0,
    )
    const nextItem = rng.deck(letter.items)
    return issues.map((day, index) => {
      const issue = String(index + 141)
      const fresh = () => seasonal(day.date, rng).set('issue', issue)
      const head = fresh()
      const subject = write(rng.pick(letter.subjects), rng, head)
      const parts = [write(rng.pick(letter.intros), rng, head)]
      for (let i = rng.int(3, 5); i > 0; i--) parts.push(`• ${write(nextItem(), rng, fresh())}`)
      const from = { name: letter.name, address: letter.local }
      const at = day.at(wallTime(rng.int(5, 7), rng.int(0, 59)))
      const body = [...parts, letter.close].join('\n\n')
      return single(`letter/${letter.name}/${index}`, at, from, ownerIn('personal'), subject, body, 'Newsletters')
    })
  })
}

/** Time of a shop's second mail: one or two days later in daytime, a refund after about a week, a pizza at once. */
const followUpTime = (order: Order, rng: Random): number => {
  if (order.category === 'food delivery') return order.at + rng.int(25, 70) * minute
  const later = order.status === 'returned' ? rng.int(6, 13) : rng.int(1, 2)
  return Math.floor(order.at / day + later) * day + rng.int(6 * 60, 17 * 60) * minute
}

const orderMails = (order: Order, rng: Random): Mail[] => {
  const shop = merchants.find((one) => one.name === order.merchant)
  if (!shop) return []
  const from = { name: shop.name, address: shop.address }
  const list = order.lines.map((line) => `${line.quantity} × ${line.title}, ${money(line.cents)}`).join('\n')
  const number = order.id.slice(4).toUpperCase()
  const bound = new Map([
    ['number', number],
    ['total', money(order.total)],
    ['shop', shop.name],
  ])
  const subject = write(
    '[Your order {number}|Order {number} confirmed|Thank you for order {number}|Bestellung {number}]',
    rng,
    bound,
  )
  const opening = write(
    '[Hello Mira,|Moin Mira Tallow,|Dear Mira,] [we have your order|thank you, this is what you chose|noted and packed with care]:',
    rng,
  )
  const ending = write(
    'Total: {total}. [We write again when it leaves.|Paid, thank you.|Questions? Just answer this mail.] // {shop}',
    rng,
    bound,
  )
  const body = `${opening}\n\n${list}\n\n${ending.replace(' // ', '\n\n')}`
  const first = single(`order/${order.id}`, order.at + 2 * minute, from, ownerIn('personal'), subject, body, 'Orders')
  const later = write(followUp(order.status, order.category), rng, bound)
  const reply = {
    ...first,
    id: idFor('msg', `order/${order.id}/2`),
    at: followUpTime(order, rng),
    subject: `Re: ${subject}`,
    body: later,
  }
  return [first, reply]
}

export const purchaseMails = (): Mail[] => {
  const rng = random('mail/orders')
  return orderBook()
    .filter((order) => !order.isFromStory)
    .flatMap((order) => orderMails(order, rng))
}

/** Weekly reports of the monitored stations. After the launch there are more stations. */
export const stationMails = (): Mail[] => {
  const rng = random('mail/stations')
  const sender = personOf('gullbot')
  const sites = words['site']!
  return days
    .filter((day) => day.weekday === 1)
    .flatMap((day, week) =>
      (week < 26 ? sites.slice(0, 8) : ['Cape Lissos', ...sites.slice(0, 13)]).map((site, index) => {
        const night = nightMinutes(day.month) + rng.int(-12, 12)
        const bound = seasonal(day.date, rng)
          .set('site', site)
          .set('lit', String(Math.round((night * 7) / 60) - rng.int(0, 3)))
          .set('night', `${Math.floor(night / 60)} h ${night % 60} min`)
        const subject = `Weekly report ${site}, week of ${day.label}`
        const body = write(
          'Station: {site} // Lamp hours: {lit} // Longest night: {night} // Battery, lowest: {n3:41-96} percent // Lamp room: {n4:2-18} to {n5:19-39} °C // Alerts: [none|none|none|{n6:1-5}, see below] // [Remark: {bug}.|No remarks.|Remark by the keeper: {weatherwork}.|Remark by the keeper: "{bird}, again".|Remark: gasket check due in {n7:2-20} weeks.]',
          rng,
          bound,
        ).replaceAll(' // ', '\n')
        const at = day.at(wallTime(6, 5 + index))
        return single(`station/${site}/${week}`, at, sender, ownerIn('work'), subject, body, 'Reports')
      }),
    )
}

/** Builds, tickets and accepted invitations. */
export const machineMails = (): Mail[] => {
  const rng = random('mail/machines')
  const forge = { name: 'Build Kobold', address: 'kobold@fathomandwick.example' }
  const tickets = { name: 'Ticket Desk', address: 'tickets@fathomandwick.example' }
  return days.filter(isWorkday).flatMap((day, index) => {
    const ref = `machine/${day.date}`
    const at = day.at(wallTime(rng.int(8, 18), rng.int(0, 59)))
    const who = personOf(rng.pick(team)).name
    if (index % 3 === 0) {
      const bound = seasonal(day.date, rng).set('who', who)
      const subject = write('Build {n:2100-4800} of wickwatch {version}: [passed|passed|passed|failed]', rng, bound)
      const body = write(
        'Commit by {who}. {n3:210-640} tests, {n4:0-3} skipped, {n5:3-14} minutes. [Artefacts are kept for 30 days.|Slowest test: "{bug}".|Flaky: "{bug}", retried once.]',
        rng,
        bound,
      )
      return [single(ref, at, forge, ownerIn('work'), subject, body, 'Builds')]
    }
    if (index % 3 === 1) {
      const bound = seasonal(day.date, rng).set('who', who)
      const subject = write('Ticket {n:430-690}: {site}, {bug}', rng, bound)
      const body = write(
        '[Opened by {who}.|{who} changed the state to "[in work|waiting|done]".|{who} added a comment: "Probably {cause}."] Priority: [low|normal|normal|high]. Version: {version}. Station: {site}.',
        rng,
        bound,
      )
      return [single(ref, at, tickets, ownerIn('work'), subject, body, 'Tickets')]
    }
    const person = personOf(rng.pick(team))
    const bound = seasonal(day.date, rng).set('who', person.name)
    const subject = write('[Accepted|Accepted|Declined|Tentative]: {meeting}, {day} {clock}', rng, bound)
    const body = write(
      '{who} has answered your invitation to {meeting}. [{Reason}, but yes.|I bring {cake}.|Room: {room}.|No message.|Sorry, {reason}.]',
      rng,
      bound,
    )
    return [single(ref, at, person, ownerIn('work'), subject, body, 'Calendar')]
  })
}
