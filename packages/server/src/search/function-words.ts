import { tokenize } from './analyser.ts'

// Words that shape a sentence and say little about what is sought. In a large store their rarity shows it; in a small
// one "which" can be rarer than the thing asked about, so they count less from the start. They are never ignored.
const SENTENCE_WORDS = `
a an the and or of to in on at by for from with about as is are was were be been do does did has have had can could
would should will what which who whom whose when where why how that this these those it its he she they we you i my
your his her their our me us not any some there much many more most few get got gets than then if so
der die das und oder ein eine einen einem von zu im am mit auf für aus ist sind war waren wird was wer wie wo wann
warum welche welcher welches wem wen hat haben dass nicht es er sie wir ich viel viele mehr
le la les un une des du de et ou à au aux en dans par pour sur avec est sont était qui que quoi quel quelle quels
quelles où quand comment pourquoi combien plus il elle ils nous vous je ce cette
el los las una y o del al con por para se es son fue era eran qué quién quiénes cuál cuáles cuándo dónde cómo cuánto
cuántos su sus como
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
في من على الى عن ما ماذا من متى اين كيف كم هل هو هي التي الذي كان كانت هذا هذه ان مع
में के का की को से पर है हैं था थे थी क्या कौन कब कहाँ कैसे कितने किस किसने ने और यह एक
`

const terms = new Set(tokenize(SENTENCE_WORDS).map(({ term }) => term))

export const isFunctionWord = (term: string): boolean => terms.has(term)
