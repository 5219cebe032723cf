import { contacts } from '../../models/person/declaration.ts'
import { fixedSource } from '../../models/schema.ts'

export const vcardDeclaration = fixedSource('vcard', 'Contacts', 1, [contacts])
