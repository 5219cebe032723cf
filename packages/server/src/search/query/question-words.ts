import { tokenize } from '../analysis/analyser.ts'
import { CURRENCIES } from '../ranking/forms/units.ts'
import type { QueryWord } from './query.ts'

// Words that build sentences and say little about the topic. In a large store their frequency shows it; in a small one
// "which" can be rarer than the topic itself. So they always count less, but are never ignored.
const SENTENCE_WORDS = `
a an the and or of to in on at by for from with about as is are was were be been do does did has have had can could
would should will what which who whom whose when where why how that this these those it its he she they we you i my
your his her their our me us not any some there much many more most few get got gets than then if so but nor because
while during between before after into over up down out off again also too just only very really still ever now here
all both each other same such own being having doing am yes no please s t ll re ve don didn doesn wasn isn
may might must shall cannot him them hers mine ours yours theirs myself yourself himself herself itself ourselves
themselves every either neither another whether though although however without within through against toward towards
until since upon among across per via regarding concerning according
der die das und oder ein eine einen einem von zu im am mit auf für aus ist sind war waren wird was wer wie wo wann
warum welche welcher welches wem wen hat haben dass nicht es er sie wir ich viel viele mehr aber auch noch nur schon
sehr bei nach vor über unter zwischen während weil denn als mein meine dein deine sein seine ihr ihre unser unsere
le la les un une des du de et ou à au aux en dans par pour sur avec est sont était qui que quoi quel quelle quels
quelles où quand comment pourquoi combien plus il elle ils nous vous je ce cette mais aussi encore très
el los las una y o del al con por para se es son fue era eran qué quién quiénes cuál cuáles cuándo dónde cómo cuánto
cuántos su sus como pero también muy más
il lo gli i di che e è sono chi quale quali quando dove come perché per nel della
os as um uma no na em são foi quem qual quais onde quanto
de het een van en wat wie waar wanneer hoe welke
и в во на с со к по о об от до за из у не что кто где когда как какой какая какое какие сколько почему чем это был
была были для
i w z na do jest co kto gdzie kiedy jak jaki
ο η το οι τα του της των τον την και σε με για από είναι ήταν τι ποιος ποια ποιο ποιοι πού πότε πώς γιατί πόσο πόσα που
ve bir bu ne kim hangi nerede nasıl kaç için ile mi mu da olan
și la cu pe din ce cine care unde când cum câți câte a fost sunt este lui
và của là có trong được cho những các một đã gì ai nào đâu khi bao nhiêu như thế với ở tại
في من على الى عن ما ماذا من متى اين كيف كم هل هو هي التي الذي الذين كان كانت هذا هذه ذلك تلك ان مع اي تم يتم او قد عند
में के का की को से पर है हैं था थे थी क्या कौन कब कहाँ कैसे कितने किस किसने ने और यह एक
`

// Verbs of asking and answering: in "what did Ida say about the roof?" nobody looks for "say". In a query that is not a
// sentence ("safety talk") they count like other words.
const ASKING_WORDS = `
say says said saying tell tells told telling talk talks talked talking mention mentions mentioned mentioning discuss
discusses discussed discussing discussion discussions think thinks thought thinking explain explains explained explaining
describe describes described describing summarize summarise summary ask asks asked asking opinion opinions
sagen sagt sagte gesagt erzählen erzählt erzählte meint meinte gemeint erwähnt erwähnte besprochen denkt dachte
erklärt erklärte beschreibe zusammenfassung fragt fragte gefragt
dire dit disait raconte raconté mentionne mentionné pense pensait expliqué explique résume résumé demande demandé
decir dice dijo dicho contó mencionó piensa pensaba explicó resume resumen pregunta preguntó
dice detto disse racconta raccontato menzionato pensa spiegato riassumi
dizer diz disse dito contou mencionou pensa explicou resuma
zeggen zegt zei gezegd vertel vertelde genoemd denkt dacht besproken
говорит говорил говорила сказал сказала сказали рассказал рассказала упомянул думает
`

const termsOf = (text: string): Set<string> => new Set(tokenize(text).map(({ term }) => term))
const sentenceTerms = termsOf(SENTENCE_WORDS)
const askingTerms = termsOf(ASKING_WORDS)

export const isFunctionWord = (term: string): boolean => sentenceTerms.has(term)
export const isAskingWord = (term: string): boolean => askingTerms.has(term)

/** Words that ask for an amount of money, in the larger languages of the function words. */
const PRICE_WORDS = `
cost costs price prices pay pays paid charge charged spend spent expensive
kostet kosten gekostet preis preise bezahlt bezahlen zahlt gezahlt teuer wieviel
coute coûté prix paye payé combien cher
cuesta cuestan costó precio pagó pagado cuánto cuánta
costa costato prezzo pagato quanto
preço pagou custa custou kostte prijs betaald
стоит стоила цена заплатил заплатила сколько`
const PRICE_PAIRS: readonly (readonly [string, string])[] = [
  ['how', 'much'],
  ['wie', 'viel'],
]
const BUYING_WORDS = `
buy buys buying bought purchase purchased purchases order ordered orders
kaufen kauft kaufte gekauft bestellt bestellte acheter achète acheté commandé comprar compra compró pedido
comprare comprato ordinato comprou kocht gekocht besteld купил купила заказал заказала`
const priceTerms = termsOf(PRICE_WORDS)
/** Words that name a stream whose records have an amount of money. */
export const moneyWords: ReadonlySet<string> = new Set([...priceTerms, ...termsOf(BUYING_WORDS)])
const currencies = new Set(CURRENCIES)

/**
 * A question about an amount of money implies a word for a currency. It raises records that other words find, but finds
 * none itself.
 */
export function withCurrencies(words: readonly QueryWord[]): readonly QueryWord[] {
  const terms = words.map(({ term }) => term)
  const isAsked =
    terms.some((term) => priceTerms.has(term)) ||
    PRICE_PAIRS.some(([first, second]) => terms.some((term, at) => term === first && terms[at + 1] === second))
  const others = words.filter(({ term, content }) => content && !priceTerms.has(term))
  if (!isAsked || others.length === 0 || terms.some((term) => currencies.has(term))) return words
  return [...words, { term: CURRENCIES[0]!, content: false, isPrefix: false, isExact: false, isImplied: true }]
}
