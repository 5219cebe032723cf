/** Learning the accordion from nothing to one waltz. */
export const accordion = `
== mail acc-offer 2025-11-15 13:40 personal gustav>mira label:accordion
Akkordeon Seemann Triola 72, zu verkaufen
Moin, Sie hatten am schwarzen Brett Ihre Nummer gelassen. Die Triola ist von 1961, 72 Bässe, perlmuttgrün, riecht nach Kneipe. 700 Euro. Mein Rücken sagt, sie muss weg.

Gustav Zungenschlag
== mail acc-deal 2025-11-16 10:02 personal mira>gustav re:acc-offer
Lieber Herr Zungenschlag, ein Bass klemmt (das Gis), und der Riemen ist vom Hund angenagt. 640 Euro, und ich spiele Ihnen in einem Jahr etwas vor?
== mail acc-deal-re 2025-11-16 11:30 personal gustav>mira re:acc-offer
640. Aber keinen Schlager.
== mail acc-lessons 2025-11-18 20:15 personal ludger>mira label:accordion
Lessons, Tuesdays 18:30
Dear Mira,

Tuesday 18:30 is yours from 25 November, 32 euros for 45 minutes. Cut the nails of your right hand, bring a towel for your knee and forgive yourself in advance. The left hand is a separate person.

Ludger Balgtreter
== chat acc-c1 2026-02-04 12:40 random mira
Ten lessons in: my left hand has learned where C is. My right hand knew all along. They are not yet talking to each other.
== chat acc-c2 2026-02-04 12:44 random bastian re:acc-c1
Like Bodo and the electrician?
== note acc-log 2026-03-24 20:05 Music tags:accordion,practice
Accordion: what Ludger said
- Bellows first. "A note without air is a rumour."
- Count out loud, even when Caspar is on the phone.
- The G sharp still sticks in damp weather. Ludger opened it: a dog hair, from 1961 or so.
- Piece for the summer: **"Valse des Phares"**, 64 bars, in A minor. Bars 33 to 40 are the enemy.
== event acc-recital 2026-06-20 19:30 120 with:ludger,caspar
Accordion pupils' evening | Alte Netzhalle, Möwenhafen
I am seventh of eleven. "Valse des Phares". Gustav is coming.
== note acc-recital-note 2026-06-21 09:40 Journal tags:journal,accordion
Seventh of eleven
Played it. Lost bar 36, found it again in bar 38, nobody died. Gustav sat in the front row with his arms crossed and at the end said, "Kein Schlager. Gut." Then he asked to hold her once more and played something so quiet that the children stopped.
== play acc-play1 2026-06-20 18:05
Orchestre du Vieux Bassin | Valse des Phares | Bal sur la Jetée
== mail acc-french 2026-06-22 08:55 personal chloe>mira
La Valse des Phares !!
Ma Mira,

j'ai reçu la vidéo de Caspar. J'ai pleuré à la mesure 30 et j'ai ri à la mesure 36. Tu joues comme tu parles français : avec courage. Viens la jouer en Bretagne, il y a un phare à Penn-ar-Vad qui l'attend.

Chloé
== order acc-strap 2025-11-20 18:33 delivered music
Klangkajüte
1 x 48.00 Accordion shoulder straps, leather, padded
1 x 14.90 Method for accordion, volume 1
== fact
Q: What did Mira pay for the accordion, and what was asked?
A: 640 euros for the Seemann Triola 72; Gustav Zungenschlag first asked 700.
K: 700; 640; Triola 72
W: mail:acc-offer, mail:acc-deal-re
== fact
Q: Which piece did Mira play at the recital and when was it?
A: "Valse des Phares", on 20 June 2026 in the Alte Netzhalle.
K: Valse des Phares; 2026-06-20; Alte Netzhalle
W: event:acc-recital
== fact
Q: In which bar did Mira get lost at the recital?
A: Bar 36, found again in bar 38.
K: bar 36; bar 38
W: note:acc-recital-note
== fact
Q: When are the accordion lessons and what do they cost?
A: Tuesdays at 18:30, 32 euros for 45 minutes with Ludger Balgtreter.
K: Tuesday; 18:30; 32 euros
W: mail:acc-lessons
`

/** A marathon, a knee, and a finish. */
export const marathon = `
== mail run-entry 2026-02-01 12:00 personal marathon>mira label:running
Startplatz bestätigt: Kranichsund Marathon, 27. September 2026
Moin Mira,

du bist dabei! Startnummer 2817, Startblock D, Start am Sonntag, 27. September 2026, um 9:00 Uhr an der Seebrücke. Startgeld 74 Euro ist eingegangen.

Trainiere klug.
Laufverein Kranichsund
== order run-fee 2026-02-01 11:56 delivered sport
Laufverein Kranichsund
1 x 74.00 Marathon entry 2026, block D
== chat run-c1 2026-02-02 08:10 running tomasz
2816 and 2817! We are neighbours. I propose: same pace, same songs, same excuses.
== chat run-c2 2026-02-02 08:15 running mira re:run-c1
Goal: under 4:30. Secret goal: not to walk at kilometre 35. Open goal: soup.
== ai run-ai 2026-05-24 08:30
Eighteen-week marathon plan around a holiday and a wedding
>> user
Marathon on 27 September. I run three times a week, longest run so far 14 km, want to finish under 4:30. I am 38, desk job plus climbing lighthouses. I will be at a wedding in Spain around 29 August. Make me a plan.
>> assistant
Eighteen weeks from 25 May is exactly right. Three runs a week are enough for 4:30 (a pace of 6:24 per kilometre) if the long run is kept holy.

**Weeks 1 to 6, base.** Tuesday 6 km easy, Thursday 8 km with six short hills (stairs in a tower count), Sunday from 14 up to 20 km.
**Weeks 7 to 12, build.** Thursday becomes 10 km with 5 at marathon pace. Sunday 22, 24, 18, 26, 28, 20.
**Weeks 13 to 14, the wedding.** One run by the sea at dawn before the heat, 12 km. Dancing counts as strength.
**Weeks 15 to 16, peak.** 30 km, then 32 km, at 6:50 per kilometre.
**Weeks 17 to 18, taper.** Halve, then halve again. You will feel heavy and certain you have forgotten how to run. Everybody does.

If a knee hurts for more than three runs in a row, stop and have it seen. A missed week costs nothing; a missed month costs the race.
== chat run-knee 2026-08-06 07:50 running mira
Right knee, outside, from kilometre 9 on, third run in a row. I am going to Dr. Kniescheibe before I become a story.
== mail run-knee-mail 2026-08-10 16:30 personal knut>mira label:health
Befund rechtes Knie
Sehr geehrte Frau Tallow,

es ist das Läuferknie (Tractus iliotibialis), nichts gerissen. Zwölf Tage Laufpause, bis einschließlich 22. August, Radfahren erlaubt, täglich die Rolle. Den Marathon am 27. September halte ich für möglich, wenn Sie vernünftig sind. Sie wirkten nicht vernünftig.

Dr. Knut Kniescheibe
== event run-race 2026-09-27 09:00 300 with:tomasz,caspar
Kranichsund Marathon | Seebrücke, Kranichsund
Number 2817, block D. Caspar at kilometre 21 and 35 with cola.
== play run-song 2026-09-27 09:02
The Foghorn Sisters | Slow Boats Are Still Boats | Harbour Hours
== note run-race-note 2026-09-27 20:30 Journal key:Journal/2026/September:_42,195_km tags:journal,running
September: 42,195 km
**4:21:37.** Tomasz 4:19:05, because he left me at kilometre 38 with my blessing and my gel.

- km 21: 2:08:50, Caspar, cola, a sign saying "THE CAT IS PROUD"
- km 33: knee said good morning
- km 35: did not walk. DID NOT WALK
- km 42: an old man with a trumpet

Soup afterwards: pea. I have lost one toenail and no friends.
== chat run-done 2026-09-28 09:15 running mira
4:21:37! Under 4:30, nothing torn, stairs only downwards backwards. 🏅
== chat run-done2 2026-09-28 09:20 running jonas re:run-done
You nearly beat Tomasz!
== chat run-done3 2026-09-28 09:20 running saoirse re:run-done
Fifteen.
== fact
Q: What was Mira's marathon time, and Tomasz's?
A: 4:21:37 for Mira, 4:19:05 for Tomasz.
K: 4:21:37; 4:19:05
W: note:run-race-note
== fact
Q: What was Mira's start number?
A: 2817, start block D.
K: 2817; Startblock D
W: mail:run-entry
== fact
Q: What was wrong with Mira's knee and how long did she pause?
A: Runner's knee (Läuferknie); twelve days without running, until 22 August.
K: Läuferknie; Zwölf Tage; 22. August
W: mail:run-knee-mail
== fact
Q: Which song did Mira start the marathon with?
A: "Slow Boats Are Still Boats" by The Foghorn Sisters.
K: Slow Boats Are Still Boats; The Foghorn Sisters
W: play:run-song
`

/** The Damp Pages, a book club with strong opinions. All books and authors are invented. */
export const bookClub = `
== note book-list 2025-11-12 22:20 Books tags:bookclub,list
The Damp Pages: the list 2025/26
1. November: *The Keeper's Ledger* by Orla Fenwhistle (Ute)
2. December: *A Short History of Fog* by Barnaby Thistlepond (me)
3. January: *Salt, and Other Promises* by Inés Marbella Cuervo (Chloé, by letter)
4. February: *The Borrowed Tide* by Marguerite Ombelle (Percival)
5. March: *Nine Doors to Nowhere* by Ansgar Holunder (Ute)
6. April: *Instructions for Leaving* by Thea Mossgrave (Caspar, guest vote)
7. May: *The Cartographer's Second Wife* by Idris Pennyquick (Percival)
8. June: *Winterbees* by Solvei Rimfrost (me)
9. July: *The Man Who Sold His Shadow Twice* by Casimir Plume (Ute)
10. September: *An Orchard Under Water* by Lúcia Vazante (Percival)
11. October: *Letters to a Lamplighter* by Edwin Spruce-Marlowe (me)

August off, by law.
== mail book-feb 2026-02-24 22:40 personal percival>ute,mira,caspar label:bookclub
On the ending of The Borrowed Tide
Friends,

I have slept badly. I must put in writing that the ending of The Borrowed Tide is not "a cheat", Ute, but a mirror: the sea gives back on page 312 exactly what Delphine threw in on page 9. I counted the buttons. There are seven, both times.

Percival
== mail book-feb-re 2026-02-25 07:55 personal ute>percival,mira,caspar re:book-feb
Percival, on page 9 there are six buttons and a thimble. I have the library copy in front of me. A thimble is not a button. The ending is a cheat.

Ute
== mail book-feb-re2 2026-02-25 08:10 personal mira>percival,ute,caspar re:book-feb
I have the other printing and mine has seven buttons AND a thimble. Could it be that you two have been quarrelling about a typesetter?

Mira
== mail book-feb-re3 2026-02-25 19:30 personal percival>ute,mira,caspar re:book-feb
I withdraw nothing, but I shall bring wine.
== mail book-july 2026-07-02 18:20 personal ute>mira,percival,caspar label:bookclub
July meeting moves to the 16th
Dear Damp Ones,

my ceiling came down (nobody under it, only the atlas). We move from 9 July to Thursday 16 July, 20:00, and from my place to Mira's new kitchen, if it exists by then. The book remains The Man Who Sold His Shadow Twice.

Ute
== mail book-july-re 2026-07-02 18:55 personal mira>ute,percival,caspar re:book-july
It exists except for one cabinet, 14 centimetres and a door. Bring cushions.
== event book-july-ev 2026-07-16 20:00 150 with:ute,percival,caspar
The Damp Pages: The Man Who Sold His Shadow Twice | Our kitchen, Leuchtgasse 7
Moved from 9 July (Ute's ceiling).
== order book-order 2025-11-28 21:01 delivered books
Buchhandlung Zettelkasten
1 x 19.80 A Short History of Fog, Barnaby Thistlepond
1 x 14.00 Winterbees, Solvei Rimfrost
1 x 16.50 Letters to a Lamplighter, Edwin Spruce-Marlowe
== fact
Q: Who chose The Borrowed Tide, and what was the quarrel about?
A: Percival; whether there are seven buttons on page 9, so whether the ending is a cheat.
K: seven; page 9; Percival; The Borrowed Tide
W: mail:book-feb, note:book-list
== fact
Q: Why did the July book club move, from when to when?
A: Ute's ceiling came down; from 9 July to 16 July, at Mira's kitchen.
K: ceiling; 9 July; 16 July
W: mail:book-july
== fact
Q: Which book did the club read in June?
A: Winterbees by Solvei Rimfrost, chosen by Mira.
K: Winterbees; Solvei Rimfrost
W: note:book-list
`
