/** The tax return for 2025. */
export const tax = `
== mail tax-ask 2026-03-22 17:15 personal mira>renate label:tax
Steuererklärung 2025: Arbeitszimmer und Reisen
Liebe Frau Zahlenwald,

zwei Fragen für 2025: Ich habe an 96 Tagen zu Hause gearbeitet. Arbeitszimmer oder Tagespauschale? Und zählen die drei Fahrten zu Leuchttürmen, die ich selbst bezahlt habe (zusammen 418,60 Euro)?

Mira Tallow
== mail tax-answer 2026-03-25 09:40 personal renate>mira re:tax-ask
Liebe Frau Tallow,

Tagespauschale: 96 Tage zu 6 Euro, das sind 576 Euro. Ein Arbeitszimmer erkennt man Ihnen nicht an, weil dort laut Ihrem Foto ein Akkordeon, ein Kater und ein Wäscheständer wohnen. Die Fahrten zählen, bitte mit Belegen.

Es fehlt mir noch die Bescheinigung der Krankenkasse. Abgabe bis 31. Juli.

Renate Zahlenwald
== mail tax-missing 2026-06-30 08:30 personal renate>mira re:tax-ask
Liebe Frau Tallow, freundliche Erinnerung: die Bescheinigung der Krankenkasse fehlt immer noch. Die Frist ist der 31. Juli, und ich fahre am 18. in die Berge.
== chat tax-c1 2026-06-30 08:45 random mira
Does anyone know where a health insurance certificate goes when it dies?
== chat tax-c2 2026-06-30 08:52 random imke re:tax-c1
In den Umzugskarton „Diverses, sei tapfer“. Immer.
== mail tax-found 2026-07-04 19:05 personal mira>renate re:tax-ask
Gefunden! Im Umzugskarton "Misc, be brave", zwischen einem Prisma und der Gebrauchsanweisung eines Toasters. Scan anbei.
@@ krankenkasse-2025.pdf | application/pdf | Bescheinigung der Krankenkasse 2025 für Mira Tallow. Gezahlte Beiträge 4.918,44 EUR.
== mail tax-filed 2026-07-12 11:00 personal renate>mira re:tax-ask
Eingereicht am 12. Juli. Erwartete Erstattung: 743,18 Euro. Meine Rechnung über 240 Euro folgt.
== mail tax-notice 2026-09-03 10:10 personal renate>mira re:tax-ask
Der Bescheid ist da: Erstattung 743,18 Euro, auf den Cent. Ich rahme ihn mir ein.
== note tax-note 2026-09-03 20:00 Home tags:tax,money
Tax 2025: done
Filed 12 July, notice 3 September, refund 743.18 euros, adviser 240. Net 503.18, which is almost exactly one kitchen drawer.

Next year: keep the health insurance certificate OUT of boxes.
== fact
Q: How much was the tax refund for 2025 and when did the notice come?
A: 743.18 euros; the notice came on 3 September 2026.
K: 743.18; 3 September
W: note:tax-note
== fact
Q: Why did the tax adviser reject the home office?
A: Because an accordion, a tomcat and a clothes horse live in that room; the day rate of 576 euros applies instead.
K: Akkordeon; Kater; 576
W: mail:tax-answer
== fact
Q: Which document was missing, and where was it found?
A: The health insurance certificate (Krankenkasse), in the moving box "Misc, be brave".
K: Krankenkasse; Misc, be brave
W: mail:tax-missing, mail:tax-found
`

/** Plot 31 and the rule about hedges. */
export const allotment = `
== mail gar-plot 2026-04-01 09:00 personal gudrun>mira label:garden
Parzelle 31 ist Ihre (kein Aprilscherz)
Sehr geehrte Frau Tallow,

nach vier Jahren auf der Warteliste ist Parzelle 31 in der Anlage Abendbrise Ihre. Pacht 186 Euro im Jahr. Hecken dürfen laut Satzung höchstens 1,25 Meter hoch sein. Ich messe am ersten Samstag im Monat.

Gudrun Blattlaus, Vorstand
== note gar-plan 2026-04-06 15:30 Garden tags:allotment
Plot 31: plan
North bed: potatoes (Linda-like, floury). East bed: beans, sweet peas, whatever Lin brings. Greenhouse frame: eight tomatoes. Neighbour at plot 30: old Herr Regenfass, grows one cabbage a year and names it.

Lin's advice: 番茄要早掐尖 — pinch out the tomatoes early.
== mail gar-hedge 2026-06-06 18:30 personal gudrun>mira re:gar-plot
Ihre Hecke misst 1,31 Meter. Das sind sechs Zentimeter zu viel. Frist zum Rückschnitt: 4. Juli.
== mail gar-hedge-re 2026-06-07 10:12 personal mira>gudrun re:gar-plot
Liebe Frau Blattlaus, in der Hecke brütet ein Zaunkönig, sieben Eier, wir haben gezählt. Darf er noch zu Ende brüten?
== mail gar-hedge-re2 2026-06-07 20:44 personal gudrun>mira re:gar-plot
Der Zaunkönig ist in der Satzung nicht vorgesehen. Ich habe ihn mir angesehen. Frist verlängert bis 1. August. Bitte sagen Sie es nicht weiter.
== note gar-harvest 2026-10-11 17:50 Garden tags:allotment,harvest
Plot 31: the harvest
Potatoes 23.5 kg. Tomatoes 31 kg (eight plants, pinched out early, Lin was right). Beans too many. One wren family, seven fledged of seven.

Herr Regenfass's cabbage of the year was called Brunhilde and weighed 6.2 kg. There was a small ceremony.
== chat gar-c1 2026-10-12 12:05 lunch lin
谢谢番茄!Soup for everyone today from plot 31. 🍅
== fact
Q: How tall was the hedge on plot 31, and what is allowed?
A: 1.31 metres; the rules allow 1.25.
K: 1,31; 1,25
W: mail:gar-hedge, mail:gar-plot
== fact
Q: Why was the hedge deadline extended, and until when?
A: Because a wren (Zaunkönig) was breeding in it; until 1 August.
K: Zaunkönig; 1. August
W: mail:gar-hedge-re, mail:gar-hedge-re2
== fact
Q: How many kilograms of tomatoes did the allotment give?
A: 31 kg from eight plants.
K: 31 kg; eight plants
W: note:gar-harvest
`

/** A bicycle leaves the harbour without its owner. */
export const bicycle = `
== chat bike-c1 2026-10-05 08:20 general mira
My bike was stolen from outside the workshop, Saturday between 10 and 12. Green Nordwind, brass bell, a sticker of an owl. If you see it, shout at it kindly.
== mail bike-claim 2026-10-05 12:30 personal mira>insurer label:insurance
Diebstahl Fahrrad Nordwind, 3. Oktober
Sehr geehrte Damen und Herren,

am Samstag, 3. Oktober 2026, zwischen 10 und 12 Uhr wurde mein Fahrrad (Nordwind 8, grün, Rahmennummer NW8-44170) am Alten Kai gestohlen. Anzeige ist erstattet, Neupreis war 780 Euro.

Mira Tallow
@@ kaufbeleg-nordwind.pdf | application/pdf | Kaufbeleg Fahrrad Nordwind 8, grün, 780,00 EUR, Rahmennummer NW8-44170.
== mail bike-ack 2026-10-07 09:12 personal insurer>mira re:bike-claim
Sehr geehrte Frau Tallow,

Ihr Schaden wird unter der Nummer MS-26-10417 geführt. Bitte teilen Sie uns mit, ob das Rad abgeschlossen war und womit.
== mail bike-lock 2026-10-07 12:01 personal mira>insurer re:bike-claim
Es war abgeschlossen, mit einem Bügelschloss. Das Schloss hat man mir dagelassen.
== mail bike-paid 2026-10-21 14:30 personal insurer>mira re:bike-claim
Sehr geehrte Frau Tallow,

wir überweisen Ihnen 650 Euro (Zeitwert). Das Bügelschloss dürfen Sie behalten.
== chat bike-c2 2026-10-27 17:15 general bastian
MIRA. Green Nordwind, owl sticker, leaning on the net loft with a flat tyre and a bag of apples in the basket?!
== chat bike-c3 2026-10-27 17:18 general mira re:bike-c2
The thief has fed it. I do not know what to feel.
== mail bike-back 2026-10-28 08:40 personal mira>insurer re:bike-claim
Sehr geehrte Damen und Herren, das Rad MS-26-10417 ist gestern, am 27. Oktober, an der Alten Netzhalle wieder aufgetaucht, mit Äpfeln. Wie gebe ich Ihnen die 650 Euro zurück?
== fact
Q: What is the claim number for the stolen bicycle, and what was paid?
A: MS-26-10417; 650 euros were paid.
K: MS-26-10417; 650
W: mail:bike-ack, mail:bike-paid
== fact
Q: When and where did the stolen bicycle turn up again?
A: On 27 October at the Alte Netzhalle, with apples in the basket.
K: 27. Oktober; Netzhalle; Äpfeln
W: mail:bike-back
`
