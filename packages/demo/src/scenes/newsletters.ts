export interface Newsletter {
  name: string
  local: string
  /** Weekday of publication, and number of weeks between issues. */
  weekday: number
  every: number
  subjects: string[]
  intros: string[]
  items: string[]
  close: string
}

/** Newsletters of invented publishers. An issue contains a few items of its publisher. */
export const newsletters: Newsletter[] = [
  {
    name: 'The Lamp Room',
    local: 'letter@lamp-room.example',
    weekday: 5,
    every: 1,
    subjects: [
      'The Lamp Room no. {issue}: {site}',
      'No. {issue}: what the {part} remembers',
      'No. {issue}: notes on fog',
    ],
    intros: [
      'Good evening, keepers. [It was a quiet week on the coast|The post bag is full|We begin with a correction]: {weather}.',
      'Dear reader, [the editor is writing this from {site}|we owe you two pictures from last week|a subscriber from {town} sent us a riddle].',
    ],
    items: [
      '{Site} was relit after {n:2-19} dark years. [The mayor pressed the button twice to be sure.|Some {n2:80-900} people came, and {bird}.]',
      'A reader asks why the {part} is so often painted [green|grey|the wrong red]. Short answer: {cause}.',
      'For sale: one {part}, {adjective}, from {site}. Collection only, bring {n:2-6} friends.',
      'Obituary: the foghorn of {site}, 19{n:10-39} to last year. It was loud and it was loved.',
      'Book of the week: a history of {site} in {n:120-640} pages, {n2:2-40} of them on the {part}.',
      'Our crossword setter apologises for 14 across, which was {cause}.',
      'The keeper of {site} counted {n:3-90} ships, {n2:2-30} whales and one bathtub.',
      'Museum night at {site} on {day}: the lens turns until midnight, {cake} until it is gone.',
    ],
    close: 'Keep the glass clean. — The Lamp Room',
  },
  {
    name: 'Möwenhafener Anzeiger',
    local: 'morgen@moewenhafener-anzeiger.example',
    weekday: 6,
    every: 1,
    subjects: ['Die Woche in Möwenhafen', 'Wochenblick: {fest}', 'Was am Hafen los war'],
    intros: [
      'Moin! Das war die Woche [am Hafen|in der Stadt|zwischen Deich und Kirchplatz].',
      'Guten Morgen, Möwenhafen.',
    ],
    items: [
      'Die Fähre „Tante Frieda“ fährt wieder, nach {n:3-19} Tagen in der Werft. Der Kapitän dankt für {n2:2-9} Kuchen.',
      'Stadtrat vertagt die Entscheidung über die Hafenstraße zum {n:3-12}. Mal.',
      'Bäckerei Krümel verkauft {n:120-900} Franzbrötchen an einem Tag. „Wir sind selbst erschrocken“, sagt Hannelore.',
      'Der Chor sucht Tenöre. Der Chor sucht seit 19{n:58-99} Tenöre.',
      'Seehund auf dem Kirchplatz: Die Feuerwehr begleitete ihn höflich zum Wasser.',
      'Leserbrief: „Die Möwen sind nicht frech, sie sind organisiert.“',
      'Das alte Kino zeigt „{film}“, Eintritt {n:5-9} Euro, Decken bitte mitbringen.',
      'Wetter: {n:1-24} Grad, Wind aus [West|Nordwest|Ost], Aussicht auf [Besserung|Niesel|Sonne zwischen zwei Wolken].',
      'Fundbüro: ein Akkordeonriemen, {n:2-7} Handschuhe, eine Trompete ohne Mundstück.',
    ],
    close: 'Bis nächste Woche! Ihr Anzeiger',
  },
  {
    name: 'Slow Stitch & Soup',
    local: 'hello@slow-stitch-soup.example',
    weekday: 3,
    every: 1,
    subjects: ['This week: {dish}', 'Issue {issue}: {dish} and a hat', 'Soup forgives (issue {issue})'],
    intros: [
      'Hello you. [It is the sort of week for {dish}.|I burned the first batch so you need not.|The pot is on.]',
    ],
    items: [
      'Soup of the week: {dish}. [Toast the spices first.|Salt at the end.|Double it, freeze half.|Serve with torn bread.]',
      'Pattern: a scarf in {n:3-8} colours, after the stripes of {site}. Needles {n2:3-7} mm.',
      'A reader from {town} asks what to do with {n:4-30} lemons. [Preserve them.|Give them to an enemy.|Curd.]',
      'Mending corner: {thing} can be saved with {n:2-12} stitches and some nerve.',
      'In the garden: it is time for {plant}. [Water in the morning.|Do not be sentimental.|Talk to them.]',
      'I listened to {artist} all week. It goes with chopping.',
    ],
    close: 'Warmly, from the kitchen table.',
  },
  {
    name: 'Night Sky Weekly',
    local: 'sky@night-sky-weekly.example',
    weekday: 4,
    every: 1,
    subjects: ['The sky from {day}', 'Week {issue}: look up', 'Week {issue}: clouds permitting'],
    intros: [
      '[Moonset is early this week|The nights are short now|A good week for patience], so wrap up and look [south|east|straight up].',
    ],
    items: [
      'Best evening: {day}, between {n:19-23}:{n2:10-50} and midnight. [Binoculars are enough.|Bring a chair.|Bring tea.]',
      'The double star of the week separates at {n:40-160} times. On a calm night you will see [gold and blue|two sparks|one star and your own eyelash].',
      'Reader {n:100-999} from {town} drew the craters by hand. It took {n2:2-9} evenings and is on our cover.',
      'Equipment: a {n:10-32} mm eyepiece will frame the whole cluster. You do not need a bigger telescope. You never do.',
      'Meteor forecast: {n:4-60} an hour, if the clouds allow.',
      'Mistake of the week: we {mistake}. The planet was a street lamp.',
    ],
    close: 'Clear skies.',
  },
  {
    name: 'Laufverein Kranichsund',
    local: 'post@laufverein-kranichsund.example',
    weekday: 1,
    every: 2,
    subjects: ['Laufpost {issue}', 'Laufpost {issue}: Deichrunde', 'Noch {n:4-40} Wochen'],
    intros: ['Moin ihr Schnellen und ihr Gemütlichen,'],
    items: [
      'Deichrunde am {n:2-28}. um {n2:7-10} Uhr, {n3:6-18} Kilometer, danach Suppe.',
      'Ergebnis vom Stadtlauf: {n:80-600} im Ziel, {n2:1-9} im Hafenbecken (freiwillig).',
      'Tipp vom Trainer: Wer langsam läuft, sieht mehr. Zum Beispiel {bird}.',
      'Gesucht: {n:5-40} Helferinnen und Helfer für die Getränke bei Kilometer {n2:5-40}.',
      'Gefunden: ein linker Schuh, Größe {n:36-47}, sehr müde.',
    ],
    close: 'Sport frei!',
  },
  {
    name: 'Buchhandlung Zettelkasten',
    local: 'neu@zettelkasten-buch.example',
    weekday: 2,
    every: 1,
    subjects: ['New on the table', 'Five books for {weather}', 'Reading on {day}: sold out, almost'],
    intros: ['Dear readers, [the van came|we have unpacked|we have read so that you may choose].'],
    items: [
      '"{film}" is now also a novel, and better. {n:180-520} pages, {n2:14-26} euros.',
      'Reading on {day} at {clock}: poems about {bird}, with wine.',
      'Staff pick: a memoir by a {n:60-94}-year-old ferryman. {Proverb}, he writes, and one believes him.',
      'Children: the otter is back, in volume {n:3-9}.',
      'Second-hand shelf: {n:12-90} thrillers from one estate, all with the last page underlined.',
      'We are looking for somebody to read aloud on Sundays. Payment in {cake}.',
    ],
    close: 'Open until seven, longer if you are reading.',
  },
]
