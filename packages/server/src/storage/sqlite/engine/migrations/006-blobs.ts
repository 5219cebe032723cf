export const BLOBS = `
-- The bytes are in files of the folder "blobs", named by their hash.
create table blob (
  subject_id text not null, sha256 text not null, size_bytes integer not null, mime_type text,
  created_at integer not null,
  primary key (subject_id, sha256)
) without rowid;

-- Which record refers to which blob, and where. "field" is the declared field that "path" begins with.
-- "awaited_until": set if the blob was sent before the record that will refer to it, null after that.
create table blob_reference (
  feed integer not null, key text not null, path text not null, sha256 text not null,
  subject_id text not null, field text not null, awaited_until integer,
  primary key (feed, key, path, sha256)
) without rowid;
create index blob_reference_blob on blob_reference (subject_id, sha256, feed);
create index blob_reference_awaited on blob_reference (awaited_until) where awaited_until is not null;
`
