/** Units as people write them out and in short, in the languages where the words look alike. */
const FAMILIES = `kg kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo kilogramos chilo chili
g gram grams gramm gramme grammes gramo gramos
km kilometre kilometres kilometer kilometers kilometern kilometre kilometros chilometri
m metre metres meter meters metern metro metros metri
cm centimetre centimetres centimeter centimeters zentimeter zentimetern centimetro centimetros centimetri
mm millimetre millimetres millimeter millimeters
l litre litres liter liters litro litros litri
eur euro euros
usd dollar dollars
gbp pound pounds
chf franc francs franken
min minute minutes minuten minuto minutos minuti
h hour hours stunde stunden heure heures hora horas ore
kwh kilowattstunde kilowattstunden
percent prozent procent`

/** Words next to amounts of money. */
export const CURRENCIES: readonly string[] = [
  'euro',
  'euros',
  'eur',
  'usd',
  'dollar',
  'dollars',
  'gbp',
  'pound',
  'pounds',
  'chf',
  'franc',
  'francs',
  'franken',
  'cent',
  'cents',
  'bucks',
]

const families = new Map<string, readonly string[]>()
for (const line of FAMILIES.split('\n')) {
  const words = [...new Set(line.split(' '))]
  for (const word of words) families.set(word, words)
}

const NONE: readonly string[] = []

/** Other words for the same unit: "kg" for "kilograms". A single letter has too many meanings. */
export const sameUnit = (word: string): readonly string[] =>
  (families.get(word) ?? NONE).filter((other) => other.length > 1)
