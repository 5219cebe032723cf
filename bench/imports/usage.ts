// Loaded before a command. When the command ends, it writes what the process used to the file that PDPP_BENCH_USAGE names.
import { writeFileSync } from 'node:fs'

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  const used = { maxMegabytes: Math.round((maxRSS * 1024) / 1e6), cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 }
  writeFileSync(process.env['PDPP_BENCH_USAGE']!, JSON.stringify(used))
})
