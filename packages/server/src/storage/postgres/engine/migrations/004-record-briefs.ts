/** Large records get a brief form: their short members, and a JSON list of the names of the others. */
export const RECORD_BRIEFS = `
alter table record add column brief text, add column left_out text;
`
