/** More of the team's talk: projects, weather, people. */
export const chatHome = `
@ workshop optics by:bastian,priya,lin to:anneke,lev,jonas
a: Question for the old hands: how did they [align|balance|centre|seal] the {part} without a laser?
b: [String, a plumb bob and a man called Ole.|Candle behind it, sheet of paper in front, patience.|They did it at night and looked.|They did not. It was always {n:2-4} degrees off, see {site}.]
a: [And if it was windy?|How long did that take?|And nobody fell?]
b: [Then Ole waited.|{n2:2-9} nights, says the log.|The log is silent on that.]
c?: [I want to try the candle.|Put that in the {fest} talk.|I found Ole's initials on {doc}, by the way.]
---
@ wickwatch general after:2026-04-23
a: {Site} has [ordered {n:2-9} units|signed|asked for an offer|renewed for {n2:2-4} years]. {mood}
b: [Which ones?|Excellent.|With or without the solar kit?]
a: [With, and a spare {part}.|Without, they have a generator and a grudge against the sun.|Delivery by the end of the month, I said "we will try".]
c: ["We will try" goes on the wall next to "nearly".|Stock says {n3:4-40} on the shelf, fine.|I start the serials tonight.]
b?: [And the invoice to whom?|I will tell Imke.]
---
@ general
a: The [heating in the loft|coffee machine|printer|gate motor|front door bell] is [on strike|speaking in tongues|broken again|doing what it wants].
b: [I gave it a look. It gave it back.|Call Funkelmann?|It needs descaling. So do I.|Hit it on the left, lightly, above the sticker.]
a: [Hit it. Works. Frightening.|Funkelmann comes on {day}.|There is now a note on it.]
c?: [The note says "{proverb}". Who writes these?|I liked it better broken.]
---
@ firmware by:saoirse,mira,omar to:tomasz,lin
a: Why does the gateway at {site} send [{n:2-9} heartbeats a second|everything in uppercase|its own manual|times from the year 20{n2:38-99}]?
b: [Because {cause}.|Let me look at the log.|It always did, we only look now.]
b: [Yes: {cause}. Patch in {version}.|Confirmed, and it is the config from {site2}.|The log is {n3:12-90} MB of "hello".]
a: [Thank you. Shall I restart it or leave it as a museum?|Do we roll it out to all?|Then I close ticket {n4:430-690}.]
c?: [Museum.|Roll it out after {day}, please, never on a Friday.|Leave it until Saoirse has a copy.]
---
@ random lunch
a: What does everyone do {weekend}? [I have no plan and I am {feeling}.|I go to {fest}.|I clean the oven, pray for me.|I repair {thing}.|We cook {dish}.|{Hobby}, finally.]
b: [{Hobby}.|{Dish} for {n:4-9} people.|Asleep, professionally.|Watching "{film}" with my aunt.]
c: [Ferry to {town}, if {weather}.|{Fest}, see you there.|I promised to fix {thing}.]
a?: [Suddenly the oven sounds fine.|That is more plan than I have had all year.]
---
@ cats random by:saoirse,priya,mira,imke max:12
a: [Does anyone know why a cat|Question to the cat people: what does it mean when a cat] [sits in the sink|stares at the wall at {n:3-5} in the morning|brings me one sock|is afraid of leeks|only drinks from the {thing}]?
b: [Because it can.|Territory.|Mine did that, it was the pipes.|He is receiving instructions.]
c?: [Leeks are suspicious, he is right.|Ask Dr. Samtpfote, she has seen everything.]
a: [I feel better and less informed.|Instructions would explain it.|I will look at the pipes.]
---
@ dm-tomasz by:tomasz to:mira
a: [Between us:|Do not tell Jonas yet, but|Honest question:] [I think {version} is good.|I am worried about the {part} at {site}.|are we too slow, or is everyone else lying?|would you trust {supplier} with {n:20-90},000 euros?]
b: [Everyone else is lying.|Tell me why and I will carry half of it.|I would trust them with glass, not with dates.|Good is a word I like from you.]
a: [Thanks. That helps.|{Cause}, that is why. I will show you after {meeting}.|Run on {day}? I think better at {n2:5-6}:{n3:10-50} per kilometre.]
b?: [Dyke at {n4:6-7}:30.|Show me.|Always.]
---
@ dm-anneke by:anneke to:mira
a: [How are you really?|You were quiet in {meeting}.|I left {cake} on your desk. You looked like it.]
b: [{Feeling}, thank you for asking.|Too many lists, too few evenings.|The Admiral was up at {n:3-5}, so I was too.|Better since the {cake}.]
a: [Come by for {dish} on {day}.|Go home at four. I will say you are at {site}.|{Proverb}.]
---
@ general
a: [Customs|The insurer|The heritage office|The auditor] wants [{n:2-6} signatures|the original of {doc}|to know the weight of the {part}|a photograph of the back] by {day}.
b: [The original is behind glass at {site}.|{n2:14-210} kilograms with the crate.|I sign everything, where?|Nobody has ever seen the back.]
a: [Then a copy and a kind letter.|Weight noted, thank you.|In the folder on my desk, yellow tabs.]
c?: [I have seen the back. It is {adjective}.|Yellow tabs are mine! The new ones are green.]
---
@ workshop
a: Today's crate: {n:3-40} pieces from {site}, packed in [straw|old newspapers|a duvet|{n2:2-9} jumpers]. [The newspapers are from 19{n3:31-79}.|Something squeaks.|No list inside.|]
b: [Please read us the small ads.|Photograph everything before you lift it.|If it squeaks, put it down.]
a: ["{Proverb}", says the advertisement for a hat shop. Page {n5:2-9}.|Squeak was the lid.|{n:3-40} counted, {n4:1-3} more than on the paper.]
c: [Frame that.|The extra ones are from the {part}, I recognise the bevel.|Keep the packing, the museum collects it.]
---
@ cape-lissos by:mira,omar,anneke max:3 after:2026-06-01
a: Draft for the Cape Lissos plaque: "[Lit 1892, lit again|It waited|Repaired with glass, bronze and a spoon], 2026." Thoughts?
b: [The spoon must be in it.|Fewer words.|In Greek first.|Who pays for the letters?]
a: [{eur:4-9} euros per letter, so: fewer words.|Eleni has the Greek version.|The spoon stays.]
---
@ ops-gull by:lin,tomasz to:lev,mira
a: Planned work on {site} [tonight|on {day}]: [new battery|antenna swap|update to {version}|moving the gateway away from the kettle]. Expect silence from {n:18-22}:00.
b: [OK, muted.|How long?|The keeper knows?]
a: [{n2:20-90} minutes if all goes well.|Done. {n3:12-70} minutes.|Done, and the keeper made soup.]
---
@ running by:mira,tomasz
a: [Long run done|Sunday long run|That was the long one]: {n:16-30} km, {n2:2-3}:{n3:10-59} hours. [The last three were philosophy.|Ate {cake} at {shop}, no regrets.|{Weather}.]
b: [Respect.|How is the knee?|I did {n4:8-21} and called it rest.|Which shoes?]
a: [Knee is polite.|The old shoes. The new ones are for show.|Rest is a strong word.]
c?: [I read this lying down.|You two frighten me.|{mood}]
---
@ general max:5
a: New apprentice project: Bastian restores the [small harbour light|ship's lantern|old {part}] from {town}. [Budget {n:150-900} euros.|Done by {day}, he says.|He has drawn a plan in colour.]
b: [Colour!|May he use the good compound?|{n2:3-9} weeks, I say.]
c: [I help on {day2}.|The good compound is mine. Yes he may.|Plan looks better than ours for {site}.]
---
@ wickwatch firmware by:saoirse
a: [Torture test|Ice test|Drop test|Salt fog] on unit WW-{n:1004-1398}: [passed|passed, barely|failed at {n2:40-480} hours|passed, the table did not].
b: [Which part gave up?|Barely how?|Table is insured?]
a: [The {part}.|One screw, {n3:2-9} newton metres instead of {n4:10-14}.|The display froze, thawed, apologised.|No.]
c?: [Redrawing it.|I have seen people fail at less.|Write it down, that is the good kind of fail.]
---
@ random
a: [Overheard at {shop}|Heard on the ferry|My neighbour says]: {gossip}.
b: [I can confirm.|That explains the noise.|In this town? Never.]
c?: [I was there. It was {adjective}.|The {town} paper has it on page one.]
a?: [I love living here.|Source: the fish man, so it is true.]
---
@ general workshop
a: Stock take: we have {n:2-90} of the {part}, the list says {n2:2-90}. [I counted twice.|Where are they?|Nobody leaves.]
b: [Some are at {site}.|Under "misc".|I used {n3:1-4} for the {fest} model.]
a: [Found. They were in a biscuit tin labelled "biscuits".|The list now tells the truth.|Then the list is a novel.]
---
@ optics by:anneke,mira,bastian max:6
a: [Sunlight hit|The sun came through|At {clock} the light fell on] the {part} and the whole [loft|lens hall|office wall] was rainbows for {n:2-9} minutes. [I stopped working.|Everyone stood still.|Photo does not do it justice.]
b: [That is why we do this.|I saw it from the yard.|Move it, before it sets fire to {doc}.]
c?: [Bastian has tears in his eyes, he says it is the compound.|Every year in this week. Put it in the calendar.]
`
