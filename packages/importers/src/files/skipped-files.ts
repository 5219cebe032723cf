/**
 * Paths that are never imported: files of version control, packages and operating systems. Folders end with a slash.
 * Hidden folders are searched, because a Maildir has them.
 */
export const SKIPPED_FILES = /(?:^|\/)(?:node_modules|\.git|__MACOSX)\/|(?:^|\/)(?:\.[^/]*|thumbs\.db|desktop\.ini)$/i
