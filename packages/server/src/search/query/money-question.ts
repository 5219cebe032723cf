import { tokenize } from '../analysis/analyser.ts'
import { CURRENCIES } from '../ranking/forms/units.ts'
import type { QueryWord } from './query.ts'

/** Words that ask for an amount of money, in the larger languages of the function words. */
const ASKING = `
cost costs price prices pay pays paid charge charged spend spent expensive
kostet kosten gekostet preis preise bezahlt bezahlen zahlt gezahlt teuer wieviel
coute coûté prix paye payé combien cher
cuesta cuestan costó precio pagó pagado cuánto cuánta
costa costato prezzo pagato quanto
preço pagou custa custou kostte prijs betaald
стоит стоила цена заплатил заплатила сколько`
const PAIRS: readonly (readonly [string, string])[] = [
  ['how', 'much'],
  ['wie', 'viel'],
]
const BUYING = `
buy buys buying bought purchase purchased purchases order ordered orders
kaufen kauft kaufte gekauft bestellt bestellte acheter achète acheté commandé comprar compra compró pedido
comprare comprato ordinato comprou kocht gekocht besteld купил купила заказал заказала`
const asking = new Set(tokenize(ASKING).map(({ term }) => term))
/** Words that name a stream whose records have an amount of money. */
export const moneyWords: ReadonlySet<string> = new Set([...asking, ...tokenize(BUYING).map(({ term }) => term)])
const currencies = new Set(CURRENCIES)

/**
 * A question about an amount of money implies a word for a currency. It raises records that other words find, but finds
 * none itself.
 */
export function withCurrencies(words: readonly QueryWord[]): readonly QueryWord[] {
  const terms = words.map(({ term }) => term)
  const isAsked =
    terms.some((term) => asking.has(term)) ||
    PAIRS.some(([first, second]) => terms.some((term, at) => term === first && terms[at + 1] === second))
  const others = words.filter(({ term, content }) => content && !asking.has(term))
  if (!isAsked || others.length === 0 || terms.some((term) => currencies.has(term))) return words
  return [...words, { term: CURRENCIES[0]!, content: false, isPrefix: false, isExact: false, isImplied: true }]
}
