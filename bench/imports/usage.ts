// Node loads this module before the command. When the command ends, the module writes the memory and CPU that the
// process used to the file that PDPP_BENCH_USAGE names.
import { readFileSync, writeFileSync } from 'node:fs'

process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  const used = { maxMegabytes: Math.round(maxBytes() / 1e6), cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 }
  writeFileSync(process.env['PDPP_BENCH_USAGE']!, JSON.stringify(used))
})

/** On Linux, maxRSS also covers the process that started this one. VmHWM is the peak of this process alone. */
function maxBytes(): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))![1]) * 1024
  } catch {
    return process.resourceUsage().maxRSS * 1024
  }
}
