import { hash } from 'node:crypto'

/**
 * Updates the page whenever the owner changes a choice: sends the form like the Preview button, and replaces the form
 * with the response. Allow waits for the response, so that it always means exactly what the sentence next to it says.
 * The page works without this script.
 */
export const CONSENT_SCRIPT = `'use strict'
;(() => {
  document.documentElement.classList.add('with-script')
  const form = () => document.getElementById('consent')
  const announce = document.getElementById('announce')
  const CONFIRMATIONS = ['ai_training', 'full_access']
  const ANSWER_MS = 20000
  let running
  let timer

  const arrange = () => {
    for (const box of form().querySelectorAll('input.mixed')) box.indeterminate = true
    const allow = document.getElementById('allow')
    if (allow) allow.disabled = allow.dataset.empty !== undefined || form().hasAttribute('aria-busy')
  }

  const replaceForm = (page) => {
    const [before, after] = [form(), page.getElementById('consent')]
    for (const part of before.querySelectorAll('details[id]')) {
      const same = page.getElementById(part.id)
      if (same) same.open = part.open
    }
    const focused = document.activeElement && document.activeElement.id
    const chips = before.querySelector('.chips.scroll')
    const left = chips ? chips.scrollLeft : 0
    const isTyped = focused && /^(search|date)$/.test(document.activeElement.type)
    const typed = isTyped ? document.activeElement : undefined
    for (const name of CONFIRMATIONS) {
      const [old, fresh] = [before.querySelector('#' + name), after.querySelector('#' + name)]
      if (old && fresh) fresh.checked = old.checked
    }
    before.replaceChildren(...after.childNodes)
    const shown = form().querySelector('.chips.scroll')
    if (shown) shown.scrollLeft = left
    const next = focused && document.getElementById(focused)
    if (next) {
      next.focus({ preventScroll: true })
      if (typed && next.value !== typed.value) {
        next.value = typed.value
        if (typed.dataset.changed !== undefined) next.dataset.changed = ''
        if (next.type === 'search') next.setSelectionRange(next.value.length, next.value.length)
      }
    }
    const sum = document.getElementById('sum')
    announce.textContent = sum ? sum.textContent : ''
  }

  const update = async (extra) => {
    clearTimeout(timer)
    if (running) running.abort()
    const mine = (running = new AbortController())
    const body = new URLSearchParams(new FormData(form()))
    for (const [name, value] of extra) body.append(name, value)
    // Samples are read when somebody looks at them.
    for (const fold of form().querySelectorAll('details[open][data-load]')) body.append('open', fold.dataset.load)
    form().setAttribute('aria-busy', 'true')
    arrange()
    const late = setTimeout(() => mine.abort(new Error('late')), ANSWER_MS)
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
      if (mine === running) form().querySelector('button[value=update]').click()
    } finally {
      clearTimeout(late)
      if (mine === running) {
        form().removeAttribute('aria-busy')
        arrange()
      }
    }
  }

  const soon = (ms) => {
    clearTimeout(timer)
    // The answer on its way does not know this change, and would undo it.
    if (running) running.abort()
    running = undefined
    form().setAttribute('aria-busy', 'true')
    arrange()
    timer = setTimeout(update, ms, [['decision', 'update']])
  }

  document.addEventListener('change', ({ target }) => {
    if (!form().contains(target) || CONFIRMATIONS.includes(target.id) || target.type === 'password') return
    // A date changes with every typed digit, so wait until the field loses focus.
    if (target.type === 'date') target.dataset.changed = ''
    else if (target.type !== 'search') soon(100)
  })
  document.addEventListener('input', ({ target }) => {
    if (target.id === 'find') soon(250)
  })
  document.addEventListener('focusout', ({ target }) => {
    if (target.type !== 'date' || target.dataset.changed === undefined) return
    delete target.dataset.changed
    soon(20)
  })
  document.addEventListener('click', (event) => {
    const button = event.target.closest && event.target.closest('button')
    if (!button || !form().contains(button) || !/^(preset|open|find-clear)$/.test(button.name)) return
    event.preventDefault()
    if (button.name === 'find-clear') form().querySelector('#find').value = ''
    update([[button.name, button.value]])
  })
  document.addEventListener('toggle', ({ target }) => {
    if (target.open && target.dataset && target.dataset.load && form().contains(target)) soon(0)
  }, true)
  arrange()
  // The owner, or a browser that goes back, may have changed something before this script ran.
  const isChanged = ({ type, value, defaultValue, checked, defaultChecked }) =>
    type === 'checkbox' || type === 'radio' ? checked !== defaultChecked : /^(search|date)$/.test(type) && value !== defaultValue
  if ([...form().querySelectorAll('input')].some((input) => !CONFIRMATIONS.includes(input.id) && isChanged(input))) soon(0)
})()
`

/** The address changes with the content, so browsers may cache it for ever. */
export const CONSENT_SCRIPT_PATH = `/assets/consent.js?v=${hash('sha256', CONSENT_SCRIPT, 'base64url').slice(0, 12)}`
