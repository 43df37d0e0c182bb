// A file of its own (`share.js`) for the page of a year: makes a picture of the server's drawing (D92), and copies a text.
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
  const picture = new File([await pixelsOf(link)], link.dataset.name ?? '', { type: 'image/png' })
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

async function pixelsOf({ href, dataset }: HTMLAnchorElement): Promise<Blob> {
  const [width = 0, height = 0] = (dataset.picture ?? '').split('x').map(Number)
  const image = new Image(width, height)
  image.src = href
  await image.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  canvas.getContext('2d')?.drawImage(image, 0, 0, width, height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject() : resolve(blob)), 'image/png')
  })
}
