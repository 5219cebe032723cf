import { conversationSource } from '../../models/conversation/declaration.ts'

export const chatgptDeclaration = conversationSource('chatgpt', 'ChatGPT')
