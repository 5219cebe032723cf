export const TEXT_IDS = `
alter table word rename to text_id;
`
