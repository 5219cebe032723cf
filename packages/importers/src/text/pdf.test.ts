import { describe, expect, it } from 'vitest'
import { pdfWith } from '../formats/document/documents.fixture.ts'
import { pdfText } from './pdf.ts'

const PDF = pdfWith(['One page of words.', 'Two pages of words.', 'Three pages of words.'])
const LIMITS = { maxPages: 100, maxChars: 10_000, maxMilliseconds: 60_000 }

describe('the text of a PDF', () => {
  it.each([
    ['pages', { ...LIMITS, maxPages: 2 }, 2],
    ['characters', { ...LIMITS, maxChars: 5 }, 1],
    ['time', { ...LIMITS, maxMilliseconds: -1 }, 0],
  ])('ends at the limit of %s, and says so', async (_name, limits, pages) => {
    const found = await pdfText(PDF, limits)
    expect(found?.sections?.map(({ position }) => position)).toEqual([1, 2, 3].slice(0, pages))
    expect(found?.problem).toBe(`has 3 pages; its text is imported up to page ${pages}`)
  })

  it('is whole below the limits', async () => {
    const found = await pdfText(PDF, LIMITS)
    expect(found?.text).toBe('One page of words.\n\nTwo pages of words.\n\nThree pages of words.')
    expect(found?.problem).toBeUndefined()
  })
})
