import { messenger } from '../facebook/messenger.ts'

export const instagram = messenger('instagram', 'Instagram')
