/** Sends the form of a file as soon as the file is chosen: its button is for browsers without script. */
export function sendChosenFiles(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type="file"][data-at-once]'))
    input.onchange = () => {
      if (input.files?.length) input.form?.requestSubmit()
    }
}
