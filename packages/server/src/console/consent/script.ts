import { hash } from 'node:crypto'

/**
 * Updates the page whenever the owner changes a choice: sends the form like the Update button, and replaces the form
 * with the response. The page works without it.
 */
export const CONSENT_SCRIPT = `'use strict'
;(() => {
  document.documentElement.classList.add('with-script')
  const form = () => document.getElementById('consent')
  const announce = document.getElementById('announce')
  let running
  let timer

  const replaceForm = (page) => {
    const [before, after] = [form(), page.getElementById('consent')]
    for (const part of before.querySelectorAll('details[id]')) {
      const same = page.getElementById(part.id)
      if (same) same.open = part.open
    }
    const focused = document.activeElement && document.activeElement.id
    // Confirmations stay ticked when the page updates.
    for (const name of ['ai_training', 'full_access']) {
      const [old, fresh] = [before.querySelector('#' + name), after.querySelector('#' + name)]
      if (old && fresh) fresh.checked = old.checked
    }
    before.replaceChildren(...after.childNodes)
    const next = focused && document.getElementById(focused)
    if (next) next.focus({ preventScroll: true })
    const sum = document.getElementById('sum')
    announce.textContent = sum ? sum.textContent : ''
  }

  const update = async (extra) => {
    clearTimeout(timer)
    if (running) running.abort()
    const mine = (running = new AbortController())
    const body = new URLSearchParams(new FormData(form()))
    for (const [name, value] of Object.entries(extra)) body.set(name, value)
    form().setAttribute('aria-busy', 'true')
    try {
      const answer = await fetch(form().action, {
        method: 'POST', body, signal: mine.signal, headers: { accept: 'text/html' }, redirect: 'error',
      })
      if (!answer.ok) throw new Error(String(answer.status))
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      if (mine !== running) return
      replaceForm(page)
    } catch (error) {
      // Submit the form normally: the page then shows the error.
      if (error.name !== 'AbortError') form().querySelector('button[value=update]').click()
    } finally {
      if (mine === running) form().removeAttribute('aria-busy')
    }
  }

  document.addEventListener('change', ({ target }) => {
    if (!form().contains(target) || ['ai_training', 'full_access'].includes(target.id)) return
    clearTimeout(timer)
    // A date changes with every typed digit, so wait until the field loses focus.
    if (target.type === 'date') target.dataset.changed = ''
    else timer = setTimeout(update, 150, { decision: 'update' })
  })
  document.addEventListener('focusout', ({ target }) => {
    if (target.type !== 'date' || target.dataset.changed === undefined) return
    delete target.dataset.changed
    timer = setTimeout(update, 50, { decision: 'update' })
  })
  document.addEventListener('click', (event) => {
    const button = event.target.closest && event.target.closest('button[name="preset"]')
    if (!button || !form().contains(button)) return
    event.preventDefault()
    update({ preset: button.value })
  })
})()
`

/** The address changes with the content, so browsers may cache it for ever. */
export const CONSENT_SCRIPT_PATH = `/assets/consent.js?v=${hash('sha256', CONSENT_SCRIPT, 'base64url').slice(0, 12)}`
