// Loaded before a command. When the command ends, it writes what the process used to the file that PDPP_BENCH_USAGE names.
import { readFileSync, writeFileSync } from 'node:fs'

process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  const used = { maxMegabytes: Math.round(maxBytes() / 1e6), cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 }
  writeFileSync(process.env['PDPP_BENCH_USAGE']!, JSON.stringify(used))
})

/** The maxRSS of a process in Linux is at least that of the process that started it. VmHWM is its own. */
function maxBytes(): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))![1]) * 1024
  } catch {
    return process.resourceUsage().maxRSS * 1024
  }
}
