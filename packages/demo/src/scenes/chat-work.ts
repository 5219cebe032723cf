/** Everyday talk in the workshop's channels. */
export const chatWork = `
@ workshop
a: [Has anyone seen|Who has|Where is|I am looking for] the {tool}? [It was on my bench an hour ago.|I had it on {day}.|Asking for a prism.|]
b: [Try|Look|Last I saw it was] {place}.
a: [Found it, thanks {mood}|It was not. But the {tool2} was.|You are a saint.|Got it. Why was it there.]
c?: [I may have moved it.|Nobody looked at me, but it was me.|We need a peg board.|Label printer. Please. For everything.]
---
@ workshop optics
a: The {part} from {site} [is out of the crate|has arrived|is on the bench]. Condition: {adjective}.
b: [Photos?|How many chips?|Any cracks?|Is the putty original?]
a: [{n:2-19} chips, none deeper than {n2:1-6} mm.|No cracks. Old putty, smells of linseed and regret.|One hairline, lower left, {n:3-30} mm. I marked it in wax.|Cleaner than the drawing promised.]
b: [Then polish, do not replace.|Log it under {doc} please.|I want to see it before it is touched.|Good. That saves us {n3:2-14} hours.]
c?: [I can start on {day}.|Bastian, come and look, you do not see this often.|The {supplier} ones never look like that.]
---
@ firmware wickwatch by:saoirse,omar,mira,lev to:tomasz,lin
a: [Weird one|New one|Report] from {site}: {bug}.
b: [1~Version?|On {version}?|Reproducible?]
a: [1~{version}, every time.|Yes. Twice today, not at all yesterday.|Only after a reboot, {n2:2-9} times out of ten.]
b: [Found it: {cause}.|I bet it is {cause}.|It was {cause}. Fix is in review.|{Cause}. Of course.]
c?: [Please add a test that would have caught it.|Test added, it fails, good.|I will write it into the release notes, politely.|Bug {n:430-690} then.]
---
@ firmware by:tomasz,lin to:saoirse
a: {version} is [built|tagged|on the bench units]. [{n:3-21} fixes, one confession.|Release notes in the usual place.|Soak starts now.]
b: [Soaking on {n2:2-8} units until {day}.|I will put it on the {site} spare first.|Who wrote "misc" in the changelog?]
a?: [That was me, sorry.|Fair.|It was late.]
b: [After {n3:20-170} hours: clean.|One restart in the night, looking at it.|Green so far {mood}]
---
@ general
a: [Reminder:|Small reminder,|Hello all,] {meeting} is [today|tomorrow|on {day}] at {clock} in {room}.
b: [I will be ten minutes late, {reason}.|Can we make it shorter? {Reason}.|Joining from the van.|Will there be {cake}?]
a: [Fine.|Yes to both.|We start without you and blame you for the decisions.|Yes: {cake}.]
c?: [I bring {cake2}.|Agenda is in the note.|{mood}]
---
@ lunch
a: [Lunch?|Who wants {lunchfood}?|I am going for {lunchfood}, who is in?|{Lunchfood} today. Hands up.]
b: [Me.|In!|Yes please, two.|I brought {lunchfood2}, but yes.]
c: [Me too, no onions.|I ate at eleven. I regret nothing.|Save me one, I am on the phone with {supplier}.|{mood}]
a?: [That is {n:3-9}. Going at {clock}.|Downstairs in five.|They are out of it. It is {lunchfood3} now.]
---
@ lunch random
a: [There is|I made|Somebody left] {cake} in the kitchen. [First come.|It is a bit flat but it means well.|The knife is in the blue cup.|Recipe from my aunt.]
b: [Gone already?|On my way.|This is the best thing that happened on a {day}.|I had two. I confess.]
c: [There was a piece for {a}, who took it?|The crumbs are evidence.|Ten out of ten, would drill prisms for this.|{mood}]
---
@ cape-lissos general by:lev,anneke,mira
a: [Site report|From the gallery|Good morning from] {site}: {weatherwork}. [We wait.|No boat today.|We start at {clock}.|Lev has found the only dry spot.]
b: [Stay off the gallery.|Then do {task} instead?|Take pictures.|Do you have enough food?]
a: [Already doing {task}.|Food yes, dry socks no.|We have {lunchfood} and a deck of cards.|Boat promised for {day}.]
c?: [The rota says you are back on {day2}.|I envy you exactly until the second sentence.|Tell the keeper hello.]
---
@ general workshop
a: [Does anyone have|Who has the latest version of|Where did we put] {task} for {site}?
b: [In the shared folder, under {doc}.|I do, but it is revision B.|{c} had it last.|It does not exist yet, I was hoping you would not ask.]
a: [Thanks {mood}|The folder says no.|Then we write it today, {client} wants it on {day}.|Revision B will do.]
c?: [Uploaded. Sorry.|I will take the second half.|Use the {site2} one as a start.]
---
@ optics by:anneke,bastian,priya,mira
a: Measured the {part} [again|twice|this morning]: {n:11-98}.{n2:10-99} mm, the drawing says {n:11-98}.{n3:10-99}.
b: [Which drawing?|Warm or cold?|With the {tool}?|That is within what they could do in 18{n4:52-96}.]
a: [Cold, {n5:12-19} degrees.|The blue caliper, so plus or minus a mood.|Drawing {n6:2-9}, revision C.|I will measure a third time and take the median.]
c?: [The median of three guesses is still a guess.|Heritage office will want it in writing.|It is glass, it breathes.]
---
@ ops-gull by:gullbot to:tomasz,lin,lev,mira
a: 🟠 {site}: [battery at {n:9-24} percent|no heartbeat for {n2:11-95} minutes|lamp current {n3:5-40} percent below normal|humidity in the sensor head {n4:78-97} percent|gateway restarted {n5:2-6} times].
b: [Looking.|On it.|Is anybody out there this week?|That is the charge controller again.]
b?: [It was {cause}.|Back by itself. I do not like it when they do that.|Restarted from here, steady since {clock}.|The keeper cleaned it with his sleeve. Fixed.]
a: 🟢 {site}: back to normal after {n6:12-240} minutes.
---
@ ops-gull by:gullbot to:tomasz,lin,lev,mira
a: 🟢 Daily summary: {units} units reporting, {n2:0-3} silent. [Longest night: {site}, {n3:12-16} h {n4:0-59} min.|Lowest battery: {site}, {n5:31-58} percent.|Warmest lamp room: {site}, {n6:24-41} °C.]
---
@ wickwatch by:omar,mira to:priya,tomasz,saoirse
a: [{client} of {site} asks|Question from {site}:|{site} would like to know] whether [1~we can do alarms in {n:2-5} languages|the case comes in white|one gateway can serve two towers|it also counts birds|it runs without a SIM].
b: [1~Yes from {version2} on.|Not yet, I put it on the list.|Technically yes. Please say no.|No, and I am glad.|Only with the long antenna.]
c: [I will answer them today.|I told them "we will see", which is not a no.|They would pay, by the way.|Put it in the roadmap note {mood}]
---
@ wickwatch by:priya
a: New [mock-up|screen|icon set] for the [lamp page|alarm list|station map|night report], see the note. [Opinions by {day}.|Be kind.|Be honest.]
b: [The red is not the red of the red sector.|Love it. The button is too shy.|Can a wet thumb hit that?|My mother would understand it, so yes.]
a: [Bigger button, got it.|Red fixed.|Tested with a wet glove, {n:6-10} of 10.|]
c?: [And in Greek the word is twice as long.|Ship it.|What happens when there are {n2:40-90} stations?]
---
@ general
a: [I am|I will be] [at the dentist|working from home|on the early ferry|at {site}|off] on {day}. [Phone is on.|Call {b} if it burns.|Back on {day2}.|]
b: [Noted {mood}|Enjoy.|I will water the cactus.|Bring back something salty.]
---
@ general
a: [1~{supplier} raised prices by {n:3-14} percent.|{supplier} is {n2:2-6} weeks late with the {part}.|{supplier} sent us somebody else's {part}.|{supplier} asks who ordered {n3:40-400} of the {part}.]
b: [1~Again?|Do we have another source?|Whose? It might be nicer than ours.|It was me. A zero too many.]
a: [1~They offered us {n4:5-15} percent off and a calendar.|{supplier2} could step in, at a price.|They are sending a van. It is not nicer.|I will call them at {clock} and take away the zero.]
c?: [Take the calendar.|Their glass is still the best.|I have a friend there, let me try.]
---
@ random
a: [Saw|There is|I have just met] {bird} on the [roof|yard wall|crane|slipway]. [It looked at me as if I owed it money.|Nobody move.|It has been there since {clock}.|]
b: [Name it.|Photo!|That one steals rolls.|It comes for {c}.]
c?: [We are friends.|Its name is Herbert.|Do not feed it, remember {day}.]
---
@ random
a: I saw "{film}" [last night|at the old cinema|finally, a year after everyone]. [The ending!|I cried at the credits.|Two hours, and only one lighthouse, drawn wrong.|Recommended, with biscuits.]
b: [No spoilers, I go on {day}.|The soundtrack is by {artist}, right?|I fell asleep at the good part, they say.|The book was {adjective}.]
a?: [There is no good part, it is all mood.|Yes! I bought it.|Fine, no spoilers: there is rain.]
---
@ random
a: This morning I {mistake}. [How is your {day}?|Do not ask.|It gets better from here.|]
b: [That is still better than {c} last week.|Happens to the best.|We have all been there, except the fern.|Sit down, have {cake}.]
c?: [I heard that.|It was once.|{Proverb}.]
---
@ cats by:mira
a: [Admiral Crumb|The Admiral|Crumb] [slept on my keyboard|caught a sock and presented it|has discovered the windowsill|judged my accordion practice|walked through the stand-up]. [Message follows: jjjjjjjkkkk|He is very proud.|I am told this is affection.|]
b: [Salute him from me.|Mine sits in the {part} crate at home.|Photo or it did not happen.|He outranks us all {mood}]
---
@ running by:tomasz,mira,saoirse
a: [{n:5-18} km|{n:5-18} kilometres along the dyke|Slow {n:5-18} km|{n:5-18} km with hills] [before work|at lunch|last night], {weatherwork}. [Felt good.|Felt like furniture.|Legs: {adjective}.|Saw {bird}.]
b: [Pace?|Respect.|I stayed in bed, also {adjective}.|Same time on {day}?]
a?: [{n2:5-6}:{n3:10-58} per kilometre.|Deal.|Do not ask about the pace.]
---
@ running by:tomasz,mira,saoirse
a: Who joins on {day} at {n:6-7}:{n2:10-45}? [Dyke loop, {n3:8-15} km.|Stairs of the old tower, {n4:4-10} times.|Intervals, I am sorry.]
b: [Me.|If it is not {weatherwork}.|Only if we finish at {shop}.|My knee votes no, my head votes yes.]
c?: [I watch from the window with coffee.|Wear the bright jacket.|Count me in.]
---
@ dm-tomasz by:mira to:tomasz
a: Do you have [a minute|five minutes|time before {meeting}]? [About {site}.|It is about {doc}.|Not urgent, just {adjective}.]
b: [Sure, now?|After {clock}.|For you always, for {doc} rarely.|Come over, I have {cake}.]
a: [The numbers for {site} do not add up, {n:3-40} hours are missing.|I would like to move the soak test to {day}.|I think {cause} again.|{supplier} wants an answer and I want your opinion.]
b: [Send me the sheet.|Agreed.|I saw that too and hoped it was me.|Say no, kindly.|Let us ask Saoirse before we promise.]
---
@ dm-anneke by:mira to:anneke
a: [Can you check|Would you look at|Second pair of eyes on] my [1~mail to {clientperson}|{task} for {site}|estimate for the {part}|letter to {client}]?
b: [Reading.|Send it.|Give me until {clock}.]
b: [1~Good. Take out the third apology.|Page {n:2-9} says "should be fine". Say how fine.|The figure in paragraph two is last year's.|I would not promise {day}. Promise {day2}.]
a: [1~Third apology removed {mood}|"Fine to within {n2:2-20} percent". Better?|Oh no. Corrected, thank you!|{Day2} it is. You are right, as usual and annoyingly.]
---
@ workshop
a: [Kiln|Ultrasonic bath|Compressor|Dust extractor|Lathe] is [making a noise|off|smelling of toast|blocked]. [I switched it off at the wall.|Please do not use it.|It says E{n:2-38}.|]
b: [There is a code for that. It means "call somebody".|I will look after {meeting}.|It does that when it is {weatherwork}.|That was the fuse, {n2:10-25} amps, there are spares in the blue cupboard.]
c?: [Ohm & Sohn come on {day}.|I oiled it and apologised to it.|Fixed, it was a biscuit.]
---
@ general max:8
a: Who is taking the [stand|table] at {fest} in {town}?
b: [I can do the morning.|Me, if I may bring the small lens.|Last year the small lens set fire to a leaflet.|Not me, I still hear the children.]
c: [Then {b} in the morning, I in the afternoon.|We bring the lens with the cover ON.|I will order {n:50-300} stickers.]
---
@ workshop by:anneke,lev,imke,mira max:14
a: Bastian [polished his first prism|cut a gasket that fits|drove the van backwards through the gate|soldered {n:20-80} joints, {n2:1-4} cold] today. {mood}
b: [Applause.|We frame it.|And the gate?|Better than mine at that age.]
c?: [The gate lives.|He may choose the radio station.|I said thank you to him, I will say it here too.]
---
@ optics
a: [Which compound for|What do we use on|Any objections to cerium on] the {part} of {site}? [The old one hazes.|It is softer glass than ours.|]
b: [Cerium, slow, wet.|Rouge, never cerium, it is pre-19{n:10-30}.|Ask Yuki.|Test on the back, {n2:10-40} minutes, then look.]
a: [Test done, surface {adjective}.|Will do.|Yuki says: cold water and patience.|Hazing gone after {n3:12-55} minutes.]
---
@ cape-lissos by:omar,lev,mira
a: [Eleni called|Mail from Eleni|News from the cape]: [the goat ate a cable tie|the keeper wants a second screen|the road is closed until {day}|the ministry sends two people to look at the beam|somebody painted the door the wrong blue].
b: [Which blue?|The goat is fine?|Good that it is not the {part} this time.|I will write it into the log.]
c?: [The goat is fine.|There is only one blue, says Eleni.|Tell them {clock} is best, before the wind.]
---
@ general by:imke
a: [Timesheets|Travel receipts|Holiday wishes|Van bookings] until {day}, please. [Crumpled is fine, creative is not.|I am looking at {b}.|Danke.]
b: [Mine are in.|I feel seen.|Does a ferry count as a meal?|Coming, I was at {site}.]
a?: [A ferry is not a meal.|Thank you {mood}|There were three entries called "stuff".]
`
