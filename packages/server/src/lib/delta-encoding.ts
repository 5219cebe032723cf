/** Sorts the numbers and stores differences as varints: a page of neighbouring records takes about a byte each. */
export function encodeNumbers(numbers: readonly number[]): Buffer {
  const sorted = numbers.length < 2 ? numbers : [...new Set(numbers)].sort((a, b) => a - b)
  const bytes: number[] = []
  let last = 0
  for (const number of sorted) {
    let rest = number - last
    last = number
    while (rest >= 0x80) {
      bytes.push((rest % 0x80) | 0x80)
      rest = Math.floor(rest / 0x80)
    }
    bytes.push(rest)
  }
  return Buffer.from(bytes)
}

export function decodeNumbers(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let last = 0
  let value = 0
  let scale = 1
  for (const byte of bytes) {
    value += (byte & 0x7f) * scale
    scale *= 0x80
    if (byte & 0x80) continue
    last += value
    numbers.push(last)
    value = 0
    scale = 1
  }
  return numbers
}
