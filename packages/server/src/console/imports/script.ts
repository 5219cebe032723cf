import { hash } from 'node:crypto'
import { FOLDER_SCRIPT } from './folder-script.ts'

/**
 * Drag and drop, and the progress of an upload and of an import. Without the script, a button sends the form, and a
 * link reloads the page.
 */
export const IMPORT_SCRIPT = `'use strict'
;(() => {
  document.documentElement.classList.add('with-script')
  const size = (bytes) => bytes < 1e6 ? Math.ceil(bytes / 1e3) + ' kB' : bytes < 1e9 ? (bytes / 1e6).toFixed(1) + ' MB' : (bytes / 1e9).toFixed(1) + ' GB'
  const span = (seconds) => seconds < 60 ? Math.max(1, Math.round(seconds)) + ' s' : Math.round(seconds / 60) + ' min'

${FOLDER_SCRIPT}
  const form = document.getElementById('upload')
  if (form) {
    const input = document.getElementById('files')
    const folder = document.getElementById('folder')
    const maxFiles = () => Number(form.dataset.files)
    const pickers = [input, folder]
    const shown = form.querySelector('.upload-progress')
    const bar = shown.querySelector('progress')
    const says = shown.querySelector('p')
    const say = (text, wrong) => {
      shown.hidden = false
      bar.hidden = wrong
      says.textContent = text
    }
    const lock = (isBusy) => { for (const picker of pickers) picker.disabled = isBusy }
    const refuse = (text) => {
      lock(false)
      say(text, true)
    }
    const refusal = (files) => {
      const all = files.reduce((sum, { file }) => sum + file.size, 0)
      if (files.length === 0) return 'There is nothing in it to import.'
      if (files.length > maxFiles()) return tooMany(maxFiles()).message
      if (all > Number(form.dataset.most)) return 'That is ' + size(all) + '. At most ' + size(Number(form.dataset.most)) + ' can be sent at once.'
    }
    const send = (files) => {
      const wrong = refusal(files)
      if (wrong) return refuse(wrong)
      const request = new XMLHttpRequest()
      const started = performance.now()
      request.open('POST', form.action)
      request.setRequestHeader('Accept', 'application/json')
      request.upload.onprogress = ({ loaded, total }) => {
        const seconds = (performance.now() - started) / 1000
        bar.value = loaded / total
        const left = loaded > 0 && seconds > 1 ? ', about ' + span(seconds * (total - loaded) / loaded) + ' left' : ''
        say(loaded < total ? Math.floor(100 * loaded / total) + ' % of ' + size(total) + ', ' + size(loaded / Math.max(seconds, 0.1)) + ' per second' + left : 'Sent. Checking the files…', false)
      }
      request.onloadend = () => {
        if (request.status >= 200 && request.status < 300) return location.assign(request.responseURL)
        let text = 'The upload failed. Check your connection and try again.'
        try {
          const { error } = JSON.parse(request.responseText)
          text = error.message + ' ' + error.next_step
        } catch {}
        refuse(text)
      }
      say('Sending…', false)
      const body = new FormData()
      // The server reads the token before it stores any file.
      for (const { name, value } of form.querySelectorAll('input[type="hidden"]')) body.append(name, value)
      for (const { file, path } of files) body.append('files', file, path)
      request.send(body)
    }
    const sendAll = async (find) => {
      if (input.disabled) return
      lock(true)
      bar.removeAttribute('value')
      say('Looking for files…', false)
      try {
        send(await find())
      } catch (error) {
        refuse(error.message)
      }
    }
    // Clears the choice at once. Otherwise the browser would report no change if the same files are chosen again.
    const onChoice = (picker, find) => () => {
      const files = [...picker.files]
      picker.value = ''
      if (files.length > 0) sendAll(() => find(files))
    }
    input.addEventListener('change', onChoice(input, (files) => files.map((file) => ({ file, path: file.name }))))
    folder.addEventListener('change', onChoice(folder, (files) => filesOfFolder(files, maxFiles())))
    const isFiles = (event) => [...event.dataTransfer.types].includes('Files')
    for (const type of ['dragenter', 'dragover'])
      document.addEventListener(type, (event) => {
        if (!isFiles(event)) return
        event.preventDefault()
        form.classList.add('over')
      })
    document.addEventListener('dragleave', (event) => {
      if (event.relatedTarget === null) form.classList.remove('over')
    })
    document.addEventListener('drop', (event) => {
      if (!isFiles(event)) return
      event.preventDefault()
      form.classList.remove('over')
      // The browser drops the list of items after this turn. Entries stay valid.
      const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.())
      const files = [...event.dataTransfer.files].map((file) => ({ file, path: file.name }))
      const hasFolders = entries.some((entry) => entry?.isDirectory)
      sendAll(() => (hasFolders ? filesOfEntries(entries.filter((entry) => entry), maxFiles()) : files))
    })
  }

  const live = document.getElementById('live')
  if (live) {
    const state = live.dataset.state
    const look = async () => {
      try {
        const answer = await fetch(live.dataset.path, { headers: { accept: 'application/json' } })
        if (answer.redirected) return location.reload()
        const { state: now, html } = await answer.json()
        if (now !== state) return location.reload()
        const part = new DOMParser().parseFromString(html, 'text/html')
        live.replaceChildren(...part.body.childNodes)
      } catch {
        if (!live.querySelector('.lost')) {
          const note = document.createElement('p')
          note.className = 'small quiet lost'
          note.textContent = 'The server is not answering. This page keeps trying.'
          live.append(note)
        }
      }
      setTimeout(look, 1000)
    }
    setTimeout(look, 700)
  }
})()
`

export const IMPORT_SCRIPT_PATH = `/assets/import.js?v=${hash('sha256', IMPORT_SCRIPT, 'base64url').slice(0, 12)}`
