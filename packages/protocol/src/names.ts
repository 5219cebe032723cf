import { PdppError } from './errors/pdpp-error.ts'

/** Stream names, connection ids and connector keys. They are safe in a path segment and in a result id. */
const NAME = /^[A-Za-z0-9_.-]{1,100}$/

export const NAME_RULE = '1 to 100 of A-Z a-z 0-9 _ . - without ".."'

export function isName(value: string): boolean {
  return NAME.test(value) && !value.includes('..') && value !== '.'
}

/** Field names come from sources, so almost everything is allowed that is readable and fits into a query parameter. */
export function isFieldName(value: string): boolean {
  return (
    value.length > 0 &&
    value.isWellFormed() &&
    Buffer.byteLength(value) <= 200 &&
    !/[\p{Cc}[\],]/u.test(value) &&
    value !== '__proto__'
  )
}

export const FIELD_NAME_RULE = '1 to 200 bytes without control characters, "[", "]" or ","'

export function requireName(value: string, param: string): string {
  if (isName(value)) return value
  throw new PdppError('invalid_argument', `${param} must be ${NAME_RULE}.`, { param })
}
