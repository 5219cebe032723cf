/**
 * Paths in folders and archives that nobody means: what version control, packages and systems leave beside files.
 * Folders end with a slash. Hidden folders are looked into, as a Maildir has them.
 */
export const SKIPPED_FILES = /(?:^|\/)(?:node_modules|\.git|__MACOSX)\/|(?:^|\/)(?:\.[^/]*|thumbs\.db|desktop\.ini)$/i
