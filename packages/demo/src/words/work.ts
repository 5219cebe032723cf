import { sites } from '../sites.ts'

const list = (text: string) =>
  text
    .split('/')
    .map((word) => word.trim())
    .filter(Boolean)

/** Words about the workshop and the office. Every site, supplier and client is invented. */
export const workWords: Record<string, string[]> = {
  site: sites.map((one) => one.site),
  clientperson: sites.map((one) => one.person),
  part: list(
    'bullseye panel / upper prism ring / lower catadioptric row / bronze frame / clockwork drive / mercury bath / lamp changer / vent ball / lantern glazing / gallery rail / astragal bars / putty bed / drive chain / rotation gear / roller carriage / lens pedestal / red sector screen / cable gland / sensor head / gateway box / solar charge controller / murette door / copper dome / weather vane bearing / fog signal relay / battery tray / prism clamp / gasket set / diaphragm plate / lightning rod',
  ),
  tool: list(
    'long torque wrench / prism cradle / good heat gun / blue caliper / laser level / scaffold clamp / thickness gauge / left-handed snips / borescope / polishing pads / small vice / insulation tester / label printer / trolley with the three good wheels / suction cups / dial indicator / ultrasonic bath / key to the paint store / long ladder / soldering station',
  ),
  place: list(
    'under the bench by the window / in the van, behind the ropes / in the drawer marked "not here" / on top of the kiln / in the cold store / next to the lathe / in the crate from {site2} / with Bastian, where else / on the gallery, I am afraid / in the office, holding the door open / in the sink / behind the compressor / in the blue cupboard, second shelf / at the framer, by mistake',
  ),
  supplier: list(
    'Hoshinoki Optical / Glaswerk Sommerloch / Brass & Burnish / Nordkap Seile / Kupfer Dreistern / Tidewell Electronics / Putty Brothers / Schraubenkontor Emmerich / Blyth & Bellows / Lakritz Lackfabrik / Marlinspike Supplies / Ohm & Sohn',
  ),
  client: list(
    'the port authority / the trust / the harbour master / the heritage office / the island council / the ministry / the lighthouse society / the owner / the parish / the coastguard',
  ),
  bug: list(
    'the lamp shows as lit at noon / the graph starts in 1970 / the battery reads 104 percent / alerts arrive twice / the gateway forgets its name after a power cut / the map puts {site2} in a field / the night mode never ends / the humidity is negative / the export drops the last row / the login page hates umlauts / the time is an hour off since Sunday / the fog signal counts seagulls / the units page is blank on old tablets / the sensor says "undefined degrees" / the SIM roams to a ferry / the reboot button asks twice / the photo upload turns pictures sideways / the alarm sound is the coffee timer',
  ),
  cause: list(
    'a stale cache / a float where a decimal belonged / daylight saving / one missing index / a gull on the antenna / me, in March / the cheap connector / an unsigned integer / a retry without a pause / the certificate that expired on Sunday / a typo in the station id / two clocks that disagree / a config file in the wrong folder / an off-by-one in the day count / condensation / a copy of a copy of the old driver',
  ),
  task: list(
    'the risk assessment / the method statement / the paint schedule / the as-built drawings / the maintenance manual / the insurance form / the photo report / the spare parts list / the condition survey / the tender annex / the lift plan / the training slides / the cable schedule / the acceptance sheet / the packing list / the visa letter / the heritage statement / the timesheets',
  ),
  weatherwork_any: list(
    'force 7 and rising / fog you could spread on bread / rain from three sides / flat calm, suspiciously / a swell too long for the boat / sun, of all things / thunder to the west / drizzle with ambitions / a proper gale',
  ),
  weatherwork_winter: list('sleet / ice on the gallery / snow, sideways'),
  weatherwork_summer: list('haze / heat that bends the horizon / not a breath of wind'),
  cake: list(
    'poppy seed cake / rhubarb crumble / lemon drizzle / Bienenstich / walnut loaf / plum tart / carrot cake / cinnamon buns / cheesecake with a crack in it / apple strudel / halva / basbousa / gulab jamun / mooncakes / medovik / pastéis / Franzbrötchen / almond biscuits',
  ),
  lunchfood: list(
    'pea soup / the fish truck / dumplings / falafel from the corner / leftover curry / herring rolls / noodles / pumpkin soup / flammkuchen / rice and beans / whatever Imke is having / potato salad / ramen / spinach pies / pizza from Ankerkette / the lentil thing',
  ),
  meeting: list(
    'the weekly review / the site call / the budget round / the design crit / the firmware sync / the safety briefing / the client call / the retrospective / the stock take / the tender review / the planning half-day / the handover',
  ),
  room: list(
    'the chart room / the loft / the lens hall / the small office / the workshop table / the kitchen / the yard',
  ),
  reason: list(
    'the boat is late / the client is on a ferry without signal / Omar is still in the tender meeting / the kiln man comes at two / the children are off school / I double-booked myself / the drawings are not ready / the lift is being inspected / there is a fire drill / half of us are at {site2}',
  ),
  adjective: list(
    'odd / lovely / stubborn / suspicious / perfect / tired / encouraging / alarming / Victorian / borderline',
  ),
  doc: list(
    'drawing 4B / revision C / the second annex / page 12 / the old survey / the wiring diagram / the glass spec / the cost sheet',
  ),
  day: list('Monday / Tuesday / Wednesday / Thursday / Friday'),
  clock: list('09:30 / 10:00 / 10:30 / 11:00 / 11:30 / 13:30 / 14:00 / 14:30 / 15:00 / 15:30 / 16:00 / 16:30'),
  cablecolour: list('red / blue / brown / striped / yellow-green / grey / white'),
  mood: list('🙏 / 👍 / 😄 / 🙈 / ✨ / 🌊 / 🔦 / 🎉 / 💡 / 🤞 / ☕ / 🐦 / 🧭 / 🫡 / 😅'),
}
