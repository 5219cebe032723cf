export interface Merchant {
  name: string
  address: string
  category: string
  /** How often orders go to this shop, relative to the others. */
  weight: number
  goods: [title: string, cents: number][]
}

const goods = (text: string): [string, number][] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [price, ...title] = line.trim().split(' ')
      return [title.join(' '), Number(price)]
    })

/** Invented shops with their goods. Prices are in cents. */
export const merchants: Merchant[] = [
  {
    name: 'Bäckerei Krümel',
    address: 'bestellung@kruemel.example',
    category: 'groceries',
    weight: 5,
    goods: goods(`
      420 Rye loaf, 750 g
      180 Franzbrötchen
      95 Poppy seed roll
      2450 Bienenstich, whole tray
      520 Sourdough with walnuts
      310 Pretzel braid
      1650 Plum cake, half tray
      240 Cheese straw`),
  },
  {
    name: 'Hofkiste Grauwiek',
    address: 'kiste@hof-grauwiek.example',
    category: 'groceries',
    weight: 6,
    goods: goods(`
      2390 Vegetable box, medium
      480 Eggs, ten
      350 Potatoes, floury, 2 kg
      290 Beetroot, bunch
      620 Apple juice, cloudy, 3 litres
      540 Soft cheese with ash
      330 Leeks, bunch
      410 Cavolo nero
      275 Parsnips, 1 kg
      890 Honey from the dyke`),
  },
  {
    name: 'Buchhandlung Zettelkasten',
    address: 'bestellung@zettelkasten-buch.example',
    category: 'books',
    weight: 4,
    goods: goods(`
      2200 Lenses and Their Makers
      1490 The Quiet Ferryman
      1250 Soup for Strangers
      1890 Kana in Ten Evenings
      2600 Atlas of Imaginary Coasts
      990 Pocket tide table 2026
      1600 Moth Season
      1350 Small Repairs
      2450 A Field Guide to Gulls
      1180 Poems for Ferries
      1790 The Otter, volume 7
      3200 Bronze: A Workshop Manual`),
  },
  {
    name: 'Pfote & Napf',
    address: 'service@pfote-napf.example',
    category: 'pets',
    weight: 4,
    goods: goods(`
      215 Renal diet for cats, chicken, blue label, 85 g
      225 Renal diet for cats, tuna, blue label, 85 g
      1490 Cat litter, clumping, 10 kg
      690 Catnip herring
      2990 Scratching post, sisal
      850 Brush, soft
      1250 Carrier liner, washable`),
  },
  {
    name: 'Klangkajüte',
    address: 'laden@klangkajuete.example',
    category: 'music',
    weight: 2,
    goods: goods(`
      1490 Method for accordion, volume 2
      990 Waltzes for beginners
      2450 Music stand, folding
      760 Microfibre cloth for pearl finishes
      1890 Metronome, wooden
      1250 Sea songs, arranged easily`),
  },
  {
    name: 'Laufladen Siebenmeilen',
    address: 'team@siebenmeilen.example',
    category: 'sport',
    weight: 2,
    goods: goods(`
      13900 Running shoes, neutral, size 40
      1290 Running socks, two pairs
      240 Energy gel, lemon
      2990 Rain vest, reflective
      3490 Foam roller, hard
      1850 Head torch
      890 Anti-chafe balm`),
  },
  {
    name: 'Karton & Kork',
    address: 'hallo@karton-kork.example',
    category: 'household',
    weight: 3,
    goods: goods(`
      1290 Cork board, round
      890 Jam jars, twelve
      2790 Desk lamp, brass look
      650 Tea towels, herring pattern
      1990 Doormat, "ring twice"
      450 Candles, six
      3490 Shelf, oak, 60 cm
      720 Hooks, five
      1590 Laundry basket`),
  },
  {
    name: 'Schraubenkontor Emmerich',
    address: 'kontor@emmerich.example',
    category: 'hardware',
    weight: 3,
    goods: goods(`
      590 Wood screws 4 x 40, 100 pieces
      1290 Wall paint sample, harbour grey
      2890 Wall paint, gull white, 5 litres
      740 Sandpaper set
      1990 Spirit level, 60 cm
      390 Wall plugs, 50 pieces
      1150 Wood oil, 500 ml
      860 Paint roller set`),
  },
  {
    name: 'Samen Sonnenuhr',
    address: 'post@samen-sonnenuhr.example',
    category: 'garden',
    weight: 2,
    goods: goods(`
      320 Tomato seeds, Ox Nose
      290 Sweet peas, mixed
      350 Runner beans, scarlet
      1890 Seed potatoes, floury, 5 kg
      2450 Hedge shears
      990 Compost, 40 litres
      1290 Gloves, thorn proof
      480 Garlic for planting`),
  },
  {
    name: 'Fährlinie Tante Frieda',
    address: 'ticket@tante-frieda.example',
    category: 'travel',
    weight: 3,
    goods: goods(`
      1450 Ferry ticket, single
      2600 Ferry ticket, return
      400 Bicycle supplement
      350 Pea soup on board`),
  },
  {
    name: 'Bahnkontor',
    address: 'reise@bahnkontor.example',
    category: 'travel',
    weight: 3,
    goods: goods(`
      2990 Saver ticket Möwenhafen to Hamburg
      5490 Day ticket, region
      450 Seat reservation
      3890 Ticket Hamburg to Kranichsund, return`),
  },
  {
    name: 'Apotheke zum Anker',
    address: 'vorbestellung@apotheke-anker.example',
    category: 'health',
    weight: 2,
    goods: goods(`
      690 Throat pastilles, sage
      1290 Magnesium, 60 tablets
      850 Plasters, assorted
      1490 Knee bandage, medium
      420 Nasal spray, sea water
      990 Hand cream for glass workers`),
  },
  {
    name: 'Wollweberei Tidemark',
    address: 'yarn@tidemark.example',
    category: 'clothing',
    weight: 2,
    goods: goods(`
      8900 Pullover, fisherman rib, navy
      2490 Bobble hat
      3890 Scarf, three stripes
      1490 Wool socks
      990 Yarn, undyed, 100 g`),
  },
  {
    name: 'Teekontor Nebelbank',
    address: 'tee@nebelbank.example',
    category: 'groceries',
    weight: 3,
    goods: goods(`
      890 East Frisian leaf, 250 g
      1290 Sencha, 100 g
      650 Rock sugar, brown
      1490 Smoked tea, 200 g
      720 Ginger biscuits
      560 Peppermint, loose`),
  },
  {
    name: 'Lichtspiel Möwenhafen',
    address: 'kasse@lichtspiel.example',
    category: 'leisure',
    weight: 2,
    goods: goods(`
      850 Ticket: Herring Summer
      850 Ticket: Nine Kinds of Rain
      850 Ticket: Two Umbrellas
      850 Ticket: Dear Barometer
      420 Popcorn, salted
      390 Elderflower lemonade`),
  },
  {
    name: 'Pizzeria Ankerkette',
    address: 'bestellung@ankerkette.example',
    category: 'food delivery',
    weight: 3,
    goods: goods(`
      1050 Pizza with sardines and capers
      950 Pizza with potatoes and rosemary
      1150 Pizza with artichokes
      480 Green salad
      590 Tiramisu
      320 Blood orange soda`),
  },
]
