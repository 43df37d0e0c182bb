import { texts } from '../told'

// A file of its own (`failure.js`) for error pages: counts the seconds to wait, and copies the reference.
const clock = document.querySelector<HTMLElement>('[data-countdown]')
if (clock !== null) countDown(clock)
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
  // Only in a secure context.
  button.hidden = navigator.clipboard === undefined
  button.addEventListener('click', () => void copy(button))
}

function countDown(clock: HTMLElement): void {
  const end = Date.now() + Number(clock.dataset.countdown) * 1000
  const timer = setInterval(() => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000))
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
    if (left === 0) clearInterval(timer)
  }, 250)
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const text = document.getElementById(button.dataset.copy ?? '')?.textContent ?? ''
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = texts.copied
  } catch {
    // Not permitted: the text can be selected.
  }
}
