/** One server, one owner: the subject of every key. */
export const OWNER = 'owner_local'
