import { breaksOf, server } from './break.ts'

const BY_ITSELF = server('wishes/nothing-widens-by-itself', 'nothing widens without')
const SHOWN = server('wishes/nothing-widens-by-itself', 'an approval adds exactly the parts')
const ALLOWED = server('wishes/refused-and-allowed', '')

/** A wish adds no access by itself. Widening adds what the page showed, and nothing else. */
export const wishes = [
  ...breaksOf('packages/server/src/console/widening/route.ts', [
    [
      'point 43',
      'an approval can contain more than the page showed',
      "if (!c.get('pageSession').acceptsFormToken(form.get('shown') ?? '', shownPurpose(occasion, draft)))",
      "if (form.get('shown') === null)",
      BY_ITSELF,
    ],
    [
      'point 43',
      'a form of another wish or session is accepted',
      'const form = await readVerifiedForm(c, purposeOf(occasion), FORM_BYTES)',
      'const form = new URLSearchParams(await c.req.text())',
      BY_ITSELF,
    ],
    [
      'point 43',
      'access grows without an entry in the log',
      'for (const receipt of receiptsOf(c, subjectId, draft)) await context.receipts.append(receipt)',
      '',
      server('wishes/replaced-grants', 'the log says what the owner gave'),
    ],
  ]),
  ...breaksOf('packages/server/src/grants/widening/wider-grant.ts', [
    [
      'point 43',
      'a wish for one field adds all fields',
      'const wanted = new Set([...before.fields, ...fields])',
      'const wanted = new Set([...before.fields, ...fields, ...Object.keys(stream.schema["properties"] as object)])',
      ALLOWED,
    ],
    [
      'point 43',
      'a new stream also gets its hidden fields',
      'const isWhole = chosen.fields.length === fields.length',
      'const isWhole = chosen.fields.length <= fields.length',
      SHOWN,
    ],
  ]),
  ...breaksOf('packages/server/src/grants/widening/draft.ts', [
    [
      'point 43',
      'the added access outlives the original access',
      'expiresAt: ends[0],',
      'expiresAt: undefined,',
      server('wishes/replaced-grants', 'ends with the access'),
    ],
  ]),
  ...breaksOf('packages/server/src/grants/widening/choice.ts', [
    [
      'point 43',
      'sensitive streams are ticked in advance',
      'meant.filter(({ isSensitive }) => !isSensitive)',
      'meant',
      server('wishes/refused-and-allowed', 'never ticked beforehand'),
    ],
  ]),
  ...breaksOf('packages/server/src/grants/wishes/wish-links.ts', [
    [
      'point 43',
      'anybody can forge the URL of a wish',
      'if (!timingSafeEqual(bytes.subarray(0, SEAL_BYTES), this.#seal(text))) throw unknown()',
      '',
      ['packages/server/src/grants/wishes/wish-links.test.ts', 'nobody else'],
    ],
  ]),
  ...breaksOf('packages/server/src/grants/wishes/wish-counter.ts', [
    [
      'point 43',
      'a flood of wishes is stored one by one',
      "const kept = counts.has(thing) || counts.size < MAX_THINGS ? thing : ''",
      'const kept = thing',
      ['packages/server/src/grants/wishes/wish-counter.test.ts', 'folds those beyond'],
    ],
  ]),
  ...breaksOf('packages/server/src/grants/wishes/wish-service.ts', [
    [
      'point 43',
      'every refused request writes to the store',
      'this.#timer ??= setTimeout(() => void this.write(), WRITE_AFTER_MS).unref()',
      'void this.write()',
      server('wishes/floods', 'a flood of wishes is folded'),
    ],
  ]),
  ...breaksOf('packages/server/src/storage/sqlite/access/wish-store.ts', [
    [
      'point 43',
      'a denied wish is shown again',
      "access_id = excluded.access_id, lacks = excluded.lacks where state = 'open'`",
      "access_id = excluded.access_id, lacks = excluded.lacks, state = 'open'`",
      server('wishes/floods', 'what became of its wish'),
    ],
  ]),
  ...breaksOf('packages/server/src/storage/sqlite/access/grant-store.ts', [
    [
      'point 43',
      'two simultaneous decisions add two grants for one connection',
      'if (ids.length !== had.length || !had.every((id) => ids.includes(id))) throw new ChangedMeanwhile()',
      '',
      ['packages/server/src/storage/sqlite/contract.test.ts', 'not what the owner saw'],
    ],
  ]),
]
