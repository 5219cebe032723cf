// Allows only one process at a time to set up a clone, because two would delete each other's files. The lock is the
// folder .setup-lock. It contains one file, whose name is the process id of the owner of the lock.
import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { root } from './runtime.mjs'

const lock = join(root, '.setup-lock')
const own = join(lock, String(process.pid))
const silence = 30_000

/** Waits for the lock. Resolves with the function that releases it. */
export async function takeLock(waiting) {
  for (let turns = 0; !create() && !takeOver(); turns++) {
    if (turns === 1) waiting()
    await new Promise((done) => setTimeout(done, 200))
  }
  // Process ids are reused, in containers even quickly. So the owner also updates the time of its file regularly.
  const beat = setInterval(() => attempt(() => utimesSync(own, new Date(), new Date())), 1000).unref()
  return () => {
    clearInterval(beat)
    attempt(() => unlinkSync(own))
    attempt(() => rmdirSync(lock))
  }
}

// Creates the folder elsewhere and renames it, so that the lock never exists without its owner's file.
function create() {
  const draft = join(root, '.cache', `setup-${process.pid}`)
  mkdirSync(draft, { recursive: true })
  writeFileSync(join(draft, String(process.pid)), '')
  // This removes the lock only if it is empty. Then its owner died while releasing it.
  attempt(() => rmdirSync(lock))
  const moved = attempt(() => renameSync(draft, lock))
  if (!moved) rmSync(draft, { recursive: true, force: true })
  return moved
}

// Takes over the lock of a dead owner by renaming its file. Only one process succeeds.
function takeOver() {
  return attempt(() => {
    const [pid] = readdirSync(lock)
    const file = join(lock, pid)
    if (isAlive(Number(pid)) && Date.now() - statSync(file).mtimeMs < silence) throw new Error('held')
    renameSync(file, own)
    utimesSync(own, new Date(), new Date())
  })
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // The process exists, but belongs to another user.
    return error.code === 'EPERM'
  }
}

function attempt(action) {
  try {
    action()
    return true
  } catch {
    return false
  }
}
