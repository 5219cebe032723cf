// Passes signals on to a child process and returns its exit code.
import { constants } from 'node:os'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** The exit code that shells use for a process that a signal ended: 128 + the number of the signal. */
export const exitCode = (signal) => 128 + (constants.signals[signal] ?? 1)

/** Resolves with the child's exit code, with `exitCode(signal)` if a signal ended it, or 127 if it cannot start. */
export function supervise(child, onSignal = () => {}) {
  const pass = (signal) => {
    onSignal(signal)
    // In a terminal, Ctrl-C already reaches the child, because it is in the same process group.
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

// npm sends SIGTERM to its shell, which dies without passing it on. All that this process notices is that it has
// another parent. Without npm, losing the parent is normal (nohup, a closed terminal) and must not end anything.
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
