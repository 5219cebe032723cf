// Stands between the caller and a child process: signals go down, the exit code comes up.
import { constants } from 'node:os'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** 128 + n, as shells have it. */
export const exitCode = (signal) => 128 + (constants.signals[signal] ?? 1)

/** Resolves with the child's exit code, or that of the signal that ended it, or 127 when it could not be started. */
export function supervise(child, onSignal = () => {}) {
  const pass = (signal) => {
    onSignal(signal)
    // In a terminal Ctrl-C reaches the whole process group, the child included.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of signals) process.on(signal, pass)
  const watch = watchParent(() => pass('SIGTERM'))
  return new Promise((done) => {
    const finish = (code) => {
      clearInterval(watch)
      for (const signal of signals) process.off(signal, pass)
      done(code)
    }
    child.on('error', (error) => {
      console.error(`Could not start ${child.spawnfile}: ${error.message}`)
      finish(127)
    })
    child.on('close', (code, signal) => finish(code ?? exitCode(signal)))
  })
}

// npm hands SIGTERM to its shell, which dies without telling us: a changed parent is the only sign of it. Started without
// npm, losing the parent is ordinary (nohup, a closed terminal) and ends nothing.
function watchParent(onLoss) {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    onLoss()
  }, 250)
  return watch.unref()
}
