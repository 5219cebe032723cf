import { homeWords } from './home.ts'
import { workWords } from './work.ts'

export const words: Record<string, string[]> = { ...workWords, ...homeWords }
