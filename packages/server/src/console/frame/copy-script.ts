import { hash } from 'node:crypto'

/** Buttons that copy the text beside them. Without this there is no button, and the text can be marked as ever. */
export const COPY_SCRIPT = `'use strict'
;(() => {
  document.documentElement.classList.add('with-script')
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('button[data-copy]')
    if (!button) return
    const said = button.textContent
    const text = document.getElementById(button.dataset.copy).textContent
    try {
      await navigator.clipboard.writeText(text)
      button.textContent = 'Copied'
    } catch {
      getSelection().selectAllChildren(document.getElementById(button.dataset.copy))
      button.textContent = 'Marked: copy it'
    }
    setTimeout(() => { button.textContent = said }, 2500)
  })
})()
`

export const COPY_SCRIPT_PATH = `/assets/copy.js?v=${hash('sha256', COPY_SCRIPT, 'base64url').slice(0, 12)}`
