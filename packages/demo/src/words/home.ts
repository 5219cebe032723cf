const list = (text: string) =>
  text
    .split('/')
    .map((word) => word.trim())
    .filter(Boolean)

/** Words about the home, the town and the family. */
export const homeWords: Record<string, string[]> = {
  dish: list(
    'lentil soup with cumin / mushroom barley / miso aubergine / leek and potato pie / squash gnocchi / chickpea stew with lemon / herring salad / spinach börek / tomato tarte tatin / black bean chilli / potato pancakes / saffron rice / white bean soup / okonomiyaki / cauliflower curry / beetroot dumplings / mackerel on toast / onion soup / green curry / apple and cheese toasties',
  ),
  plant: list(
    'tomatoes / sweet peas / runner beans / the fig / chard / dahlias / courgettes / thyme / the monstera / leeks / garlic / lavender / the lemon tree / kale / nasturtiums / potatoes',
  ),
  veg: list(
    'leeks / courgettes / beetroot / kale / runner beans / potatoes / tomatoes / pumpkin / cabbage / chard / mushrooms / parsnips',
  ),
  film: list(
    'The Last Signal Box / Herring Summer / Two Umbrellas / A Train to Nowhere Much / The Understudy of Trieste / Moth Season / Dear Barometer / The Quiet Ferryman / Nine Kinds of Rain / Grandfather Volcano / The Lighthouse Twins / Soup for Strangers',
  ),
  weather_any: list(
    "it has rained since Tuesday / the sea is flat as slate / the wind took the neighbour's parasol / fog until noon / there was a double rainbow over the gasworks / the gulls are walking / the tide came up to the third step",
  ),
  weather_winter: list(
    'we had hail the size of peas / the first frost came back / the snow lasted an hour / the harbour has a skin of ice / the storm moved a bench / it was dark at four',
  ),
  weather_summer: list(
    'it was warm enough for bare feet / it is hot enough to fry a gull / the evening went on for ever / a warm wind from the south / thunder, but only far out',
  ),
  town: list(
    'Porthwrinkle / Kranichsund / Möwenhafen / Alderbrook / Saint-Ombre / Vila Névoa / Grauwiek / Thistlemouth / Lower Fenwick / Marlsund',
  ),
  shop: list(
    'the market / Bäckerei Krümel / the hardware shop / the fish truck / the library / the paper shop / the tailor / the bike workshop / the garden centre / the flea market',
  ),
  thing: list(
    'the blue cardigan / your umbrella / the big pot / the second key / the folding chairs / the spare bulb / the board game with the missing otter / the travel adapter / the sewing box / the picnic blanket / the old camera / the jam jars / the ladder / the tent poles / a single glove / the good scissors',
  ),
  gossip: list(
    'the choir has split over a descant / the mayor adopted a goose / Mrs Pilchard has taken up parkour / the ferry is painted orange now / somebody knitted a hat for the statue / the bakery will open on Sundays / the vicar came third in the chess / the swimming pool found its ghost (a filter) / the post office sells eggs / the twins next door have a drum kit / the crossing got a new lollipop man / the old cinema reopens in spring',
  ),
  ailment: list(
    'a cold / a stiff neck / hay fever / a tooth / the back again / a twisted ankle / a cough / too much cake',
  ),
  weekend: list(
    'this weekend / next weekend / on the 12th / on Saturday / on Sunday / the weekend after next / over the holidays',
  ),
  feeling: list(
    'delighted / tired but happy / cross, briefly / oddly calm / proud / homesick for an hour / relieved / soaked / full of plans / hungry',
  ),
  kidthing: list(
    'rolled over / discovered her feet / slept four hours in a row / laughed at the kettle / refuses all hats / sprouted a tooth / said something like "boat" / ate a whole banana / waved at a bin lorry / has opinions on socks',
  ),
  friendname: list(
    'Wilhelmina / Leopold / Roisin / Tobias / Giulia / Amara / Florian / Ute / Percival / Anneke / Tomasz / Imke / Sigrid / Bastian',
  ),
  hobby: list(
    'the choir / pottery / birdwatching / the crossword / sourdough / swimming in the sea / the telescope / model boats / watercolours / the allotment / chess by post',
  ),
  bird: list(
    'an oystercatcher / two cormorants / a heron / a very large gull / a wren / a kestrel / a line of geese / a hoopoe, I swear / a sandpiper',
  ),
  fest: list(
    'the herring festival / the lantern walk / the flea market / the regatta / the open studio day / the harvest supper / the street concert / the book fair / the pancake race',
  ),
  artist: list(
    'The Foghorn Sisters / Orchestre du Vieux Bassin / Los Percebes Lentos / Kettle & Moth / Nachtfähre / Hoshi no Heya / The Borrowed Cardigans / Tante Ilse Trio',
  ),
  proverb: list(
    'a kettle watched is at least company / nobody ever regretted a second scarf / soup forgives / the tide does not read the timetable / measure twice, shout once / a short letter beats a long silence / you can only eat the pie you have',
  ),
  mistake: list(
    'put salt in the coffee / went to work in two different shoes / called the dentist "mum" / stood outside in slippers without a key / posted a parcel to the wrong lighthouse / watered the plastic fern for a month / boarded the wrong ferry',
  ),
}
