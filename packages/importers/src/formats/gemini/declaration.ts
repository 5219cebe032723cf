import { conversationSource } from '../../models/conversation/declaration.ts'

export const geminiDeclaration = conversationSource('gemini', 'Gemini')
