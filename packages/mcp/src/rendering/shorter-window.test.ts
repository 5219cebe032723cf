import { expect, test } from 'vitest'
import { shorterWindow } from './shorter-window.ts'

const whole = (text: string, more: object = {}) => ({
  text,
  start_chars: 100,
  end_chars: 100 + [...text].length,
  total_chars: 100 + [...text].length,
  complete: false,
  has_more: false,
  next_offset_chars: null,
  previous_offset_chars: 0,
  match_start_chars: null,
  match_end_chars: null,
  ...more,
})

test('the next offset is where the shorter window ends', () => {
  const first = shorterWindow(whole('abcdefgh'), 3)
  expect(first).toMatchObject({ text: 'abc', start_chars: 100, end_chars: 103, next_offset_chars: 103, has_more: true })
})

test('ends between graphemes', () => {
  expect(shorterWindow(whole('ab👩🏽‍🚀c'), 4)).toMatchObject({ text: 'ab', next_offset_chars: 102 })
  expect(shorterWindow(whole('👩🏽‍🚀c'), 1)).toMatchObject({ text: '👩🏽‍🚀', next_offset_chars: 104 })
})

test('keeps the match inside', () => {
  const text = `${'.'.repeat(50)}needle${'.'.repeat(50)}`
  const shown = shorterWindow(whole(text, { match_start_chars: 150, match_end_chars: 156 }), 20)
  expect(shown).toMatchObject({ start_chars: 145, end_chars: 165, text: `.....needle${'.'.repeat(9)}` })
})
