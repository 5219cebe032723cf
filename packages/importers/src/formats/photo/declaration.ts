import type { StreamDeclaration } from '@pdpp/protocol'
import { EXPANDS_PLACES, filePlaces, HAS_PLACES } from '../../models/file-places.ts'
import { COMPARE, fixedSource, id, integer, list, number, person, text, time } from '../../models/schema.ts'
import { blobSchema } from '../../reading/blob.ts'

const photos: StreamDeclaration = {
  name: 'photos',
  description: 'Photos: when and where they were taken, what was written on them, and the pictures themselves.',
  display: { label: 'Photos', detail: 'Times, places, cameras, words, and the pictures' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Id of the photo, made from its content'),
      title: text('Title, or what was written about it, or its day', 'primary-title'),
      description: text('What was written about it', 'secondary'),
      taken_at: time('When it was taken', 'event-time'),
      time_source: text(
        'How the time is known: offset (the photo names its zone), gps, google, or local (in the chosen zone)',
      ),
      latitude: number('Latitude, in degrees'),
      longitude: number('Longitude, in degrees'),
      altitude: number('Height above the sea, in metres'),
      camera: text('Camera'),
      lens: text('Lens'),
      author: person('Who took it', 'actor'),
      tags: list('Keywords'),
      people: list('Names of the people on it, where Google Photos knows them'),
      url: text('Address in Google Photos'),
      rating: number('Stars that were given to it'),
      width: integer('Width in pixels'),
      height: integer('Height in pixels'),
      media_type: text('Media type'),
      size_bytes: integer('Size of the file'),
      sha256: text('SHA-256 of the file, in hex'),
      thumbnail_ref: blobSchema('The small picture that the camera put into the file'),
      blob_ref: blobSchema('The picture itself', { x_pdpp_role: 'media' }),
    },
    required: ['id', 'tags', 'people'],
  },
  primary_key: ['id'],
  cursor_field: 'taken_at',
  consent_time_field: 'taken_at',
  views: [{ id: 'summary', label: 'Summary', fields: ['id', 'title', 'taken_at', 'camera'] }],
  relationships: [HAS_PLACES('photo')],
  query: {
    range_filters: { taken_at: COMPARE, latitude: COMPARE, longitude: COMPARE, size_bytes: COMPARE },
    search: { lexical_fields: ['title', 'description', 'author', 'tags', 'people'] },
    aggregations: {
      count: true,
      count_distinct: ['camera'],
      group_by: ['camera', 'lens', 'author', 'media_type'],
      group_by_time: ['taken_at'],
      min: ['taken_at'],
      max: ['taken_at'],
      sum: ['size_bytes'],
    },
    expand: [EXPANDS_PLACES],
  },
}

export const photoDeclaration = fixedSource('photos', 'Photos', 2, [photos, filePlaces('photos', 'photo')])
