/** Waits for some work, but not for ever: it goes on either way. */
export async function waitUpTo(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, over]).finally(() => clearTimeout(timer))
}
