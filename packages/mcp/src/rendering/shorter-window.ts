import { countChars, sliceChars, sliceGraphemes } from '@pdpp/protocol/reading'

type Window = Record<string, unknown>

/** Shortens a window to `chars` characters, keeps its match inside, and sets the next offset. */
export function shorterWindow(window: Window, chars: number): Window {
  const text = String(window['text'] ?? '')
  const [start, total] = [Number(window['start_chars']), Number(window['total_chars'])]
  const [matchStart, matchEnd] = [window['match_start_chars'], window['match_end_chars']]
  const isBeyond = typeof matchStart === 'number' && Number(matchEnd) > start + chars
  const from = isBeyond ? Math.max(0, matchStart - start - Math.floor(chars / 4)) : 0
  const shown = sliceGraphemes(sliceChars(text, from, from + chars + 64), chars)
  const [first, end] = [start + from, start + from + countChars(shown)]
  return {
    ...window,
    text: shown,
    start_chars: first,
    end_chars: end,
    limit_chars: chars,
    complete: false,
    has_more: end < total,
    next_offset_chars: end < total ? end : null,
    previous_offset_chars: first > 0 ? Math.max(0, first - chars) : null,
  }
}
