import { days, minute, wallTime } from '../clock.ts'
import { random } from '../random.ts'
import { stories } from '../stories/index.ts'
import { orderId } from '../story-beat.ts'
import { merchants } from './merchants.ts'

export interface Order {
  id: string
  at: number
  merchant: string
  category: string
  status: string
  lines: { quantity: number; cents: number; title: string }[]
  total: number
  /** True for orders of a storyline. The storyline also contains the mails about them. */
  isFromStory: boolean
}

const totalOf = (lines: Order['lines']) => lines.reduce((sum, line) => sum + line.quantity * line.cents, 0)

const fromStories = (): Order[] =>
  stories.flatMap(({ beats }) =>
    beats.flatMap((beat) => {
      if (beat.kind !== 'order') return []
      const { at, merchant, category, status, lines } = beat
      return [
        { id: orderId(beat.ref), at, merchant, category, status, lines, total: totalOf(lines), isFromStory: true },
      ]
    }),
  )

const returnable = ['books', 'sport', 'household', 'hardware', 'clothing', 'music']

const everyday = (): Order[] => {
  const rng = random('purchases')
  const nextMerchant = rng.deck(
    merchants.flatMap((merchant) => Array.from({ length: merchant.weight }, () => merchant)),
  )
  return days.flatMap((day) =>
    Array.from({ length: rng.pick([0, 1, 1, 1, 1, 1, 2, 2]) }, (_, index) => {
      const merchant = nextMerchant()
      const titles = rng.shuffled(merchant.goods).slice(0, rng.pick([1, 1, 2, 2, 3, 4]))
      const lines = titles.map(([title, cents]) => ({
        title,
        cents,
        quantity: cents < 1500 && rng.chance(0.25) ? rng.int(2, 4) : 1,
      }))
      const status = returnable.includes(merchant.category) && rng.chance(0.12) ? 'returned' : 'delivered'
      const at = day.at(wallTime(rng.int(7, 22), rng.int(0, 59))) + index * minute
      const { name, category } = merchant
      const id = orderId(`${day.date}/${index}`)
      return { id, at, merchant: name, category, status, lines, total: totalOf(lines), isFromStory: false }
    }),
  )
}

let book: Order[] | undefined

/** All orders of the year, oldest first. */
export const orderBook = (): Order[] => {
  book ??= [...fromStories(), ...everyday()].sort((a, b) => a.at - b.at)
  return book
}
