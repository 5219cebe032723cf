import { conversationSource } from '../../models/conversation/declaration.ts'

export const claudeCodeDeclaration = conversationSource('claude-code', 'Claude Code')
