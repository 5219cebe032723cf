import type { Person } from '../cast.ts'

export const givenNames =
  'Adaeze Alaric Amelie Anselm Aoife Arvid Aylin Bela Birte Branwen Carlo Cosima Dagny Dario Edda Eilidh Elio Emre Enno Fenja Fergus Finja Gesa Greta Hanno Hedwig Ilka Ilse Ivo Jasper Jette Joris Kalle Keziah Lasse Leonie Lorcan Lotte Malik Maren Marta Meike Milos Nele Nuno Oda Okke Orsolya Paula Pavel Quirin Ragna Rieke Ronja Rosa Samir Silja Soraya Stine Tamsin Tilda Ulf Viola Wanda Xaver Ylva Zeno'.split(
    ' ',
  )

export const surnames =
  'Abendrot Ankerbeck Applewhistle Bernsteiner Bickerdyke Birnbaumer Blaubart-Mills Bottlebrush Brightwater Buttersby Candlewick Cobblepot-Hayes Dornenreich Duskfield Eisblume Elderfrost Fadenspiel Ferncastle Fiddlewood Flussdiamant Foxglove-Ray Frühstück Gänseblum Gladhollow Glimmerich Goosequill Grünspecht Halfpenny-Moss Haselwicht Heidelbär Honigtau Hopfenlied Irrlicht Jollyboat Kaltwasser Kesselflick Kirschwind Lavendell Lichtermeer Löwenzahn Marigold-Pike Meerrettich Mitternacht Mondkalb Moosbach Morgentau Mühlenstein Nettlebed Nightjar Oatshadow Ofenrohr Papierboot Pennyroyal Pflaumenaugust Pfützner Pondlily Quendel Quittenbaum Rabenschlaf Ravelstitch Regentropf Rosenkavall Rumpelfass Sandpiper-Low Schlummer Schneegestöber Silverthread Sommersprosse Sternwart Stillwater Strohhut Tannenzapf Thimblerigg Tintenfass Umbrella-Jones Vogelweid Wachholder Walnutter Weidenkorb Whistlecroft Wintergrün Wolkenstein Zaubernuss Zimtschnecke'.split(
    ' ',
  )

/** Wedding guests and distant colleagues, written in their own scripts. */
export const otherScripts: Person[] = [
  { name: '陈月光', address: 'chen.yueguang@example.com', note: 'Wedding, table 2. No peanuts! 花生过敏' },
  { name: 'Νίκος Θαλασσινός', address: 'nikos.thalassinos@example.com', note: 'Nikos the first, table 4' },
  { name: 'Νίκος Αλμυρός', address: 'nikos.almyros@example.com', note: 'Nikos the second, table 4' },
  { name: 'Νίκος Φεγγαρένιος', address: 'nikos.fengarenios@example.com', note: 'Nikos the third, sings' },
  { name: 'سلمى القنديل', address: 'salma.alqandil@example.com', note: 'Wedding, table 3' },
  { name: 'आर्या दीपस्तंभ', address: 'arya.deepstambh@example.com', note: 'Wedding, table 3, vegetarian' },
  { name: 'Тихон Маячный', address: 'tikhon.mayachny@example.com', note: 'Никакого укропа' },
  { name: '海野ひかり', address: 'umino.hikari@example.com', note: 'Wedding, table 2. Friend of Yuki' },
  { name: 'สายฟ้า ประภาคาร', address: 'saifa.prapakhan@example.com', note: 'แม่ของนิรันดร์ Green curry' },
  { name: 'Hannelore Krümel', address: 'hannelore@kruemel.example', note: 'Guards parcels behind the rye loaves' },
  { name: '', address: 'unknown-ferry@example.com', note: 'Met on the ferry, forgot the name. Tall.' },
]

export const contactNotes = [
  'Met at {fest} in {town}.',
  'Knows about the {part}.',
  '[Neighbour of|Cousin of|Friend of] [Ute|Caspar|Imke|Leopold|Anneke].',
  'Lent me {thing}. Give it back!',
  'Bakes {cake}.',
  'Birthday in [January|March|May|July|September|November].',
  'Keeper at {site} until 20{n:10-24}.',
  'Does {hobby}.',
  'Call [after six|before nine|never on Sundays].',
  'Has a boat. Useful.',
  'From the course, sits by the window.',
  'Sells {plant} at the market.',
]
