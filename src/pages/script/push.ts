// A file of its own (`push.js`) for the settings of notifications: asks the browser after a press, and sends what it says.
const form = document.querySelector<HTMLFormElement>('form[data-push]')
if (form !== null && 'PushManager' in window && 'serviceWorker' in navigator) {
  form.hidden = false
  document.querySelector('[data-no-push]')?.remove()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void ask(form)
  })
}

async function ask(form: HTMLFormElement): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready
  try {
    // One of another key, or of somebody else who signed in here, is of no use.
    await (await pushManager.getSubscription())?.unsubscribe()
    const applicationServerKey = form.dataset.push ?? ''
    const { endpoint, keys } = (
      await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
    ).toJSON()
    for (const [name, value] of Object.entries({ endpoint, ...keys })) {
      const input = form.elements.namedItem(name)
      if (input instanceof HTMLInputElement) input.value = value ?? ''
    }
    form.submit()
  } catch (cause) {
    const isDenied = cause instanceof DOMException && cause.name === 'NotAllowedError'
    const failed = form.querySelector<HTMLElement>('[role=alert]')
    if (failed !== null) failed.textContent = (isDenied ? form.dataset.denied : form.dataset.failed) ?? ''
  }
}

export {}
