/** Wickwatch, the lamp monitor: three slipped dates and one launch. */
export const wickwatch = `
== mail ww-plan 2025-11-10 09:05 work jonas>mira,tomasz,priya,saoirse,lin,omar label:wickwatch
Wickwatch 1.0: we ship on 15 January
Team,

after nineteen months of prototypes I would like us to say a date out loud. Wickwatch 1.0 ships on 15 January 2026. Launch customer is the Cape Lissos Port Authority with six units. Price per unit: 1,490 euros.

Mira leads. Tomasz owns firmware, Lin the board, Priya the case and the app, Saoirse says no until it is good.

We are nearly there.
Jonas
@@ wickwatch-launch-plan-v1.pdf | application/pdf | Wickwatch 1.0 launch plan v1. Ship date 15 January 2026. Launch customer Cape Lissos Port Authority, 6 units at EUR 1,490. Owner: Mira Tallow.
== chat ww-c0 2025-11-10 09:12 wickwatch saoirse
"Nearly". I have started a tally on the whiteboard.
== chat ww-salt1 2025-12-11 16:48 wickwatch saoirse
Salt fog test, hour 310 of 500: unit 3 is full of water. The seal under the cable gland lets go when the case cools. This is a fail, not a scratch. 🧂💧
== chat ww-salt2 2025-12-11 16:55 wickwatch priya re:ww-salt1
अरे नहीं। The gland, again. I will redraw the lip tonight; we need a new tool for the mould, that is five weeks.
== chat ww-salt3 2025-12-11 17:03 wickwatch mira re:ww-salt1
Then 15 January is gone and we say so today. New date once Priya has the toolmaker's answer.
== mail ww-slip1 2025-12-15 10:30 work mira>jonas,omar re:ww-plan cc:tomasz,priya,saoirse,lin
Jonas, Omar,

the salt fog test failed at hour 310 (seal under the cable gland). Priya's new lip needs a changed mould, five weeks including samples. We move from 15 January to 26 February 2026. I would rather tell Eleni now than in January.

Mira
== mail ww-slip1-eleni 2025-12-16 11:20 work eleni>mira cc:omar label:cape-lissos
Σχετικά με τη νέα ημερομηνία
Αγαπητή Μίρα,

σας ευχαριστώ για την ειλικρίνεια. Ο φάρος περιμένει από το 1892, μπορεί να περιμένει άλλες έξι εβδομάδες. Το μόνο που ζητώ είναι να μην πέσει η εγκατάσταση μέσα στη Μεγάλη Εβδομάδα.

Dear Mira, thank you for your honesty. The lighthouse has waited since 1892. I only ask that the installation does not fall in Holy Week (6 to 12 April).

Με εκτίμηση
Ελένη Θαλασσόπετρα
== chat ww-cert1 2026-02-09 11:15 wickwatch omar
The certification lab lost our radio report between two desks. They say يوم أو يومان, which in lab language is six weeks.
== mail ww-slip2 2026-02-10 14:00 work mira>jonas,eleni re:ww-plan cc:omar,tomasz
Dear all,

second change, and I am sorry for it: the radio certificate will not come before the end of March. Without it we may not ship. The new date is 9 April 2026.

Eleni, that is in your Holy Week, so installation at Cape Lissos would follow on 14 April.

Mira
== chat ww-bug1 2026-03-30 22:41 firmware tomasz
Found it. The lamp counter rolls over after 49.7 days and the unit reports the lamp as "never lit". 32-bit milliseconds. I am ashamed and also slightly proud that it took us 49.7 days to notice.
== chat ww-bug2 2026-03-30 22:50 firmware lin re:ww-bug1
四十九天七小时……经典。I have seen this bug older than our apprentice.
== chat ww-bug3 2026-03-31 08:02 firmware saoirse re:ww-bug1
Fix, then seven days soak. I am not signing a lighthouse monitor that forgets the light.
== mail ww-slip3 2026-03-31 09:30 work mira>jonas,eleni re:ww-plan cc:omar,tomasz,saoirse
Dear all,

third and last: we found a counter that rolls over after 49.7 days. Tomasz has the fix, Saoirse wants a seven-day soak, and she is right. We ship on 23 April 2026. Installation at Cape Lissos 28 and 29 April with Lev.

Mira
== note ww-retro 2026-04-27 18:15 Work tags:wickwatch,retro
Wickwatch 1.0: what slipped and why
| Planned | Became | Why | Who told us |
| --- | --- | --- | --- |
| 15 January | 26 February | Salt fog test failed at hour 310, seal under the cable gland | Saoirse |
| 26 February | 9 April | Radio certificate lost at the lab | Omar |
| 9 April | 23 April | Lamp counter rolled over after 49.7 days | Tomasz |

**Shipped on 23 April 2026**, firmware 1.0.3, six units to Cape Lissos.

What we change: the salt fog test starts in week one, not in week ten. One person owns the lab's phone number. Jonas's "nearly" tally ended at 14.
== chat ww-ship 2026-04-23 16:20 wickwatch mira
Six crates on the truck, firmware 1.0.3, label on straight. Wickwatch 1.0 has shipped. 🎉🚚
== chat ww-ship2 2026-04-23 16:21 wickwatch jonas re:ww-ship
I nearly cried.
== chat ww-ship3 2026-04-23 16:22 wickwatch saoirse re:ww-ship
Fourteen.
== event ww-launch 2026-04-23 17:00 120 with:jonas,anneke,tomasz,priya,omar,imke,lin,bastian,saoirse
Wickwatch launch cake | Workshop
Imke ordered the cake in the shape of a first-order lens. Speech by Jonas, limited to four minutes.
== mail ww-thanks 2026-04-30 13:10 work eleni>mira,omar cc:jonas label:cape-lissos
Ο φάρος μιλάει
Αγαπητοί φίλοι,

και οι έξι μονάδες λειτουργούν. Χθες το βράδυ, στις 21:14, ο φάρος μάς έστειλε το πρώτο του μήνυμα: «λαμπτήρας αναμμένος». Ο φαροφύλακας δάκρυσε.

All six units work. Last night at 21:14 the lighthouse sent its first message, "lamp lit". The keeper wept. The invoice of 8,940 euros is on its way to payment.

Ελένη
== fact
Q: When was Wickwatch 1.0 planned to ship and when did it ship?
A: Planned for 15 January, then 26 February, then 9 April; shipped on 23 April 2026.
K: 15 January; 26 February; 9 April; 23 April 2026
W: note:ww-retro
== fact
Q: Why did the first launch date slip?
A: The salt fog test failed at hour 310 because of the seal under the cable gland.
K: 310; salt fog; cable gland
W: mail:ww-slip1
== fact
Q: Which bug delayed the launch at the end of March, and who found it?
A: Tomasz Brambleshaw found that the lamp counter rolls over after 49.7 days.
K: 49.7 days; Tomasz
W: chat:ww-bug1
== fact
Q: What did Eleni ask about the installation date?
A: That it should not fall in Holy Week, 6 to 12 April.
K: Holy Week; 6 to 12 April
W: mail:ww-slip1-eleni
== fact
Q: How often did Jonas say "nearly", by Saoirse's tally?
A: 14 times.
K: 14; tally
W: note:ww-retro
== fact
Q: What did the six units for Cape Lissos cost?
A: 8,940 euros, six at 1,490.
K: 8,940; 1,490
W: mail:ww-thanks, mail:ww-plan
== fact
Q: At what time did the Cape Lissos lighthouse send its first message?
A: At 21:14, the message "lamp lit".
K: 21:14; lamp lit
W: mail:ww-thanks
`

/** The lens of Cape Lissos: 24 prisms, three replaced, one crate stuck in customs. */
export const capeLissos = `
== mail cl-survey 2025-11-24 15:30 work anneke>mira,eleni cc:lev label:cape-lissos
Cape Lissos lens: survey results
Dear Eleni, dear Mira,

I have been through all 24 catadioptric prisms. Twenty-one need only cleaning. Prisms 9, 14 and 21 are chipped beyond polishing and should be replaced. The bronze frame is sound; someone in the 1930s repaired it with a spoon, and the spoon is holding.

Estimate for the lens: 17,600 euros, of which 5,400 for three new prisms from Hoshinoki.

Anneke
@@ cape-lissos-prism-survey.csv | text/csv | Prism survey Cape Lissos,24 prisms,Anneke Driftwood / prism,state,action / 9,chipped,replace / 14,chipped,replace / 21,chipped,replace / all others,dull,clean / frame,"bronze, spoon repair 1930s",sound
== chat cl-spoon 2025-11-24 15:52 cape-lissos bastian
Is the spoon staying in? Please say the spoon is staying in.
== chat cl-spoon2 2025-11-24 15:58 cape-lissos anneke re:cl-spoon
The spoon is a load-bearing part of the national heritage. It stays. 🥄
== mail cl-ship 2026-05-29 03:40 work yuki>mira,anneke label:hoshinoki
発送のお知らせ:プリズム三枚
ミラ様、アネケ様

プリズム9番、14番、21番を本日発送いたしました。送り状番号はHK-20260529-77です。14番は磨き直し、気泡はもうありません。

星沢ゆき
== mail cl-customs 2026-06-12 10:05 work eleni>mira cc:anneke label:cape-lissos
Τελωνείο Πειραιά: το κιβώτιο HK-20260529-77
Αγαπητή Μίρα,

το κιβώτιο βρίσκεται στο τελωνείο του Πειραιά από τις 8 Ιουνίου. Ο υπάλληλος το δήλωσε ως «πολύτιμους λίθους», γιατί έλαμπαν. Χρειάζομαι βεβαίωση ότι είναι γυαλί.

The crate has been in customs at Piraeus since 8 June. The officer declared it as precious stones, because they sparkled. I need a statement that they are glass.

Ελένη
== mail cl-glass 2026-06-12 11:30 work anneke>eleni,mira re:cl-customs
I, Anneke Driftwood, declare that prisms 9, 14 and 21 are made of crown glass, that they are not precious stones, and that I am flattered.
@@ declaration-glass.pdf | application/pdf | Declaration: contents of crate HK-20260529-77 are three prisms of crown glass, customs value EUR 5,400.
== mail cl-free 2026-06-19 09:20 work eleni>mira,anneke re:cl-customs
Ελεύθερα! The crate was released yesterday, 18 June, with a fee of 212 euros and the officer's apology. He would like to visit the lighthouse.
== event cl-install 2026-07-06 09:00 540 with:anneke,lev,eleni
Cape Lissos: set prisms 9, 14, 21 | Cape Lissos lighthouse
Four days with Anneke and Lev. Tide table in the note. Do not touch the spoon.
== note cl-log 2026-07-10 20:40 Work tags:cape-lissos,site
Cape Lissos: site log 6 to 9 July
**6 July.** Scaffold up, wind force 5. Lev sang to the keeper's goat.
**7 July.** Prism 9 in at 11:20, prism 21 at 16:05. Gap 0.3 mm all round.
**8 July.** Too much wind. Eleni's mother brought 40 cheese pies for four people.
**9 July.** Prism 14 in at 10:15. Lamp test at 21:30: the beam reached the ferry 19 nautical miles out, the captain radioed to complain and then to congratulate.
== chat cl-done 2026-07-09 22:02 cape-lissos lev
Девятнадцать миль! Captain of the ferry says we woke his passengers. Best complaint of my career.
== fact
Q: Which prisms of the Cape Lissos lens were replaced, and how many are there in all?
A: Prisms 9, 14 and 21, out of 24.
K: 9, 14 and 21; 24
W: mail:cl-survey
== fact
Q: Why was the crate of prisms held in customs?
A: The officer in Piraeus declared them as precious stones because they sparkled.
K: precious stones; Piraeus; sparkled
W: mail:cl-customs
== fact
Q: When was the crate released and what was the fee?
A: On 18 June, for 212 euros.
K: 18 June; 212
W: mail:cl-free
== fact
Q: How far did the beam reach in the lamp test?
A: 19 nautical miles, to the ferry, on 9 July.
K: 19 nautical miles; ferry; 9 July
W: note:cl-log
== fact
Q: What was the lens frame repaired with in the 1930s?
A: A spoon.
K: spoon; 1930s
W: mail:cl-survey
`

/** The gateway gull-3 failed at night. This storyline explains the deliberately ugly records. */
export const gull3 = `
== chat g3-alert 2026-02-11 03:07 ops-gull gullbot
🔴 gull-3 stopped answering. Last heartbeat 02:58:41. Reported lamp hours: 18446744073709551615.
== chat g3-1 2026-02-11 03:19 ops-gull tomasz re:g3-alert
Awake. Unfortunately. That lamp has apparently been burning since before the universe.
== chat g3-2 2026-02-11 03:26 ops-gull mira re:g3-alert
That is minus one read as unsigned. Who writes minus one into lamp hours?
== chat g3-3 2026-02-11 03:41 ops-gull tomasz re:g3-alert
We do, when the sensor is unplugged. Then the exporter nests the error inside the error, sixty levels deep, until the disk is full. I will paste the log and the dump somewhere.
== mail g3-dump 2026-02-11 04:12 work tomasz>mira,lin,saoirse label:incident
gull-3 crash dump (ugly, sorry)
The dump is attached. The "cause" field contains a cause that contains a cause, sixty deep. I have never seen a file so sad.

T.
@@ gull-3-crash.json | application/json | Crash dump of gull-3, 2026-02-11T01:58:41Z: cause nested 60 levels, root cause "lamp sensor unplugged".
== mail g3-subject 2026-02-11 04:20 work lev>mira label:incident
\u202e3-llug\u202c – Тема письма сломана \u2066(bidi)\u2069 because the station name came back reversed
The station sent its name right-to-left. I forward the subject as I received it, control characters and all, so that Saoirse can test with it.

Лев
== mail g3-long 2026-02-11 04:31 work saoirse>mira,tomasz label:incident
FW: FW: Re: [gull-3] [ALERT] [P1] heartbeat missing, lamp hours out of range, exporter disk full, exporter disk full, exporter disk full, exporter disk really full, retry 1 of 10 failed, retry 2 of 10 failed, retry 3 of 10 failed, retry 4 of 10 failed, retry 5 of 10 failed, retry 6 of 10 failed, retry 7 of 10 failed, retry 8 of 10 failed, retry 9 of 10 failed, retry 10 of 10 failed, giving up, giving up again, sending this subject line instead of a report because the report did not fit on the disk but the subject line, it turns out, has no limit whatsoever in our mailer, which Saoirse will now file as a separate bug, number 417
Filed as bug 417: "alert mail: subject has no length limit". I am keeping this one as an exhibit.
== note g3-report 2026-02-12 15:00 Work key:Work/Incidents/2026-02-11_gull-3:_50%_disk,_100%_full tags:incident,gull-3
gull-3 outage: report
**What happened.** On 11 February at 02:58 gateway gull-3 stopped. The lamp sensor was unplugged (a cleaner needed the socket for a kettle), the firmware wrote -1, the server read 18446744073709551615 hours, and the exporter nested the error until the disk was full.

**Fixed by.** Tomasz at 05:36, with a longer cable and a shorter loop.

**Kept on purpose.** The full log paste (1 MB), the sixty-level dump, the reversed subject and the endless subject stay in the archive as test material. The chat bridge's message ids from that channel are larger than 9007199254740992, so anything that reads them as floating point will be wrong.

**Action.** Lin adds a socket for the kettle. ☕
== fact
Q: What was the root cause of the gull-3 outage?
A: The lamp sensor was unplugged, because a cleaner needed the socket for a kettle.
K: unplugged; kettle
W: note:g3-report
== fact
Q: When was gull-3 fixed and by whom?
A: By Tomasz at 05:36 on 11 February 2026.
K: Tomasz; 05:36; 11 February
W: note:g3-report
== fact
Q: Which bug number did Saoirse file about the subject line?
A: Bug 417, the alert mail's subject has no length limit.
K: bug 417
W: mail:g3-long
== fact
Q: How deep was the nested cause in the crash dump?
A: 60 levels, ending in "lamp sensor unplugged".
K: 60 levels; lamp sensor unplugged
W: attachment:g3-dump/0
`
