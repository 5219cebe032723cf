/** Moving from Möwengasse 14 to Leuchtgasse 7, March 2026. */
export const moving = `
== mail move-ad 2026-01-18 20:14 personal nebelhorn>mira label:flat
Wohnungsbesichtigung Leuchtgasse 7, 3. OG
Guten Tag Frau Tallow,

vielen Dank für Ihr Interesse an der Wohnung in der Leuchtgasse 7. Drei Zimmer, 74 Quadratmeter, dritter Stock ohne Aufzug, dafür Blick auf den alten Hafen. Die Kaltmiete beträgt 980 Euro, die Kaution drei Kaltmieten, also 2.940 Euro.

Passt Ihnen Donnerstag, der 22. Januar, um 17:30 Uhr? Bitte klingeln Sie zweimal, die Glocke ist eigensinnig.

Mit freundlichen Grüßen
Ottilie Nebelhorn
== mail move-ad-re 2026-01-18 21:02 personal mira>nebelhorn re:move-ad cc:caspar
Liebe Frau Nebelhorn,

Donnerstag um 17:30 Uhr passt sehr gut. Mein Partner Caspar Windle kommt mit. Wir haben eine ruhige Katze (Admiral Crumb, elf Jahre) – ist das in Ordnung?

Herzliche Grüße
Mira Tallow
== mail move-cat 2026-01-19 09:11 personal nebelhorn>mira re:move-ad
Eine ruhige Katze ist mir lieber als ein lauter Mieter. Bis Donnerstag!

O. Nebelhorn
== event move-viewing 2026-01-22 17:30 45 with:caspar,nebelhorn
Viewing: Leuchtgasse 7, 3rd floor | Leuchtgasse 7, Möwenhafen
Ring twice. Ask about: damp in the north room, cellar, whether the kitchen may be rebuilt.
== chat move-c1 2026-01-23 09:20 random mira
We saw the flat on Leuchtgasse. Third floor, no lift, a kitchen from the age of sail, and you can see the harbour light from the bathtub. I have lost my heart.
== chat move-c2 2026-01-23 09:24 random anneke re:move-c1
From the bathtub?! Take it. Take it today.
== chat move-c3 2026-01-23 09:31 random lev re:move-c1
Третий этаж без лифта — значит, пианино не переезжает 😄 I will carry books, not the piano.
== mail move-yes 2026-02-02 18:40 personal nebelhorn>mira re:move-ad cc:caspar
Liebe Frau Tallow, lieber Herr Windle,

ich freue mich, Ihnen die Wohnung zu geben. Mietbeginn ist der 1. März 2026. Der Vertrag liegt bei. Die Küche dürfen Sie auf eigene Kosten erneuern, ich beteilige mich mit 1.500 Euro, sobald die Rechnungen vorliegen.

Ottilie Nebelhorn
@@ Mietvertrag-Leuchtgasse-7.pdf | application/pdf | Mietvertrag zwischen Ottilie Nebelhorn und Mira Tallow sowie Caspar Windle. Mietbeginn 1. März 2026. Kaltmiete 980,00 EUR. Kaution 2.940,00 EUR. Küche: Erneuerung durch Mieter gestattet, Zuschuss der Vermieterin 1.500,00 EUR.
== mail move-notice 2026-02-03 08:05 personal mira>sandkorn
Kündigung der Wohnung Möwengasse 14
Sehr geehrter Herr Sandkorn,

hiermit kündige ich die Wohnung Möwengasse 14, zweiter Stock links, fristgerecht zum 30. April 2026. Bitte bestätigen Sie mir den Eingang. Die Kaution betrug 1.680 Euro.

Mira Tallow
== mail move-notice-re 2026-02-05 16:47 personal sandkorn>mira re:move-notice
Eingang bestätigt. Schade, Sie waren leise. Übergabe am 28. April um 10 Uhr, bitte besenrein und ohne Möwen auf dem Balkon.

Sandkorn
== mail move-quote 2026-02-11 11:32 personal movers>mira
Ihr Angebot Nr. 2026-0211: Umzug Möwengasse – Leuchtgasse
Moin Frau Tallow,

zwei Esel (so heißen wir, wir sind aber zwei Brüder und ein Lastwagen) machen Ihnen den Umzug am Samstag, 14. März, ab 8 Uhr zum Festpreis von 890 Euro. Darin sind 40 Kartons. Klaviere tragen wir nur ins Erdgeschoss.

Hein und Fiete
@@ Angebot-2026-0211.pdf | application/pdf | Angebot 2026-0211. Umzug 14. März 2026, 8 Uhr. Festpreis 890,00 EUR inkl. 40 Kartons. Akkordeonkoffer, Bücher, eine Katze (reist mit der Kundin).
== note move-list 2026-03-01 21:30 Home tags:moving,list
Moving list
## Before the 14th
- [x] Keys from Frau Nebelhorn (1 March, two sets plus cellar)
- [x] Electricity: meter reading 40,218 kWh at Möwengasse
- [ ] Forward post for six months
- [x] Borrow Lev's van for the plants. **Not** the movers, they do not do plants
- [ ] Admiral Crumb to Anneke's on the Friday night

## Boxes
41 boxes as of tonight. Books: 19. Lens catalogues: 6. "Misc, be brave": 4.
== event move-day 2026-03-14 08:00 540 with:caspar,lev,tomasz
Moving day! | Möwengasse 14 to Leuchtgasse 7
Zwei Esel at 8. Lev brings the van for plants. Pizza for nine at 17:00 from Pizzeria Ankerkette.
== note move-journal 2026-03-15 22:10 Journal key:Journal/2026/März:_Umzug tags:journal,moving
März: Umzug
It rained until eleven and then stopped as if someone had signed for it. Hein and Fiete carried everything including the wardrobe nobody believed in. 52 boxes in the end, not 40, and so the bill will not be 890.

Caspar dropped exactly one thing, the blue teapot. Lev brought the monstera in his arms like a bride. Tomasz ran the stairs "for training" (thirty-one flights, he counted).

Admiral Crumb came over from Anneke's at six, inspected every room with his tail up, and fell asleep in the bath. From there you really can see the light.
== mail move-bill 2026-03-18 10:15 personal movers>mira re:move-quote label:invoice
Moin,

anbei die Rechnung: 890 Euro fest, dazu 12 Kartons zu je 5 Euro und eine Stunde Regenpause halb, macht 95 Euro. Zusammen 1.045 Euro. Der Schrank ging aufs Haus, so einen hatten wir noch nie.

Korrektur von Fiete: 12 mal 5 sind 60, und die Regenpause 95, deshalb 1.045. Entschuldigung.
@@ Rechnung-2026-0318.pdf | application/pdf | Rechnung 2026-0318. Festpreis 890,00 EUR, 12 zusätzliche Kartons 60,00 EUR, Regenpause 95,00 EUR. Summe 1.045,00 EUR.
== chat move-c4 2026-03-16 09:03 random tomasz
Thirty-one flights on Saturday. My watch thinks I climbed a small volcano. 🌋
== mail move-deposit 2026-06-02 14:20 personal sandkorn>mira re:move-notice
Sehr geehrte Frau Tallow,

Ihre Kaution von 1.680 Euro wird abzüglich 120 Euro für den Kratzer im Parkett (Schlafzimmer) ausgezahlt: 1.560 Euro, heute überwiesen.

Sandkorn
== order move-boxes 2026-02-20 19:44 delivered household
Karton & Kork
50 x 1.90 Moving box, double wall, 60 litres
4 x 3.25 Packing tape, whisper quiet
1 x 12.80 Marker pens in six colours
== fact
Q: What did the movers finally charge, and why was it more than the quote?
A: 1,045 euros instead of the quoted 890: 12 extra boxes (60) and the rain break (95).
K: 1.045; 890; Regenpause
W: mail:move-quote, mail:move-bill
== fact
Q: When did Mira move into Leuchtgasse 7?
A: On Saturday 14 March 2026, with the movers Zwei Esel starting at 8.
K: 2026-03-14; Zwei Esel
W: event:move-day
== fact
Q: How much of the old deposit came back, and what was withheld?
A: 1,560 of 1,680 euros; 120 were kept for a scratch in the parquet.
K: 1.560; 120; Parkett
W: mail:move-deposit
== fact
Q: How much does the new landlady contribute to the kitchen?
A: Ottilie Nebelhorn pays 1,500 euros once the invoices are there.
K: Nebelhorn; 1.500
W: mail:move-yes, attachment:move-yes/0
== fact
Q: What did Caspar drop on moving day?
A: The blue teapot, and nothing else.
K: Caspar; blue teapot
W: note:move-journal
== fact
Q: How many boxes were there in the end?
A: 52 boxes, rather than the 40 in the offer.
K: 52 boxes; 40
W: note:move-journal
`

/** The kitchen at Leuchtgasse 7, and the two tradespeople who would not speak to each other. */
export const kitchen = `
== mail kit-quote 2026-04-08 07:12 personal bodo>mira label:kitchen
Kostenvoranschlag Küche Leuchtgasse 7
Frau Tallow,

wie besprochen: Unterschränke, Arbeitsplatte Eiche geölt, Spüle, Montage. Zusammen 8.400 Euro. Beginn Montag, 11. Mai, fertig bis 12. Juni. Strom macht nicht Küchen Sägespan, Strom macht wer will, nur bitte nicht die Funkelmann.

Bodo Sägespan
@@ KV-KS-2026-041.pdf | application/pdf | Kostenvoranschlag KS-2026-041. Arbeitsplatte Eiche geölt 40 mm. Gesamt 8.400,00 EUR. Beginn 11. Mai 2026, Fertigstellung 12. Juni 2026.
== mail kit-frieda 2026-04-10 12:25 personal frieda>mira
Elektro Küche: Angebot 1.280 €
Liebe Frau Tallow,

Herd, sechs Steckdosen, Licht unter den Hängeschränken: 1.280 Euro. Ich fange gern an, sobald Herr Sägespan seine Schlitze gefräst hat. Er möge mir bitte diesmal die Wand übrig lassen.

Frieda Funkelmann
== chat kit-c1 2026-04-10 13:02 random mira
Our kitchen builder and our electrician have a history. The offer for the sockets contains the phrase "he may kindly leave me the wall this time".
== chat kit-c2 2026-04-10 13:05 random imke re:kit-c1
Das ist wegen der Bäckerei Krümel 2019. Frag nicht. Ganz Möwenhafen weiß Bescheid.
== event kit-start 2026-05-18 07:30 60 with:bodo
Kitchen: Bodo starts (was 11 May, moved because we are in Japan) | Leuchtgasse 7
Caspar has the key. Water off until noon.
== mail kit-walnut 2026-06-03 07:41 personal mira>bodo re:kit-quote cc:caspar
Guten Morgen Herr Sägespan,

die Arbeitsplatte ist da und sie ist sehr schön, aber sie ist aus Nussbaum. Bestellt und bestätigt war Eiche geölt (KS-2026-041). Bitte sagen Sie mir, wie wir das lösen.

Mira Tallow
== mail kit-walnut-re 2026-06-03 19:20 personal bodo>mira re:kit-quote
Nussbaum ist wertvoller. Seien Sie froh. Eiche dauert sechs Wochen. Außerdem hat die Funkelmann eine Steckdose dorthin gesetzt, wo mein Schrank hingehört, da kann ich für nichts garantieren.
== mail kit-socket 2026-06-04 06:58 personal frieda>mira re:kit-frieda
Die Steckdose sitzt genau dort, wo der Plan vom 22. April sie zeigt. Der Schrank sitzt 14 Zentimeter daneben. Ich habe Fotos und einen Zollstock.
@@ steckdose-mit-zollstock.png | image/png | Foto: Steckdose an der Nordwand, Zollstock zeigt 14 cm Abstand zum Schrankkorpus.
== mail kit-inv2 2026-06-22 07:05 personal bodo>mira re:kit-quote label:invoice
Anbei die Rechnung KS-2026-058 über 9.950 Euro. Mehrpreis Nussbaum 1.550 Euro.
@@ Rechnung-KS-2026-058.pdf | application/pdf | Rechnung KS-2026-058. Küche Leuchtgasse 7. Grundpreis 8.400,00 EUR. Mehrpreis Arbeitsplatte Nussbaum 1.550,00 EUR. Gesamt 9.950,00 EUR. Zahlbar in 14 Tagen.
== ai kit-ai 2026-06-23 21:15
Contractor charged me for the wrong worktop
>> user
My kitchen builder in Germany quoted 8,400 euros for an oak worktop kitchen (fixed, in writing), delivered walnut by mistake, and now invoices 9,950 because walnut is dearer. I like the walnut. What is a fair way to settle this without a war?
>> assistant
You are in a comfortable position, so the useful question is what outcome you want rather than who is right.

**What you have.** A written estimate that names the material. Delivering another material is a defect in the ordinary sense of the word: you ordered oak, you got walnut. You did not ask for the change, so as a rule you do not owe the difference of 1,550 euros.

**What he has.** A real loss, if he bought a more expensive slab, and a customer who admits to liking it.

**A settlement that usually works**
1. Say plainly that you will keep the walnut. That saves him six weeks and a second slab.
2. Offer a contribution that reflects its value to you, not its price to him. A third of the surcharge is a common landing place, so about 500 euros and a total near 8,900.
3. Tie it to something you need: the cabinet moved by the 14 centimetres, and a date.
4. Pay the undisputed part at once. It shows good faith and it takes the heat out.

Keep the tone factual, quote the estimate number once, and ask for a corrected invoice rather than a discount. I am not a lawyer; your local consumer advice centre can check the wording.
>> user
Draft it in German, friendly, short. Mention 8.900 and that I would like it done by 24 July.
>> assistant
Sehr geehrter Herr Sägespan,

die Nussbaumplatte gefällt uns, und wir möchten sie behalten. Bestellt war nach KS-2026-041 allerdings Eiche zu 8.400 Euro, den Mehrpreis haben wir nicht beauftragt. Ich schlage vor: Wir einigen uns auf 8.900 Euro insgesamt, Sie versetzen den Unterschrank um die 14 Zentimeter, und die Küche ist bis zum 24. Juli fertig. 6.000 Euro überweise ich heute, den Rest nach Abnahme.

Mit freundlichen Grüßen
Mira Tallow
== mail kit-settle 2026-06-24 08:30 personal mira>bodo re:kit-quote cc:caspar
Sehr geehrter Herr Sägespan,

die Nussbaumplatte gefällt uns, und wir möchten sie behalten. Bestellt war nach KS-2026-041 allerdings Eiche zu 8.400 Euro. Ich schlage vor: 8.900 Euro insgesamt, Sie versetzen den Unterschrank um 14 Zentimeter, fertig bis zum 24. Juli. 6.000 Euro überweise ich heute, den Rest nach Abnahme.

Mit freundlichen Grüßen
Mira Tallow
== mail kit-settle-re 2026-06-26 07:02 personal bodo>mira re:kit-quote
8.900. Weil Sie höflich sind. Schrank wird versetzt. Die Funkelmann soll an dem Tag Urlaub haben.
== event kit-done 2026-07-24 15:00 60 with:bodo,caspar
Kitchen: final inspection (Abnahme) | Leuchtgasse 7
Drawers, oven, cabinet 14 cm to the left. Pay the remaining 2,900 euros if all is well.
== note kit-ledger 2026-07-25 10:20 Home tags:kitchen,money
Kitchen: what it cost
| Who | What | Euros |
| --- | --- | ---: |
| Bodo Sägespan | Kitchen, settled (quote 8,400, invoice 9,950) | 8,900.00 |
| Frieda Funkelmann | Oven, six sockets, lights | 1,280.00 |
| Karton & Kork | Handles, hooks, a new blue teapot | 86.40 |
| Ottilie Nebelhorn | Her share | -1,500.00 |
| **Total** | | **8,766.40** |

Peace was made on the last day: Frieda came by for her ladder, Bodo offered her coffee from *our* new machine, and they discussed the bakery for an hour. Apparently the wall in 2019 was load-bearing.
== order kit-handles 2026-07-11 20:31 delivered household
Karton & Kork
9 x 5.60 Brass drawer handle, sailor pattern
3 x 4.00 Coat hook, cast iron gull
1 x 24.00 Teapot, cobalt blue, 1.2 litres
== fact
Q: What did Mira finally pay Bodo Sägespan, and what were the quote and the invoice?
A: 8,900 euros, after a quote of 8,400 and an invoice of 9,950.
K: 8,900; 8,400; 9,950
W: note:kit-ledger
== fact
Q: What went wrong with the worktop?
A: Oiled oak (Eiche) was ordered, walnut (Nussbaum) was delivered.
K: Eiche; Nussbaum
W: mail:kit-walnut
== fact
Q: By how many centimetres was the cabinet in the wrong place?
A: 14 centimetres, according to Frieda Funkelmann's folding rule.
K: 14 Zentimeter; Zollstock
W: mail:kit-socket
== fact
Q: What did the kitchen cost in total after the landlady's share?
A: 8,766.40 euros.
K: 8,766.40
W: note:kit-ledger
== fact
Q: Which invoice number charged extra for walnut?
A: KS-2026-058, with a surcharge of 1,550 euros.
K: KS-2026-058; 1.550
W: attachment:kit-inv2/0
`
