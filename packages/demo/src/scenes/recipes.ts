/** dish | servings, origin | ingredients | steps | remark */
const lines = `
Lentil soup with cumin | 4, Mum's, adapted | 300 g brown lentils, 2 onions, 3 carrots, 1 tsp cumin, half a lemon | Onions slowly, cumin for a minute, everything else and a litre and a half of water, 35 minutes. Blend half. Lemon at the very end. | Freezes well. Label it, last time we had "mystery brown".
Mushroom barley | 3, from the back of the barley bag | 200 g pearl barley, 400 g mushrooms, 1 leek, thyme, a glass of white wine | Fry the mushrooms hard and alone. Leek, barley, wine, then stock by the ladle for 40 minutes. | Caspar calls it risotto for people with time.
Miso aubergine | 2, Keiko's | 2 aubergines, 3 tbsp white miso, 1 tbsp honey, sesame | Halve, score, oil, 25 minutes at 200 degrees. Brush with miso and honey, five more minutes under the grill. | みそなす. She says less honey. I say more.
Leek and potato pie | 6, Agnes Tallow, 1979 | 1 kg floury potatoes, 4 leeks, 250 ml cream, short pastry | Slice, layer, salt every layer, pastry on top with a hole for the steam. 70 minutes at 180. | Do not open the door. She can tell.
Squash gnocchi | 4, invented in October | 600 g roast squash, 250 g flour, 1 egg, sage, butter | Squash must be dry, dry, dry. Roll, cut, boil until they float, then brown in butter with sage. | First batch was soup.
Chickpea stew with lemon | 4, Omar's aunt | 2 tins chickpeas, 1 preserved lemon, spinach, turmeric, garlic | Garlic and turmeric in oil, chickpeas, water to cover, 20 minutes, spinach, chopped lemon. | شكراً لخالة عمر
Herring salad | 5, Imke | 6 salted herrings, 3 beetroots, 2 apples, 1 gherkin, sour cream | Everything in small dice, overnight in the cold. | Pink. Proudly pink.
Spinach börek | 6, market stall, decoded | 600 g spinach, 200 g feta, filo, nutmeg, egg wash | Squeeze the spinach as if it owed you money. Roll long, coil, 35 minutes at 190. | Eleni: "yours is a spanakopita with a passport".
Tomato tarte tatin | 4, Chloé | 1 kg small tomatoes, puff pastry, sugar, balsamic, thyme | Caramel in the pan, tomatoes round side down, pastry over, 30 minutes at 200, turn out with courage. | Plot 31 tomatoes. Turned it out onto the cat's chair once.
Black bean chilli | 8, Tomasz, before long runs | 500 g black beans, 2 peppers, smoked paprika, 20 g dark chocolate | Soak, simmer two hours, chocolate last. | 28 km the next day, no complaints.
Potato pancakes | 4, Frau Nebelhorn, through the wall | 1 kg potatoes, 1 onion, 2 eggs, salt, apple sauce | Grate, squeeze, fry in too much oil. | She smelled them and knocked. Now we make double.
Saffron rice | 4, Priya | 300 g basmati, a pinch of saffron, cardamom, almonds | Wash the rice five times. Steam under a cloth, 18 minutes, hands off. | ढक्कन मत खोलना! (do not lift the lid)
White bean soup | 5, Dad's shed version | 400 g white beans, rosemary, 1 ham bone or a parmesan rind, garlic | Two and a half hours on the stove in the shed. Or in a kitchen, if you must. | Tastes of telescope.
Okonomiyaki | 2, Misakiura Inn | Half a cabbage, 150 g flour, 2 eggs, spring onion, mayonnaise, nori | Batter just enough to hold the cabbage. Lid on, turn once, believe. | お好み焼き. Lamp the cat watched the whole lesson.
Cauliflower curry | 4, Priya and me | 1 cauliflower, 1 tin coconut milk, ginger, mustard seeds, peas | Roast the cauliflower first. Mustard seeds until they jump, then the rest, 15 minutes. | Better than the photo.
Beetroot dumplings | 4, Lev's grandmother | 500 g flour, 1 egg, 3 beetroots, dill, sour cream | Pleat badly, nobody looks. Boil six minutes. | Лев плакал (from onions, he says).
Mackerel on toast | 2, Tuesdays after accordion | 2 smoked mackerel, rye from Krümel, horseradish, apple | Mash, pile, eat standing up. | Twelve minutes from door to plate.
Onion soup | 4, Brittany, rain | 1.5 kg onions, cider, thyme, bread, hard cheese | One hour for the onions. One hour! | « Une heure ! » says Chloé, « et pas de téléphone. »
Green curry | 6, Niran's mother | Paste (hers), 2 tins coconut milk, Thai basil, small aubergines | Split the coconut cream first, fry the paste in it, then slowly the rest. | แกงเขียวหวาน. Mine is 40 percent as good. She said 50.
Apple and cheese toasties | 2, invented at 23:00 | Bread, sharp apple, sharp cheese, mustard | Pan, lid, patience. | The Admiral got nothing and will remember it.
Plum dumplings | 4, Frieda, as peace offering | 700 g potatoes, 150 g flour, 12 plums, sugar cubes, buttered crumbs | Stone out, sugar in, dough round, ten minutes in barely moving water. | Bodo ate nine.
Pea soup | 6, for after the marathon | 500 g split peas, celeriac, carrots, marjoram | Two hours, stir from the bottom. | 27 September. Best meal of my life.
`

export const recipes: { title: string; body: string }[] = lines
  .trim()
  .split('\n')
  .map((line) => {
    const [title, serves, needs, how, remark] = line.split(' | ')
    return { title: title!, body: `For ${serves}.\n\n**You need** ${needs}.\n\n${how}\n\n> ${remark}` }
  })
