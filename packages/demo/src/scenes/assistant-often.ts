/** Questions that she asks repeatedly. The slots make each conversation different. */
export const assistantTalkOften = `
@ any max:12
# Poem about {bird}
a: Four lines about {bird}, for {room}. It must rhyme, and it must mention {cake} or {thing}.
b: For {room}, then: // *It came at {clock}, {bird}, with the air ¶of somebody who was promised {thing}; ¶it took one look at us, at {cake}, at the chair, ¶and left what it left, and was off on the wing.* // The third line is long on purpose. It is looking round.
a: [Shorter third line.|Imke likes it. It is up in {room}.|Something more dignified, it is for {client}.]
b: [*"it studied us, {cake}, and chair"*. Now it hurries, which suits the bird less but the ear more.|Then it has found its wall. Date it, {day} will do.|*Above the light at {site} it hung, ¶as still as any bell unrung; ¶we watched until the beam came round, ¶and it was gone without a sound.*]
---
@ any max:12
# Present for {friendname}
a: {Friendname} has a birthday on {day}. Budget {n:15-60} euros. Likes {hobby}, dislikes clutter, already owns {thing}.
b: Three ideas that leave no clutter: // **To use up:** something for {hobby} that runs out, about {n2:10-25} euros. Ask at {shop}; they know what people come back for. ¶**To go to:** {fest}, or "{film}" with you on {day2}. An evening is the least dusty present there is. ¶**To eat:** {cake}, with a card that says *this is not clutter*. // If you want only one: take the evening. You wrote about {friendname} as somebody you would like to see more often.
a: [The evening it is.|And to go with it, something small?|We did {fest} last year.]
b: [Good. Put the date into the card, or it will stay a kind intention.|A postcard of {site} with the hour written on it. Cost: {n3:1-2} euros, effect: considerable.|Then "{film}". And let {friendname} choose the row.]
---
@ any max:12
# How long does {task} take
a: I promised {task} for {site} by {day}. I have {n:2-6} hours in pieces, {meeting} in the middle, and {reason}. Realistic?
b: Barely, if you do it in the right order. // 1. **First {n2:20-40} minutes:** write the table of contents and the sentence that each part must prove. Nothing else. ¶2. **Before {meeting}:** the part about the {part}, because only you can write it. ¶3. **After {meeting}:** everything that can be copied from {site2}, clearly marked as copied. ¶4. **Last half hour:** numbers, names, dates. Read them aloud. // If step 2 is not finished before {meeting}, tell {client} today that it will be a day later. A warning on the day before costs nothing.
a: [Step 2 took {n3:2-4} hours.|Finished, {n4:6-19} pages.|{Client} moved it anyway.]
b: [Then you know what the next one costs. Note it: "{part}, {n3:2-4} hours". Estimates are memories that somebody wrote down.|Well done. Sleep on it, then read page one only; that is what most people will do.|That happens in about half of all cases. You now have a finished {task}, which is the better half.]
---
@ any max:12
# Argue with me about {film}
a: I say "{film}" is {adjective}. Caspar says it is a masterpiece. Take his side, politely.
b: With pleasure, on his behalf. // You call it {adjective} because little happens in the first {n:20-50} minutes. But look at what is *placed* in that time: {thing}, the weather ({weather}), the aunt who never finishes a sentence. Each of them comes back, and each comes back changed. // The slowness is an agreement: you are asked to notice, and in return nothing is explained. A film that trusts its audience this much is either arrogant or a masterpiece, and arrogance does not usually care about {thing}.
a: [That is exactly what he said, only longer.|The aunt finishes one sentence.|And my side?]
b: [Then he has thought about it, and you owe him {cake}.|At the end, yes. I would say that is the plot.|Your side: "I noticed everything, and it was still {n2:20-40} minutes too long." It cannot be refuted.]
---
@ any max:12
# From {town} to {town2} without a car
a: {Town} to {town2} on {day}, leaving after {clock}, with a bicycle and {thing}. I do not mind changing.
b: I cannot see today's timetable, so please check the times; the shape of it should hold. // - **Ferry, then regional train.** The most beautiful, about {n:3-5} hours. Bicycles cost {n2:4-7} euros and need no booking outside July and August. ¶- **Two trains and a bus.** About {n3:2-4} hours, but the bus takes bicycles only when the driver feels like it. ¶- **Half by bicycle.** {n4:28-60} km along the dyke, then the train. If {weather}, only for people like you. // With {thing} I would take the ferry. There is a rack by the stairs, and soup.
a: [The ferry it was. The soup was {adjective}.|The driver felt like it.|I did the dyke. Do not tell my knee.]
b: [A ferry soup is allowed to be {adjective}; it has the view.|Lucky. Wave to that driver next time.|I shall not say a word to your knee. Stretch on the train, and tell Tomasz before it does.]
---
@ any max:10
# Three words for {site}
a: For the sign at {site}: name, year, and three words in [English|German|French|Spanish|Greek]. {Client} pays per letter, {eur:4-9} euros each.
b: Then let us be brief and good. // 1. "Still. Here. Burning." ¶2. "Look, then steer." ¶3. "Kept by hand." // At {eur:4-9} euros a letter the third is the cheapest *and* the truest: 10 letters, and the word "hand" does the work of a paragraph. In German "Von Hand bewahrt", which costs four letters more and sounds like a promise.
a: [{Client} took the third.|The keeper prefers "Mind the steps".|Can we drop the year?]
b: [Good. Ask for wide spacing: people read a sign at {site} with the wind in their eyes.|The keeper has read more signs than we have. Put it underneath, smaller; it is advice, not poetry.|Please do not. The year (18{n:46-99}, you told me) is the one thing on the sign that nobody can invent.]
---
@ any max:10
# What would you ask {clientperson}?
a: Call with {clientperson} of {site} at {clock}. They want [a cheaper offer|an earlier date|"something digital"|a guarantee of {n:10-30} years]. What do I ask before I answer anything?
b: Four questions, in this order, and then silence: // 1. "What happens if we change nothing?" It shows what they fear. ¶2. "Who else has to agree?" It shows who is really asking. ¶3. "What would you give up for it?" It turns a wish into a choice. ¶4. "When did this become important?" The date usually explains everything. // Write the answers down word for word. In my experience of such texts, the sentence you need for the offer is somewhere in the answer to number {n2:1-4}.
a: [Number 2. There is a new {client}.|Number 4: since the storm.|They asked me the same questions back.]
b: [Then the offer is for somebody who was not on the call. One page, one picture, no jargon.|Then lead with the {part}, and with what it has already survived.|Good clients do. Answer honestly; "{reason}" is a better reason than it sounds.]
---
@ any max:10
# Shopping for {n:4-9} people
a: {Dish} for {n:4-9}, {day} evening, {n2:1-2} do not eat onions. Make me a list I can use at {shop} and the farm box.
b: **Farm box:** {veg}, {veg2}, potatoes (150 g a head), herbs, eggs. ¶**{Shop}:** bread, one good cheese, lemons, something sparkling. ¶**At home already, please check:** oil, salt, cumin, rice. // Without onions, use the white of leeks, or fennel cooked slowly: same sweetness, other family. Make the {dish} for {n:4-9} plus one; someone always brings somebody. // Start at five. Guests at seven means at seven-fifteen, and a cook who is already sitting down looks like a magician.
a: [Somebody brought somebody.|They are out of {veg}.|I sat down at seven. I was a magician.]
b: [Plus one, as ordered. I hope they were nice.|Then {veg3}, the same amount, five minutes longer.|I never doubted it. How was the {dish}?]
`
