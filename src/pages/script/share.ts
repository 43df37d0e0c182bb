// A file of its own (`share.js`) for the page of a year: makes pictures of the server's drawings (D92), and copies a text.
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy-text]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copyText ?? '')
    button.textContent = button.dataset.done ?? ''
  })
}

for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-picture]'))
  link.addEventListener('click', (event) => {
    event.preventDefault()
    save(link).catch(() => location.assign(link.href))
  })

/** To where the device shares pictures; elsewhere as a file. */
async function save(link: HTMLAnchorElement): Promise<void> {
  const picture = await pictureOf(link.href, link.dataset)
  const shared = { files: [picture] }
  if (matchMedia('(pointer: coarse)').matches && navigator.canShare?.(shared)) {
    await navigator.share(shared).catch(() => {})
    return
  }
  const file = document.createElement('a')
  file.href = URL.createObjectURL(picture)
  file.download = picture.name
  file.click()
  setTimeout(() => URL.revokeObjectURL(file.href), 60_000)
}

// In the page, or in a dialog on it: draws what goes with the form, which is sent then; if that fails, without it.
addEventListener(
  'submit',
  (event) => {
    const form = event.target as HTMLFormElement
    const file = form.querySelector<HTMLInputElement>('input[data-drawing]')
    if (file === null) return
    event.preventDefault()
    event.stopImmediatePropagation()
    pictureOf(file.dataset.drawing ?? '', file.dataset)
      .then((picture) => {
        const files = new DataTransfer()
        files.items.add(picture)
        file.files = files.files
      })
      .catch(() => {})
      .finally(() => {
        delete file.dataset.drawing
        form.requestSubmit(event.submitter)
      })
  },
  true,
)

async function pictureOf(href: string, { picture, name = 'year.png' }: DOMStringMap): Promise<File> {
  const [width = 0, height = 0] = (picture ?? '').split('x').map(Number)
  const image = new Image(width, height)
  image.src = href
  await image.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  canvas.getContext('2d')?.drawImage(image, 0, 0, width, height)
  const pixels = await new Promise<Blob>((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject() : resolve(blob)), 'image/png')
  })
  return new File([pixels], name, { type: 'image/png' })
}
