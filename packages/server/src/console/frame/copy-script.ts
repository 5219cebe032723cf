import { hash } from 'node:crypto'

/** Makes the copy buttons work. Without it they are hidden, and the owner selects the text by hand. */
export const COPY_SCRIPT = `'use strict'
;(() => {
  document.documentElement.classList.add('with-script')
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('button[data-copy]')
    if (!button) return
    const label = button.textContent
    const text = document.getElementById(button.dataset.copy).textContent
    try {
      await navigator.clipboard.writeText(text)
      button.textContent = 'Copied'
    } catch {
      getSelection().selectAllChildren(document.getElementById(button.dataset.copy))
      button.textContent = 'Marked: copy it'
    }
    setTimeout(() => { button.textContent = label }, 2500)
  })
})()
`

export const COPY_SCRIPT_PATH = `/assets/copy.js?v=${hash('sha256', COPY_SCRIPT, 'base64url').slice(0, 12)}`
