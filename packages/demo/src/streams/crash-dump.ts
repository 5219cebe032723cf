/** Sixty nested causes, left behind by the gull-3 exporter. */
export const crashDump = (): Record<string, unknown> => {
  let cause: Record<string, unknown> = { level: 60, message: 'lamp sensor unplugged', lamp_hours: -1 }
  for (let level = 59; level >= 1; level--) cause = { level, message: 'export failed', cause }
  return { station: 'gull-3', captured_at: '2026-02-11T01:58:41Z', cause }
}
