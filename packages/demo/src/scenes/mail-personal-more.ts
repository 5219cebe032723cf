/** More private mail. A scene may begin with `b` if Mira writes first. */
export const mailPersonalMore = `
@ friend
# [Recipe?|That soup|{Dish}]
a: Dear Mira, // [since your supper I think of nothing but the {dish}|my {dish} does not taste like yours|Leonie asks for the recipe of {dish}]. [What did you put in?|Was it lemon?|Be honest, was there butter?] // {a}
b: {a}, // [there is always lemon|there is always more butter than people think|I wrote it down, see below]. Onions slowly, [cumin|caraway|a bay leaf] early, salt late, {n:20-70} minutes, and then leave it alone. [It is better on the second day.|My mother would add dripping.|The secret is that {weather}, and one is hungry.] // M.
a?: [Made it. Ate it all. Made it again.|Burned it, with love.|{n2:3-9} people asked for more.]
---
@ friend
# [Back from {town}|Postcard, but longer|A week in {town}]
a: Mira, // back from {town}. [Slept badly, ate well.|Saw {bird} and {n:2-9} churches.|It rained so politely that nobody opened an umbrella.] On the way I {mistake}. [There is a lighthouse, I thought of you: {n2:80-214} steps.|At {fest} I danced with a dentist.|In the museum hangs a map by somebody called Windle?] // {a}
b: [{n2:80-214}! Did you count?|You and your dentists.|Windle! I shall ask Caspar.] [We stayed here and {weather2}.|I am {feeling}, mostly from stairs.|Here {gossip}.] Come and tell it properly, there is {cake}. // Mira
---
@ friend
# [Invitation|Supper on {day}|My birthday]
a: Dear all, // [supper at mine|I turn {n:31-64} and deny it|we open the good bottle] on {day} at [seven|half past seven|eight]. There will be {dish} and {cake}. [Bring nothing.|Bring a chair.|Bring an instrument, Mira, yes, that one.|No speeches.] // {a}
b: [We come, with two chairs.|Caspar is in {town}, but I come.|The accordion comes too, you asked for it.|We would love to.] // M. {mood}
a?: [Wonderful. {n2:6-14} so far.|The neighbours have been warned.|Then I make more {dish}.]
---
@ friend
# [Thank you|Last night|{Thing}]
b: {a}, // thank you for [last night|Saturday|the long table]. [I laughed until the cake fell.|I still hear the story of how you {mistake}.|Your {dish} was perfect.] I believe I left {thing} on the [piano|stairs|hook by the door]. // M.
a: [It is here and doing well.|I am wearing it.|Found it under the cat.] [Come and get it, then we eat the rest.|I bring it to {shop} on {day}.|I may keep it.] // {a}
b?: [Keep it until {day}, it likes you.|{Shop} is good, at {clock}.|You may not keep it.]
---
@ friend
# [Sorry, late answer|I am alive|Where were you]
a: Dear Mira, // forgive the silence, [I had {ailment}|work ate me|we had visitors, {n:3-7} of them, with recorders]. [Today is the first quiet evening.|I found your letter under {thing}.|In the meantime {gossip}.] How are you, and how is [the Admiral|the accordion|Caspar]? // {a}
b: {a}, // no need to be sorry, {proverb}. [The Admiral is in command.|The accordion and I are on first-name terms.|Caspar is drawing an island that may not exist.] I am {feeling}. [At work we have {site}, {n2:80-214} steps and a keeper who whistles.|Today {weather}.|I am reading {n3:2-4} books at once, badly.] Write again before you are well rested. // Mira
---
@ hazel before:2026-02-15
# [Not yet|Waiting|How big|Names]
a: M., // [I am the size of a small ferry|she kicks whenever Dad explains Saturn|I have eaten {n:2-9} jars of gherkins since {day}|the midwife is called Mrs Turnip, I am not joking]. [No name yet. Current list: {n2:3-19} names, all vetoed.|I cannot see my shoes.|Mum knits. It may be a tent.] // H.
b: [Ferry with or without a bar?|Name her after the ferry.|Mrs Turnip sounds safe.] [I think of you every day at {clock}.|I will be there in {n3:2-9} hours if you call.|Tell Mum I want one in grey.] // M.
---
@ rufus before:2026-10-30
# [Crossword|7 across|Shed again]
a: Dearest Mira, // your mother and I are stuck: "{n:5-11} letters, keeps ships from sleeping". She says foghorn, I say [insurance|seagulls|captain]. [Also the shed leans.|Also {gossip}.|Also I have lost {thing}.] // Dad
b: Dad, foghorn has seven. [Count again with your glasses on.|And you know it.|Mum is right, as in 19{n2:78-99}.] [Lean something against the shed.|Look in the shed.|It is behind the telescope, it always is.] // Love, M.
a?: [It was. How did you know?|She is unbearable now.|The shed has stopped, I think it was only resting.]
---
@ caspar
# [Map of {town}|Home late|I have an idea]
a: [M.,|Dear one,|Ahoy,] // [the {town} map is finished, except for the sea|I am on the {n:16-19}:{n2:10-50} ferry|idea: we go to {town} {weekend} and do nothing]. [They want the contour lines in brown. Brown!|There is {dish} in the blue pot.|The Admiral helped with the north.] // C.
b: [Brown is the colour of land that gave up.|The blue pot is empty. I was hungry and it was there.|Nothing is exactly what I want to do.] [Bring bread.|See you at the pier.|I said yes before reading to the end.] // M.
---
@ ludger
# [Tuesday|Fingering|The strap]
a: Dear Mira, // [for Tuesday please bars {n:1-30} to {n2:31-64}, hands apart|Tuesday must be at {n3:17-19}:30 this week, the choir needs the room|I have found you a duet, easy in one hand and cruel in the other]. [The metronome is not your enemy.|Breathe where the bellows breathe.|Do not practise angry.] // Ludger
b: [Hands apart and head on.|{n3:17-19}:30 is fine.|Which hand is mine?] [I practised {n4:10-55} minutes, {n5:2-9} of them good.|Caspar now hums the bass line in his sleep.|The neighbours have asked for the second theme.] // Mira
---
@ anneke
# [Key|The Admiral on {day}|Plant emergency]
b: Anneke, // could you [feed the Admiral on {day}|take the parcel on {day}|look after {plant} {weekend}]? [We are in {town}.|He gets the blue label, half at seven, half when he shouts.|The key is where the key is.] // M.
a: [Of course.|With pleasure, he and I have matters to discuss.|For {cake}, anything.] [He ate everything and looked at the door for {n:2-40} minutes.|Done. He sat on my drawing of the {part}.|All well here, {weather}.] // A.
---
@ chloe max:8
# [Lettre longue|Le phare de Penn-ar-Vad|Confiture]
a: Ma Mira, // [j'ai fait {n:6-30} pots de confiture et un seul de bonheur|au phare de Penn-ar-Vad, le gardien demande quand vient « la dame aux prismes »|ma mère a {n2:70-79} ans et demande une trottinette]. [Il fait un temps à lire.|Les voisins ont un âne. Il chante.|J'ai rêvé que tu jouais la Valse des Phares sur le toit.] // Chloé
b: Chloé, // [garde-moi le pot de bonheur|dis au gardien : au printemps, avec une échelle|offre-lui un casque]. [L'âne, en quelle tonalité ?|Ici, {n3:2-9} degrés et une soupe.|Sur le toit, jamais ; dans l'escalier, tous les soirs.] // Mira
---
@ friend max:14
# [Kurze Frage|Samstag?|Flohmarkt]
a: Liebe Mira, // [kommst du {n:2-28}. zum Flohmarkt?|hast du noch die große Leiter?|weißt du, wer Uhren repariert?|wir singen am Samstag im Gemeindesaal, kommst du?] [Ich habe einen Stand, Platz {n2:3-60}.|Nur für eine Stunde, ehrlich.|Es gibt Zwiebelkuchen.] // {a}
b: {a}, // [gern|natürlich|ja, mit Caspar]! [Ich bringe den Kater nicht mit, er kauft zu viel.|Die Leiter steht im Treppenhaus und wartet.|Frag bei Emmerich, hintere Tür.] // Mira
`

/** Work mail that Mira starts. */
export const mailWorkMore = `
@ client
# {Site}: short update
b: Dear {a}, // a short update on {site}. The {part} is [finished and packed|in the bath until {day}|measured; it is {adjective}]. Next comes the {part2}. [We are {n:1-4} days ahead, please do not tell anyone.|We are on time.|We are {n:1-4} days behind, {reason}.] [I will write again on {day}.|Pictures attached.|] // Mira
a: Dear Mira, // thank you, [the committee likes your updates more than the minutes|I read it aloud in the harbour office|we are glad]. [1~One question: may we keep the old {part} for the museum?|The keeper asks whether Lev could bring the {tool} again.|{Weather} here, so take your time.] // {a}
b?: [1~Of course, in a crate with a window.|Lev says yes, and bring soup.|That is the kindest sentence of the week.] // M.
---
@ client
# Before we start at {site}
b: Dear {a}, // before we come on {day} I need three things: the key, somebody who knows where the water is turned off, and a dry place for [{n:4-40} crates|the lens|two people and a kettle]. [1~How many steps are there really? The drawing says {n2:60-214}.|Is the road open to a van of {n3:5-7} metres?|Does the goat bite?] // Mira Tallow
a: Dear Mira, // key: with me. Water: my brother-in-law. Dry place: the [chapel|boat shed|school, it is empty]. [1~Steps: {n2:60-214}, plus the one that is missing.|Road: yes, if you fold the mirrors.|The goat is called Susan and does not bite friends.] // {a}
b?: Perfect. [Greetings to your brother-in-law.|We bring {cake} for all of you.|Then {day} at {clock}.] // Mira
---
@ team
# [Thanks for {site}|Well done|{Site}, afterwards]
b: {a}, // that was good work at {site}. [The {part} has never looked so calm.|{Client} called only to say thank you, that has happened {n:1-3} times in my life.|I saw how you handled the keeper.] [Take {day} off.|Write it down for the manual, please, before you forget how you did it.|Lunch is on me: {lunchfood}.] // Mira
a: [Thank you. It was mostly Bastian.|I blush in writing.|It rained, so we had time to be careful.] [Manual: {n2:2-9} pages, draft on {day2}.|Lunch yes.|Next time please another boat.] // {a}
---
@ team
# Can somebody explain {doc}?
b: Hi {a}, // in {doc} the {part} is [drawn upside down|{n:2-40} mm longer than in life|missing|called "thing, brass"]. [Is that on purpose?|Who drew it?|What did they know that we do not?] I would like to sort it out before {meeting}. // M.
a: [It was me, in my first week.|That is how {supplier} counts.|On purpose: seen from the sea side everything is upside down.|Nobody knows. It has been like that since 19{n2:58-94}.] [I correct it today.|Leave it, the workshop has learned to read it.|I will put a note on it.]
c?: I have the older print. There it is [right|even longer|called "Gertrud"].
---
@ supplier
# Order for {site}: {part}
b: Dear {a}, // please quote for {n:1-24} pieces of the {part}, [as in {n2:2019-2025}|in the better quality|without the lacquer], delivery to {site} or to our yard. [We are in no hurry, the sea has time.|We need it by the end of next month.|Anneke asks whether the edge can be softer.] // Mira Tallow
a: Dear Mira, // gladly: {eur:18-640} euros a piece, {n3:2-9} weeks. [The softer edge costs nothing, it is how my father made them.|For {n:1-24} I can add one as a spare.|Lacquer is off, you are right, it never lasted.] // {a}
b?: Please go ahead, order number {n4:20400-29800}. [Your father had good hands.|A spare is always welcome.|Thank you!] // M.
---
@ team
# Something for the newsletter?
a: Mira, // Priya collects stories for the newsletter. [1~Could you write ten lines on {site}?|Do you have a picture of the {part} before and after?|May we tell the one about the keeper and {bird}?] // {a}
b: [1~Ten lines: {site}, {n:60-214} steps, one {part}, and a keeper who has not missed a night since 19{n2:71-99}. The rest by {day}.|Before: yes. After: when the sun comes back.|If we change the name of the bird.] // M.
a?: [1~Lovely. Cut to nine lines.|The sun came. The picture is {adjective}.|The bird agrees.]
`
