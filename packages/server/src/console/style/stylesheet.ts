import { hash } from 'node:crypto'
import { CONSENT_STYLE } from '../consent/style.ts'
import { IMPORT_STYLE } from '../imports/style.ts'
import { WIDENING_STYLE } from '../widening/style.ts'
import { BASE_STYLE } from './base.ts'
import { PAGES_STYLE } from './pages.ts'
import { SHELL_STYLE } from './shell.ts'
import { TOKENS } from './tokens.ts'

/** The stylesheet of all pages, in light and dark. */
export const STYLESHEET = [
  TOKENS,
  BASE_STYLE,
  SHELL_STYLE,
  CONSENT_STYLE,
  PAGES_STYLE,
  IMPORT_STYLE,
  WIDENING_STYLE,
].join('\n')

/** The address changes with the content, so browsers may cache it for ever. */
export const STYLESHEET_PATH = `/assets/pages.css?v=${hash('sha256', STYLESHEET, 'base64url').slice(0, 12)}`
