import { conversationSource } from '../../models/conversation/declaration.ts'

export const codexDeclaration = conversationSource('codex', 'Codex')
