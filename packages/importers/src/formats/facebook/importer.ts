import { messenger } from './messenger.ts'

export const facebook = messenger('facebook', 'Facebook')
