import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ReadAhead } from './read-ahead.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('works once after the last of some writes', () => {
  const work = vi.fn()
  const ahead = new ReadAhead(work)
  for (let write = 0; write < 50; write++) {
    ahead.noteWrite()
    vi.advanceTimersByTime(60)
  }
  expect(work).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1000)
  expect(work).toHaveBeenCalledOnce()
  ahead.noteWrite()
  vi.advanceTimersByTime(1000)
  expect(work).toHaveBeenCalledTimes(2)
})

test('does nothing after it was closed', () => {
  const work = vi.fn()
  const ahead = new ReadAhead(work)
  ahead.noteWrite()
  ahead.close()
  ahead.noteWrite()
  vi.advanceTimersByTime(1000)
  expect(work).not.toHaveBeenCalled()
})
