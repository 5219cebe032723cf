/** Sentences of the journal by part of the day. An entry combines a few. */
export const journal = {
  morning: [
    '{Weather}.',
    'Woke at {n:4-7}, [cat|gulls|the ferry|no reason]. Lay there and was {feeling}.',
    'Ran {n:5-14} km, {weatherwork}.',
    'Coffee with Caspar on the stairs because [the kettle lives there now|the sun was there|the table is under maps].',
    'Before anything else I {mistake}.',
    'Saw {bird} from the window.',
    'Accordion before breakfast. The neighbour knocked, [in time|angrily|to ask for the name of the tune].',
  ],
  work: [
    'At work: the {part} from {site}, which is {adjective}.',
    'Long day on {task}; {client} wants it yesterday.',
    'Tomasz found {cause}. So that was why {bug}.',
    'Anneke let me hold the {part} alone, which she does about twice a year.',
    '{supplier} called. I said no, kindly, and then had to sit down.',
    'Bastian asked why we do not simply [glue it|buy a new one|use plastic]. Took me an hour to answer well.',
    'Omar won {site}. Imke made {cake} within the hour, nobody knows how.',
    'Two hours in {meeting}. One good sentence, by Lin.',
    'Up {n:80-214} steps at {site} with the {tool}. Down again for the other half of it.',
  ],
  evening: [
    'Evening: {dish}. Caspar says it needed lemon. It needed lemon.',
    'Called Hazel. In town {gossip}.',
    'Read {n:12-70} pages and argued with Percival in my head.',
    'Watched "{film}", or its first half.',
    'Practised bars {n:1-30} to {n2:31-64} until they stopped being strangers.',
    'Watered {plant}. Talked to {plant2}.',
    'Letter from Chloé, three pages, one of them about cheese.',
    'The Admiral ate everything and then looked at me as if I had been promoted.',
    'We said nothing for an hour and it was the best part of the day.',
  ],
  thought: [
    '{Proverb}.',
    'I should write to [Dad|Chloé|Wilhelmina] more often.',
    'Note to self: buy {thing}. Or find it.',
    'What I want next year: fewer lists, more sea.',
    'Three good things: {cake}, {bird}, and the light at five.',
    'I am {feeling}, and it is fine to be that.',
    '',
    '',
  ],
}

export const meetingNote = `## Present
[Jonas, Anneke, Tomasz|Priya, Saoirse, Lin|Omar, Imke, Lev|Everyone but Lev, who is at {site2}]

## Points
- **{site}**: {part} is {adjective}. [Anneke wants one more day.|Lev goes on {day}.|Wait for {client}.]
- **{site2}**: {task} until {day}, [I do it|Bastian drafts, I read|with {clientperson}].
- **Wickwatch {version}**: {bug}. Cause probably {cause}.
- **{supplier}**: [{n:2-14} percent dearer|{n:2-14} days late|good samples, order more].

## Decided
[We do not promise {day} to anybody.|The {part2} is replaced like for like.|{Room} is booked for the whole week.|No releases on Fridays, again.]

## For me
- [ ] answer {clientperson}
- [ ] {task2}
- [x] bring {cake}`

export const shopping = `- [ ] {veg}
- [ ] lemons, always lemons
- [x] [oats|rice|flour|lentils], {n:1-5} kg
- [ ] {thing}
- [ ] cat food, blue label
- [ ] [stamps|light bulbs|tea|soap|a card for {shop}]
- [ ] something nice for [Ute|Caspar|the neighbours|myself]`

export const siteNote = `**{site}**, {n:18-64} m above the sea, {n2:60-214} steps. Contact: see address book.

Lens: [first|second|third|fourth] order, built 18{n3:46-99}. {Part}: {adjective}. {Part2}: not seen, {reason}.

Access: [boat at slack water only|road, last 400 m on foot|ferry then bicycle]. Sleep: [above the bakery|in the keeper's house|back on the mainland].

What {client} wants: {task}. What they need: a new {part3} and somebody to listen.

Keeper's tip: {proverb}.`

export const readingNote = `Page {n:9-90}: "[The sea had no opinion on the matter|He folded the map as if it were asleep|Nobody had told the house it was empty|It rained the way some people talk]."

I like the [aunt|dog|ferryman|second narrator] best. Percival will hate the [prologue|dream|letters|weather]. Ute will have counted something.

Stars: {n2:2-5} of 5. [Lend to Caspar.|Do not lend to Dad.|Read again in winter.]`
