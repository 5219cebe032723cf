import { type Bindings, write } from './grammar.ts'
import type { Random } from './random.ts'

// A scene is a short conversation written as a template. A line "---" separates scenes:
//
//   @ workshop by:lev to:mira  where it may happen, and who speaks as a and b, if that matters
//   # Subject of the mail      (mail only)
//   a: First speaker.          "//" is a paragraph break
//   b?: A turn that is left out half of the time.

interface Turn {
  speaker: string
  text: string
  optional: boolean
}

export interface Scene {
  places: string[]
  by: string[]
  to: string[]
  /** Dates between which the scene may happen, and max. times per year. */
  after: string
  before: string
  max: number
  subject: string
  turns: Turn[]
}

const readPlaces = (scene: Scene, tokens: string[]) => {
  for (const token of tokens) {
    if (token.startsWith('by:')) scene.by = token.slice(3).split(',')
    else if (token.startsWith('to:')) scene.to = token.slice(3).split(',')
    else if (token.startsWith('after:')) scene.after = token.slice(6)
    else if (token.startsWith('before:')) scene.before = token.slice(7)
    else if (token.startsWith('max:')) scene.max = Number(token.slice(4))
    else scene.places.push(token)
  }
}

const readScene = (text: string): Scene => {
  const scene: Scene = { places: [], by: [], to: [], after: '', before: '9999', max: 400, subject: '', turns: [] }
  for (const line of text.trim().split('\n')) {
    const turn = /^([a-d])(\??): (.+)$/.exec(line)
    if (turn) scene.turns.push({ speaker: turn[1]!, optional: turn[2] === '?', text: turn[3]! })
    else if (line.startsWith('@ ')) readPlaces(scene, line.slice(2).split(' '))
    else if (line.startsWith('# ')) scene.subject = line.slice(2)
    else throw new Error(`not a line of a scene: ${line}`)
  }
  return scene
}

export const scenes = (script: string): Scene[] =>
  script
    .split(/^---$/m)
    .filter((text) => text.trim())
    .map(readScene)

export interface Spoken {
  speaker: string
  text: string
}

/** Plays a scene once, with all choices made: who says what. */
export const play = (scene: Scene, rng: Random, bound: Bindings): { subject: string; spoken: Spoken[] } => {
  const subject = write(scene.subject, rng, bound)
  const spoken: Spoken[] = []
  for (const turn of scene.turns) {
    if (turn.optional && rng.chance(0.5)) continue
    const text = write(turn.text, rng, bound)
      .replaceAll(/ *\/\/ */g, '\n\n')
      .replaceAll(/ {2,}/g, ' ')
      .trim()
    if (text) spoken.push({ speaker: turn.speaker, text })
  }
  return { subject, spoken }
}

/** Draws scenes in turn, and skips scenes that cannot happen on that day. */
export const sceneDeck = (all: Scene[], rng: Random): ((date: string) => Scene) => {
  const next = rng.deck(all)
  const used = new Map<Scene, number>()
  return (date) => {
    for (let tries = 0; tries < 500; tries++) {
      const scene = next()
      const times = used.get(scene) ?? 0
      if (date < scene.after || date >= scene.before || times >= scene.max) continue
      used.set(scene, times + 1)
      return scene
    }
    throw new Error(`no scene can happen on ${date}`)
  }
}
