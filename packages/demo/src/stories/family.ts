/** Admiral Crumb, eleven years old, and his kidneys. */
export const cat = `
== chat cat-c1 2026-01-12 08:50 cats mira
Admiral Crumb drinks like a ship's pump and has stopped finishing breakfast. Booked the vet for Wednesday.
== chat cat-c2 2026-01-12 08:58 cats priya re:cat-c1
Poor Admiral! मेरी बिल्ली को भी यही हुआ था, it was the kidneys and she lived to nineteen. Ask for the blood pressure too.
== event cat-vet1 2026-01-14 16:30 30 with:henrike
Vet: Admiral Crumb, drinking a lot | Tierarztpraxis Samtpfote, Deichweg 3
Bring the list of what he eats. Ask about blood pressure (Priya).
== mail cat-results 2026-01-16 18:05 personal henrike>mira label:cat
Laborbefund Admiral Crumb
Liebe Frau Tallow,

die Werte sind da: Kreatinin 2,4 mg/dl, Gewicht 3,6 kg (im Sommer waren es 4,1 kg). Das ist eine chronische Nierenerkrankung im Stadium 2, früh erkannt. Blutdruck normal.

Bitte Nierendiät, viel Wasser an mehreren Stellen, und in sechs Wochen Kontrolle. Er hat mich bei der Blutabnahme angesehen wie ein Vorgesetzter.

Dr. Henrike Samtpfote
@@ Befund-Admiral-Crumb.pdf | application/pdf | Laborbefund Admiral Crumb, Kater, 11 Jahre. Kreatinin 2,4 mg/dl. Gewicht 3,6 kg. CNE Stadium 2.
== mail cat-bill 2026-01-20 09:00 personal henrike>mira re:cat-results label:invoice
Anbei die Rechnung über 412,80 Euro (Blutbild, Ultraschall, Blutdruck, ein Leckerli, das nicht berechnet wurde).
@@ Rechnung-TS-0120.pdf | application/pdf | Rechnung TS-0120, Gesamt 412,80 EUR.
== ai cat-ai 2026-01-17 10:30
Getting a stubborn cat onto kidney food
>> user
My eleven-year-old cat has kidney disease stage 2 and must change to a renal diet. He looks at the new food as if I had insulted the fleet. How do I do this?
>> assistant
Slowly, and with your dignity left at the door. A sick cat that stops eating is worse off than one on the wrong food, so the change must never become a hunger strike.

**A ten-day change that usually works**
- Days 1 to 3: one part new to nine parts old, stirred until he cannot separate them.
- Days 4 to 6: one to three. Warm it to body temperature; the smell does half the work.
- Days 7 to 9: half and half, in two small meals more than usual.
- Day 10: all new, with a teaspoon of the water from a tin of tuna (no salt) as a bribe.

**Water.** Three bowls in three rooms, wide ones, away from the food. Many cats prefer a fountain.

**Call the vet** if he eats nothing for 24 hours, vomits more than twice, or hides. And weigh him weekly: a kitchen scale and a shoebox are enough at his size.
>> user
He weighs 3.6 kg. What should I hope for by summer?
>> assistant
Holding 3.6 would already be good. Back to about 4 kg by early summer would be a very good sign that the food suits him. Write the weights down on the same day each week, because your eye will follow your hopes.
== note cat-weights 2026-07-05 09:15 Home tags:cat,health
Admiral Crumb: weights
| Date | kg |
| --- | ---: |
| 14 January | 3.6 |
| 25 February | 3.7 |
| 8 April | 3.9 |
| 20 May (at Anneke's, hers reads heavy) | 4.1 |
| 5 July | 4.2 |

Kidney food: the one with the blue label. **Not** the green one, see carpet.
== order cat-food 2026-01-17 11:20 delivered pets
Pfote & Napf
24 x 2.15 Renal diet for cats, chicken, blue label, 85 g
1 x 34.90 Drinking fountain, ceramic, quiet
== mail cat-check 2026-02-25 17:40 personal henrike>mira re:cat-results
Kontrolle: Kreatinin 2,1, Gewicht 3,7 kg. Sehr gut! Weiter so. Nächste Kontrolle im August reicht.
== fact
Q: What is wrong with Admiral Crumb?
A: Chronic kidney disease, stage 2, creatinine 2.4 in January.
K: Nierenerkrankung; Stadium 2; 2,4
W: mail:cat-results
== fact
Q: How did the cat's weight change between January and July 2026?
A: From 3.6 kg on 14 January to 4.2 kg on 5 July.
K: 3.6; 4.2; 5 July
W: note:cat-weights
== fact
Q: What did the vet charge in January?
A: 412.80 euros.
K: 412,80
W: mail:cat-bill
== fact
Q: Which food should the cat not get?
A: The one with the green label; the blue one is right.
K: blue label; green
W: note:cat-weights
`

/** A telescope eyepiece for Dad's 70th birthday, lost and found. */
export const parcel = `
== order parcel-order 2025-11-19 20:05 refunded gifts
Nebula & Sons
1 x 189.00 Wide-field eyepiece, 24 mm, brass barrel
1 x 9.50 Engraving: "Rufus, look up"
== mail parcel-sent 2025-11-21 09:15 personal nebula>mira label:orders
Your eyepiece is on its way
Dear Mira,

your 24 mm wide-field eyepiece (engraved "Rufus, look up") left our workshop this morning with Schneckenkurier, tracking number SK-5583-2071. It should arrive on 26 November.

Clear skies,
Nebula & Sons
== mail parcel-where 2025-12-01 08:20 personal mira>courier
Where is SK-5583-2071?
Hello,

the parcel SK-5583-2071 has been "on the vehicle" since 25 November. It is a birthday present for 6 December and my father turns 70 only once. Could someone look on the vehicle?

Mira Tallow
== mail parcel-where-re 2025-12-02 15:10 personal courier>mira re:parcel-where
Sehr geehrte Frau Tallow,

Ihre Sendung SK-5583-2071 wurde am 25. November um 14:12 Uhr an eine Person namens "Krümel" übergeben. Wir bedauern, dass Ihnen diese Person nicht bekannt ist. Ein Nachforschungsauftrag (NF-90417) wurde eröffnet.

Ihr Schneckenkurier. Wir kommen an.
== chat parcel-c1 2025-12-02 15:22 random mira
The courier gave Dad's birthday present to "a person named Krümel". Does anyone know a person named Crumb who is not my cat?
== chat parcel-c2 2025-12-02 15:25 random imke re:parcel-c1
Bäckerei Krümel, Deichweg 11! Die nehmen alles an. Frag nach Hannelore.
== chat parcel-c3 2025-12-02 18:04 random mira re:parcel-c1
They were closed, and tomorrow is their day off. Nebula & Sons has refunded me anyway, 198.50, very decent of them.
== mail parcel-refund 2025-12-02 17:30 personal nebula>mira re:parcel-sent
Dear Mira, we do not make people wait for couriers. 198.50 euros are on their way back to you. If the parcel turns up, keep your word to the stars and tell us.
== note parcel-found 2025-12-04 19:30 Journal tags:journal,dad
The parcel
Found! Behind the rye loaves at Bäckerei Krümel, under a sign saying "ask Hannelore". She had been guarding it for nine days and thought it was a pepper mill. I paid Nebula & Sons again the same evening and took the ferry to Dad on Friday with the eyepiece in my coat.
== event parcel-party 2025-12-06 15:00 300 with:rufus,agnes,hazel,caspar
Dad's 70th | Tallow house, Porthwrinkle
Bring: eyepiece, the good cheese, patience. Hazel does the cake, Caspar the star map.
== mail parcel-dad 2025-12-08 07:30 personal rufus>mira
Saturn!
Dearest Mira,

saw Saturn at 18:40 last night through your eyepiece, rings and all, and woke your mother to show her. She said it looked exactly like a sticker. I have not been so happy since the coal shed.

Your old Dad
== fact
Q: Where was the lost parcel found?
A: At Bäckerei Krümel, behind the rye loaves, guarded by Hannelore.
K: Krümel; rye loaves; Hannelore
W: note:parcel-found
== fact
Q: What was the tracking number of the lost parcel and what was in it?
A: SK-5583-2071, a 24 mm wide-field eyepiece engraved "Rufus, look up".
K: SK-5583-2071; eyepiece; Rufus, look up
W: mail:parcel-sent
== fact
Q: How much did Nebula & Sons refund?
A: 198.50 euros.
K: 198.50
W: mail:parcel-refund
== fact
Q: What did Mira's mother say Saturn looked like?
A: Exactly like a sticker.
K: Saturn; sticker
W: mail:parcel-dad
`

/** Hazel's daughter. */
export const niece = `
== mail niece-news 2026-02-18 07:02 personal hazel>mira,rufus,agnes
She is here 👨‍👩‍👧
Juniper Agnes Tallow, born today at 04:12, 3,420 grams, 51 centimetres, a great deal of black hair and a very low opinion of hospitals. Everyone well. I have eaten four pieces of toast.

She is called Juniper because we could not agree on anything else, and Agnes because Mum cried.

H.
== mail niece-re 2026-02-18 07:10 personal mira>hazel re:niece-news
Four twelve! I was awake (a cat, a bowl, a carpet). Welcome, Juniper Agnes. Tell her that her aunt can already get her into any lighthouse in Europe. I come on the 27th with soup.

M. ❤️
== chat niece-c1 2026-02-18 09:01 general mira
I am an aunt! Juniper, 3,420 grams, 04:12 this morning. 👶🏽🎉
== chat niece-c2 2026-02-18 09:03 general omar re:niece-c1
ألف مبروك! Welcome to Juniper 🌙
== chat niece-c3 2026-02-18 09:04 general lin re:niece-c1
恭喜恭喜!🎊
== chat niece-c4 2026-02-18 09:06 general lev re:niece-c1
Поздравляю, тётя Мира!
== event niece-visit 2026-02-27 12:00 2880 with:hazel
Visit Hazel and Juniper | Hazel's, Porthwrinkle
Soup, the knitted whale, hands washed.
== order niece-whale 2026-02-21 21:15 delivered gifts
Wollweberei Tidemark
1 x 38.00 Knitted whale, undyed wool, large
1 x 22.50 Baby blanket, wave pattern
== mail niece-name 2026-09-14 20:15 personal hazel>mira
Naming day, 18 October
We are doing a naming day instead of a christening: Sunday 18 October, 14:00, in the old net loft. You are godmother-or-whatever-the-word-is. Duties: hold the baby, say one true thing.

H.
== note niece-speech 2026-10-17 22:40 Family tags:juniper,speech
One true thing (for Juniper)
"Juniper, a lighthouse does not look for ships. It stays where it is and is easy to find. That is what I can promise you."

(Hazel says under one minute. This is eleven seconds if I do not cry.)
== fact
Q: When was Mira's niece born and how heavy was she?
A: Juniper Agnes Tallow, on 18 February 2026 at 04:12, 3,420 grams.
K: Juniper; 04:12; 3,420
W: mail:niece-news
== fact
Q: When and where is Juniper's naming day?
A: Sunday 18 October at 14:00 in the old net loft.
K: 18 October; 14:00; old net loft
W: mail:niece-name
== fact
Q: What present did Mira buy for the baby?
A: A knitted whale and a baby blanket from Wollweberei Tidemark.
K: Knitted whale; Baby blanket
W: item:niece-whale/1, item:niece-whale/2
`

/** Beatriz and Niran marry in Spain with guests in nine languages. */
export const wedding = `
== mail wed-save 2026-01-06 18:00 personal beatriz>mira,chloe label:wedding
¡Nos casamos! 💍 29 de agosto
Mira, Chloé,

¡nos casamos! Niran me lo pidió en el ferry, con viento de levante y un anillo que casi se va al agua. Será el sábado 29 de agosto de 2026 en la Finca Las Almejas, cerca de Cádiz. Habrá gente de nueve países y necesito que me ayudéis con la lista: mi tía solo habla gallego cuando se enfada, la familia de Niran habla tailandés y mandarín, y los primos de Atenas, todo a la vez.

Mira, ¿leerías algo en la ceremonia?

Un abrazo enorme,
Beatriz
== mail wed-yes 2026-01-06 19:22 personal mira>beatriz,chloe re:wed-save
¡Sí, sí y sí! Leo lo que quieras, en el idioma que quieras, siempre que sea despacio. I will make one spreadsheet for the guests with names in their own scripts, so nobody is spelled wrong on their plate.

Mira
== mail wed-chloe 2026-01-07 08:15 personal chloe>beatriz,mira re:wed-save
Félicitations mes chéries ! Enfin, ma chérie et son ingénieur. Je m'occupe des fleurs et de la tante en colère. Je parle le galicien des fâchés, c'est presque du breton.

Chloé
== mail wed-list 2026-04-12 21:30 personal mira>beatriz,niran label:wedding
Guest list v3: 86 invited
Here is version 3. 86 invited, 71 have said yes, 9 no, 6 silent. Names are in their own scripts, with a reading aid for whoever writes the place cards.

Two things to decide: table 4 has both halves of the paella argument, and there are three people called Nikos.

Mira
@@ guest-list-v3.csv | text/csv | name,reading,table,diet / ประภาคาร นิรันดร์,Prapakhan Niran,1,none / 陈月光,Chen Yueguang,2,no peanuts / Νίκος Θαλασσινός,Nikos Thalassinos,4,fish / Νίκος Αλμυρός,Nikos Almyros,4,none / سلمى القنديل,Salma al-Qandil,3,halal / आर्या दीपस्तंभ,Arya Deepstambh,3,vegetarian / Тихон Маячный,Tikhon Mayachny,5,no dill / 海野ひかり,Umino Hikari,2,none
== mail wed-thai 2026-04-14 06:40 personal niran>mira re:wed-list
ขอบคุณมากครับมิรา คุณแม่ดีใจมากที่เห็นชื่อตัวเองเป็นภาษาไทย เธอถามว่าคุณแพ้อาหารอะไรไหม เพราะเธอจะทำแกงเขียวหวานสำหรับทุกคน

(My mother is so happy to see her name in Thai. She asks whether anyone is allergic: she will cook green curry for everyone.)

นิรันดร์
== mail wed-allergy 2026-04-14 08:02 personal mira>niran re:wed-list
Exactly one: 陈月光 (Chen Yueguang, table 2) is allergic to peanuts. And Tikhon refuses dill, but that is a matter of principle.
== ai wed-ai 2026-08-16 19:10
A reading for a wedding between an engineer and a marine biologist
>> user
I am reading at a wedding. She is a marine biologist from Cádiz, he builds bridges and comes from Songkhla. Nine languages in the room. Two minutes, no clichés about anchors, funny once. I want to end on one word that everyone understands.
>> assistant
Here is a draft of about 230 words; it runs close to two minutes if you breathe.

"A bridge, Niran once told me, is not a thing that stands still. It moves all day, a few millimetres, with the sun and the lorries, and a good engineer does not forbid it. He leaves a gap for it. They are called expansion joints, and if you forget them, the bridge will make its own.

Beatriz counts barnacles. I have helped her; it is less romantic than it sounds. A barnacle spends its youth swimming about with strong opinions, and then it chooses one place and glues its head to it for life. She says this is the funniest thing in the sea. She also says that they choose well.

So: one of them knows how to leave room, and the other knows how to stay. I cannot think of two better people to try both at once.

We do not share one language here today. We share nine. I asked what word is the same in all of them, and the answer is none. But there is one thing we all say when a light comes on after a long dark night, and it needs no translation."

Then look at them, wait, and say: **"Ah!"** Everyone in the room will say it with you.
== note wed-reading 2026-08-28 23:05 Family tags:wedding,speech
Reading, final
Cut the lorries. Keep the barnacle. The last word is "Ah!" and I must **wait** before it. Print large: the finca has no lectern, only a wine barrel.
== event wed-day 2026-08-29 17:00 480 with:beatriz,niran,chloe,caspar
Beatriz & Niran: the wedding | Finca Las Almejas, Cádiz
Ceremony 17:00, dinner 20:30, reading after the rings. Table 4 (with the three Nikoses).
== chat wed-c1 2026-08-31 09:10 random mira
71 people said "Ah!" at the same moment. Then the aunt from Lugo sang, in anger, and it was beautiful. 💃🇪🇸🇹🇭
== mail wed-thanks 2026-09-05 11:00 personal beatriz>mira
Gracias, mi Mira
El barómetro ya está colgado en la entrada y, por supuesto, anuncia tormenta desde que llegó mi suegra. La gente todavía me para por la calle y me dice «¡Ah!». Gracias por eso.

Te quiere,
Bea
== order wed-gift 2026-08-03 20:10 delivered gifts
Nebula & Sons
1 x 146.00 Ship's barometer, brass, restored
1 x 9.50 Engraving: "B & N 29.8.2026"
== play wed-dance 2026-08-29 23:40
Los Percebes Lentos | Vals del Levante | Marea Alta
== fact
Q: How many guests were invited to the wedding and how many said yes?
A: 86 invited, 71 said yes.
K: 86; 71
W: mail:wed-list
== fact
Q: Who at the wedding is allergic to peanuts, and at which table?
A: 陈月光 (Chen Yueguang), table 2.
K: 陈月光; peanuts; table 2
W: mail:wed-allergy
== fact
Q: When and where do Beatriz and Niran marry?
A: On 29 August 2026 at Finca Las Almejas near Cádiz.
K: 29 de agosto; Finca Las Almejas
W: mail:wed-save
== fact
Q: What did Mira give as a wedding present?
A: A restored brass ship's barometer, engraved "B & N 29.8.2026".
K: barometer; B & N 29.8.2026
W: item:wed-gift/1, item:wed-gift/2
== fact
Q: What will Niran's mother cook?
A: Green curry for everyone (แกงเขียวหวาน).
K: green curry; แกงเขียวหวาน
W: mail:wed-thai
== fact
Q: On which word does the wedding reading end?
A: "Ah!"
K: Ah!
W: note:wed-reading
`
