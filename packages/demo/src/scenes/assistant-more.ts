/** More conversations with the assistant, in the same format. */
export const assistantTalkMore = `
@ any max:3
# Tide tables without tears
a: Explain springs and neaps to Bastian, who is nineteen and has a boat trip to {site} on {day}.
b: Tell him this: the moon pulls, the sun pulls, and twice a month they pull in the same direction. // **Springs** come a day or two after new and full moon. High water is higher, low water lower, and everything moves faster. ¶**Neaps** come after the half moons. Less range, less current, more time. // For a landing at {site} he wants neaps, and the half hour around slack water. If the table says low water at {n:6-9}:{n2:10-50}, he should be tied up ten minutes before and gone forty minutes after.
a: He asks why it is not at the same time every day.
b: Because the moon does not wait for us. While the earth turns once, the moon moves on, and it takes about fifty minutes more to catch up. So each high water comes about fifty minutes later than yesterday. // He can check it against his own notes from last week; being able to predict one number usually convinces people more than the drawing.
a?: He predicted it to within {n3:3-19} minutes and is unbearable.
b?: Let him be unbearable for a day. Then show him what wind from the north-west does to the same prediction.
---
@ any max:12
# Packing list for {site}
a: {n:2-5} days at {site}, {n2:60-214} steps, no shop, {weatherwork} forecast. What do people forget?
b: In my reading, the same six things: // 1. A second pair of dry socks *per day*. ¶2. Tape: electrical, duct and masking. ¶3. A pencil. Pens dislike damp. ¶4. A head torch with fresh batteries, even in June. ¶5. Something sweet for the keeper. ¶6. A bag for the rubbish, since there is no collection on a rock. // And the classic: the {tool}. Put it in the bag now, before you read on.
a: It was not in the bag.
b: It never is. Hang it on the door handle tonight. // One more: write down the serial numbers of what you mount *before* you climb. Reading a plate behind the {part} with a mirror is a small tragedy.
a?: And for {n3:2-4} people to eat?
b?: Per person and day: 100 g oats, 150 g pasta or rice, a tin of something, 60 g of cheese, two apples, and chocolate without arithmetic. Add one day for weather.
---
@ any max:3
# Is this mail too sharp?
a: "Dear {clientperson}, as I wrote twice, we cannot start without the signed {doc}." Too sharp?
b: A little. "As I wrote twice" is true, and it is the only part they will remember. // Try: "Dear {clientperson}, we are ready to start. The one thing missing is the signed {doc}; with it we can be at {site} on {day}." // Same facts. Theirs is the next move, and it leads somewhere pleasant.
a: [And if they still do not sign?|I enjoyed the sharp one.|Sent yours.]
b: [Then telephone. A third mail teaches people that mails can be waited out.|Keep it in a drawer. Some people have a whole drawer, and it does them good.|I hope they sign before {day}. If they do, thank them in one line on the same day.]
a?: They signed, with a drawing of a lighthouse next to the name.
b?: Then you have a signature and a fan. Frame neither, file both.
---
@ any max:2
# Names for [a van|a boat|a sourdough|a tomato plant|a cabbage]
a: It needs a name. We are a lighthouse workshop, the humour is dry, Imke has a veto.
b: A short list with reasons: // - **Gertrud.** Sounds as if it had always been there. ¶- **Occulting.** A light that is more on than off. Good for something reliable. ¶- **Fixed White.** For anything that is neither. ¶- **Sister Act.** No. I withdraw it before Imke does. ¶- **Nearly.** You told me about Jonas. // My vote is Gertrud; a name should survive being shouted across a yard.
a: [Imke vetoed Gertrud. It is her mother.|"Nearly" won by {n:5-9} to {n2:2-4}.|Bastian wants "Speedy".]
b: [Then Gertrud was well chosen and must be retired with honours. "Fixed White" is next in line.|A landslide. I hope Jonas was told gently.|Give Bastian naming rights for the trailer. "Speedy" on a trailer is actually funny.]
---
@ any max:2
# What does this old log entry mean
a: From the {site} log, 19{n:02-38}: "Wind NW {n2:6-10}. Lamp trimmed at 2. Gull in. Gull out. Wrote to M. again." What should I make of it?
b: Four facts and one story. // **Wind NW {n2:6-10}**: a hard night, Beaufort scale. ¶**Trimmed at 2**: an oil lamp, wick shortened by hand, so before electrification. ¶**Gull in. Gull out.**: panes broke in gales when birds were drawn by the light. Here the pane seems to have been open, or the gull lucky. ¶**Wrote to M. again**: the word *again* is the story. // If the log continues, look for the next supply boat. Letters left with it, so the answer, if there was one, came with the boat after.
a: The boat came {n3:9-40} days later. The entry says: "M. says yes."
b: Then somebody trimmed a lamp in a gale, evicted a gull and waited {n3:9-40} days. I would put exactly these lines on the wall of the exhibition, without any comment.
---
@ any max:2
# Spreadsheet: {task}
a: Column A has dates, B hours, C site names with typos ("{site}", "{site} ", "{site2}?"). I need hours per site and month. I know SUM and fear.
b: You need three steps and no new fear. // 1. **Clean.** In D1 write =TRIM(SUBSTITUTE(C1,"?","")) and fill down. That removes spaces and question marks. ¶2. **Month.** In E1 write =TEXT(A1,"yyyy-mm") and fill down. ¶3. **Pivot.** Select everything, Insert, Pivot table: rows D, columns E, values sum of B. // If one site still appears twice, there is a typo that trimming cannot see. Sort by D and look at the neighbours; typos live next door to the truth.
a: It works! {site} has {n:40-190} hours, {n2:2-9} more than I billed.
b: Check whether those {n2:2-9} are travel. If they are, your offer should say whether travel counts, and next time it will. // And keep the sheet: one row a day is the cheapest memory there is.
---
@ any max:3
# Sleep, again
a: I wake at {n:3-5} and think about the {part} of {site}. Tips that are not "avoid screens".
b: Then none of those. // **Keep paper by the bed.** Write the thought in one line and the *first step* in a second. The mind lets go of what it trusts will be found again. ¶**Get up after twenty minutes.** A dull chair, a dull book, dim light. Bed should not become the place where you work on lenses. ¶**Same rising time,** also on Sunday. It is the only lever that reliably moves the rest. // If it goes on for more than a month, or you are worn out by day, please talk to a doctor; it is common and treatable.
a: [The line said "ask Anneke". I asked. It is solved.|The dull book was too good.|The cat took the chair.]
b: [Then the night was worth one line.|Try tender documents. I say this with respect for your trade.|Naturally. Cats hold that all chairs are theirs and most are on loan.]
---
@ any max:3
# Train to [Kranichsund|Hamburg|the ferry], with an accordion
a: How do I travel with {n:9-11} kg of accordion, a backpack and dignity?
b: In this order: backpack on your back, accordion on your front, dignity at home. // - Book a seat next to the luggage shelf and put the case *standing*, bellows closed, strap buckled. ¶- Never leave it in the sun or by the heater; wax softens from about 40 degrees, and reeds fall like teeth. ¶- Change trains with at least {n2:9-15} minutes. ¶- If somebody asks you to play, you decide before the journey what you will say.
a: Somebody asked.
b: And?
a: I played {n3:8-32} bars. A child danced. The conductor looked away on purpose.
b: Then the dignity was in the case after all.
---
@ any max:3
# Two truths about [bronze|crown glass|linseed putty|mercury floats|clockwork]
a: For the school visit on {day}: two things children remember about it, and one they can try.
b: **One.** Tell them how long it lasts: the {part} of {site} is older than anybody's great-grandmother and still at work. ¶**Two.** Tell them what it dislikes. Children understand materials through dislikes: salt, hurry, fingerprints. ¶**To try.** A drop of water on a coin as a lens: it makes the date bigger. Then ask what happens with a bigger drop. // Keep it to {n:8-15} minutes, and let somebody ring the bell at the end. There should always be a bell.
a: Bell organised. {n2:14-28} children, {n3:1-3} drops on my shirt.
b: A low figure. Write down the best question they asked; it is usually better than the ones in the trade journal.
---
@ any max:12
# Cheer me up, it is {day}
a: {Weather}, {reason}, and I {mistake}. Cheer me up in under {n:60-120} words.
b: A keeper once wrote in his log, under "remarks": *Nothing happened, and it was very well done.* // By that measure you have had a remarkable day: rain was endured, a plan bent without breaking, and a mistake was made so cleanly that it will be told for years. Somewhere at this moment a light you repaired is going round, and a person you will never meet is steering by it, thinking of supper. // Have {cake}.
a: [I had {cake}.|That worked, annoyingly.|I am stealing "very well done" for the wall.]
b: [Then the remarks column is complete.|It is the cake. It is always the cake.|It is yours. Frame it crooked, so that it has something to do.]
---
@ any max:3
# Understand my [electricity|heating|insurance|telephone] bill
a: It says {eur:38-190} euros a month, last year {eur:30-160}. Three pages, no reason. What do I look for?
b: Three numbers, usually on page two: // 1. **The basic charge** per month. If it rose, everybody's did. ¶2. **The unit price.** Compare it with last year's letter, not with memory. ¶3. **Your use.** Look at the *period*: twelve months against thirteen explains many shocks. // If the use rose without a reason, read the meter on two evenings, {n:6-8} days apart, and multiply. Meters are seldom wrong, but estimates often are.
a: It was an estimate. They assumed {n2:4-7} people live here.
b: Then send the real reading with a photograph, ask for a corrected bill, and mention that the other residents are one cartographer and one cat. A factual letter; the humour may stay in the photograph.
---
@ any max:3
# Help with a toast
a: {n:45-90} seconds for [Imke's anniversary|Anneke's twenty years with us|Jonas's birthday|Lev's return from {site}]. True, warm, one joke.
b: Build it from one small scene rather than from adjectives. // "The first thing I learned from you was where the good {tool} is kept. It took me {n2:2-9} weeks to notice that you had been putting it back on my bench every evening. That is how you run everything here: nobody sees it, and all of us find what we need. // I have only one complaint. In all these years you have never once let me make the {cake}. Having tasted mine, I understand. // To you." // About {n:45-90} seconds if you pause before the last line.
a: [They cried, I cried, Lev sang.|Changed the tool to the kettle.|What if I cannot finish?]
b: [Then it was finished properly.|Even better. A kettle everybody can see.|Then lift the glass. Everyone will take over; that is what a toast is for.]
---
@ any after:2026-03-20 max:3
# Compare: {plant} from seed or from {shop}
a: Balcony at Leuchtgasse, wind from the west, {n:2-5} pots. Seed or plants for {plant}?
b: For {n:2-5} pots, buy one good plant and sow the rest beside it. You have something green by Sunday and something to wait for. // **Wind** is your real opponent. Low, heavy pots, a slatted screen rather than a solid one, and tie early. ¶**Water** in the morning, until it runs out below, then not again until the top is dry. ¶**Salt** in the air burns soft leaves. Rinse them after a storm, as you would a window.
a: [It lives.|The wind took the screen.|The gulls took the labels.]
b: [Good. Do nothing for {n2:5-9} days, that is the hard part.|Slats wider apart, and screwed, not tied. If air can pass, force does not gather.|Then the gulls know what is planted where, and you do not. Draw a plan.]
---
@ any max:1
# 手紙を直してください
a: 星沢さんに書きたいです。「先週はありがとうございました。プリズムはとてもきれいです。また行きたいです。」これでいいですか。
b: とても良いです。少しだけ自然にしましょう。 // 「先週は大変お世話になりました。プリズムはとてもきれいで、皆も喜んでいます。またぜひ伺いたいです。」 // - **お世話になりました** fits a supplier better than a plain thank-you. ¶- **で** joins the two halves, so it reads as one breath. ¶- **伺いたい** is the humble form of 行きたい; she will notice and be pleased.
a: 「伺う」は難しいです。
b: 大丈夫です。「行きたいです」も正しいです。But try it once: people forgive mistakes in humble forms, because the effort is the message.
---
@ any max:1
# Backups for people who paint lenses
a: All our photos of {site} are on one laptop. It fell off the {thing} today, and survived. What is the least I should do?
b: The least is three copies, two kinds of place, one of them elsewhere. // **Today:** copy everything to a disk and put it in a drawer in another building. ¶**This week:** switch on automatic copying for the folder, and check on {day} that it really ran. ¶**Each quarter:** open {n:5-12} random pictures from the copy. A backup that nobody has opened is a rumour. // It will cost about {n2:60-140} euros and one evening. You have just been given the warning for free.
a: Done. {n3:4000-19000} pictures, {n4:2-9} of them of cake.
b: Keep those. In twenty years somebody will want to know what the workshop ate.
---
@ any max:3
# Knots, quickly
a: I have to hoist the {part} ({n:12-60} kg) up the outside of {site} and I remember one knot.
b: Please do not do this with one remembered knot. // **Before anything else:** loads over people need a rated sling, a rated line and somebody trained in rigging. For {n:12-60} kg at height that is not pedantry. // **For your understanding:** a *bowline* makes a loop that does not slip; a *round turn and two half hitches* fastens to a rail; a *prusik* grips a line and can be your second safety. Tie each {n2:10-30} times at the table until your hands answer before you do. // Lev has the certificate, you told me. Let Lev rig, and hold the tag line yourself.
a: Lev rigged. I held the tag line. It went up like a lift.
b: That is what good rigging looks like: nothing to tell afterwards.
`
