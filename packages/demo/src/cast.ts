export interface Person {
  name: string
  address: string
  organization?: string
  note?: string
}

const work = (name: string, local: string, note: string): Person => ({
  name,
  address: `${local}@fathomandwick.example`,
  organization: 'Fathom & Wick',
  note,
})

/** Everyone with a part in a storyline. All people, employers and addresses are invented. */
export const cast = {
  mira: { name: 'Mira Tallow', address: 'mira.tallow@example.com' },
  caspar: { name: 'Caspar Windle', address: 'caspar.windle@example.com', note: 'Home. Draws maps for a living.' },
  hazel: { name: 'Hazel Tallow', address: 'hazel.tallow@example.com', note: 'Sister. Birthday 2 June.' },
  rufus: { name: 'Rufus Tallow', address: 'rufus.tallow@example.com', note: 'Dad. Turns 70 on 6 December 2025.' },
  agnes: { name: 'Agnes Tallow', address: 'agnes.tallow@example.com', note: 'Mum. Prefers the landline.' },
  jonas: work('Jonas Quillfeather', 'jonas', 'Founder. Says "nearly" when he means "no".'),
  anneke: work('Anneke Driftwood', 'anneke', 'Optics. Knows every prism by its chip marks.'),
  tomasz: work('Tomasz Brambleshaw', 'tomasz', 'Firmware, and my running partner.'),
  priya: work('Priya Lanternwala', 'priya', 'Product design. प्रिया लालटेनवाला'),
  lev: work('Lev Samovarin', 'lev', 'Field engineer. Лев Самоварин'),
  omar: work('Omar al-Fanous', 'omar', 'Clients and tenders. عمر الفانوس'),
  imke: work('Imke Torfstich', 'imke', 'Office, books, cake rota.'),
  lin: work('Lin Xiaodeng', 'lin', 'Electronics. 林小灯'),
  bastian: work('Bastian Krähennest', 'bastian', 'Apprentice in the workshop since September 2025.'),
  saoirse: work('Saoirse Mulligrub', 'saoirse', 'Testing. Owns the salt fog chamber.'),
  miraWork: work('Mira Tallow', 'mira', 'Me, at work.'),
  yuki: {
    name: 'Yuki Hoshizawa',
    address: 'y.hoshizawa@hoshinoki-optical.example',
    organization: 'Hoshinoki Optical',
    note: '星沢ゆき. Grinds the replacement prisms.',
  },
  eleni: {
    name: 'Eleni Thalassopetra',
    address: 'e.thalassopetra@cape-lissos.example',
    organization: 'Cape Lissos Port Authority',
    note: 'Ελένη Θαλασσόπετρα. First Wickwatch customer.',
  },
  beatriz: { name: 'Beatriz Farolera', address: 'beatriz.farolera@example.com', note: 'Flatmate from Cádiz days.' },
  niran: { name: 'Niran Prapakhan', address: 'niran.prapakhan@example.com', note: 'นิรันดร์ ประภาคาร' },
  chloe: { name: 'Chloé Petitphare', address: 'chloe.petitphare@example.com', note: 'Penpal since we were eleven.' },
  nebelhorn: {
    name: 'Ottilie Nebelhorn',
    address: 'nebelhorn@hausverwaltung.example',
    note: 'Landlady, Leuchtgasse 7.',
  },
  sandkorn: { name: 'Detlef Sandkorn', address: 'd.sandkorn@example.com', note: 'Old landlord, Möwengasse 14.' },
  movers: { name: 'Zwei Esel Umzüge', address: 'buero@zwei-esel.example', organization: 'Zwei Esel Umzüge' },
  bodo: {
    name: 'Bodo Sägespan',
    address: 'bodo@kuechen-saegespan.example',
    organization: 'Küchen Sägespan',
    note: 'Kitchen. Call before eight.',
  },
  frieda: {
    name: 'Frieda Funkelmann',
    address: 'frieda@funkelmann-elektro.example',
    organization: 'Funkelmann Elektro',
    note: 'Electrician. Not on speaking terms with Bodo.',
  },
  henrike: {
    name: 'Dr. Henrike Samtpfote',
    address: 'praxis@samtpfote-tierarzt.example',
    organization: 'Tierarztpraxis Samtpfote',
    note: 'Vet for Admiral Crumb.',
  },
  ludger: { name: 'Ludger Balgtreter', address: 'ludger.balgtreter@example.com', note: 'Accordion, Tuesdays 18:30.' },
  gustav: { name: 'Gustav Zungenschlag', address: 'gustav.zungenschlag@example.com', note: 'Sold me the Triola.' },
  knut: {
    name: 'Dr. Knut Kniescheibe',
    address: 'praxis@kniescheibe-ortho.example',
    organization: 'Orthopädie am Deich',
  },
  marathon: {
    name: 'Kranichsund Marathon',
    address: 'start@kranichsund-marathon.example',
    organization: 'Laufverein Kranichsund',
  },
  courier: {
    name: 'Schneckenkurier Service',
    address: 'service@schneckenkurier.example',
    organization: 'Schneckenkurier',
  },
  nebula: { name: 'Nebula & Sons', address: 'orders@nebula-and-sons.example', organization: 'Nebula & Sons' },
  renate: {
    name: 'Renate Zahlenwald',
    address: 'r.zahlenwald@steuerbuero-zahlenwald.example',
    organization: 'Steuerbüro Zahlenwald',
    note: 'Tax adviser.',
  },
  keiko: {
    name: 'Keiko Amanogawa-Petersen',
    address: 'k.amanogawa@vhs-moewenhafen.example',
    organization: 'Volkshochschule Möwenhafen',
    note: '天の川先生. Japanese A1, room 204.',
  },
  ute: { name: 'Ute Eselsohr', address: 'ute.eselsohr@example.com', note: 'Runs The Damp Pages.' },
  percival: {
    name: 'Percival Inkwright',
    address: 'percival.inkwright@example.com',
    note: 'Book club; hates prologues.',
  },
  gudrun: {
    name: 'Gudrun Blattlaus',
    address: 'vorstand@kleingarten-abendbrise.example',
    organization: 'Kleingartenverein Abendbrise',
    note: 'Chair of the allotments.',
  },
  airline: { name: 'Albatross Air', address: 'bookings@albatross-air.example', organization: 'Albatross Air' },
  inn: { name: 'Misakiura Inn', address: 'stay@misakiura-inn.example', organization: 'Misakiura Inn 岬浦旅館' },
  insurer: {
    name: 'Möwenschutz Versicherung',
    address: 'schaden@moewenschutz.example',
    organization: 'Möwenschutz Versicherung',
  },
  gullbot: { name: 'gull-bot', address: 'gull-bot@fathomandwick.example', organization: 'Fathom & Wick' },
} satisfies Record<string, Person>

export type CastKey = keyof typeof cast

export const personOf = (key: string): Person => {
  const person = (cast as Record<string, Person>)[key]
  if (!person) throw new Error(`nobody in the cast is called ${key}`)
  return person
}

export const team: CastKey[] = [
  'jonas',
  'anneke',
  'tomasz',
  'priya',
  'lev',
  'omar',
  'imke',
  'lin',
  'bastian',
  'saoirse',
]
