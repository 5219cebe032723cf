/** Conversations with an AI assistant: `a` is Mira, `b` the assistant, "¶" a line break. The "#" line is the title. */
export const assistantTalk = `
@ any max:12
# What to cook with {veg}
a: I have too many {veg} and it is {day}. Two people, one cat who is not allowed any. [No oven, it is being rebuilt.|An oven, at last.|Forty minutes at most.]
b: Then three directions, from least to most effort: // **1. {dish}.** The classic answer. Cut everything small, start the onions slowly, and add the {veg} in the last ten minutes so that they keep some bite. // **2. A tray of roast {veg}** with lemon, cumin and whatever cheese is in the house. Twenty-five minutes, almost no work. // **3. Preserve them.** Vinegar, sugar and salt in the ratio 3:2:0.5, boiled for {n:3-9} minutes. They keep for {n2:3-10} weeks in the cold. // For a {day} I would take the first and freeze half.
a: [Caspar dislikes cumin.|And if I have no lemon?|How much per person?|Can I make it the day before?]
b: [Use coriander seed or caraway instead, half the amount. Toast it first: most people who dislike cumin dislike it raw.|A spoon of vinegar at the very end does the same job. Not earlier, or the vegetables stay hard.|About 250 g per person as a main dish, 150 g as a side. Round up, it reheats well.|Yes, and it improves. Leave out fresh herbs until you serve it, and loosen it with a little water.]
a?: [And a drink with it?|What do I do with the stalks?|My sister is coming too, with the baby.]
b?: [Something dry and cold. A cloudy apple juice with sparkling water does it, too.|Slice them thinly and fry them first, they carry more flavour than the leaves.|Keep a small portion aside before salting, mash it with a fork, and let it cool. Babies usually approve of what their parents eat.]
---
@ any max:7
# Explain: {cause}
a: A colleague says our problem is "{cause}". Explain that to somebody who restores lenses for a living.
b: Think of the workshop. You hand a prism to somebody with a note, and the note says where it belongs. The trouble described here is a mismatch between the note and the shelf. // **What happens.** One part of the system believes something that was true earlier. It keeps acting on that belief, and nothing complains, because each part is correct on its own. // **How you notice.** Small absurdities: {bug}. The absurdity is the useful part, because it tells you which belief is old. // **What helps** ¶- Look for the last moment at which everything agreed. ¶- Change one thing and wait. ¶- Write down what you expected before you look. // A good first question to your colleague: "what would we see if it were *not* that?"
a: [He did not like the question.|And how do I test it without breaking {site}?|Is it our fault or the vendor's?]
b: [That is often a sign that it was a good one. Ask it again with {cake}.|Use the bench unit. Bring it into the same state (version {version}, same settings, clock set {n:2-60} minutes back) and repeat what the station did. If it misbehaves you have it; if not, the difference between bench and station is your next clue.|Usually both, in this order: the vendor allowed it, and we relied on it. For the report, describe the chain and leave the word "fault" out.]
a?: Write me [two sentences for the client|a line for the release notes|a kind reply to him].
b?: [Two sentences: "We found the reason for the unusual readings and corrected it in {version}. Your lamp was never affected, only our description of it."|"Fixed: in rare cases {bug}."|"You were right to suspect it, and I would like to see it fail once before we fix it. Shall we try on the bench on {day}?"]
---
@ any max:12
# Letter to {client}
a: I need to tell {client} at {site} that we are {n:1-5} weeks late because {reason}. Friendly, honest, short. No "unfortunately".
b: Here is a version: // "Dear colleagues, ¶we need {n:1-5} more weeks for the {part}. The reason is simple: {reason}. Nothing is lost, the {part} is safe in our workshop, and we would rather give it back late than twice. You will hear from me every {day} until it is done. ¶With best wishes, ¶Mira Tallow" // I put the new date first, the reason second, and gave them something regular to rely on. That tends to matter more than the apology.
a: [Too casual for a ministry.|Make it {n2:40-70} words.|Now in German, please.|I like it. Stronger opening?]
b: ["Dear Sir or Madam, ¶we write to inform you that the restoration of the {part} will require {n:1-5} additional weeks. The cause is known and contained. We will report weekly until completion."|"The {part} needs {n:1-5} more weeks: {reason}. It is safe with us, and we prefer late to twice. You will hear from me every {day}. Mira Tallow"|„Sehr geehrte Damen und Herren, für die Arbeiten benötigen wir {n:1-5} Wochen mehr. Das Teil ist sicher bei uns, und wir geben es lieber spät zurück als zweimal. Sie hören jede Woche von mir. Mit freundlichen Grüßen, Mira Tallow“|"You trusted us with the {part}, so you should hear this from us first." It names the relationship before the problem.]
a?: Sent. They answered within an hour and were [kind|relieved|not kind, but fair].
b?: That is a good result. If you keep the weekly note short (three lines: done, next, date), you will hardly ever need a letter like this again.
---
@ any max:6 after:2025-11-14 before:2026-05-01
# Quiz me on Japanese [particles|numbers|politeness|verbs]
a: Quiz me, five questions, A1, one at a time please, and be strict about は and が.
b: 第一問。Fill in the particle: 灯台___見えます。(The lighthouse can be seen.)
a: [は?|が!|を…?]
b: [Not quite: が. With 見える the thing seen is the subject: 灯台が見えます。は would work only if you contrasted it with something else you cannot see.|正解です。が, because 見える describes what comes into view by itself. // 第二問。猫___船に乗りました。(It was the cat who boarded the ship.)|を marks the object of an action, but 見える is not an action you do. 灯台が見えます。Try this: 音楽___聞こえます。]
a: が again?
b: 正解!Three in a row and I would call it a habit. // 第{n:3-5}問。毎週木曜日___日本語___勉強します。 // Hint: the first is a time, the second is what you study.
a: に and を.
b: 完璧です。木曜日**に**日本語**を**勉強します。Since 毎週木曜日 is a repeated time, many speakers drop the に; both are fine. // Score: {n2:3-5} of 5. Your weak spot is still the cat.
---
@ any max:7
# Plan a weekend in {town}
a: {Weekend} in {town}, Caspar and I, by train or ferry, [rain likely|budget {n:150-400} euros|no museums]. One lighthouse at most, he says.
b: One lighthouse at most, noted with sympathy. // **Saturday** ¶- Morning: {fest} if it is on, otherwise the market. Buy lunch there. ¶- Afternoon: the coast path, {n2:6-14} km, with a bench about every kilometre. ¶- Evening: something with {dish} on the menu; book, there are few tables. // **Sunday** ¶- Late breakfast. ¶- Caspar's choice: the harbour office shows charts on request. ¶- Your choice: the light. It closes at {clock}. // Cost for two, without the ride: about {n3:120-260} euros. If {weather}, swap the path with the old cinema.
a: [What if the ferry is cancelled?|Which day for the lighthouse is quieter?|Is there a good soup?]
b: [Then take the last train, or stay: a Sunday night costs about {n4:58-96} euros and is usually free. Keep Monday morning light.|Sunday, in the last hour. Families leave before five, and the low sun is on your side.|There is always a good soup near a harbour. Look for the place with the foggy window and no pictures on the menu.]
a?: Booked. He found out about the second lighthouse on the way.
b?: Then call the second one "a white building with a view" and see whether he notices. Have a good trip.
---
@ any max:3
# Why does my [sourdough|fig|monstera|tomato|lemon tree] look like that
a: It looks {adjective}. Since {day}. [Brown edges.|Flat as a map.|It leans.|Sticky.]
b: Most likely water, then light, then hunger, in this order. // **Check first** ¶1. Finger into the middle, two knuckles deep. Wet means wait; dry means drown it once and let it drain. ¶2. How far from the window? Over two metres counts as dark. ¶3. When did it last get food or fresh soil (or flour)? // If it is [brown at the edges|flat|leaning|sticky], I would move it {n:1-3} metres, wait {n2:4-10} days and change nothing else. People usually change three things at once, and then nobody learns anything, least of all the plant.
a: [Moved it. The cat now sleeps where it stood.|It is worse.|It is better!]
b: [Then everybody has gained. Check the new place for draughts in the evening.|Send me the symptoms again: colour, firmness, smell. Worse within two days usually means roots, so lift it out gently and look.|Good. Leave it alone now; that is the hardest part.]
---
@ any max:12
# [Rewrite|Shorten|Check] my text about {site}
a: Please [shorten|check|improve] this: "The {part} of {site}, which was built in the year 18{n:46-99}, and which has been subject to the influence of the weather, is in a condition that can be described as {adjective}."
b: "The {part} of {site}, built in 18{n:46-99}, has weathered and is in {adjective} condition." // What I did: one verb instead of four, the date as an aside, and no "can be described as" (you are describing it, so describe it). If the reader must act, say so at once: "It should be replaced before winter."
a: [More warmth, it is for a leaflet.|And in {n2:6-9} words?|The heritage office likes long sentences.]
b: ["For more than a century the {part} of {site} has looked the weather in the eye. It shows. Help us to keep it looking."|"{Site}: old {part}, hard weather, {adjective} state."|Then give them one long sentence, and put the decision in a short one after it. They will quote the short one.]
a?: Used the leaflet one. Omar cried a little.
b?: Then it is done. Keep the other version for the file.
---
@ any max:7
# {Hobby} for beginners
a: I would like to understand {hobby}, well enough to [talk to Dad about it|start in spring|buy a present]. Where do I begin?
b: With the smallest version that is still the real thing. // **First evening.** Borrow, do not buy. Ask whoever you know what they wish they had not bought. ¶**First month.** Twenty minutes, three times a week. Write one line after each. ¶**First doubt.** It comes at about week five, when you can hear or see how bad you are. That is progress in your ear, not a loss in your hand. // **Cost.** {n:20-120} euros are enough for half a year. Anything dearer can wait until you know what annoys you. // For a conversation, three good questions: How did you start? What do people get wrong? What do you do on a bad day?
a: [He talked for two hours.|I lasted five weeks, as predicted.|What would be a good present?]
b: [Then the questions worked. You now know more about {hobby} than most people, and more about him.|Then this is the week to do half as much and not stop. Ten minutes count.|Something that gets used up: good paper, fresh strings, seeds, a year of the magazine. Equipment is personal, supplies are a kindness.]
---
@ any max:12
# Numbers for {task}
a: {n:3-9} people, {n2:4-12} days, {eur:38-62} euros an hour, 7.5 hours a day, plus {n3:8-18} percent for weather. And {eur:300-1900} for the boat. Walk me through the sum.
b: Step by step, so that you can change any of it: // 1. Hours: {n:3-9} people × {n2:4-12} days × 7.5 hours. ¶2. Labour: those hours × {eur:38-62} euros. ¶3. Weather: {n3:8-18} percent of the labour only, not of the boat. The boat costs the same in the rain. ¶4. Add the boat, {eur:300-1900} euros. // Put the percentage in its own line in the offer. Clients argue about totals, but they rarely argue about weather, and {site} has plenty.
a: [They will ask why weather is a cost.|Should I round?|And if it stays dry?]
b: ["Because on {n4:2-5} of 10 days at {site} nobody may stand on the gallery, and we pay people to wait safely." Add the figures of last year.|Round the total up to the next fifty and show the lines exactly. A total that ends in odd cents looks either careful or nervous.|Then credit half of it back. It costs you little, and they will remember it at the next tender.]
---
@ any max:12
# Help me decide: {thing} or [a new one|nothing|repair]
a: {Thing} is broken. New: {eur:30-240} euros. Repair: {eur:12-90} and a trip to {shop}. Or I live without it. You decide, I have decided enough today.
b: Repair it. // The reasons, briefly: you named it with its article, as one does with things that belong to the household; the trip to {shop} takes you past the water; and a new one would have to be chosen, which means more deciding. // If the repair costs more than half of a new one, ask again tomorrow morning. Nothing about this gets worse overnight.
a: [Repaired. The man told me his life.|It cost more than half.|I lived without it for a day and noticed nothing.]
b: [That is usually included in the price.|Then you have learned what it is worth to you. I would still do it, once.|Then you have the answer, and an empty shelf. Enjoy the shelf.]
---
@ any max:3
# Traduction et ton : [un mot à Chloé|une carte|une invitation]
a: Je voudrais écrire à Chloé pour {n:1-3} choses : la remercier, l'inviter samedi, et ne pas parler du fromage. Corrige mon français, s'il te plaît : « Je suis très excitée de te voir bientôt. »
b: Une petite prudence : « excitée » peut prêter à sourire. Mieux : « J'ai hâte de te voir » ou « Je me réjouis de te voir bientôt ». // Proposition complète : // « Ma Chloé, merci pour ta lettre, je l'ai lue {n2:2-4} fois. Viens nous voir, le lit est fait et le chat est prévenu. J'ai hâte. Mira » // Pas un mot du fromage.
a: [Elle répondra avec trois pages sur le fromage.|Plus tendre ?|Et pour dire « take your time » ?]
b: [C'est probable. Prévoyez une cave.|« Tu nous manques, surtout le matin. » Une seule phrase, à la fin, avant la signature.|« Prends ton temps », tout simplement, ou « à ton rythme », plus doux.]
---
@ any after:2026-04-10 max:3
# Wie sage ich höflich Nein
a: Gudrun möchte, dass ich den [Festausschuss|Kompostdienst|Schlüsseldienst|Rundbrief] übernehme. Ich möchte nicht. Sie hat eine Liste. Hilf mir.
b: Drei Sätze genügen, mehr laden zum Verhandeln ein: // „Liebe Frau Blattlaus, danke, dass Sie an mich denken. In diesem Jahr kann ich es nicht übernehmen. Am {n:2-28}. helfe ich gern zwei Stunden mit.“ // Der erste Satz würdigt, der zweite ist klar und ohne Grund (Gründe lassen sich widerlegen), der dritte gibt etwas Kleines, das Sie selbst gewählt haben.
a: [Sie fragt nach dem Grund.|Sie hat mich trotzdem eingetragen.|Es hat funktioniert!]
b: [„Es passt dieses Jahr nicht.“ Und dann eine Frage nach ihren Dahlien.|Dann freundlich und schriftlich: „Ich sehe meinen Namen auf der Liste; bitte nehmen Sie ihn herunter.“ Ohne Ausrufezeichen.|Sehr gut. Die zwei Stunden bitte wirklich halten, darauf ruht alles.]
---
@ any after:2026-03-01 max:3
# A bedtime story for Juniper
a: A very short story for a baby who likes [kettles|boats|bin lorries|feet], with a lighthouse, under {n:90-160} words, please.
b: Once there was a small lighthouse that was afraid of the dark. // This was awkward. Every evening it switched on its light, and only then dared to look round. "Is anybody there?" it asked, and swept its beam over the water. // "I am," said a boat. ¶"I am," said a rock, from underneath. ¶"We are," said {bird}, rather crossly, because it was late. // The lighthouse counted them. Then it counted them again, because its light came round again, and they were all still there. // "You are not keeping us safe from the dark," said the boat. "You are keeping us company in it." // The lighthouse thought about that for the rest of the night, round and round and round. By morning it was hardly afraid at all, and very, very sleepy.
a: [She slept!|She laughed at "underneath".|Hazel wants a sequel with a kettle.]
b: [Then it was long enough.|A discerning audience. It is a funny word.|"The kettle on the shore was afraid of silence." Start there; the rest will sing.]
---
@ any max:3
# {Artist}: what else would I like
a: I have had {artist} on repeat for {n:2-6} weeks. Why do I like it, and what next?
b: Going by what you tell me, three things are at work: a tempo close to walking, real instruments with audible hands, and lyrics that look out of a window. // **Close relatives:** Kettle & Moth, for the quiet; The Foghorn Sisters, for the same honesty with more brass. ¶**A step aside:** Low Tide Library, if you want to read at the same time. ¶**A leap:** Orchestre du Vieux Bassin. You play the accordion now; you will hear the bellows breathe. // Start with one album, in order, twice. The second time decides.
a: [The leap was right.|The step aside put me to sleep, in a good way.|Something for running?]
b: [Leaps often are. Try "Java du Brouillard" next, it is slower than it pretends to be.|Then it has found its place in your day.|Nachtfähre, "Tiefgang": {n2:164-176} beats a minute, cold, relentless, with a door at the end.]
---
@ any max:3
# Safety: [mercury|solvents|old paint|batteries|ladders] at {site}
a: We may have a little of it in the {part}. What must I not do, and whom do I call?
b: **Do not** sweep, vacuum, heat or rinse anything until you know what it is. Close the room, open a window to the outside, and keep people (and the keeper's goat) out. // **Call** your national poison information line if anybody feels unwell, and a licensed disposal firm for the rest. Your health and safety adviser should hear of it on the same day. // **Write down** where, how much, since when and who was in the room. A photograph from the door is enough. // Old lighthouses often have several of these at once, so treat the first find as a reason to look for the second. I can help with the checklist, not with the judgement on site: that needs somebody qualified who can see it.
a: Understood, room closed. Checklist please, {n:6-9} lines.
b: 1. Room closed, sign on the door, time noted. ¶2. Everybody out accounted for. ¶3. Adviser and {client} informed. ¶4. Photograph from the door. ¶5. Licensed firm booked, reference number. ¶6. Clothing and shoes bagged separately. ¶7. Room released in writing, by name. // Print it and leave a copy with the keeper.
`
