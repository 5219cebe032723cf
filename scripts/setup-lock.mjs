// One set-up at a time: two of them in one clone would delete each other's files.
// The lock is the folder .setup-lock, and its owner is the name of the one file in it.
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

/** Resolves, once nobody else holds the lock, with the function that gives it back. */
export async function takeLock(waiting) {
  for (let turns = 0; !create() && !takeOver(); turns++) {
    if (turns === 1) waiting()
    await new Promise((done) => setTimeout(done, 200))
  }
  // Process ids come round again, quickly in containers: an owner that lives also touches its file.
  const beat = setInterval(() => attempt(() => utimesSync(own, new Date(), new Date())), 1000).unref()
  return () => {
    clearInterval(beat)
    attempt(() => unlinkSync(own))
    attempt(() => rmdirSync(lock))
  }
}

// Made elsewhere and moved into place, so that the lock is never there without its owner's name.
function create() {
  const draft = join(root, '.cache', `setup-${process.pid}`)
  mkdirSync(draft, { recursive: true })
  writeFileSync(join(draft, String(process.pid)), '')
  // Removes it only if it is empty: left so by an owner that died while giving it back.
  attempt(() => rmdirSync(lock))
  const moved = attempt(() => renameSync(draft, lock))
  if (!moved) rmSync(draft, { recursive: true, force: true })
  return moved
}

// Renaming the dead owner's file succeeds for exactly one of those who try.
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
    // Not ours to signal, but there.
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
