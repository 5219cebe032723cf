import { type Story, story } from '../story-script.ts'
import { allotment, bicycle, tax } from './affairs.ts'
import { cat, niece, parcel, wedding } from './family.ts'
import { kitchen, moving } from './home.ts'
import { accordion, bookClub, marathon } from './pastimes.ts'
import { japan, japaneseCourse } from './travel.ts'
import { capeLissos, gull3, wickwatch } from './work.ts'

export const stories: Story[] = [
  story('Moving to Leuchtgasse 7', moving),
  story('The kitchen and its two tradespeople', kitchen),
  story('Two weeks in Japan', japan),
  story('Japanese for beginners', japaneseCourse),
  story('Wickwatch 1.0 slips and ships', wickwatch),
  story('The lens of Cape Lissos', capeLissos),
  story('The night gull-3 fell over', gull3),
  story('Admiral Crumb and his kidneys', cat),
  story('The lost eyepiece', parcel),
  story('Juniper', niece),
  story('Beatriz and Niran marry', wedding),
  story('The accordion', accordion),
  story('The marathon', marathon),
  story('The Damp Pages', bookClub),
  story('The tax return', tax),
  story('Plot 31', allotment),
  story('The bicycle', bicycle),
]
